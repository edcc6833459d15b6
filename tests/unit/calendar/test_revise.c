/* Booked series after a new edition of the time zone database. */
#include "calendar_kit.h"

#include "base/own.h"
#include "calendar/revise.h"
#include "os/fs.h"

/* A database in which Europe/Berlin has a rule for every year and nothing else. */
struct database {
    char *folder;
    char *before;
};

static struct database database_with(const char *rule)
{
    struct database database = {.before = bl_copy_text(getenv("TZDIR"))};
    char folder[] = "/tmp/baleen-tz-XXXXXX";
    /* two headers without changes, one kind and the name "X" each; 0x0e10 and 0x1c20 are seconds */
    static const char head[] =
        "TZif2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
        "\0\0\1\0\0\0\4\0\0\0\0\0\0XXX\0";
    BL_AUTO_BUF file = {0};
    BL_AUTO_BUF path = {0};

    assert_non_null(mkdtemp(folder));
    bl_buf_append(&file, head, sizeof head - 1);
    bl_buf_append(&file, head, sizeof head - 1);
    bl_buf_printf(&file, "\n%s\n", rule);
    bl_buf_printf(&path, "%s/Europe", folder);
    assert_int_equal(bl_fs_make_dirs(bl_buf_text(&path), 0755, NULL), BL_OK);
    bl_buf_append_text(&path, "/Berlin");
    assert_int_equal(bl_fs_write_atomic(bl_buf_text(&path), 0644, file.text, file.length, NULL),
                     BL_OK);
    setenv("TZDIR", folder, 1);
    database.folder = bl_copy_text(folder);
    return database;
}

static void leave(struct database *database)
{
    if (database->before) {
        setenv("TZDIR", database->before, 1);
    } else {
        unsetenv("TZDIR");
    }
    bl_fs_remove_tree(database->folder, NULL);
    free(database->before);
    free(database->folder);
}

/* A series, and books that have it as it is, up to the horizon. */
struct scene {
    struct bl_series series;
    struct bl_series_window window;
    struct bl_revise_kept kept[32];
    size_t count;
};

static void book(struct scene *scene, const char *series, const char *from, const char *to)
{
    BL_AUTO_SERIES_SLOTS slots = {0};

    scene->window = (struct bl_series_window){kit_utc(from), kit_utc(to)};
    assert_int_equal(bl_series_read(series, kit_berlin, &scene->series, NULL), BL_OK);
    assert_int_equal(bl_series_expand(&scene->series, kit_berlin, &scene->window, &slots, NULL),
                     BL_OK);
    assert_true(slots.slots.count <= 32);
    for (size_t i = 0; i < slots.slots.count; i++) {
        const struct bl_series_slot *slot = &slots.slots.at[i];

        scene->kept[i] = (struct bl_revise_kept){slot->number + 100, slot->start, slot->end};
    }
    scene->count = slots.slots.count;
}

/* What moves when the zone becomes as `after`, in today's local time. */
static void check_moves(const struct scene *scene, const struct bl_tz *after, const char *expected)
{
    const struct bl_revise_zone zone = {kit_berlin, after};
    BL_AUTO_REVISE_MOVES moves = {0};
    BL_AUTO_BUF printed = {0};

    bl_revise(&scene->series, &zone, &scene->window, scene->kept, scene->count, &moves);
    for (size_t i = 0; i < moves.moves.count; i++) {
        bl_buf_printf(&printed, "%s%d ", i ? ", " : "", moves.moves.at[i].number);
        bl_tz_print(&printed, kit_berlin, moves.moves.at[i].start);
        bl_buf_append_text(&printed, " - ");
        bl_tz_print(&printed, kit_berlin, moves.moves.at[i].end);
    }
    assert_string_equal(bl_buf_text(&printed), expected);
}

/* Berlin by another rule for the year. */
static struct bl_tz *berlin_with(const char *rule)
{
    struct database database = database_with(rule);
    struct bl_tz *tz = kit_zone("Europe/Berlin");

    leave(&database);
    return tz;
}

static void what_has_not_begun_moves_with_the_clocks(void **state)
{
    struct scene scene;
    BL_AUTO_TZ *after = berlin_with("CET-1"); /* summer time is given up */

    (void)state;
    book(&scene, "2027-03-03T09:00 6h FREQ=WEEKLY;COUNT=7", "2027-03-31T07:30", "2027-05-01");
    assert_int_equal(scene.count, 3); /* 5 to 7, the fifth has begun */
    check_moves(&scene, after,
                "106 2027-04-07 10:00 - 2027-04-07 16:00, 107 2027-04-14 10:00 - 2027-04-14 16:00");
}

static void nothing_moves_where_the_clocks_did_not(void **state)
{
    struct scene scene;
    BL_AUTO_TZ *after = berlin_with("CET-1CEST,M3.5.0,M10.5.0/3");

    (void)state;
    book(&scene, "2027-01-03T02:30 6h FREQ=WEEKLY;COUNT=30", "2026-12-01", "2027-12-01");
    assert_int_equal(scene.count, 30);
    check_moves(&scene, after, "");
}

static void occurrences_at_times_of_their_own_stay(void **state)
{
    struct scene scene;
    BL_AUTO_TZ *after = berlin_with("CET-1");

    (void)state;
    book(&scene, "2027-04-07T09:00 6h FREQ=WEEKLY;COUNT=3", "2027-04-01", "2027-05-01");
    scene.kept[0].end += BL_HOUR;
    scene.kept[1].start += 30 * BL_MINUTE;
    scene.kept[1].end += 30 * BL_MINUTE;
    check_moves(&scene, after, "103 2027-04-21 10:00 - 2027-04-21 16:00");
}

static void one_of_23_hours_gets_its_length_back(void **state)
{
    struct scene scene;
    BL_AUTO_TZ *after = berlin_with("CET-1");

    (void)state;
    book(&scene, "2027-03-26T09:00 24h FREQ=DAILY;COUNT=4", "2027-03-01", "2027-05-01");
    check_moves(&scene, after,
                "102 2027-03-27 09:00 - 2027-03-28 10:00, 103 2027-03-28 10:00 - 2027-03-29 10:00, "
                "104 2027-03-29 10:00 - 2027-03-30 10:00");
}

static void what_one_edition_does_not_let_be_stays(void **state)
{
    struct scene scene;
    BL_AUTO_TZ *after = berlin_with("CET-1");

    (void)state;
    book(&scene, "2027-04-07T09:00 6h FREQ=WEEKLY;COUNT=3", "2027-04-01", "2027-05-01");
    scene.series.duration = 8 * BL_DAY;
    check_moves(&scene, after, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_not_begun_moves_with_the_clocks),
        cmocka_unit_test(nothing_moves_where_the_clocks_did_not),
        cmocka_unit_test(occurrences_at_times_of_their_own_stay),
        cmocka_unit_test(one_of_23_hours_gets_its_length_back),
        cmocka_unit_test(what_one_edition_does_not_let_be_stays),
    };

    return cmocka_run_group_tests(tests, kit_set_up, kit_tear_down);
}
