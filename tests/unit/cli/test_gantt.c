#include "cli/gantt.h"

#include "client_text.h"

/* 1970-01-02 00:00:00 UTC. */
#define NOW (86400 * BL_SECOND)

#define LEGEND "= running  . planned (a forecast; GPUs of waiting jobs are a sketch)"

/* Four hours from now in 24 cells of 10 minutes, behind a head of 4 columns. */
static struct bl_gantt_look usual_look(void)
{
    return (struct bl_gantt_look){
        .from = NOW, .to = NOW + 4 * BL_HOUR, .now = NOW, .columns = 29, .ascii = true};
}

struct sample {
    enum bl_fill fill;
    int from, until, surely; /* minutes from now; 0 = nothing is unsure */
    const char *label;
};

static void add(struct bl_gantt *gantt, size_t group, const struct sample *sample)
{
    const struct bl_gantt_bar bar = {
        .fill = sample->fill,
        .from = NOW + sample->from * BL_MINUTE,
        .until = NOW + sample->until * BL_MINUTE,
        .until_surely = sample->surely ? NOW + sample->surely * BL_MINUTE : 0,
        .label = sample->label,
    };

    bl_gantt_add_bar(gantt, group, &bar);
}

/* One group with these bars; `expected` is all behind the axis. */
static void check(const struct bl_gantt_look *look, enum bl_gantt_rows rows,
                  const struct sample *samples, const char *expected)
{
    struct bl_gantt *gantt = bl_gantt_create(look);
    size_t group = bl_gantt_add_group(gantt, "gpu0", rows);
    BL_AUTO_BUF out = {0};
    const char *body;

    for (; samples->label; samples++) {
        add(gantt, group, samples);
    }
    bl_gantt_print(&out, gantt);
    body = strchr(strchr(bl_buf_text(&out), '\n') + 1, '\n') + 1;
    assert_string_equal(body, expected);
    bl_gantt_destroy(gantt);
}

static void bars_stand_at_their_times_with_their_labels(void **state)
{
    const struct bl_gantt_look look = usual_look();

    (void)state;
    check(&look, BL_GANTT_ONE_ROW,
          (struct sample[]){{BL_FILL_RUNS, -60, 60, 80, "1 ann"},
                            {BL_FILL_PLANNED, 80, 140, 0, "2 bob is longer than its bar"},
                            {BL_FILL_RESERVED, 180, 600, 0, "r3"},
                            {0}},
          "gpu0 =1 an=~~.2 bo.    /r3///\n" LEGEND "  / reserved  ~ P50-P90\n");
}

static void a_bar_shorter_than_a_cell_is_a_cell(void **state)
{
    const struct bl_gantt_look look = usual_look();

    (void)state;
    check(&look, BL_GANTT_ONE_ROW,
          (struct sample[]){{BL_FILL_RAN, 31, 31, 0, "1"}, {BL_FILL_RUNS, 239, 240, 0, "2"}, {0}},
          "gpu0    -                   =\n" LEGEND "  - ended\n");
}

static void what_is_over_or_later_is_not_drawn(void **state)
{
    const struct bl_gantt_look look = usual_look();

    (void)state;
    check(
        &look, BL_GANTT_ONE_ROW,
        (struct sample[]){{BL_FILL_RAN, -60, -1, 0, "1"}, {BL_FILL_PLANNED, 240, 300, 0, "2"}, {0}},
        "gpu0\n" LEGEND "\n");
}

static void what_is_out_of_use_lies_under_what_still_runs(void **state)
{
    const struct bl_gantt_look look = usual_look();

    (void)state;
    check(&look, BL_GANTT_ONE_ROW,
          (struct sample[]){{BL_FILL_RUNS, 0, 50, 0, "1"}, {BL_FILL_DOWN, 10, 90, 0, "n1"}, {0}},
          "gpu0 =1===xxxx\n" LEGEND "  x out of use\n");
}

static void bars_that_overlap_take_further_lines_where_they_may(void **state)
{
    const struct bl_gantt_look look = usual_look();

    (void)state;
    check(&look, BL_GANTT_PACKED,
          (struct sample[]){{BL_FILL_RUNS, 0, 60, 0, "1 a"},
                            {BL_FILL_RUNS, 30, 90, 0, "2 a"},
                            {BL_FILL_PLANNED, 60, 120, 0, "3 a"},
                            {BL_FILL_PLANNED, 70, 120, 0, "4"},
                            {0}},
          "gpu0 =1 a==.3 a..\n"
          "        =2 a==\n"
          "            .4...\n" LEGEND "\n");
}

static void wide_letters_and_hostile_ones_keep_the_columns(void **state)
{
    struct bl_gantt_look look = usual_look();

    (void)state;
    look.ascii = false;
    check(&look, BL_GANTT_ONE_ROW,
          (struct sample[]){{BL_FILL_RUNS, 0, 60, 0, "训练x"},
                            {BL_FILL_RUNS, 60, 120, 0, "e\xCC\x81\033[2J"},
                            {BL_FILL_RUNS, 120, 180, 0, "训练"},
                            {BL_FILL_PLANNED, 140, 200, 0, "a"},
                            {0}},
          "gpu0 █训练██e\xCC\x81\\x1███·a····\n"
          "█ running  · planned (a forecast; GPUs of waiting jobs are a sketch)\n");
}

static void plain_characters_are_all_that_is_drawn_where_asked(void **state)
{
    const struct bl_gantt_look look = usual_look();

    (void)state;
    check(&look, BL_GANTT_ONE_ROW, (struct sample[]){{BL_FILL_RUNS, 0, 60, 0, "1 训"}, {0}},
          "gpu0 =1 ?==\n" LEGEND "\n");
}

static void colours_are_drawn_only_where_asked(void **state)
{
    struct bl_gantt_look look = usual_look();

    (void)state;
    look.colour = true;
    check(&look, BL_GANTT_ONE_ROW,
          (struct sample[]){{BL_FILL_RUNS, 0, 20, 0, ""}, {BL_FILL_PLANNED, 30, 50, 0, ""}, {0}},
          "gpu0 \033[32m==\033[0m ..\n" LEGEND "\n");
}

/* The line of marks. */
static void check_axis(const char *zone, struct bl_gantt_look look, const char *expected)
{
    struct bl_gantt *gantt = bl_gantt_create(&look);
    BL_AUTO_BUF out = {0};
    char *axis;

    setenv("TZ", zone, 1);
    tzset();
    bl_gantt_print(&out, gantt);
    axis = strchr(out.text, '\n') + 1;
    *strchr(axis, '\n') = '\0';
    assert_string_equal(axis, expected);
    bl_gantt_destroy(gantt);
    setenv("TZ", "UTC", 1);
    tzset();
}

static void
marks_stand_at_full_steps_of_the_local_clock_and_leave_room_for_the_present(void **state)
{
    struct bl_gantt_look look = {.from = NOW, .to = NOW + 4 * BL_HOUR, .now = NOW, .columns = 25};

    (void)state;
    check_axis("UTC", look, " now   01:00 02:00 03:00");
    check_axis("IST-5:30", look, " now      07:00 08:00");
    look.now = NOW + 2 * BL_HOUR;
    check_axis("UTC", look, " 00:00 01:00 now   03:00");
    look.now = NOW - BL_HOUR;
    check_axis("UTC", look, " 00:00 01:00 02:00 03:00");
    look.to = NOW + 4 * BL_DAY;
    check_axis("UTC", look, " 01-02 01-03 01-04 01-05");
}

/* 2026-03-29: the clocks go from 02:00 to 03:00 at 01:00 UTC; 2026-10-25: back at 01:00 UTC. */
static void marks_follow_the_clocks_when_they_are_set(void **state)
{
    const char *berlin = "CET-1CEST,M3.5.0,M10.5.0/3";
    bl_time spring = 1774742400 * BL_SECOND; /* 01:00 there */
    bl_time autumn = 1792879200 * BL_SECOND; /* 00:00 there */
    struct bl_gantt_look look = {.from = spring, .to = spring + 4 * BL_HOUR, .columns = 25};

    (void)state;
    check_axis(berlin, look, " 01:00 03:00 04:00 05:00");
    look.from = autumn;
    look.to = autumn + 8 * BL_HOUR;
    check_axis(berlin, look, " 00:00 02:00    04:00");
    look.from = spring - BL_DAY - BL_HOUR;
    look.to = look.from + 4 * BL_DAY;
    look.columns = 31;
    check_axis(berlin, look, " 03-28  03-29  03-30   03-31");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_stand_at_their_times_with_their_labels),
        cmocka_unit_test(a_bar_shorter_than_a_cell_is_a_cell),
        cmocka_unit_test(what_is_over_or_later_is_not_drawn),
        cmocka_unit_test(what_is_out_of_use_lies_under_what_still_runs),
        cmocka_unit_test(bars_that_overlap_take_further_lines_where_they_may),
        cmocka_unit_test(wide_letters_and_hostile_ones_keep_the_columns),
        cmocka_unit_test(plain_characters_are_all_that_is_drawn_where_asked),
        cmocka_unit_test(colours_are_drawn_only_where_asked),
        cmocka_unit_test(
            marks_stand_at_full_steps_of_the_local_clock_and_leave_room_for_the_present),
        cmocka_unit_test(marks_follow_the_clocks_when_they_are_set),
    };

    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
