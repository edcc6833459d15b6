#include "bl_test.h"
#include "scene.h"

static const char *const kinds[] = {"later", "earlier", "fewer", "elsewhere", "other"};

/* "later 5h-6h 4 A100; …" */
static void print_openings(const struct bl_openings *found, struct bl_buf *out)
{
    for (size_t i = 0; i < found->opening_count; i++) {
        const struct bl_opening *opening = &found->opening[i];

        bl_buf_printf(out, "%s%s ", i ? "; " : "", kinds[opening->kind]);
        bl_span_print(out, opening->start);
        bl_buf_printf(out, "-");
        bl_span_print(out, opening->end);
        bl_buf_printf(out, " %d %s", (int)opening->gpus, opening->gpu_type);
    }
}

static void expect(const struct scene *s, const char *line, const char *openings,
                   const char *conflicts)
{
    struct bl_arena arena = {0};
    struct bl_booking_spec spec = scene_wish(line, &arena);
    struct bl_openings found;
    BL_AUTO_BUF text = {0};
    BL_AUTO_BUF names = {0};

    bl_openings_find(s->core, &(struct bl_booking_wish){.spec = &spec}, &arena, &found);
    print_openings(&found, &text);
    for (size_t i = 0; i < found.conflict_count; i++) {
        const struct bl_conflict *conflict = &found.conflict[i];

        bl_buf_printf(&names, "%s%s%d:%d", i ? " " : "", conflict->job ? "j" : "r",
                      (int)(conflict->job ? conflict->job : conflict->booking),
                      (int)conflict->gpus);
    }
    assert_string_equal(bl_buf_text(&text), openings);
    assert_string_equal(bl_buf_text(&names), conflicts);
    bl_arena_finish(&arena);
}

static void P11_a_conflict_names_who_is_in_the_way_and_what_fits_instead(void **state)
{
    struct scene s = scene_new("1x8:A100 1x2:V100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=6 type=A100 from=9h for=3h");
    expect(&s, "id=2 gpus=4 type=A100 from=9h for=6h",
           "later 12h-18h 4 A100; earlier 3h-9h 4 A100; fewer 9h-15h 2 A100", "r1:6");
    expect(&s, "id=2 gpus=2 type=A100 from=9h for=6h", "", "");
    scene_event(&s, "t=0 reserve id=2 gpus=2 type=A100 from=9h for=1h");
    expect(&s, "id=3 gpus=2 type=A100 from=9h for=1h",
           "later 10h-11h 2 A100; later 12h-13h 2 A100; earlier 8h-9h 2 A100; other 9h-10h 2 V100",
           "r1:6 r2:2");
    scene_free(&s);
}

static void a_job_that_may_run_on_is_in_the_way_and_one_that_gives_way_is_not(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2 limit=5h");
    scene_event(&s, "t=0 submit id=2 gpus=1 class=preemptible");
    expect(&s, "id=1 gpus=3 from=3h for=1h", "later 5h-6h 3 A100; fewer 3h-4h 2 A100", "j1:2");
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=3h for=1h");
    assert_string_equal(scene_booking(&s, 1), "1 booked 3h-4h n1:2,3");
    scene_free(&s);
}

static void who_gives_way_must_have_the_time_to(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 class=preemptible");
    expect(&s, "id=1 gpus=3 from=10s for=1h", "later 1m-1h1m 3 A100", "j1:4");
    expect(&s, "id=1 gpus=3 from=40s for=1h", "", "");
    scene_free(&s);
}

static void a_series_moves_as_a_whole(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=4 from=33h for=2h");
    scene_event(&s, "t=0 reserve id=2 gpus=4 from=11h for=1h");
    expect(&s, "id=3 gpus=4 from=10h for=1h every=24h times=2",
           "later 1d12h-1d13h 4 A100; earlier 1d8h-1d9h 4 A100", "r1:4");
    scene_free(&s);
}

static void named_gpus_that_are_taken_may_be_had_elsewhere(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 on=n1:0-1 from=1h for=1h");
    expect(&s, "id=2 on=n1 from=1h for=1h",
           "later 2h-3h 4 A100; earlier 0s-1h 4 A100; elsewhere 1h-2h 4 A100", "r1:2");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P11_a_conflict_names_who_is_in_the_way_and_what_fits_instead),
        cmocka_unit_test(a_job_that_may_run_on_is_in_the_way_and_one_that_gives_way_is_not),
        cmocka_unit_test(who_gives_way_must_have_the_time_to),
        cmocka_unit_test(a_series_moves_as_a_whole),
        cmocka_unit_test(named_gpus_that_are_taken_may_be_had_elsewhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
