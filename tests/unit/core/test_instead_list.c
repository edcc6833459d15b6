#include "core/instead_list.h"
#include "bl_test.h"
#include "scene.h"

enum { TEXT_MAX = 800 };

/* "n t:V100 l:105/1 g:3,2,1 c": nodes, types, limits in minutes with bookings, counts, class. */
static const char *listed(const struct scene *scene, bl_job_id id)
{
    static char out[TEXT_MAX];
    const struct bl_job *job = bl_core_find_job(scene->core, id);
    struct bl_candidates list;

    out[0] = '\0';
    bl_candidates_list(scene->core, job, scene->now, &list);
    for (size_t i = 0; i < list.count; i++) {
        const struct bl_job_change *change = &list.at[i].change;
        char *end = out + strlen(out);
        size_t room = TEXT_MAX - strlen(out);

        if (change->set_nodes) {
            snprintf(end, room, " nodes");
        } else if (change->set_gpu_types) {
            snprintf(end, room, " %s", change->gpu_type[0]);
        } else if (change->set_limit) {
            snprintf(end, room, " %dm/%d", (int)(change->limit / BL_MINUTE),
                     (int)list.at[i].before);
        } else if (change->set_gpus) {
            snprintf(end, room, " %d", (int)change->gpus_max);
        } else {
            snprintf(end, room, " %s", bl_job_class_name(change->job_class));
        }
    }
    return out;
}

static const struct {
    const char *nodes;
    const char *line[5];
    int job;
    const char *expected;
} rows[] = {
    {"1x4:A100", {"submit id=1 gpus=4", "submit id=2 gpus=4"}, 2, " 3 2 1"},
    {"1x4:A100", {"submit id=1 gpus=4", "submit id=2 gpus=1"}, 2, ""},
    {"1x8:A100", {"submit id=1 gpus=8", "submit id=2 gpus=2,4,8"}, 2, " 4 2"},
    {"1x8:A100", {"submit id=1 gpus=8", "submit id=2 gpus=4-8"}, 2, " 7 6 5 4"},
    /* of many they are spread */
    {"1x64:A100",
     {"submit id=1 gpus=64", "submit id=2 gpus=64"},
     2,
     " 59 54 49 43 38 33 28 22 17 12 7 1"},
    /* a type that has too few of them is none */
    {"2x4:A100 1x4:V100 1x2:T4",
     {"submit id=1 gpus=8", "submit id=2 gpus=3 type=A100"},
     2,
     " V100 2 1"},
    {"1x4:A100 1x4:V100", {"submit id=1 gpus=8", "submit id=2 gpus=1"}, 2, ""},
    {"4x2:A100", {"submit id=1 gpus=8", "submit id=2 gpus=3 nodes=2"}, 2, " nodes 2 1"},
    {"4x2:A100", {"submit id=1 gpus=8", "submit id=2 gpus=2 nodes=1"}, 2, " 1"},
    /* before the first slot, before the second */
    {"2x1:A100",
     {"reserve id=1 gpus=1 from=60m for=1h", "reserve id=2 gpus=1 from=200m for=1h",
      "submit id=1 gpus=2 limit=9h"},
     1,
     " 195m/2 55m/1 1"},
    /* no limit under which it would be cut off for sure; none that leaves no time to save */
    {"1x1:A100", {"reserve id=1 gpus=1 from=60m for=1h", "submit id=1 gpus=1 limit=10h"}, 1, ""},
    {"1x1:A100",
     {"reserve id=1 gpus=1 from=60m for=1h", "submit id=1 gpus=1 limit=9h warn=55m"},
     1,
     " preemptible"},
    {"1x1:A100",
     {"reserve id=1 gpus=1 from=60m for=1h", "submit id=1 gpus=1 class=preemptible warn=1m",
      "submit id=2 gpus=1 class=preemptible warn=1m"},
     2,
     ""},
    /* a booking's own jobs */
    {"1x2:A100",
     {"reserve id=1 gpus=2 from=60m for=1h", "submit id=1 gpus=2 reservation=1"},
     1,
     " 1"},
};

static void candidates_are_what_the_machine_has_and_a_change_may_ask_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new(rows[i].nodes, "fifo");

        for (size_t k = 0; k < 5 && rows[i].line[k]; k++) {
            scene_event(&s, rows[i].line[k]);
        }
        if (strcmp(listed(&s, rows[i].job), rows[i].expected) != 0) {
            fail_msg("row %d: '%s'", (int)i, listed(&s, rows[i].job));
        }
        scene_free(&s);
    }
}

/* What would fit now but for another, until that one starts; nodes until they are drained. */
static void limits_are_those_to_be_over_in_time(void **state)
{
    struct scene s = scene_new("1x4:A100", "easy");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=3 limit=2h");
    scene_event(&s, "t=0 submit id=2 gpus=4 limit=2h");
    scene_event(&s, "t=0 submit id=3 gpus=1 limit=6h");
    assert_string_equal(listed(&s, 3), " 115m/0");
    scene_free(&s);
    s = scene_new("1x4:A100", "easy");
    scene_event(&s, "t=0 node name=n1 state=drained from=60m");
    scene_event(&s, "t=0 submit id=1 gpus=1 limit=6h");
    assert_string_equal(listed(&s, 1), " 55m/0");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_are_what_the_machine_has_and_a_change_may_ask_for),
        cmocka_unit_test(limits_are_those_to_be_over_in_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
