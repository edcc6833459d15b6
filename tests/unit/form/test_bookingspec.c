#include "form_test.h"

#include "form/bookingspec.h"

#include "base/buf.h"

static int read_json(const char *json, enum bl_bookingspec_use use, struct bl_arena *arena,
                     struct bl_bookingspec *out, struct bl_error *err)
{
    struct bl_tree_source source = {"body", json, strlen(json)};
    struct bl_tree *tree = NULL;
    int status = bl_json_read(&source, arena, &tree, err);

    return status ? status : bl_bookingspec_read(&source, tree, use, arena, out, err);
}

static void a_booking_is_read_with_all_it_says(void **state)
{
    struct bl_arena arena = {0};
    struct bl_bookingspec spec = {0};

    (void)state;
    assert_int_equal(
        read_json("{\"gpus\": 4, \"gpu_type\": \"A100\", \"pool\": \"main\", \"from\": \"14:00\", "
                  "\"for\": \"6h\", \"every\": \"weekly\", \"until\": \"2027-03-01\", "
                  "\"flex\": \"2h\", \"zone\": \"Europe/Berlin\", \"fold\": \"second\", "
                  "\"name\": \"demo\", \"user\": \"ann\", \"project\": \"nlp\", "
                  "\"release_after\": \"30m\"}",
                  BL_BOOKINGSPEC_NEW, &arena, &spec, NULL),
        BL_OK);
    assert_int_equal(spec.gpus, 4);
    assert_string_equal(spec.gpu_type, "A100");
    assert_string_equal(spec.pool, "main");
    assert_string_equal(spec.from, "14:00");
    assert_int_equal(spec.duration, 6 * BL_HOUR);
    assert_string_equal(spec.every, "weekly");
    assert_string_equal(spec.until, "2027-03-01");
    assert_int_equal(spec.flex, 2 * BL_HOUR);
    assert_string_equal(spec.zone, "Europe/Berlin");
    assert_int_equal(spec.fold, BL_BOOKING_FOLD_SECOND);
    assert_string_equal(spec.name, "demo");
    assert_string_equal(spec.user, "ann");
    assert_string_equal(spec.project, "nlp");
    assert_int_equal(spec.release_after, 30 * BL_MINUTE);
    assert_true(spec.has[BL_BOOKING_KEY_FLEX]);
    assert_false(spec.has[BL_BOOKING_KEY_UNTIL_AT]);
    bl_arena_finish(&arena);
}

static void an_edit_says_only_what_changes_and_null_takes_away(void **state)
{
    struct bl_arena arena = {0};
    struct bl_bookingspec spec = {0};

    (void)state;
    assert_int_equal(read_json("{\"name\": null, \"release_after\": 0, \"occurrence\": 3, "
                               "\"following\": true}",
                               BL_BOOKINGSPEC_EDIT, &arena, &spec, NULL),
                     BL_OK);
    assert_true(spec.has[BL_BOOKING_KEY_NAME]);
    assert_null(spec.name);
    assert_true(spec.has[BL_BOOKING_KEY_RELEASE_AFTER]);
    assert_int_equal(spec.release_after, 0);
    assert_int_equal(spec.occurrence, 3);
    assert_true(spec.following);
    assert_false(spec.has[BL_BOOKING_KEY_GPUS]);
    bl_arena_finish(&arena);
}

/* "n1:3 n2:ff": node and mask. */
static void print_places(struct bl_buf *out, const struct bl_booking_place *on, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bl_buf_printf(out, "%s%s:%llx", i ? " " : "", on[i].node ? on[i].node : "?",
                      (unsigned long long)on[i].gpu_mask);
    }
}

static void places_are_nodes_and_their_gpus(void **state)
{
    static const struct {
        const char *text, *expected;
    } rows[] = {
        {"n1", "n1:0"},
        {"n[1-3]", "n1:0 n2:0 n3:0"},
        {"n1:0-3", "n1:f"},
        {"n1:0,2-3", "n1:d"},
        {" n1:0-1  n2 ", "n1:3 n2:0"},
        {"n[1-2]:7", "n1:80 n2:80"},
        {"n1:63", "n1:8000000000000000"},
        {"gpu0-3", "?:f"},
        {"gpu4", "?:10"},
        {"gpux", "gpux:0"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_arena arena = {0};
        const struct bl_booking_place *on = NULL;
        size_t count = 0;
        BL_AUTO_BUF out = {0};

        assert_int_equal(bl_booking_places_read(rows[i].text, &arena, &on, &count, NULL), BL_OK);
        print_places(&out, on, count);
        assert_string_equal(bl_buf_text(&out), rows[i].expected);
        bl_arena_finish(&arena);
    }
}

static void what_is_no_place_is_refused(void **state)
{
    static const char *const rows[] = {
        "",      " ",         "n1:",   "n1:64",    "n1:3-1",
        "n1:-1", "n1:a",      "n[1",   "n1:0-3-5", "n1:0 n/",
        ":3",    "n[1-2000]", "n1:0,", "n1::0",    "n1:99999999999999999999"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_arena arena = {0};
        const struct bl_booking_place *on = NULL;
        struct bl_error err = {0};
        size_t count = 0;

        if (bl_booking_places_read(rows[i], &arena, &on, &count, &err) != BL_EINVAL || on) {
            fail_msg("'%s' was taken", rows[i]);
        }
        assert_non_null(strstr(err.text, "n1:0-3"));
        bl_arena_finish(&arena);
    }
}

static void what_is_wrong_is_refused_with_its_field(void **state)
{
    static const struct {
        enum bl_bookingspec_use use;
        const char *json, *field, *said;
    } rows[] = {
        {BL_BOOKINGSPEC_NEW, "[]", "", "a map"},
        {BL_BOOKINGSPEC_NEW, "{}", "gpus", "'gpus'"},
        {BL_BOOKINGSPEC_NEW, "{\"gpus\": 0, \"from\": \"1\", \"for\": \"1h\"}", "gpus", "1"},
        {BL_BOOKINGSPEC_NEW, "{\"gpus\": -1}", "gpus", "-1"},
        {BL_BOOKINGSPEC_NEW, "{\"gpus\": 9999999999}", "gpus", "9999"},
        {BL_BOOKINGSPEC_NEW, "{\"gpus\": 1.5}", "gpus", "1.5"},
        {BL_BOOKINGSPEC_NEW, "{\"gpus\": 1, \"on\": \"n1\", \"from\": \"1\", \"for\": \"1h\"}",
         "gpus", "either"},
        {BL_BOOKINGSPEC_NEW, "{\"nodes\": [\"n1\"], \"on\": \"n1\"}", "on", "either"},
        {BL_BOOKINGSPEC_NEW, "{\"on\": {}}", "on", "n1:0-3"},
        {BL_BOOKINGSPEC_NEW, "{\"on\": [[]]}", "on", "text"},
        {BL_BOOKINGSPEC_NEW, "{\"on\": \"n1:zero\"}", "on", "n1:zero"},
        {BL_BOOKINGSPEC_NEW, "{\"gpus\": 1}", "from", "'from'"},
        {BL_BOOKINGSPEC_NEW, "{\"gpus\": 1, \"from\": \"\"}", "from", "from"},
        {BL_BOOKINGSPEC_NEW, "{\"gpus\": 1, \"from\": \"14:00\"}", "for", "'for'"},
        {BL_BOOKINGSPEC_NEW, "{\"gpus\": 1, \"from\": \"14:00\", \"for\": \"0\"}", "for", "0"},
        {BL_BOOKINGSPEC_NEW, "{\"gpus\": 1, \"from\": \"14:00\", \"for\": \"-1h\"}", "for", "-1h"},
        {BL_BOOKINGSPEC_NEW, "{\"gpus\": 1, \"from\": \"14:00\", \"for\": \"401d\"}", "for",
         "400 days"},
        {BL_BOOKINGSPEC_NEW,
         "{\"gpus\": 1, \"from\": \"14:00\", \"for\": \"1h\", \"until_at\": \"16:00\"}", "for",
         "either"},
        {BL_BOOKINGSPEC_NEW, "{\"flex\": \"99999999d\"}", "flex", ""},
        {BL_BOOKINGSPEC_NEW, "{\"release_after\": \"soon\"}", "release_after", "soon"},
        {BL_BOOKINGSPEC_NEW, "{\"gpus\": 1, \"from\": \"1\", \"for\": \"1h\", \"until\": \"2\"}",
         "until", "'every'"},
        {BL_BOOKINGSPEC_NEW, "{\"every\": \"\"}", "every", "1 to"},
        {BL_BOOKINGSPEC_NEW, "{\"fold\": \"third\"}", "fold", "third"},
        {BL_BOOKINGSPEC_NEW, "{\"name\": \"a\\u0000b\"}", "", ""},
        {BL_BOOKINGSPEC_NEW, "{\"name\": \"a\\nb\"}", "name", ""},
        {BL_BOOKINGSPEC_NEW, "{\"occurrence\": 1}", "occurrence", "changed"},
        {BL_BOOKINGSPEC_EDIT, "{\"occurrence\": 0}", "occurrence", "0"},
        {BL_BOOKINGSPEC_EDIT, "{\"following\": \"maybe\"}", "following", "maybe"},
        {BL_BOOKINGSPEC_EDIT, "{\"gpu\": 1}", "gpu", "gpus"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_arena arena = {0};
        struct bl_bookingspec spec = {.gpus = 77};
        struct bl_error err = {0};

        if (read_json(rows[i].json, rows[i].use, &arena, &spec, &err) == BL_OK) {
            fail_msg("%s was taken", rows[i].json);
        }
        if (strcmp(err.field, rows[i].field) != 0) {
            fail_msg("%s: field '%s': %s", rows[i].json, err.field, err.text);
        }
        if (!strstr(err.text, rows[i].said) && !strstr(err.hint, rows[i].said)) {
            fail_msg("%s: '%s' is not in '%s'", rows[i].json, rows[i].said, err.text);
        }
        assert_int_equal(spec.gpus, 77);
        bl_arena_finish(&arena);
    }
}

static void ids_are_read_with_their_occurrence(void **state)
{
    static const struct {
        const char *text;
        int64_t id;
        int32_t occurrence;
    } rows[] = {{"r17", 17, 0},   {"r17.3", 17, 3}, {"17", 0, 0},  {"r", 0, 0},
                {"r0", 0, 0},     {"r-1", 0, 0},    {"r1.", 0, 0}, {"r1.0", 0, 0},
                {"r1.2.3", 0, 0}, {"r1x", 0, 0},    {"R1", 0, 0},  {"r99999999999999999999", 0, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t id = 0;
        int32_t occurrence = 0;

        assert_int_equal(bl_booking_id_parse(rows[i].text, &id, &occurrence), rows[i].id != 0);
        assert_int_equal(id, rows[i].id);
        assert_int_equal(occurrence, rows[i].occurrence);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_booking_is_read_with_all_it_says),
        cmocka_unit_test(an_edit_says_only_what_changes_and_null_takes_away),
        cmocka_unit_test(places_are_nodes_and_their_gpus),
        cmocka_unit_test(what_is_no_place_is_refused),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_field),
        cmocka_unit_test(ids_are_read_with_their_occurrence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
