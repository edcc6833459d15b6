#include "bl_test.h"
#include "near.h"
#include "core/tenants.h"

#include <math.h>
#include <stdio.h>

static struct bl_job job_of(const char *user, const char *project, int32_t gpus)
{
    return (struct bl_job){.spec = {.user = user,
                                    .project = project,
                                    .gpus_min = gpus,
                                    .gpus_want = gpus,
                                    .gpus_max = gpus}};
}

static struct bl_tenants *tenants_on(int64_t gpus, int64_t cpu_milli)
{
    struct bl_tenants *tenants = bl_tenants_create();
    struct bl_resources capacity = {{gpus, cpu_milli, 0}};

    bl_tenants_note_capacity(tenants, &capacity);
    return tenants;
}

static void start(struct bl_tenants *tenants, struct bl_job *job)
{
    job->attempt = 1;
    job->alloc.part_count = 1;
    job->alloc.single =
        (struct bl_alloc_part){.gpus = job->spec.gpus_want, .cpu_milli = job->spec.cpu_milli.value};
    bl_tenants_note_started(tenants, job);
}

/* Eight GPUs. Ten seconds nobody has any (1 and 1), ten seconds a has two and b none (0 and 1/2),
 * twenty seconds a has two and b four (1/2 and 36/40). */
static void A16_shares_of_backlogged_tenants_are_weighed_by_time(void **state)
{
    struct bl_tenants *tenants = tenants_on(8, 0);
    struct bl_job a1 = job_of("a", NULL, 2);
    struct bl_job a2 = job_of("a", NULL, 2);
    struct bl_job b1 = job_of("b", NULL, 4);
    struct bl_job b2 = job_of("b", NULL, 4);

    (void)state;
    bl_tenants_note_submitted(tenants, &a1);
    bl_tenants_note_submitted(tenants, &a2);
    bl_tenants_note_submitted(tenants, &b1);
    bl_tenants_note_submitted(tenants, &b2);
    bl_tenants_advance(tenants, 10 * BL_SECOND);
    start(tenants, &a1);
    bl_tenants_advance(tenants, 10 * BL_SECOND);
    start(tenants, &b1);
    bl_tenants_advance(tenants, 20 * BL_SECOND);
    assert_near(bl_tenants_min_max(tenants), (10 + 0 + 10) / 40.0, 1e-12);
    assert_near(bl_tenants_jain(tenants), (10 + 5 + 18) / 40.0, 1e-12);

    /* From here on only b waits, and that time does not count. */
    start(tenants, &a2);
    bl_tenants_advance(tenants, 1000 * BL_SECOND);
    assert_near(bl_tenants_min_max(tenants), 0.5, 1e-12);
    bl_tenants_destroy(tenants);
}

static void the_share_is_that_of_the_scarcest_resource(void **state)
{
    struct bl_tenants *tenants = tenants_on(8, 16000);
    struct bl_job a = job_of("a", NULL, 1); /* 1/8 of the GPUs, 1/2 of the CPUs */
    struct bl_job b = job_of("b", NULL, 2); /* 1/4 of the GPUs */
    struct bl_job waiting[] = {job_of("a", NULL, 1), job_of("b", NULL, 1)};

    (void)state;
    a.spec.cpu_milli = (struct bl_amount){8000, false};
    bl_tenants_note_submitted(tenants, &a);
    bl_tenants_note_submitted(tenants, &b);
    start(tenants, &a);
    start(tenants, &b);
    bl_tenants_note_submitted(tenants, &waiting[0]);
    bl_tenants_note_submitted(tenants, &waiting[1]);
    bl_tenants_advance(tenants, BL_SECOND);
    assert_near(bl_tenants_min_max(tenants), 0.5, 1e-6);

    /* Twice the CPUs: both have a quarter now. */
    bl_tenants_note_capacity(tenants, &(struct bl_resources){{8, 32000, 0}});
    bl_tenants_advance(tenants, BL_SECOND);
    assert_near(bl_tenants_min_max(tenants), 0.75, 1e-6);
    bl_tenants_destroy(tenants);
}

static void what_ended_or_left_the_queue_counts_no_longer(void **state)
{
    struct bl_tenants *tenants = tenants_on(8, 0);
    struct bl_job a = job_of("a", NULL, 2);
    struct bl_job a_waits = job_of("a", NULL, 2);
    struct bl_job b_waits = job_of("b", NULL, 2);

    (void)state;
    bl_tenants_note_submitted(tenants, &a);
    start(tenants, &a);
    bl_tenants_note_submitted(tenants, &a_waits);
    bl_tenants_note_submitted(tenants, &b_waits);
    bl_tenants_advance(tenants, BL_SECOND); /* 0 */
    bl_tenants_note_ended(tenants, &a);
    bl_tenants_advance(tenants, 3 * BL_SECOND); /* 1: nobody has any */
    assert_near(bl_tenants_min_max(tenants), 0.75, 1e-12);
    bl_tenants_note_ended(tenants, &b_waits); /* cancelled in the queue */
    bl_tenants_advance(tenants, 100 * BL_SECOND);
    assert_near(bl_tenants_min_max(tenants), 0.75, 1e-12);
    bl_tenants_destroy(tenants);
}

static void a_project_is_one_tenant_and_jobs_of_nobody_are_none(void **state)
{
    struct bl_tenants *tenants = tenants_on(8, 0);
    struct bl_job jobs[] = {job_of("a", "p", 1), job_of("b", "p", 1), job_of(NULL, NULL, 1)};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        bl_tenants_note_submitted(tenants, &jobs[i]);
    }
    bl_tenants_advance(tenants, BL_SECOND);
    assert_true(isnan(bl_tenants_min_max(tenants)));
    assert_true(isnan(bl_tenants_jain(tenants)));
    bl_tenants_destroy(tenants);
}

static void tenants_beyond_the_ceiling_are_not_told_apart_and_do_no_harm(void **state)
{
    struct bl_tenants *tenants = tenants_on(8, 0);
    char name[32];

    (void)state;
    for (int i = 0; i < BL_TENANTS_MAX + 10; i++) {
        struct bl_job job;

        snprintf(name, sizeof name, "user-%d", i);
        job = job_of(name, NULL, 1);
        bl_tenants_note_submitted(tenants, &job);
    }
    bl_tenants_advance(tenants, BL_SECOND);
    assert_near(bl_tenants_jain(tenants), 1, 0);
    bl_tenants_destroy(tenants);
}

/* Of eight GPUs a has two of its own and two more while it is resized, b has four. */
static void a_share_follows_what_is_held_while_a_job_is_resized(void **state)
{
    struct bl_tenants *tenants = tenants_on(8, 0);
    struct bl_job a = job_of("a", NULL, 2);
    struct bl_job b = job_of("b", NULL, 4);
    struct bl_job waiting[] = {job_of("a", NULL, 1), job_of("b", NULL, 1)};

    (void)state;
    start(tenants, &a);
    start(tenants, &b);
    bl_tenants_note_submitted(tenants, &waiting[0]);
    bl_tenants_note_submitted(tenants, &waiting[1]);
    bl_tenants_advance(tenants, BL_SECOND); /* 1/2 */
    bl_tenants_note_held(tenants, &a, &(struct bl_resources){{2, 0, 0}});
    bl_tenants_advance(tenants, BL_SECOND); /* 1 */
    bl_tenants_note_held(tenants, &a, &(struct bl_resources){{-2, 0, 0}});
    bl_tenants_advance(tenants, 2 * BL_SECOND); /* 1/2 */
    assert_near(bl_tenants_min_max(tenants), 0.625, 1e-12);
    bl_tenants_destroy(tenants);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A16_shares_of_backlogged_tenants_are_weighed_by_time),
        cmocka_unit_test(the_share_is_that_of_the_scarcest_resource),
        cmocka_unit_test(a_share_follows_what_is_held_while_a_job_is_resized),
        cmocka_unit_test(what_ended_or_left_the_queue_counts_no_longer),
        cmocka_unit_test(a_project_is_one_tenant_and_jobs_of_nobody_are_none),
        cmocka_unit_test(tenants_beyond_the_ceiling_are_not_told_apart_and_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
