#include "core/plan_kept.h"
#include "bl_test.h"
#include "core/state.h"
#include "prop.h"
#include "scene.h"

enum { LINE_MAX = 200, STEPS_MAX = 40 };

static size_t plan_all(struct bl_plan_kept *kept, const struct scene *s)
{
    struct bl_view view = bl_core_view(s->core);
    size_t count = bl_plan_kept_begin(kept, &view);

    for (size_t i = count; i < view.queue_count; i++) {
        bl_plan_kept_add(kept, &view, i);
    }
    bl_plan_kept_end(kept, &view);
    return count;
}

/* Three wait behind one that has the whole machine. */
static struct scene busy(void)
{
    struct scene s = scene_new("2x8:A100", "conservative");

    scene_event(&s, "t=1m submit id=1 gpus=16 limit=4h");
    scene_event(&s, "t=1m submit id=2 gpus=16 limit=1h");
    scene_event(&s, "t=1m submit id=3 gpus=4 limit=1h");
    scene_event(&s, "t=1m submit id=4 gpus=2 limit=1h");
    return s;
}

static void what_has_a_place_keeps_it_until_something_changes(void **state)
{
    static const struct {
        const char *line;
        size_t kept;
    } rows[] = {
        {"t=2m round", 3},
        {"t=2m submit id=5 gpus=1 limit=1h", 3},
        {"t=2m cancel id=5", 3}, /* it never was there */
        {"t=2m cancel id=3", 0},
        {"t=2m hold id=4", 0},
        {"t=2m move id=4 before=2", 0},
        {"t=2m change id=3 gpus=5", 0},
        {"t=2m change id=3 limit=30m", 0},
        {"t=2m end id=1", 0},
        {"t=2m cancel id=1", 3}, /* it is asked to leave, and is there yet */
        {"t=2m node name=n1 state=drained", 0},
        {"t=2m reserve id=1 gpus=4 from=9h for=1h", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_plan_kept *kept = bl_plan_kept_create();
        struct scene s = busy();
        size_t again;

        assert_int_equal(plan_all(kept, &s), 0);
        assert_int_equal(bl_plan_kept_start_of(kept, 0), 241 * BL_MINUTE);
        assert_int_equal(bl_plan_kept_start_of(kept, 2), 301 * BL_MINUTE);
        scene_event(&s, rows[i].line);
        again = plan_all(kept, &s);
        if (again != rows[i].kept) {
            fail_msg("%s: %zu", rows[i].line, again);
        }
        bl_plan_kept_destroy(kept);
        scene_free(&s);
    }
}

static void a_plan_that_cannot_be_compared_is_made_anew(void **state)
{
    static const char *const lines[] = {"t=1m reserve id=1 gpus=4 from=9h for=1h",
                                        "t=1m node name=n1 state=drained from=9h",
                                        "t=1m submit id=5 gpus=1 limit=1h array=0-2"};

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct bl_plan_kept *kept = bl_plan_kept_create();
        struct scene s = busy();

        scene_event(&s, lines[i]);
        assert_int_equal(plan_all(kept, &s), 0);
        assert_int_equal(plan_all(kept, &s), 0);
        bl_plan_kept_destroy(kept);
        scene_free(&s);
    }
}

/* --- the same as one that is made anew ------------------------------------------------------- */

/* Rounds of the first keep their plan; the second has forgotten it before each line. */
struct twins {
    struct scene kept, fresh;
    int jobs;
};

static void tell_both(struct twins *twins, const char *line)
{
    struct bl_event anew = {.kind = BL_EVENT_POLICY_SET, .at = twins->fresh.now};

    anew.u.policy = *bl_core_policy(twins->fresh.core);
    scene_step(&twins->fresh, &anew);
    scene_event(&twins->kept, line);
    scene_event(&twins->fresh, line);
}

static void print_submission(struct bl_prop *prop, int id, char *line)
{
    static const char *const types[] = {"", "", "type=A100", "type=V100"};

    snprintf(line, LINE_MAX, "submit id=%d gpus=%d limit=%dm cpus=%d nodes=%d %s %s", id,
             (int)bl_prop_between(prop, 1, 9), (int)bl_prop_between(prop, 5, 300),
             (int)bl_prop_between(prop, 0, 6), (int)bl_prop_between(prop, 0, 2),
             types[bl_prop_between(prop, 0, 3)], bl_prop_chance(prop, 40) ? "array=0-2" : "");
}

static void print_change(struct bl_prop *prop, int jobs, char *line)
{
    static const char *const words[] = {"end", "end", "end", "cancel", "hold", "release"};
    int id = 4 * (int)bl_prop_between(prop, 1, jobs);

    if (bl_prop_chance(prop, 30)) {
        snprintf(line, LINE_MAX, "node name=n1 state=%s",
                 bl_prop_chance(prop, 500) ? "drained" : "up");
    } else {
        snprintf(line, LINE_MAX, "%s id=%d", words[bl_prop_between(prop, 0, 5)], id);
    }
}

static void happen(struct bl_prop *prop, struct twins *twins)
{
    char line[LINE_MAX] = "round";
    char at[2 * LINE_MAX];

    if (twins->jobs == 0 || bl_prop_chance(prop, 600)) {
        print_submission(prop, 4 * ++twins->jobs, line);
    } else if (bl_prop_chance(prop, 700)) {
        print_change(prop, twins->jobs, line);
    }
    snprintf(at, sizeof at, "t=%ds %s",
             (int)(twins->kept.now / BL_SECOND + bl_prop_between(prop, 0, 900)), line);
    bl_prop_note(prop, "%s", at);
    tell_both(twins, at);
}

static bool is_job_same(const struct twins *twins, bl_job_id id)
{
    const struct bl_job *job = bl_core_find_job(twins->kept.core, id);
    const struct bl_job *other = bl_core_find_job(twins->fresh.core, id);
    struct bl_reason why, why_other;
    char where[LINE_MAX];

    if (!job || !other || job->state != other->state || job->started_at != other->started_at) {
        return !job && !other;
    }
    snprintf(where, sizeof where, "%s", scene_where(&twins->kept, id));
    if (job->state != BL_JOB_QUEUED) {
        return strcmp(where, scene_where(&twins->fresh, id)) == 0;
    }
    why = scene_why(&twins->kept, id);
    why_other = scene_why(&twins->fresh, id);
    return why.code == why_other.code && why.at == why_other.at && why.job == why_other.job;
}

/* Asked about or not: that makes plans as well. */
static bool are_same(struct bl_prop *prop, const struct twins *twins)
{
    if (bl_prop_chance(prop, 600)) {
        return true;
    }
    for (int i = 1; i <= twins->jobs; i++) {
        if (!is_job_same(twins, 4 * i)) {
            bl_prop_note(prop, "job %d differs", 4 * i);
            return false;
        }
    }
    return true;
}

static bool rounds_decide_the_same(struct bl_prop *prop, void *context)
{
    const char *nodes = bl_prop_chance(prop, 500) ? "2x4:A100 2x2:V100" : "1x8:A100 1x4:V100";
    const char *policy = bl_prop_chance(prop, 500) ? "conservative" : "conservative:depth=2";
    struct twins twins = {scene_new(nodes, policy), scene_new(nodes, policy), 0};
    int64_t steps = bl_prop_between(prop, 1, STEPS_MAX);
    bool is_same = true;

    (void)context;
    bl_prop_note(prop, "%s on %s", policy, nodes);
    for (int64_t i = 0; i < steps && is_same; i++) {
        happen(prop, &twins);
        is_same = are_same(prop, &twins);
    }
    is_same = is_same && strcmp(bl_buf_text(&twins.kept.log), bl_buf_text(&twins.fresh.log)) == 0;
    scene_free(&twins.kept);
    scene_free(&twins.fresh);
    return is_same;
}

static void a_kept_plan_decides_as_one_that_is_made_anew(void **state)
{
    (void)state;
    assert_true(
        bl_prop_holds("kept and fresh plans decide the same", 400, rounds_decide_the_same, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_a_place_keeps_it_until_something_changes),
        cmocka_unit_test(a_plan_that_cannot_be_compared_is_made_anew),
        cmocka_unit_test(a_kept_plan_decides_as_one_that_is_made_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
