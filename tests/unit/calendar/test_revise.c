/* Booked series after a change of the time zone database, and as time goes on. */
#include "calendar_kit.h"

#include "base/own.h"
#include "calendar/revise.h"
#include "os/fs.h"

/* A database in which Europe/Berlin stays at one distance from UTC. */
struct database {
    char *folder;
    char *before;
};

static struct database database_with(const char *offset)
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
    bl_buf_printf(&file, "\n%s\n", offset);
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

static void print(struct bl_buf *out, const struct bl_revise_edits *edits)
{
    static const char *const words[] = {"move", "add", "drop"};

    for (size_t i = 0; i < edits->edits.count; i++) {
        const struct bl_revise_edit *edit = &edits->edits.at[i];

        bl_buf_printf(out, "%s%s %d ", i ? ", " : "", words[edit->kind], edit->number);
        bl_tz_print(out, kit_berlin, edit->start);
        assert_int_equal(edit->end - edit->start, 6 * BL_HOUR);
    }
}

/* A series, and books that have it as it is, up to the horizon. */
struct scene {
    struct bl_series series;
    struct bl_series_window window;
    struct bl_revise_kept kept[32];
    struct bl_revise_books books;
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

        scene->kept[i] = (struct bl_revise_kept){slot->number, slot->start, slot->end, false};
    }
    scene->books = (struct bl_revise_books){scene->kept, slots.slots.count};
}

/* The edits that the scene needs in a zone, as text. */
static void check_edits(const struct scene *scene, const struct bl_tz *tz, const char *expected)
{
    BL_AUTO_REVISE_EDITS edits = {0};
    BL_AUTO_BUF printed = {0};

    assert_int_equal(bl_revise(&scene->series, tz, &scene->window, &scene->books, &edits, NULL),
                     BL_OK);
    print(&printed, &edits);
    assert_string_equal(bl_buf_text(&printed), expected);
}

static void a_new_database_moves_what_has_not_begun(void **state)
{
    struct scene scene;
    struct database database;
    struct bl_tz *changed;

    (void)state;
    book(&scene, "2027-03-03T09:00 6h FREQ=WEEKLY;COUNT=6", "2027-03-10T10:00", "2027-05-01");
    assert_int_equal(scene.books.count, 5); /* 2 to 6; the second has begun */
    scene.kept[3].is_fixed = true;          /* the fifth, of 2027-03-31 */
    database = database_with("CET-1");      /* summer time is given up */
    changed = kit_zone("Europe/Berlin");
    leave(&database);
    /* 09:00 by the new clocks is an hour later by the old ones, from 2027-03-28 on */
    check_edits(&scene, changed, "move 6 2027-04-07 10:00");
    bl_tz_destroy(changed);
}

static void nothing_changes_where_the_database_did_not(void **state)
{
    struct scene scene;

    (void)state;
    book(&scene, "2027-01-03T02:30 6h FREQ=WEEKLY;COUNT=20", "2027-01-01", "2027-07-01");
    assert_int_equal(scene.books.count, 20);
    check_edits(&scene, kit_berlin, "");
}

static void as_the_horizon_moves_occurrences_are_added_and_given_up_ones_stay_away(void **state)
{
    struct scene scene;

    (void)state;
    book(&scene, "2027-01-03T09:00 6h FREQ=WEEKLY", "2027-01-01", "2027-02-01");
    assert_int_equal(scene.books.count, 5);
    scene.kept[1] = scene.kept[2];
    scene.kept[2] = scene.kept[4]; /* 2 and 4 are cancelled */
    scene.books.count = 3;
    scene.window.horizon = kit_utc("2027-02-15");
    check_edits(&scene, kit_berlin, "add 6 2027-02-07 09:00, add 7 2027-02-14 09:00");
}

static void what_a_shorter_rule_has_no_more_is_dropped(void **state)
{
    struct scene scene;

    (void)state;
    book(&scene, "2027-01-03T09:00 6h FREQ=WEEKLY", "2027-01-01", "2027-02-01");
    scene.series.rule.count = 3;
    check_edits(&scene, kit_berlin, "drop 4 2027-01-24 09:00, drop 5 2027-01-31 09:00");
}

static void a_series_that_cannot_be_expanded_changes_nothing(void **state)
{
    struct scene scene;
    BL_AUTO_REVISE_EDITS edits = {0};

    (void)state;
    book(&scene, "2027-01-03T09:00 6h FREQ=WEEKLY", "2027-01-01", "2027-02-01");
    scene.series.duration = 8 * BL_DAY;
    assert_int_equal(
        bl_revise(&scene.series, kit_berlin, &scene.window, &scene.books, &edits, NULL), BL_EINVAL);
    assert_int_equal(edits.edits.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_database_moves_what_has_not_begun),
        cmocka_unit_test(nothing_changes_where_the_database_did_not),
        cmocka_unit_test(as_the_horizon_moves_occurrences_are_added_and_given_up_ones_stay_away),
        cmocka_unit_test(what_a_shorter_rule_has_no_more_is_dropped),
        cmocka_unit_test(a_series_that_cannot_be_expanded_changes_nothing),
    };

    return cmocka_run_group_tests(tests, kit_set_up, kit_tear_down);
}
