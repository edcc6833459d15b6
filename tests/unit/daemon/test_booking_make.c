#include "bl_test.h"
#include "daemon/booking_make.h"

/* Monday, 2 March 2026, 08:00 in Berlin (07:00 UTC). */
#define NOW (INT64_C(1772434800) * BL_SECOND)

static struct bl_core *new_core(int nodes)
{
    struct bl_core *core = bl_core_create(BL_KEEP_ENDED);

    for (int i = 0; i < nodes; i++) {
        char name[] = "n1";
        struct bl_event node = {.kind = BL_EVENT_NODE_ADDED, .at = NOW};

        name[1] = (char)('1' + i);
        node.u.node = (struct bl_node_spec){.name = name,
                                            .gpu_type = "A100",
                                            .gpus = 4,
                                            .cpu_milli = 8000,
                                            .mem_bytes = INT64_C(1) << 40};
        bl_core_step(core, &node, NULL);
    }
    return core;
}

/* One case: a core, what is asked, what became of it. */
struct scene {
    struct bl_core *core;
    struct bl_arena arena;
    struct bl_error err;
    struct bl_bookingspec asked;
    struct bl_booking_spec spec;
    struct bl_booking_wish wish;
    struct bl_buf text;
};

static struct scene new_scene(int nodes)
{
    return (struct scene){.core = new_core(nodes)};
}

static void finish(struct scene *scene)
{
    bl_core_destroy(scene->core);
    bl_arena_finish(&scene->arena);
    bl_buf_finish(&scene->text);
}

static struct bl_booking_maker maker_of(struct scene *scene)
{
    return (struct bl_booking_maker){.core = scene->core,
                                     .now = bl_core_now(scene->core),
                                     .zone = "Europe/Berlin",
                                     .release_after = BL_HOUR,
                                     .arena = &scene->arena,
                                     .err = &scene->err};
}

static int read_body(struct scene *scene, const char *json, enum bl_bookingspec_use use)
{
    struct bl_tree_source source = {"body", json, strlen(json)};
    struct bl_tree *tree = NULL;
    int status = bl_json_read(&source, &scene->arena, &tree, &scene->err);

    return status
               ? status
               : bl_bookingspec_read(&source, tree, use, &scene->arena, &scene->asked, &scene->err);
}

static int make(struct scene *scene, const char *json)
{
    struct bl_booking_maker maker = maker_of(scene);
    int status = read_body(scene, json, BL_BOOKINGSPEC_NEW);

    return status ? status : bl_booking_make(&maker, &scene->asked, &scene->spec);
}

/* Booked as r1. */
static void book(struct scene *scene, const char *json)
{
    struct bl_event event = {.kind = BL_EVENT_RESERVED, .at = NOW};

    assert_int_equal(make(scene, json), BL_OK);
    scene->spec.id = 1;
    event.u.reserved = &scene->spec;
    bl_core_step(scene->core, &event, NULL);
    assert_non_null(bl_core_find_booking(scene->core, 1));
}

static int edit(struct scene *scene, const char *json)
{
    struct bl_booking_maker maker = maker_of(scene);
    int status = read_body(scene, json, BL_BOOKINGSPEC_EDIT);

    return status ? status
                  : bl_booking_edit(&maker, bl_core_find_booking(scene->core, 1), &scene->asked,
                                    &scene->spec, &scene->wish);
}

/* Lets the core do what the last edit says. */
static void change(struct scene *scene)
{
    struct bl_event event = {
        .kind = BL_EVENT_RESERVATION_CHANGED, .at = NOW, .u.rebooked = scene->wish};

    bl_core_step(scene->core, &event, NULL);
    assert_int_equal(bl_core_find_booking(scene->core, 1)->revision, 1);
}

/* "2026-03-03 09:00+3h" of each slot, as the clocks of the zone show it. */
static const char *slots_of(struct scene *scene)
{
    BL_AUTO_TZ *tz = NULL;

    assert_int_equal(bl_tz_create(scene->spec.zone, &tz, NULL), BL_OK);
    bl_buf_clear(&scene->text);
    for (size_t i = 0; i < scene->spec.slot_count; i++) {
        bl_buf_append_text(&scene->text, i ? ", " : "");
        bl_tz_print(&scene->text, tz, scene->spec.slot[i].start);
        bl_buf_append_char(&scene->text, '+');
        bl_span_print(&scene->text, scene->spec.slot[i].end - scene->spec.slot[i].start);
    }
    return bl_buf_text(&scene->text);
}

static void instants_are_read_in_the_zone_and_lengths_are_true(void **state)
{
    static const struct {
        const char *json, *expected;
    } rows[] = {
        {"{\"gpus\": 1, \"from\": \"now\", \"for\": \"3h\"}", "2026-03-02 08:00+3h"},
        {"{\"gpus\": 1, \"from\": \"09:00\", \"until_at\": \"12:30\"}", "2026-03-02 09:00+3h30m"},
        {"{\"gpus\": 1, \"from\": \"22:00\", \"until_at\": \"02:00\"}", "2026-03-02 22:00+4h"},
        {"{\"gpus\": 1, \"from\": \"2026-03-03 09:00\", \"for\": \"1h\"}", "2026-03-03 09:00+1h"},
        {"{\"gpus\": 1, \"from\": \"2026-03-03T09:00Z\", \"for\": \"1h\"}", "2026-03-03 10:00+1h"},
        {"{\"gpus\": 1, \"from\": \"2026-03-03 09:00\", \"for\": \"1h\", "
         "\"zone\": \"Asia/Shanghai\"}",
         "2026-03-03 09:00+1h"},
        {"{\"gpus\": 1, \"from\": \"2026-03-28 09:00\", \"until_at\": \"2026-03-29 09:00\"}",
         "2026-03-28 09:00+23h"},
        {"{\"gpus\": 1, \"from\": \"2026-10-25 02:30\", \"fold\": \"second\", \"for\": \"1h\"}",
         "2026-10-25 02:30+1h"},
        {"{\"gpus\": 1, \"from\": \"2h\", \"for\": \"1h\"}", "2026-03-02 10:00+1h"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene scene = new_scene(1);

        if (make(&scene, rows[i].json) != BL_OK) {
            fail_msg("%s: %s", rows[i].json, scene.err.text);
        }
        assert_string_equal(slots_of(&scene), rows[i].expected);
        assert_null(scene.spec.rule);
        assert_int_equal(scene.spec.release_after, BL_HOUR);
        finish(&scene);
    }
}

static void P12_a_series_keeps_its_time_of_day_across_the_change_of_the_clocks(void **state)
{
    struct scene scene = new_scene(1);

    (void)state;
    assert_int_equal(make(&scene, "{\"gpus\": 1, \"from\": \"2026-03-23 09:00\", \"for\": \"3h\", "
                                  "\"every\": \"weekly\", \"until\": \"2026-04-06\"}"),
                     BL_OK);
    assert_string_equal(slots_of(&scene),
                        "2026-03-23 09:00+3h, 2026-03-30 09:00+3h, 2026-04-06 09:00+3h");
    assert_non_null(strstr(scene.spec.rule, "FREQ=WEEKLY"));
    finish(&scene);
}

static void a_series_without_end_reaches_as_far_as_the_core_books(void **state)
{
    struct scene scene = new_scene(1);

    (void)state;
    book(&scene, "{\"gpus\": 1, \"from\": \"09:00\", \"for\": \"3h\", \"every\": \"weekly\"}");
    assert_int_equal(bl_core_find_booking(scene.core, 1)->occurrence_count, 58);
    finish(&scene);
}

static void bad_input_is_refused_with_its_field(void **state)
{
    static const struct {
        const char *json, *field;
    } rows[] = {
        {"{\"gpus\": 1, \"from\": \"soon\", \"for\": \"3h\"}", "from"},
        {"{\"gpus\": 1, \"from\": \"2026-03-29 02:30\", \"for\": \"3h\"}", "from"},
        {"{\"gpus\": 1, \"from\": \"2026-10-25 02:30\", \"for\": \"3h\"}", "from"},
        {"{\"gpus\": 1, \"from\": \"2026-03-05\", \"until_at\": \"2026-03-04\"}", "until_at"},
        {"{\"gpus\": 1, \"from\": \"2026-03-05\", \"until_at\": \"2026-03-05\"}", "until_at"},
        {"{\"gpus\": 1, \"from\": \"09:00\", \"for\": \"3h\", \"zone\": \"Mars/X\"}", "zone"},
        {"{\"gpus\": 1, \"from\": \"09:00\", \"for\": \"3h\", \"zone\": \"../../etc\"}", "zone"},
        {"{\"gpus\": 1, \"from\": \"09:00\", \"for\": \"3h\", \"every\": \"sometimes\"}", "every"},
        {"{\"gpus\": 1, \"from\": \"09:00\", \"for\": \"3h\", "
         "\"every\": \"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\"}",
         "every"},
        {"{\"gpus\": 1, \"from\": \"09:00\", \"for\": \"3h\", \"every\": \"FREQ=SECONDLY\"}",
         "every"},
        {"{\"gpus\": 1, \"from\": \"09:00\", \"for\": \"30h\", \"every\": \"daily\"}", "for"},
        {"{\"gpus\": 1, \"from\": \"09:00\", \"for\": \"3h\", \"every\": \"daily\", "
         "\"until\": \"whenever\"}",
         "until"},
        {"{\"gpus\": 1, \"from\": \"2026-03-05\", \"for\": \"1h\", \"every\": \"weekly\", "
         "\"until\": \"2026-03-04\"}",
         "until"},
        {"{\"on\": \"gpu0\", \"from\": \"09:00\", \"for\": \"3h\"}", "on"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene scene = new_scene(2);

        scene.spec.id = 77;
        if (make(&scene, rows[i].json) == BL_OK || scene.spec.id != 77) {
            fail_msg("%s was taken", rows[i].json);
        }
        if (strcmp(scene.err.field, rows[i].field) != 0) {
            fail_msg("%s: field '%s': %s", rows[i].json, scene.err.field, scene.err.text);
        }
        finish(&scene);
    }
}

static void gpus_without_a_node_are_those_of_the_only_one(void **state)
{
    struct scene scene = new_scene(1);

    (void)state;
    assert_int_equal(make(&scene, "{\"on\": \"gpu1-2\", \"from\": \"09:00\", \"for\": \"3h\"}"),
                     BL_OK);
    assert_string_equal(scene.spec.on[0].node, "n1");
    assert_int_equal(scene.spec.on[0].gpu_mask, 6);
    finish(&scene);
}

#define WEEKLY                                                                                     \
    "{\"gpus\": 2, \"from\": \"2026-03-03 09:00\", \"for\": \"3h\", \"name\": \"old\", "           \
    "\"every\": \"FREQ=WEEKLY;COUNT=4\"}"
#define ONCE "{\"gpus\": 2, \"from\": \"2026-03-03 09:00\", \"for\": \"3h\"}"

static void an_edit_changes_one_or_all_that_follow(void **state)
{
    static const struct {
        const char *booked, *json;
        int32_t first;
        bool only;
        const char *expected;
    } rows[] = {
        {ONCE, "{\"name\": \"new\"}", 1, false, "2026-03-03 09:00+3h"},
        {ONCE, "{\"for\": \"4h\"}", 1, false, "2026-03-03 09:00+4h"},
        {ONCE, "{\"from\": \"2026-03-04 10:00\"}", 1, false, "2026-03-04 10:00+3h"},
        {ONCE, "{\"until_at\": \"2026-03-03 10:30\"}", 1, false, "2026-03-03 09:00+1h30m"},
        {ONCE, "{\"occurrence\": 1, \"gpus\": 1}", 1, false, "2026-03-03 09:00+3h"},
        {ONCE, "{\"every\": \"FREQ=DAILY;COUNT=2\"}", 1, false,
         "2026-03-03 09:00+3h, 2026-03-04 09:00+3h"},
        {WEEKLY, "{\"occurrence\": 2, \"for\": \"1h\"}", 2, true, "2026-03-10 09:00+1h"},
        {WEEKLY, "{\"occurrence\": 2, \"from\": \"2026-03-11 08:00\"}", 2, true,
         "2026-03-11 08:00+3h"},
        {WEEKLY, "{\"occurrence\": 3, \"following\": true, \"for\": \"1h\"}", 3, false,
         "2026-03-17 09:00+1h, 2026-03-24 09:00+1h"},
        {WEEKLY, "{\"occurrence\": 3, \"following\": true, \"from\": \"2026-03-18 10:00\"}", 3,
         false, "2026-03-18 10:00+3h, 2026-03-25 10:00+3h"},
        {WEEKLY, "{\"gpus\": 1}", 1, false,
         "2026-03-03 09:00+3h, 2026-03-10 09:00+3h, 2026-03-17 09:00+3h, 2026-03-24 09:00+3h"},
        {WEEKLY, "{\"until\": \"2026-03-10\"}", 1, false,
         "2026-03-03 09:00+3h, 2026-03-10 09:00+3h"},
        {WEEKLY, "{\"every\": \"FREQ=DAILY;COUNT=2\"}", 1, false,
         "2026-03-03 09:00+3h, 2026-03-04 09:00+3h"},
        {WEEKLY, "{\"occurrence\": 2, \"following\": true, \"every\": null}", 2, false,
         "2026-03-10 09:00+3h"},
        {WEEKLY, "{\"zone\": \"Asia/Shanghai\"}", 1, false,
         "2026-03-03 09:00+3h, 2026-03-10 09:00+3h, 2026-03-17 09:00+3h, 2026-03-24 09:00+3h"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene scene = new_scene(1);

        book(&scene, rows[i].booked);
        if (edit(&scene, rows[i].json) != BL_OK) {
            fail_msg("%s: %s", rows[i].json, scene.err.text);
        }
        assert_string_equal(slots_of(&scene), rows[i].expected);
        assert_int_equal(scene.wish.first, rows[i].first);
        assert_int_equal(scene.wish.only, rows[i].only);
        assert_int_equal(scene.spec.id, 1);
        finish(&scene);
    }
}

static void keys_that_an_edit_does_not_name_stay_and_null_takes_away(void **state)
{
    struct scene scene = new_scene(1);

    (void)state;
    book(&scene, WEEKLY);
    assert_int_equal(edit(&scene, "{\"gpus\": 1}"), BL_OK);
    assert_string_equal(scene.spec.name, "old");
    assert_int_equal(scene.spec.gpus, 1);
    assert_int_equal(edit(&scene, "{\"name\": null, \"on\": \"gpu0-1\"}"), BL_OK);
    assert_null(scene.spec.name);
    assert_int_equal(scene.spec.gpus, 0);
    assert_int_equal(scene.spec.on_count, 1);
    finish(&scene);
}

static void a_bad_edit_is_refused_with_its_field(void **state)
{
    static const struct {
        const char *json, *field;
        enum bl_status status;
    } rows[] = {
        {"{\"occurrence\": 9}", "occurrence", BL_EREFUSED},
        {"{\"occurrence\": 2, \"every\": \"daily\"}", "every", BL_EINVAL},
        {"{\"occurrence\": 2, \"name\": \"one\"}", "name", BL_EINVAL},
        {"{\"occurrence\": 2, \"until_at\": \"2026-03-01\"}", "until_at", BL_EINVAL},
        {"{\"zone\": \"Mars/X\"}", "zone", BL_EINVAL},
        {"{\"every\": \"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\"}", "every", BL_EINVAL},
        {"{\"from\": \"2026-03-29 02:30\"}", "from", BL_EINVAL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene scene = new_scene(1);

        book(&scene, WEEKLY);
        assert_int_equal(edit(&scene, rows[i].json), rows[i].status);
        if (strcmp(scene.err.field, rows[i].field) != 0) {
            fail_msg("%s: field '%s': %s", rows[i].json, scene.err.field, scene.err.text);
        }
        finish(&scene);
    }
}

/* Whether the series goes on, `later`. */
static bool extend(struct scene *scene, bl_time later)
{
    struct bl_booking_maker maker = maker_of(scene);
    bool is_more = false;

    maker.now += later;
    assert_int_equal(bl_booking_extend(&maker, bl_core_find_booking(scene->core, 1), &scene->spec,
                                       &scene->wish, &is_more),
                     BL_OK);
    return is_more;
}

static void a_series_goes_on_as_time_goes(void **state)
{
    struct scene scene = new_scene(1);

    (void)state;
    book(&scene, "{\"gpus\": 1, \"from\": \"09:00\", \"for\": \"3h\", \"every\": \"weekly\"}");
    assert_false(extend(&scene, 0));
    assert_true(extend(&scene, 21 * BL_DAY));
    assert_int_equal(scene.wish.first, 58);
    assert_string_equal(slots_of(&scene), "2027-04-05 09:00+3h, 2027-04-12 09:00+3h, "
                                          "2027-04-19 09:00+3h, 2027-04-26 09:00+3h");
    finish(&scene);
}

static void a_series_goes_on_behind_its_last_one_wherever_that_was_moved(void **state)
{
    static const char *const rows[] = {
        "{\"occurrence\": 58, \"from\": \"2027-04-05 07:00\"}",
        "{\"occurrence\": 58, \"from\": \"2027-04-05 20:00\"}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene scene = new_scene(1);

        book(&scene, "{\"gpus\": 1, \"from\": \"09:00\", \"for\": \"3h\", \"every\": \"weekly\"}");
        assert_int_equal(edit(&scene, rows[i]), BL_OK);
        change(&scene);
        assert_true(extend(&scene, 7 * BL_DAY));
        assert_int_equal(scene.wish.spec->slot_count, 2);
        assert_non_null(strstr(slots_of(&scene), ", 2027-04-12 09:00+3h"));
        finish(&scene);
    }
}

static void cancel(struct scene *scene, int32_t occurrence, bool following)
{
    struct bl_event event = {.kind = BL_EVENT_RESERVATION_CANCELLED, .at = NOW};

    event.u.unreserved.id = 1;
    event.u.unreserved.occurrence = occurrence;
    event.u.unreserved.following = following;
    bl_core_step(scene->core, &event, NULL);
}

/* "1 2x 3": the occurrences as they are, x = cancelled. */
static const char *numbers_of(struct scene *scene)
{
    const struct bl_booking *booking = bl_core_find_booking(scene->core, 1);

    bl_buf_clear(&scene->text);
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        const struct bl_occurrence *one = &booking->occurrence[i];

        bl_buf_printf(&scene->text, "%s%d%s", i ? " " : "", one->number,
                      one->state == BL_OCCURRENCE_CANCELLED ? "x" : "");
    }
    return bl_buf_text(&scene->text);
}

static void an_edit_of_a_series_leaves_what_was_cancelled_and_the_numbers_behind(void **state)
{
    static const struct {
        int32_t cancelled;
        bool following;
        const char *json, *numbers, *slots;
    } rows[] = {
        {2, false, "{\"gpus\": 1}", "1 2x 3 4",
         "2026-03-03 09:00+3h, 2026-03-17 09:00+3h, 2026-03-24 09:00+3h"},
        {2, false, "{\"for\": \"1h\"}", "1 2x 3 4",
         "2026-03-03 09:00+1h, 2026-03-17 09:00+1h, 2026-03-24 09:00+1h"},
        {2, false, "{\"from\": \"2026-03-04 10:00\"}", "1 2x 3 4",
         "2026-03-04 10:00+3h, 2026-03-18 10:00+3h, 2026-03-25 10:00+3h"},
        {2, false, "{\"zone\": \"Asia/Shanghai\"}", "1 2x 3 4",
         "2026-03-03 09:00+3h, 2026-03-17 09:00+3h, 2026-03-24 09:00+3h"},
        {1, false, "{\"for\": \"1h\"}", "1x 2 3 4",
         "2026-03-10 09:00+1h, 2026-03-17 09:00+1h, 2026-03-24 09:00+1h"},
        {2, false, "{\"every\": \"FREQ=DAILY;COUNT=2\"}", "2x 3 4",
         "2026-03-03 09:00+3h, 2026-03-04 09:00+3h"},
        {2, false, "{\"until\": \"2026-03-17\"}", "1 2x 3",
         "2026-03-03 09:00+3h, 2026-03-17 09:00+3h"},
        {3, true, "{\"gpus\": 1}", "1 2 3x 4x", "2026-03-03 09:00+3h, 2026-03-10 09:00+3h"},
        {3, true, "{\"for\": \"1h\"}", "1 2 3x 4x", "2026-03-03 09:00+1h, 2026-03-10 09:00+1h"},
        {3, true, "{\"until\": \"2026-03-18\"}", "1 2 3 4x",
         "2026-03-03 09:00+3h, 2026-03-10 09:00+3h, 2026-03-17 09:00+3h"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene scene = new_scene(1);

        book(&scene, WEEKLY);
        cancel(&scene, rows[i].cancelled, rows[i].following);
        assert_int_equal(edit(&scene, rows[i].json), BL_OK);
        assert_string_equal(slots_of(&scene), rows[i].slots);
        bl_core_step(scene.core,
                     &(struct bl_event){
                         .kind = BL_EVENT_RESERVATION_CHANGED, .at = NOW, .u.rebooked = scene.wish},
                     NULL);
        assert_string_equal(numbers_of(&scene), rows[i].numbers);
        finish(&scene);
    }
}

static void a_series_goes_on_though_its_last_one_was_cancelled_but_not_cut_off(void **state)
{
    static const struct {
        int32_t cancelled;
        bool following;
        size_t slots;
        int32_t first, second;
    } rows[] = {
        {58, false, 4, 57, 59}, {57, false, 4, 58, 59}, {57, true, 0, 0, 0}, {0, false, 0, 0, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene scene = new_scene(1);

        book(&scene, "{\"gpus\": 1, \"from\": \"09:00\", \"for\": \"3h\", \"every\": \"weekly\"}");
        cancel(&scene, rows[i].cancelled, rows[i].following);
        assert_int_equal(extend(&scene, 21 * BL_DAY), rows[i].slots > 0);
        if (rows[i].slots > 0) {
            assert_int_equal(scene.spec.slot_count, rows[i].slots);
            assert_int_equal(scene.spec.number[0], rows[i].first);
            assert_int_equal(scene.spec.number[1], rows[i].second);
            assert_non_null(strstr(slots_of(&scene), ", 2027-04-12 09:00+3h, "));
        }
        finish(&scene);
    }
}

static void what_is_no_series_or_has_ended_does_not_go_on(void **state)
{
    static const char *const rows[] = {ONCE, WEEKLY};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene scene = new_scene(1);

        book(&scene, rows[i]);
        assert_false(extend(&scene, 21 * BL_DAY));
        finish(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instants_are_read_in_the_zone_and_lengths_are_true),
        cmocka_unit_test(P12_a_series_keeps_its_time_of_day_across_the_change_of_the_clocks),
        cmocka_unit_test(a_series_without_end_reaches_as_far_as_the_core_books),
        cmocka_unit_test(bad_input_is_refused_with_its_field),
        cmocka_unit_test(gpus_without_a_node_are_those_of_the_only_one),
        cmocka_unit_test(an_edit_changes_one_or_all_that_follow),
        cmocka_unit_test(keys_that_an_edit_does_not_name_stay_and_null_takes_away),
        cmocka_unit_test(a_bad_edit_is_refused_with_its_field),
        cmocka_unit_test(a_series_goes_on_as_time_goes),
        cmocka_unit_test(a_series_goes_on_behind_its_last_one_wherever_that_was_moved),
        cmocka_unit_test(an_edit_of_a_series_leaves_what_was_cancelled_and_the_numbers_behind),
        cmocka_unit_test(a_series_goes_on_though_its_last_one_was_cancelled_but_not_cut_off),
        cmocka_unit_test(what_is_no_series_or_has_ended_does_not_go_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
