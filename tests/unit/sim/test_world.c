#include "sim/world.h"

#include "net.h"

extern const struct bl_trace_format bl_trace_format_sia, bl_trace_format_pollux,
    bl_trace_format_swf;

static struct bl_node_spec nodes[] = {{.name = "a", .gpu_type = "T4", .gpus = 4},
                                      {.name = "b", .gpu_type = "T4", .gpus = 4}};
static const struct bl_clusterspec machine = {nodes, 2};

struct scene {
    struct bl_profiles profiles;
    struct bl_cluster cluster;
    struct bl_sim_world *world;
    struct bl_trace_job job;
    struct bl_error err;
};

static void begin(struct scene *s, const struct bl_trace_format *format)
{
    struct bl_sim_world_setup setup = {format, &s->profiles, &machine, false};

    *s = (struct scene){.job = {.id = 1, .application = "net", .batch = 64}};
    s->job.spec.name = "net-0";
    s->job.spec.gpus_want = 2;
    net_add(&s->profiles);
    for (size_t i = 0; i < machine.node_count; i++) {
        bl_cluster_add_node(&s->cluster, &machine.node[i]);
    }
    s->world = bl_sim_world_create(&setup);
}

static void end(struct scene *s)
{
    bl_sim_world_destroy(s->world);
    bl_cluster_finish(&s->cluster);
    bl_profiles_finish(&s->profiles);
}

static void only_formats_of_profiled_jobs_have_a_world(void **state)
{
    struct bl_sim_world_setup setup = {&bl_trace_format_swf, NULL, &machine, false};

    (void)state;
    assert_null(bl_sim_world_create(&setup));
}

static void what_no_profile_covers_is_refused(void **state)
{
    static const struct {
        const char *application;
        double batch;
        const char *gpu_type;
        const char *message;
    } rows[] = {
        {"other", 64, "T4", "net-0: there is no profile of the application other"},
        {"net", 999, "T4", "net-0: batch_size: expected 32 to 128 for net, found 999"},
        {"net", 64, "A100", "net-0: net has no profile on A100, the GPU type of b"},
        {"net", 64, NULL, "net-0: net has no profile on no named type, the GPU type of b"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;

        begin(&s, &bl_trace_format_pollux);
        nodes[1].gpu_type = rows[i].gpu_type;
        s.job.application = rows[i].application;
        s.job.batch = rows[i].batch;
        assert_int_not_equal(bl_sim_world_admit(s.world, &s.job, &s.err), BL_OK);
        assert_string_equal(s.err.text, rows[i].message);
        nodes[1].gpu_type = "T4";
        end(&s);
    }
}

static void a_fault_of_a_profile_is_told_when_it_is_used(void **state)
{
    struct scene s;

    (void)state;
    begin(&s, &bl_trace_format_sia);
    bl_profiles_find(&s.profiles, "net")->fault = bl_copy_text("x.csv:3: wrong");
    assert_int_equal(bl_sim_world_admit(s.world, &s.job, &s.err), BL_EINVAL);
    assert_string_equal(s.err.text, "net-0: x.csv:3: wrong");
    end(&s);
}

/* On 1 GPU two micro-steps of 32: 0.2 s; on 2 a step of 0.2 s with 64 in all: as fast. */
static void what_baselines_may_know_stands_in_the_spec(void **state)
{
    struct scene s;

    (void)state;
    begin(&s, &bl_trace_format_pollux);
    assert_int_equal(bl_sim_world_admit(s.world, &s.job, &s.err), BL_OK);
    assert_int_equal(s.job.spec.gpus_min, 1);
    assert_int_equal(s.job.spec.gpus_max, 4); /* a batch of 64 in parts of 16 */
    assert_int_equal(s.job.spec.curve.point_count, 4);
    assert_true(s.job.spec.curve.point[1].speed == 1);
    assert_int_equal(s.job.spec.work, 10 * BL_SECOND); /* the epoch behind the first: 50 × 0.2 s */
    end(&s);
    begin(&s, &bl_trace_format_sia);
    assert_int_equal(bl_sim_world_admit(s.world, &s.job, &s.err), BL_OK);
    assert_int_equal(s.job.spec.gpus_max, 8);
    assert_int_equal(s.job.spec.curve.point_count, 0);
    assert_int_equal(s.job.spec.work, 0);
    end(&s);
}

static void a_job_that_tunes_its_batch_says_what_limits_it(void **state)
{
    struct bl_alloc alloc = {1, {0, 1, 1, 0, 0}, NULL};
    const char *gpu_type = NULL;
    struct bl_lesson lesson;
    struct bl_sim_word word;
    struct scene s;

    (void)state;
    begin(&s, &bl_trace_format_sia);
    assert_int_equal(bl_sim_world_admit(s.world, &s.job, &s.err), BL_OK);
    assert_true(s.job.spec.batch.initial == 32 && s.job.spec.batch.max == 128);
    assert_true(s.job.spec.batch.local_max == 64 && s.job.spec.batch_asked == 64);
    assert_string_equal(s.job.spec.gpu_type[0], "T4");
    assert_int_equal(s.job.spec.restart, 5 * BL_SECOND);
    assert_true(bl_sim_world_next_lesson(s.world, &lesson, &gpu_type));
    assert_string_equal(lesson.application, "net");
    assert_true(lesson.point.gpus == 1 && lesson.point.local_batch == 16);
    assert_string_equal(gpu_type, "T4");
    assert_true(bl_sim_world_next_lesson(s.world, &lesson, &gpu_type));
    assert_false(bl_sim_world_next_lesson(s.world, &lesson, &gpu_type));
    bl_sim_world_place(s.world, 1, &alloc, &s.cluster);
    bl_sim_world_advance(s.world, 1, 10);
    assert_true(bl_sim_world_ask_more(s.world, 1, &word));
    assert_true(word.local_batch == 32 && word.iter_s == 0.1);
    assert_false(bl_sim_world_ask_more(s.world, 1, &word));
    word = bl_sim_world_ask(s.world, 1);
    assert_true(word.done == 50 && word.total == 0); /* the whole shows at the end */
    end(&s);
}

static void an_oracle_knows_speeds_and_the_whole_work(void **state)
{
    static const struct {
        int32_t gpus, nodes;
        double rate;
    } rows[] = {{1, 1, 10}, {2, 1, 5}, {5, 5, 1 / .7}, {0, 1, 0}, {9, 3, 0}};
    struct bl_sim_world_setup setup = {&bl_trace_format_sia, NULL, &machine, true};
    struct bl_sim_world *world;
    struct scene s;

    (void)state;
    begin(&s, &bl_trace_format_sia);
    assert_null(bl_sim_world_oracle(s.world)); /* nobody asked for it */
    setup.profiles = &s.profiles;
    world = bl_sim_world_create(&setup);
    assert_int_equal(bl_sim_world_admit(world, &s.job, &s.err), BL_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct bl_oracle *oracle = bl_sim_world_oracle(world);
        struct bl_oracle_question question = {1, 0, rows[i].gpus, rows[i].nodes};

        assert_float_equal(oracle->rate(oracle->self, &s.cluster, &question), rows[i].rate, 1e-9);
        assert_float_equal(oracle->total(oracle->self, 1), 200, 1e-9);
    }
    bl_sim_world_destroy(world);
    end(&s);
}

static void jobs_that_tell_their_true_speeds_have_no_oracle(void **state)
{
    struct bl_sim_world_setup setup = {&bl_trace_format_pollux, NULL, &machine, true};
    struct bl_sim_world *world = bl_sim_world_create(&setup);

    (void)state;
    assert_null(bl_sim_world_oracle(world));
    bl_sim_world_destroy(world);
}

static void a_job_runs_on_what_it_holds_and_says_how_it_goes(void **state)
{
    struct bl_alloc alloc = {1, {0, 2, 3, 0, 0}, NULL};
    struct bl_sim_advance done;
    struct bl_sim_word word;
    struct scene s;

    (void)state;
    begin(&s, &bl_trace_format_pollux);
    assert_int_equal(bl_sim_world_admit(s.world, &s.job, &s.err), BL_OK);
    bl_sim_world_place(s.world, 1, &alloc, &s.cluster);
    assert_false(bl_sim_world_advance(s.world, 1, 30).has_ended);
    assert_false(bl_sim_world_ask(s.world, 1).has_trained);
    assert_false(bl_sim_world_advance(s.world, 1, 10).has_ended);
    word = bl_sim_world_ask(s.world, 1);
    assert_true(word.has_trained && word.rate == 5 && word.iter_s == 0.2 && word.sync_s == 0.1);
    assert_true(word.done == 0 && word.total == 50); /* in its first epoch */
    done = bl_sim_world_advance(s.world, 1, 60);
    assert_true(done.has_ended && done.after_s == 30);
    word = bl_sim_world_ask(s.world, 1);
    assert_true(word.done == word.total);
    bl_sim_world_forget(s.world, 1);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_formats_of_profiled_jobs_have_a_world),
        cmocka_unit_test(what_no_profile_covers_is_refused),
        cmocka_unit_test(a_fault_of_a_profile_is_told_when_it_is_used),
        cmocka_unit_test(what_baselines_may_know_stands_in_the_spec),
        cmocka_unit_test(a_job_that_tunes_its_batch_says_what_limits_it),
        cmocka_unit_test(an_oracle_knows_speeds_and_the_whole_work),
        cmocka_unit_test(jobs_that_tell_their_true_speeds_have_no_oracle),
        cmocka_unit_test(a_job_runs_on_what_it_holds_and_says_how_it_goes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
