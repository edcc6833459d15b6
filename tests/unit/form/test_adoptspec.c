#include "form_test.h"

#include "form/adoptspec.h"

static int read_body(const char *json, struct bl_arena *arena, struct bl_adoptspec *out,
                     struct bl_error *err)
{
    struct bl_tree_source source = {"body", json, strlen(json)};
    struct bl_tree *tree = NULL;
    int status = bl_json_read(&source, arena, &tree, err);

    return status ? status : bl_adoptspec_read(&source, tree, arena, out, err);
}

static void all_that_is_said_is_read(void **state)
{
    struct bl_arena arena = {0};
    struct bl_adoptspec spec;

    (void)state;
    assert_int_equal(read_body("{\"pid\": 4711, \"gpus\": 2, \"on\": \"n1:0-1 n2:3\", \"name\": "
                               "\"llama\", \"project\": \"nlp\", \"class\": \"interactive\", "
                               "\"limit\": \"6h\", \"cpus\": \"4/gpu\", \"mem\": \"8GiB\"}",
                               &arena, &spec, NULL),
                     BL_OK);
    assert_int_equal(spec.pid, 4711);
    assert_true(spec.has_gpus);
    assert_int_equal(spec.gpus, 2);
    assert_int_equal(spec.on_count, 2);
    assert_string_equal(spec.on[0].node, "n1");
    assert_int_equal(spec.on[0].gpu_mask, 3);
    assert_int_equal(spec.on[1].gpu_mask, 8);
    assert_string_equal(spec.name, "llama");
    assert_string_equal(spec.project, "nlp");
    assert_int_equal(spec.job_class, BL_CLASS_INTERACTIVE);
    assert_int_equal(spec.limit, 6 * BL_HOUR);
    assert_true(spec.cpu_milli.per_gpu);
    assert_int_equal(spec.cpu_milli.value, 4000);
    assert_int_equal(spec.mem_bytes.value, INT64_C(8) << 30);
    bl_arena_finish(&arena);
}

static void a_pid_alone_is_enough(void **state)
{
    struct bl_arena arena = {0};
    struct bl_adoptspec spec;

    (void)state;
    assert_int_equal(read_body("{\"pid\": \"7\"}", &arena, &spec, NULL), BL_OK);
    assert_int_equal(spec.pid, 7);
    assert_false(spec.has_gpus || spec.has_cpus || spec.has_mem);
    assert_int_equal(spec.on_count, 0);
    assert_int_equal(spec.job_class, BL_CLASS_BATCH);
    assert_int_equal(spec.limit, 0);
    bl_arena_finish(&arena);
}

static void what_cannot_be_meant_is_refused_with_its_key(void **state)
{
    static const struct {
        const char *json;
        const char *message;
    } rows[] = {
        {"[]", "expected a JSON object"},
        {"{}", "expected the key 'pid'"},
        {"{\"pid\": 0}", "pid"},
        {"{\"pid\": -1}", "pid"},
        {"{\"pid\": 1.5}", "pid"},
        {"{\"pid\": \"self\"}", "pid"},
        {"{\"pid\": 99999999999}", "pid"},
        {"{\"pid\": 1, \"gpus\": -1}", "gpus"},
        {"{\"pid\": 1, \"gpus\": \"2-4\"}", "gpus"},
        {"{\"pid\": 1, \"on\": \"n1:x\"}", "on"},
        {"{\"pid\": 1, \"on\": [1]}", "on"},
        {"{\"pid\": 1, \"class\": \"preemptible\"}", "cannot be preemptible"},
        {"{\"pid\": 1, \"class\": \"best\"}", "class"},
        {"{\"pid\": 1, \"limit\": \"0\"}", "limit"},
        {"{\"pid\": 1, \"cpus\": \"many\"}", "cpus"},
        {"{\"pid\": 1, \"mem\": {}}", "mem"},
        {"{\"pid\": 1, \"uid\": 0}", "uid"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_arena arena = {0};
        struct bl_adoptspec spec;
        struct bl_error err = {0};

        if (read_body(rows[i].json, &arena, &spec, &err) != BL_EINVAL) {
            fail_msg("'%s' was taken", rows[i].json);
        }
        form_expect_message(&err, rows[i].message, rows[i].json);
        bl_arena_finish(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_is_said_is_read),
        cmocka_unit_test(a_pid_alone_is_enough),
        cmocka_unit_test(what_cannot_be_meant_is_refused_with_its_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
