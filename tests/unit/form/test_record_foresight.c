#include "form_test.h"

#include "form/record.h"

#define PAST                                                                                       \
    "{\"event\":\"job_restored\",\"job\":7,\"past\":{\"state\":\"queued\",\"stop_as\":\"held\","   \
    "\"reason\":\"none\",\"spec\":{\"class\":\"batch\",\"kind\":\"train\"}"
#define RUN "{\"event\":\"run_learned\",\"run_us\":1,"

static void broken_parts_are_refused_with_their_key(void **state)
{
    static const struct {
        const char *json;
        const char *message;
    } rows[] = {
        {PAST ",\"siblings\":[1,2,3,4,5]}}", "siblings: expected a list of 0 to 4 numbers"},
        {PAST ",\"siblings\":7}}", "siblings: expected a list"},
        {PAST ",\"siblings\":[-1]}}", "siblings: expected a whole number from 0"},
        {PAST ",\"foreseen\":[1,2]}}", "foreseen: expected a list of 21 to 21 numbers"},
        {PAST ",\"foreseen\":[2,1,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3]}}",
         "foreseen: expected a whole number from 2"},
        {RUN "\"params\":[[1]]}", "params: expected [NAME, VALUE]"},
        {RUN "\"params\":{}}", "params: expected a list of at most 6 pairs"},
        {RUN "\"params\":[[1,2],[1,2],[1,2],[1,2],[1,2],[1,2],[1,2]]}", "at most 6 pairs"},
        {RUN "\"params\":[[1,4294967296]]}", "params: expected a whole number"},
        {"{\"event\":\"fact_learned\",\"values\":[1]}", "expected the key 'of'"},
        {"{\"event\":\"fact_learned\",\"of\":\"a\",\"values\":[\"x\"]}", "values: expected"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_arena arena = {0};
        struct bl_record record;
        struct bl_error err = {0};

        assert_int_not_equal(
            bl_record_read("r", rows[i].json, strlen(rows[i].json), &arena, &record, &err), BL_OK);
        form_expect_message(&err, rows[i].message, rows[i].json);
        bl_arena_finish(&arena);
    }
}

static void what_a_job_runs_is_read_off_its_launch(void **state)
{
    static const char *const rows[] = {
        "{\"event\":\"job_submitted\",\"job\":7,\"spec\":{\"class\":\"batch\",\"kind\":\"train\"},"
        "\"launch\":{\"workdir\":\"/\",\"params\":[\"epochs=4\"],\"argv\":[\"train\",\"7\"]}}",
        PAST "},\"launch\":{\"workdir\":\"/\",\"params\":[\"epochs=4\"],"
             "\"argv\":[\"train\",\"8\"]}}",
    };
    struct bl_clues clues[2];

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_arena arena = {0};
        struct bl_record record;

        assert_int_equal(bl_record_read("r", rows[i], strlen(rows[i]), &arena, &record, NULL),
                         BL_OK);
        clues[i] = i ? record.event.u.restored->spec.clues : record.event.u.submitted.clues;
        bl_arena_finish(&arena);
    }
    assert_int_equal(clues[0].param_count, 1);
    assert_int_equal(clues[0].param[0].point, 2 * BL_DIST_OCTAVE);
    assert_memory_equal(&clues[0], &clues[1], sizeof clues[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_parts_are_refused_with_their_key),
        cmocka_unit_test(what_a_job_runs_is_read_off_its_launch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
