#include "form_test.h"

#include "form/record.h"

#define SPEC "\"spec\":{\"class\":\"batch\",\"kind\":\"cpu\""

/* One of every kind, as an older version has written it: these lines never change. */
static const char *const records[] = {
    "{\"event\":\"policy_set\",\"at_us\":1,\"policy\":\"easy:durations=exact,order=shortest,"
    "predictor=mixture\"}",
    "{\"event\":\"policy_set\",\"policy\":\"fifo\"}",
    "{\"event\":\"node_added\",\"at_us\":2,\"node\":{\"name\":\"n1\"}}",
    "{\"event\":\"node_added\",\"at_us\":-2,\"node\":{\"name\":\"n1\",\"pool\":\"main\","
    "\"gpu_type\":\"A100\",\"gpus\":8,\"counted\":true,\"gpu_mem_bytes\":85899345920,"
    "\"cpu_milli\":96000,\"mem_bytes\":1099511627776,\"price_micros\":12500000,\"spot\":true}}",
    "{\"event\":\"node_state\",\"at_us\":3,\"node\":\"n1\",\"state\":\"drained\"}",
    "{\"event\":\"job_submitted\",\"at_us\":4,\"job\":7," SPEC "}}",
    "{\"event\":\"job_submitted\",\"at_us\":1764433350123456,\"job\":9223372036854775807,"
    "\"spec\":{\"name\":\"a \\\"b\\\"\",\"user\":\"ann\",\"project\":\"nlp\",\"class\":"
    "\"preemptible\",\"kind\":\"notebook\",\"gpus_min\":2,\"gpus_want\":4,\"gpus_max\":8,"
    "\"nodes_max\":3,\"pool\":\"main\",\"gpu_mem_bytes\":42949672960,\"cpu_milli\":1500,"
    "\"cpu_per_gpu\":true,\"mem_bytes\":1073741824,\"mem_per_gpu\":true,\"limit_us\":7200000000,"
    "\"work_us\":1,\"told_us\":-1,\"gpu_types\":[\"A100\",\"H100\"],\"points\":[[2,1],[4,1.85],[8,"
    "3.3333333333333335]],\"after\":[{\"job\":1,\"kind\":\"ok\"},{\"job\":2,\"kind\":\"any\"},{"
    "\"job\":3,\"kind\":\"fail\"}]},\"launch\":{\"workdir\":\"/w\",\"log\":\"%x.log\",\"uid\":1000,"
    "\"gid\":-1,\"grace_us\":10000000,\"argv\":[\"sh\",\"-c\",\"a\\nb\",\"\"]}}",
    "{\"event\":\"job_submitted\",\"at_us\":4,\"job\":7," SPEC ",\"efficiency\":0.1}}",
    "{\"event\":\"job_cancelled\",\"at_us\":5,\"job\":7,\"uid\":1000}",
    "{\"event\":\"job_held\",\"at_us\":5,\"job\":7,\"uid\":1000}",
    "{\"event\":\"job_released\",\"at_us\":5,\"job\":7,\"uid\":1000}",
    "{\"event\":\"job_requeued\",\"at_us\":5,\"job\":7,\"uid\":1000}",
    "{\"event\":\"job_moved\",\"at_us\":5,\"job\":7,\"before\":3}",
    "{\"event\":\"job_changed\",\"at_us\":5,\"job\":7,\"set_limit\":true,\"set_priority\":true,"
    "\"set_gpus\":true,\"set_not_before\":true,\"set_restart\":true,\"limit_us\":1,\"priority\":-2,"
    "\"gpus_min\":1,\"gpus_want\":2,\"gpus_max\":3,\"not_before_us\":9,\"may_restart\":true}",
    "{\"event\":\"job_changed\",\"at_us\":5,\"job\":7,\"set_gpu_types\":true,\"set_nodes\":true,"
    "\"set_class\":true,\"nodes_max\":2,\"gpu_types\":[\"A100\",\"V100\"],\"class\":"
    "\"preemptible\"}",
    "{\"event\":\"job_submitted\",\"at_us\":4,\"job\":7,\"spec\":{\"class\":\"batch\",\"kind\":"
    "\"train\",\"priority\":5,\"warning_signal\":10,\"warning_lead_us\":90000000,"
    "\"warning_shell_only\":true,\"not_before_us\":7,\"may_restart\":true,\"retries_max\":3,"
    "\"array_running_max\":2,\"array\":[[0,9,1],[20,30,5]]}}",
    "{\"event\":\"job_submitted\",\"at_us\":4,\"job\":7," SPEC "},\"launch\":{\"workdir\":\"/w\","
    "\"log\":\"a\",\"error_log\":\"b\",\"script\":\"#!/bin/"
    "sh\\n\",\"slurm_env\":true,\"mem_unasked\":true,\"resume\":\"--resume\",\"checkpoint_every_"
    "us\":9,\"has_umask\":true,\"umask\":23,\"params\":["
    "\"layers=32\",\"empty=\"],\"labels\":[\"a=b=c\"],\"argv\":[\"script\",\"--fast\"]}}",
    "{\"event\":\"run_learned\",\"at_us\":5,\"user\":\"ann\",\"run_us\":9}",
    "{\"event\":\"run_learned\",\"at_us\":5,\"run_us\":9}",
    "{\"event\":\"run_learned\",\"at_us\":5,\"run_us\":9,\"number\":70,\"user_hash\":-5,"
    "\"project_hash\":6,\"name_hash\":7,\"command_hash\":8,\"variant_hash\":-9,\"gpus\":4,"
    "\"cpu_milli\":1000,\"mem_bytes\":5,\"limit_us\":60,\"params\":[[-3,1048576],[4,-1]]}",
    "{\"event\":\"fact_learned\",\"of\":\"family\",\"kind\":2,\"key\":-7,\"values\":[1,-2,3]}",
    "{\"event\":\"fact_learned\",\"of\":\"last2\"}",
    "{\"event\":\"job_restored\",\"job\":7,\"past\":{\"state\":\"queued\",\"stop_as\":"
    "\"held\",\"reason\":\"undecided\",\"known_runs\":5,\"fresh_runs\":6,\"crowd\":3,"
    "\"spec\":{\"class\":\"batch\",\"kind\":\"train\"},\"siblings\":[7,8],\"foreseen\":"
    "[1,1,1,1,1,1,1,1,1,1,9,9,9,9,9,9,9,9,9,9,9]}}",
    "{\"event\":\"curve_learned\",\"at_us\":5,\"application\":\"ann/train\",\"kind\":\"point\","
    "\"gpu_type\":\"A100\",\"gpus\":4,\"nodes\":1,\"local_batch\":64.5,\"accumulation\":2,"
    "\"iter_s\":0.33,\"sync_s\":0.01,\"count\":7}",
    "{\"event\":\"curve_learned\",\"application\":\"a\",\"kind\":\"noise\",\"count\":3,\"step\":5,"
    "\"width\":16,\"value\":-1.5}",
    "{\"event\":\"curve_learned\",\"application\":\"a\",\"kind\":\"total\",\"value\":900}",
    "{\"event\":\"curve_learned\",\"application\":\"a\",\"kind\":\"unit\",\"count\":3,\"value\":"
    "-0.25,\"furthest\":12.5}",
    "{\"event\":\"job_submitted\",\"at_us\":4,\"job\":7," SPEC
    ",\"batch_initial\":128,\"batch_max\":"
    "4096,\"batch_local_min\":32,\"batch_local_max\":1024.5}}",
    "{\"event\":\"round_wished\",\"at_us\":5,\"wake_at_us\":9}",
    "{\"event\":\"jobs_forgotten\",\"at_us\":5,\"before_us\":4}",
    "{\"event\":\"job_restored\",\"at_us\":9,\"job\":7,\"attempt\":2,\"past\":{\"state\":"
    "\"running\","
    "\"stop_as\":\"held\",\"reason\":\"beside_head\",\"reason_job\":3,\"reason_at_us\":77,"
    "\"submitted_at_us\":1,\"eligible_at_us\":2,\"started_at_us\":3,\"running_at_us\":4,"
    "\"planned_end_us\":9223372036854775807,\"predicted_run_us\":5,\"order_at_us\":1,"
    "\"order_rank\":-1,\"is_warned\":true,\"failures\":1,\"array_job\":5,\"array_position\":1,"
    "\"spec\":{\"name\":\"a\",\"class\":\"batch\",\"kind\":\"train\"},"
    "\"where\":[[0,2,\"8000000000000001\",1000,7],[1,100,\"0\",0,0]]},"
    "\"launch\":{\"workdir\":\"/w\",\"argv\":[\"x\"]}}",
    "{\"event\":\"job_restored\",\"job\":7,\"past\":{\"state\":\"queued\","
    "\"stop_as\":\"held\",\"reason\":\"undecided\",\"outcome\":\"o.x\",\"array_next\":2,"
    "\"spec\":{\"class\":\"batch\",\"kind\":\"train\",\"array\":[[0,2,1]]},"
    "\"ended_as\":[0,0,0,0,0,0,0,1,1,0,0,0],\"ready\":[1]}}",
    "{\"event\":\"reserved\",\"at_us\":5,\"booking\":{\"id\":17,\"name\":\"demo\",\"user\":\"ann\","
    "\"project\":\"nlp\",\"uid\":1000,\"gpus\":4,\"gpu_type\":\"A100\",\"pool\":\"main\","
    "\"flex_us\":7,\"release_after_us\":8,\"rule\":\"FREQ=WEEKLY\",\"zone\":\"Europe/Berlin\","
    "\"slots\":[[100,200],[300,400]]}}",
    "{\"event\":\"reserved\",\"at_us\":5,\"booking\":{\"id\":18,\"on\":[[\"n1\",\"f0\"],[\"n2\","
    "\"0\"]],"
    "\"slots\":[[100,200]]}}",
    "{\"event\":\"reservation_changed\",\"at_us\":5,\"first\":2,\"only\":true,\"booking\":{\"id\":"
    "17,"
    "\"gpus\":2,\"slots\":[[300,500]]}}",
    "{\"event\":\"reservation_changed\",\"at_us\":5,\"first\":2,\"booking\":{\"id\":17,"
    "\"closed\":true,\"slots\":[[300,500,2],[700,800,4]]}}",
    "{\"event\":\"reservation_cancelled\",\"at_us\":5,\"booking\":17,\"occurrence\":2,"
    "\"following\":true,\"uid\":1000}",
    "{\"event\":\"reservation_restored\",\"at_us\":9,\"booking\":{\"id\":-7,\"gpus\":2,"
    "\"revision\":3,\"made_at_us\":4,\"occurrences\":[{\"number\":1,\"state\":\"active\","
    "\"start_us\":1,\"end_us\":90,\"asked_start_us\":1,\"is_used\":true,\"is_degraded\":true,"
    "\"is_moved\":true,\"where\":[[0,2,\"3\",1000,7]]},{\"number\":3,\"state\":\"cancelled\","
    "\"start_us\":100,\"end_us\":190,\"asked_start_us\":100,\"ended_at_us\":8,\"where\":[[0,1,"
    "\"1\","
    "0,0],[1,1,\"1\",0,0]]}]}}",
    "{\"event\":\"gpu_state\",\"at_us\":5,\"node\":\"n1\",\"lost\":-9223372036854775807,"
    "\"since_us\":4}",
    "{\"event\":\"counts_learned\",\"at_us\":5,\"name\":\"waits\",\"of\":\"easy\",\"values\":[1,-2,"
    "4611686018427387903]}",
    "{\"event\":\"foretold\",\"at_us\":5,\"told\":[[7,4,\"runs\",10,20,11,22,15,40],[8,4,"
    "\"limits\",0,0,0,0,0,"
    "0]]}",
    "{\"event\":\"foretold\",\"at_us\":5,\"told\":[[7,4,\"runs\",10,20,11,22,15,40,"
    "3,7,7,8,11,12,3,17,18,19,30,37]]}",
    "{\"event\":\"counts_learned\",\"name\":\"starts\",\"values\":[]}",
    "{\"event\":\"save_learned\",\"at_us\":5,\"application\":\"ann/train\",\"save_us\":9}",
    "{\"event\":\"job_submitted\",\"at_us\":4,\"job\":7," SPEC
    ",\"limit_us\":9,\"reservation\":17,\"promise\":true}}",
    "{\"event\":\"job_submitted\",\"at_us\":4,\"job\":7," SPEC
    ",\"limit_us\":9,\"expected_low_us\":3,\"expected_us\":4,\"expected_high_us\":5,"
    "\"expected_is_final\":true}}",
    "{\"event\":\"job_started\",\"at_us\":6,\"job\":7,\"attempt\":1,\"pid\":4711}",
    "{\"event\":\"job_start_failed\",\"at_us\":7,\"job\":7,\"attempt\":2,\"stage\":\"workdir\","
    "\"errno\":2}",
    "{\"event\":\"job_ended\",\"at_us\":8,\"job\":7,\"attempt\":2,\"cause\":\"exited\"}",
    "{\"event\":\"job_ended\",\"at_us\":8,\"job\":7,\"attempt\":2,\"cause\":\"signalled\","
    "\"code\":9}",
    "{\"event\":\"clock_jumped\",\"at_us\":9,\"by_us\":-3600000000}",
    "{\"event\":\"round\",\"at_us\":10}",
    "{\"event\":\"job_progress\",\"at_us\":8,\"job\":7,\"attempt\":2,\"done\":0.1,\"total\":3}",
    "{\"event\":\"job_progress\",\"at_us\":8,\"job\":7,\"attempt\":2,\"done\":12,\"observed\":true,"
    "\"gpu_type\":\"A100\",\"gpus\":4,\"nodes\":2,\"local_batch\":32,\"accumulation\":1,"
    "\"iter_s\":0.25,\"sync_s\":0.05,\"rate\":3.1,\"grad_sqr\":0.5,\"grad_var\":1.5}",
    "{\"event\":\"job_resize_asked\",\"at_us\":8,\"job\":7,\"uid\":1000,\"gpus\":4}",
    "{\"event\":\"job_submitted\",\"at_us\":4,\"job\":7,\"spec\":{\"application\":\"bert\","
    "\"class\":\"batch\",\"kind\":\"train\",\"gpus_min\":2,\"gpus_want\":4,\"gpus_max\":8,"
    "\"restart_us\":30000000,\"gpu_counts\":[2,4,8]}}",
    "{\"event\":\"job_restored\",\"at_us\":9,\"job\":7,\"attempt\":2,\"past\":{\"state\":"
    "\"resizing\",\"stop_as\":\"held\",\"reason\":\"shrunk_for\",\"reason_job\":3,"
    "\"reason_need\":1,\"reason_have\":2,\"started_at_us\":3,\"running_at_us\":4,\"done\":0.5,"
    "\"begun_at_done\":0.25,\"steps\":50,\"steps_total\":100,\"rate\":3.1,\"progress_at_us\":6,"
    "\"first_started_at_us\":1,\"ran_before_us\":2,\"held_at_us\":3,\"attained_gpu_s\":12.5,\"save_"
    "us\":7,"
    "\"restarts\":3,\"preemptions\":2,\"gpus_wish\":1,\"stop_at_us\":8,\"promised_at_us\":9,"
    "\"spec\":{\"class\":\"batch\",\"kind\":\"train\",\"gpus_min\":1,\"gpus_want\":2,"
    "\"gpus_max\":2},\"where\":[[0,2,\"3\",0,0]],\"next_where\":[[0,1,\"1\",0,0]]}}",
};

static void every_kind_of_record_is_read_and_written_byte_for_byte(void **state)
{
    uint32_t seen = 0;

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(records); i++) {
        struct bl_arena arena = {0};
        struct bl_record record;
        struct bl_error err = {0};
        BL_AUTO_BUF again = {0};

        if (bl_record_read("record", records[i], strlen(records[i]), &arena, &record, &err)) {
            fail_msg("'%s' was refused: %s", records[i], err.text);
        }
        bl_record_write(&again, &record.event, record.has_launch ? &record.launch : NULL);
        assert_string_equal(bl_buf_text(&again), records[i]);
        seen |= UINT32_C(1) << record.event.kind;
        bl_arena_finish(&arena);
    }
    assert_int_equal(seen, (UINT32_C(1) << BL_EVENT_COUNT) - 1);
}

static void read_records_hold_the_values_that_were_written(void **state)
{
    struct bl_arena arena = {0};
    struct bl_record record;
    const struct bl_job_spec *spec = &record.event.u.submitted;

    (void)state;
    assert_int_equal(
        bl_record_read("record", records[6], strlen(records[6]), &arena, &record, NULL), BL_OK);
    assert_int_equal(record.event.at, INT64_C(1764433350123456));
    assert_int_equal(record.event.job, INT64_MAX);
    assert_string_equal(spec->name, "a \"b\"");
    assert_string_equal(spec->user, "ann");
    assert_string_equal(spec->project, "nlp");
    assert_string_equal(spec->pool, "main");
    assert_int_equal(spec->job_class, BL_CLASS_PREEMPTIBLE);
    assert_int_equal(spec->kind, BL_KIND_NOTEBOOK);
    assert_int_equal(spec->gpus_min * 100 + spec->gpus_want * 10 + spec->gpus_max, 248);
    assert_int_equal(spec->nodes_max, 3);
    assert_int_equal(spec->gpu_type_count, 2);
    assert_string_equal(spec->gpu_type[1], "H100");
    assert_int_equal(spec->gpu_mem_bytes, INT64_C(40) << 30);
    assert_true(spec->cpu_milli.value == 1500 && spec->cpu_milli.per_gpu);
    assert_true(spec->mem_bytes.value == INT64_C(1) << 30 && spec->mem_bytes.per_gpu);
    assert_int_equal(spec->limit, 2 * BL_HOUR);
    assert_int_equal(spec->work, 1);
    assert_int_equal(spec->curve.kind, BL_CURVE_POINTS);
    assert_true(spec->curve.point[2].gpus == 8 && spec->curve.point[2].speed == 10.0 / 3);
    assert_int_equal(spec->after_count, 3);
    assert_true(spec->after[2].job == 3 && spec->after[2].kind == BL_AFTER_FAIL);
    assert_int_equal(record.launch.argc, 4);
    assert_string_equal(record.launch.argv[2], "a\nb");
    assert_null(record.launch.argv[4]);
    assert_string_equal(record.launch.workdir, "/w");
    assert_string_equal(record.launch.log_pattern, "%x.log");
    assert_int_equal(record.launch.uid, 1000);
    assert_int_equal(record.launch.gid, -1);
    assert_int_equal(record.launch.grace, 10 * BL_SECOND);
    bl_arena_finish(&arena);
}

#define JOB "{\"event\":\"job_submitted\",\"job\":7,"

static const struct {
    const char *json;
    const char *message;
} broken[] = {
    {"", "record 17:1: not JSON: "},
    {"\xFF\xFF", "record 17:1: not JSON: "},
    {"7", "record 17: expected a map with the key 'event'"},
    {"{}", "record 17: expected a map with the key 'event'"},
    {"{\"event\":\"job_resized\"}",
     "record 17: event: unknown kind of event 'job_resized', perhaps of a newer version"},
    {"{\"event\":\"round\",\"at\":1}", "record 17: at: unknown key"},
    {"{\"event\":\"round\",\"at_us\":1.5}", "at_us: expected a whole number, found '1.5'"},
    {"{\"event\":\"round\",\"at_us\":9223372036854775807}", "at_us: expected a whole number"},
    {"{\"event\":\"job_cancelled\"}", "record 17: expected the key 'job'"},
    {"{\"event\":\"job_cancelled\",\"job\":0}", "job: expected a whole number from 1 to"},
    {"{\"event\":\"job_ended\",\"job\":1}", "expected the key 'cause'"},
    {"{\"event\":\"job_ended\",\"job\":1,\"cause\":\"bored\"}",
     "cause: expected one of exited, signalled, lost, gone, found 'bored'"},
    {"{\"event\":\"job_ended\",\"job\":1,\"cause\":\"exited\",\"code\":70000}",
     "code: expected a whole number from 0 to 65535"},
    {"{\"event\":\"job_started\",\"job\":1,\"attempt\":-1}", "attempt: expected a whole number"},
    {"{\"event\":\"policy_set\"}", "expected the key 'policy'"},
    {"{\"event\":\"policy_set\",\"policy\":\"eazy\"}", "policy: unknown policy 'eazy'"},
    {"{\"event\":\"node_added\"}", "expected the key 'node'"},
    {"{\"event\":\"node_added\",\"node\":[]}", "node: expected a map of keys and values"},
    {"{\"event\":\"node_added\",\"node\":{}}", "node: expected the key 'name'"},
    {"{\"event\":\"node_added\",\"node\":{\"name\":\"a\",\"gpus\":16777217}}", "gpus: expected"},
    {"{\"event\":\"node_added\",\"node\":{\"name\":\"a\",\"spot\":7}}", "spot: expected one of"},
    {"{\"event\":\"node_state\",\"node\":\"a\"}", "expected the key 'state'"},
    {"{\"event\":\"job_submitted\",\"job\":7}", "expected the key 'spec'"},
    {JOB "\"spec\":{}}", "spec: expected the key 'class'"},
    {JOB SPEC ",\"gpus_min\":2}}", "spec: expected gpus_min <= gpus_want <= gpus_max, found 2"},
    {JOB SPEC ",\"gpus_max\":9,\"mem_bytes\":1000000000000000000,\"mem_per_gpu\":true}}",
     "spec: an amount times the GPUs is out of range"},
    {JOB SPEC ",\"expected_low_us\":2,\"expected_us\":1,\"expected_high_us\":3}}",
     "spec: expected expected_low_us <= expected_us <= expected_high_us"},
    {JOB SPEC ",\"gpu_types\":\"A100\"}}", "gpu_types: expected a list of at most 16"},
    {JOB SPEC ",\"gpu_types\":[[]]}}", "gpu_types: expected a text, found a list"},
    {JOB SPEC ",\"efficiency\":2}}", "efficiency: expected a number over 0 and up to 1"},
    {JOB SPEC ",\"efficiency\":1,\"points\":[[1,1]]}}", "points: expected efficiency or points"},
    {JOB SPEC ",\"points\":[]}}", "points: expected efficiency or points"},
    {JOB SPEC ",\"points\":[[1]]}}", "points: expected [GPUS, SPEED]"},
    {JOB SPEC ",\"points\":[[1,0]]}}", "points: expected a speed over 0, found '0'"},
    {JOB SPEC ",\"points\":[[2,1],[2,2]]}}", "points: expected points in rising order of GPUs"},
    {JOB SPEC ",\"after\":[7]}}", "after: expected {job: ID, kind: ok, any, fail or each}"},
    {JOB SPEC ",\"after\":[{\"job\":0,\"kind\":\"ok\"}]}}", "job: expected a whole number from"},
    {JOB SPEC ",\"array\":[[0,1]]}}", "array: expected [FIRST, LAST, STEP]"},
    {JOB SPEC ",\"array\":[[2,1,1]]}}", "array: expected FIRST <= LAST and a STEP over 0"},
    {JOB SPEC ",\"array\":[[0,1,0]]}}", "array: expected FIRST <= LAST and a STEP over 0"},
    {JOB SPEC ",\"array\":[[0,1000000,1]]}}", "array: expected at most 1000000 elements"},
    {"{\"event\":\"job_restored\",\"job\":7}", "expected the key 'past' with a 'spec'"},
    {"{\"event\":\"job_restored\",\"job\":7,\"past\":{\"state\":\"queued\",\"stop_as\":\"held\","
     "\"reason\":\"none\",\"outcome\":\"o\",\"spec\":{\"class\":\"batch\",\"kind\":\"train\","
     "\"array\":[[0,2,1]]}}}",
     "past: the parts of the array do not match"},
    {"{\"event\":\"job_restored\",\"job\":7,\"past\":{\"state\":\"queued\",\"stop_as\":\"held\","
     "\"reason\":\"none\",\"outcome\":\"oyx\",\"spec\":{\"class\":\"batch\",\"kind\":\"train\","
     "\"array\":[[0,2,1]]}}}",
     "past: the parts of the array do not match"},
    {"{\"event\":\"job_restored\",\"job\":7,\"past\":{\"state\":\"queued\",\"stop_as\":\"held\","
     "\"reason\":\"none\",\"ready\":[3],\"spec\":{\"class\":\"batch\",\"kind\":\"train\",\"array\":"
     "[[0,2,1]]}}}",
     "past: the parts of the array do not match"},
    {"{\"event\":\"job_restored\",\"job\":7,\"past\":{\"state\":\"queued\",\"stop_as\":\"held\","
     "\"reason\":\"none\",\"array_next\":4,\"spec\":{\"class\":\"batch\",\"kind\":\"train\","
     "\"array\":[[0,2,1]]}}}",
     "past: the parts of the array do not match"},
    {"{\"event\":\"job_restored\",\"job\":7,\"past\":{\"state\":\"queued\",\"stop_as\":\"held\","
     "\"reason\":\"none\",\"where\":[[0,1]],\"spec\":{\"class\":\"batch\",\"kind\":\"train\","
     "\"array\":[[0,2,1]]}}}",
     "where: expected [NODE, GPUS, MASK, CPUS, MEMORY]"},
    {"{\"event\":\"job_restored\",\"job\":7,\"past\":{\"state\":\"queued\",\"stop_as\":\"held\","
     "\"reason\":\"none\",\"where\":[[0,1,\"xyz\",0,0]],\"spec\":{\"class\":\"batch\",\"kind\":"
     "\"train\",\"array\":[[0,2,1]]}}}",
     "where: expected at most 16 hexadecimal digits"},
    {"{\"event\":\"curve_learned\",\"kind\":\"unit\"}", "expected the key 'application'"},
    {"{\"event\":\"curve_learned\",\"application\":\"a\",\"kind\":\"unit\",\"value\":\"x\"}",
     "value: expected a number"},
    {"{\"event\":\"curve_learned\",\"application\":\"a\",\"kind\":\"unit\",\"count\":-1}",
     "count: expected a number of at least 0"},
    {JOB SPEC ",\"limit_us\":-1}}", "limit_us: expected a whole number from 0 to"},
    {JOB SPEC "},\"launch\":{}}", "launch: expected the key 'workdir'"},
    {JOB SPEC "},\"launch\":{\"workdir\":\"/\"}}", "launch: expected argv with a program"},
    {JOB SPEC "},\"launch\":{\"workdir\":\"/\",\"params\":7,\"argv\":[\"x\"]}}",
     "params: expected a list of at most 256"},
    {JOB SPEC "},\"launch\":{\"workdir\":\"/\",\"argv\":[null]}}", "argv: expected a text, found"},
};

static void broken_records_are_refused_with_their_name_and_key(void **state)
{

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(broken); i++) {
        struct bl_arena arena = {0};
        struct bl_record record;
        struct bl_record untouched;
        struct bl_error err = {0};

        memset(&record, 0xA5, sizeof record);
        memset(&untouched, 0xA5, sizeof untouched);
        assert_int_not_equal(bl_record_read("record 17", broken[i].json, strlen(broken[i].json),
                                            &arena, &record, &err),
                             BL_OK);
        form_expect_message(&err, broken[i].message, broken[i].json);
        assert_memory_equal(&record, &untouched, sizeof record);
        bl_arena_finish(&arena);
    }
}

static void no_cut_or_changed_record_does_harm(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORM_ROWS(records); i++) {
        size_t length = strlen(records[i]);
        BL_AUTO_BUF copy = {0};

        bl_buf_append(&copy, records[i], length);
        for (size_t at = 0; at < length; at++) {
            struct bl_arena arena = {0};
            struct bl_record record;

            assert_int_not_equal(bl_record_read("record", records[i], at, &arena, &record, NULL),
                                 BL_OK);
            copy.text[at] = (char)(copy.text[at] ^ 1);
            if (bl_record_read("record", copy.text, length, &arena, &record, NULL) == BL_OK) {
                assert_in_range(record.event.kind, 0, BL_EVENT_COUNT - 1);
            }
            copy.text[at] = records[i][at];
            bl_arena_finish(&arena);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_record_is_read_and_written_byte_for_byte),
        cmocka_unit_test(read_records_hold_the_values_that_were_written),
        cmocka_unit_test(broken_records_are_refused_with_their_name_and_key),
        cmocka_unit_test(no_cut_or_changed_record_does_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
