#include "core/vacancy.h"
#include "bl_test.h"
#include "scene.h"

enum { STEPS = 12 };

static struct bl_vacancy look(const struct scene *scene, size_t runs, struct bl_arena *arena)
{
    const struct bl_vacancy_wish wish = {
        .options.seed = 5, .runs = runs, .step = BL_HOUR, .steps = STEPS};
    struct bl_vacancy out;

    bl_vacancy_look(scene->core, &wish, arena, &out);
    assert_int_equal(out.runs, runs);
    return out;
}

static void expect(const int32_t *found, const int32_t expected[STEPS])
{
    for (int i = 0; i < STEPS; i++) {
        if (found[i] != expected[i]) {
            fail_msg("at %dh: %d, not %d", i, (int)found[i], (int)expected[i]);
        }
    }
}

/* Half of its limit is what a job is taken to run for. */
static void free_gpus_follow_from_who_ends_and_starts(void **state)
{
    static const int32_t a100[STEPS] = {1, 1, 1, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    static const int32_t v100[STEPS] = {0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2};
    static const int32_t used[STEPS] = {5, 5, 5, 2, 2, 2, 0, 0, 0, 0, 0, 0};
    struct scene s = scene_new("1x4:A100 1x2:V100", "easy");
    struct bl_arena arena = {0};
    struct bl_vacancy out;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=3 type=A100 limit=5h");
    scene_event(&s, "submit id=2 gpus=2 type=V100 limit=5h");
    scene_event(&s, "submit id=3 gpus=2 type=V100 limit=6h");
    out = look(&s, 1, &arena);
    assert_int_equal(out.gpus, 6);
    assert_int_equal(out.type_count, 2);
    assert_string_equal(out.type[0].name, "A100");
    assert_int_equal(out.type[0].gpus, 4);
    expect(out.type[0].p50, a100);
    expect(out.type[1].p50, v100);
    expect(out.used, used);
    scene_free(&s);
    bl_arena_finish(&arena);
}

static void what_is_held_or_drained_is_not_free(void **state)
{
    static const int32_t free[STEPS] = {4, 4, 4, 1, 1, 4, 4, 4, 0, 0, 0, 0};
    struct scene s = scene_new("1x4:A100", "easy");
    struct bl_arena arena = {0};
    struct bl_vacancy out;

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=3 from=3h for=2h");
    scene_event(&s, "node name=n1 state=drained from=8h");
    out = look(&s, 1, &arena);
    expect(out.type[0].p50, free);
    scene_free(&s);
    bl_arena_finish(&arena);
}

static void several_runs_give_a_range(void **state)
{
    struct scene s = scene_new("1x4:A100", "easy");
    struct bl_arena arena = {0};
    struct bl_vacancy out;
    bool is_wide = false;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 limit=12h user=ann");
    out = look(&s, 16, &arena);
    for (int i = 0; i < STEPS; i++) {
        const struct bl_vacancy_type *type = &out.type[0];

        assert_true(type->p10[i] <= type->p50[i] && type->p50[i] <= type->p90[i]);
        is_wide = is_wide || type->p10[i] < type->p90[i];
    }
    assert_true(is_wide);
    assert_int_equal(out.type[0].p90[0], 0);
    scene_free(&s);
    bl_arena_finish(&arena);
}

static bool stop_at_once(void *self)
{
    (void)self;
    return true;
}

static void what_is_stopped_says_so(void **state)
{
    const struct bl_vacancy_wish wish = {
        .options.is_stopped = stop_at_once, .runs = 4, .step = BL_HOUR, .steps = STEPS};
    struct scene s = scene_new("1x4:A100", "easy");
    struct bl_arena arena = {0};
    struct bl_vacancy out;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 limit=12h user=ann");
    bl_vacancy_look(s.core, &wish, &arena, &out);
    assert_int_equal(out.runs, 0);
    scene_free(&s);
    bl_arena_finish(&arena);
}

static bool is_enough_after(void *self)
{
    int *left = self;

    return (*left)-- <= 0;
}

static void what_is_enough_says_on_how_many_looks_it_rests(void **state)
{
    struct scene s = scene_new("1x4:A100", "easy");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 limit=12h user=ann");
    for (int more = 0; more < 6; more++) {
        struct bl_arena arena = {0};
        int left = more;
        const struct bl_vacancy_wish wish = {.runs = 4,
                                             .is_enough = is_enough_after,
                                             .judge = &left,
                                             .step = BL_HOUR,
                                             .steps = STEPS};
        struct bl_vacancy out;

        bl_vacancy_look(s.core, &wish, &arena, &out);
        assert_int_equal(out.runs, more < 3 ? more + 1 : 4);
        bl_arena_finish(&arena);
    }
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_gpus_follow_from_who_ends_and_starts),
        cmocka_unit_test(what_is_held_or_drained_is_not_free),
        cmocka_unit_test(several_runs_give_a_range),
        cmocka_unit_test(what_is_stopped_says_so),
        cmocka_unit_test(what_is_enough_says_on_how_many_looks_it_rests),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
