#include "cli/change.h"

#include "bl_test.h"

#include <string.h>

static void what_is_set_is_what_the_request_says(void **state)
{
    static const struct {
        const char *words[4];
        const char *expected;
    } rows[] = {
        {{"time=2h", NULL}, "{\"limit\":\"2h\"}"},
        {{"limit=none", NULL}, "{\"limit\":null}"},
        {{"priority=-5", "requeue=no", NULL}, "{\"priority\":-5,\"requeue\":false}"},
        {{"gpu-type=V100", "nodes=2", "class=preemptible", NULL},
         "{\"gpu_type\":[\"V100\"],\"nodes\":2,\"class\":\"preemptible\"}"},
        {{"gpu_type=A100,H100", "nodes=any", NULL},
         "{\"gpu_type\":[\"A100\",\"H100\"],\"nodes\":null}"},
        {{"gpu-type=any", NULL}, "{\"gpu_type\":null}"},
        {{"gpus=2-4", "prio=7", NULL}, "{\"gpus\":\"2-4\",\"priority\":7}"},
        {{"begin=+1h", "requeue=true", NULL},
         "{\"not_before\":\"1970-01-01T01:16:40Z\",\"requeue\":true}"},
        {{"not_before=1970-01-01T02:00Z", NULL}, "{\"not_before\":\"1970-01-01T02:00:00Z\"}"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_changes changes = {rows[i].words, 0, 1000 * BL_SECOND};
        struct bl_error err = {0};
        BL_AUTO_BUF out = {0};

        while (rows[i].words[changes.count]) {
            changes.count++;
        }
        if (bl_change_write(&out, &changes, &err)) {
            fail_msg("%s: %s", rows[i].words[0], err.text);
        }
        assert_string_equal(bl_buf_text(&out), rows[i].expected);
    }
}

static void what_cannot_be_set_is_refused_by_name(void **state)
{
    static const char *const rows[][2] = {
        {"color=red", "KEY=VALUE"},    {"time", "KEY=VALUE"},     {"=3", "KEY=VALUE"},
        {"time=soon", "time"},         {"time=0", "over zero"},   {"priority=high", "priority"},
        {"gpus=4-2", "gpus"},          {"begin=soon", "begin"},   {"requeue=maybe", "yes or no"},
        {"priority=1e3", "priority"},  {"gpu-type=", "gpu-type"}, {"gpu-type=A,,B", "gpu-type"},
        {"gpu-type=A,", "gpu-type"},   {"nodes=0", "nodes"},      {"nodes=all", "nodes"},
        {"class=best", "preemptible"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *words[] = {rows[i][0], NULL};
        struct bl_changes changes = {words, 1, 1000 * BL_SECOND};
        struct bl_error err = {0};
        BL_AUTO_BUF out = {0};

        if (bl_change_write(&out, &changes, &err) != BL_EINVAL || !strstr(err.text, rows[i][1])) {
            fail_msg("'%s': '%s'", rows[i][0], err.text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_set_is_what_the_request_says),
        cmocka_unit_test(what_cannot_be_set_is_refused_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
