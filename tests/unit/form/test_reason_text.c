#include "form_test.h"

#include "form/reason_text.h"

#include <errno.h>

static const struct {
    struct bl_reason reason;
    const char *text;
} sentences[] = {
    {{.code = BL_REASON_NONE}, ""},
    {{.code = BL_REASON_UNDECIDED}, "the scheduler has not looked at it yet"},
    {{.code = BL_REASON_DEPENDENCY, .job = 3}, "waits for job 3"},
    {{.code = BL_REASON_HELD}, "held"},
    {{.code = BL_REASON_RESOURCES, .need = 4, .have = 2},
     "needs 4 GPUs, 2 of the suitable ones are free"},
    {{.code = BL_REASON_RESOURCES, .need = 1, .have = 0},
     "needs 1 GPU, 0 of the suitable ones are free"},
    {{.code = BL_REASON_RESOURCES, .need = 2, .have = 1},
     "needs 2 GPUs, 1 of the suitable ones is free"},
    {{.code = BL_REASON_RESOURCES, .need = 4, .have = 5},
     "needs 4 GPUs together with their CPUs and memory; 5 suitable GPUs are free, but not so"},
    {{.code = BL_REASON_RESOURCES}, "needs more CPUs or memory than is free"},
    {{.code = BL_REASON_PRIORITY, .job = 12, .need = 1}, "behind job 12"},
    {{.code = BL_REASON_PRIORITY, .job = 12, .need = 3}, "behind job 12, 3 are ahead"},
    {{.code = BL_REASON_BACKFILL, .job = 12}, "would fit now, but would delay job 12"},
    {{.code = BL_REASON_NODES_DOWN}, "only nodes that are down or drained could hold it"},
    {{.code = BL_REASON_OUTBID, .need = 4, .have = 1}, "needs 4 GPUs; others do more with them"},
    {{.code = BL_REASON_FOR_MORE}, "waits for more GPUs; a start on fewer now would not pay"},
    {{.code = BL_REASON_JOINT, .need = 7}, "part of the best choice for 7 jobs together"},
    {{.code = BL_REASON_IN_ORDER}, "was first in line and fits"},
    {{.code = BL_REASON_BEFORE_SHADOW, .job = 5}, "went ahead: it ends before job 5 can start"},
    {{.code = BL_REASON_BESIDE_HEAD, .job = 5}, "went ahead: it uses what job 5 will not need"},
    {{.code = BL_REASON_RESIZED, .need = 4, .have = 2}, "resized from 2 to 4 GPUs"},
    {{.code = BL_REASON_SHRUNK_FOR, .job = 9, .need = 2, .have = 4},
     "resized from 4 to 2 GPUs to make room for job 9"},
    {{.code = BL_REASON_RESIZE_WISHED, .need = 4, .have = 2},
     "resized from 2 to 4 GPUs as somebody asked"},
    {{.code = BL_REASON_PREEMPTED, .job = 9}, "put back to make room for job 9"},
    {{.code = BL_REASON_PREEMPTED}, "put back to make room for others"},
    {{.code = BL_REASON_PREEMPTED, .job = 17, .at = 7}, "put back to clear reservation r17"},
    {{.code = BL_REASON_PREEMPTED, .job = -9, .at = 7},
     "put back to clear the GPUs promised to job 9"},
    {{.code = BL_REASON_CLEARED, .job = 17, .need = 2, .have = 4, .at = 7},
     "resized from 4 to 2 GPUs to clear reservation r17"},
    {{.code = BL_REASON_RESERVED, .job = 17, .at = 7},
     "would not be sure to end before reservation r17 begins on the GPUs that suit it"},
    {{.code = BL_REASON_BOOKED, .job = 17, .at = 7},
     "the GPUs that suit it are those of reservation r17, which goes on"},
    {{.code = BL_REASON_BOOKED, .job = -9, .at = 7},
     "the GPUs that suit it are kept for job 9, as was promised"},
    {{.code = BL_REASON_RESERVED, .job = -9, .at = 7},
     "would not be sure to end before the GPUs promised to job 9 are due"},
    {{.code = BL_REASON_FOR_RESERVATION, .job = 17, .at = 7},
     "waits for the start of its reservation r17"},
    {{.code = BL_REASON_IN_RESERVATION, .job = 17, .need = 2, .have = 1},
     "needs 2 GPUs of reservation r17, 1 is free"},
    {{.code = BL_REASON_RESERVATION_OVER, .job = 17}, "its reservation r17 is over"},
    {{.code = BL_REASON_SLOT_TOO_SMALL, .job = 17, .need = 7, .have = 6},
     "needs 7 GPUs; its reservation r17 has 6 that suit it"},
    {{.code = BL_REASON_SLOT_TOO_SHORT, .job = 17, .need = 36000, .have = 10800},
     "its limit of 10h is too long; a slot of its reservation r17 is 3h"},
    {{.code = BL_REASON_SLOT_NO_TIME, .job = 17, .need = 90, .have = 60},
     "it is asked to stop 1m30s before the end; a slot of its reservation r17 is 1m"},
    {{.code = BL_REASON_PROMISE_BROKEN}, "the GPUs that were promised to it are lost"},
    {{.code = BL_REASON_IN_SLOT, .job = 17}, "its reservation r17 goes on"},
    {{.code = BL_REASON_PROMISED}, "was promised to start by now"},
    {{.code = BL_REASON_ADOPTED}, "ran already when it was adopted"},
    {{.code = BL_REASON_GONE}, "ended, with an exit code that nobody could learn: it was adopted"},
    {{.code = BL_REASON_SLOT_OVER, .job = 17}, "its reservation r17 has ended"},
    {{.code = BL_REASON_USER, .need = 1000}, "cancelled by the user with uid 1000"},
    {{.code = BL_REASON_TIME_LIMIT}, "reached its time limit"},
    {{.code = BL_REASON_DEPENDENCY_FAILED, .job = 8}, "job 8 ended in a way that it cannot follow"},
    {{.code = BL_REASON_START_FAILED, .need = BL_STAGE_WORKDIR, .have = ENOENT},
     "cannot enter the working directory: No such file or directory"},
    {{.code = BL_REASON_EXIT, .need = 3}, "ended with exit code 3"},
    {{.code = BL_REASON_EXIT, .need = 137, .have = 9}, "ended by signal 9 (Killed)"},
    {{.code = BL_REASON_LOST}, "its supervisor or node vanished"},
    {{.code = BL_REASON_GPU_LOST, .need = 3}, "its GPU 3 was lost"},
    {{.code = BL_REASON_DRAIN},
     "would not be sure to end before the nodes that suit it are drained"},
    {{.code = BL_REASON_NOT_BEFORE}, "was asked not to start yet"},
    {{.code = BL_REASON_RETRY, .need = 1}, "failed 1 time, will be tried again"},
    {{.code = BL_REASON_RETRY, .need = 2}, "failed 2 times, will be tried again"},
    {{.code = BL_REASON_PLANNED}, "has its place in the plan"},
    {{.code = BL_REASON_REQUEUE, .need = -1}, "asked to be put back"},
    {{.code = BL_REASON_REQUEUE, .need = 7}, "put back by the user with uid 7"},
    {{.code = BL_REASON_CRASH_LOOP, .need = 3, .have = 9},
     "failed 3 times in a row, last with exit code 9"},
};

static void every_reason_is_a_sentence(void **state)
{
    uint64_t seen = 0;

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(sentences); i++) {
        BL_AUTO_BUF text = {0};

        bl_reason_print(&text, &sentences[i].reason, NULL);
        assert_string_equal(bl_buf_text(&text), sentences[i].text);
        seen |= UINT64_C(1) << sentences[i].reason.code;
    }
    assert_int_equal(seen, (UINT64_C(1) << BL_REASON_COUNT) - 1);
}

static void a_failed_start_names_what_it_failed_on(void **state)
{
    static const struct {
        enum bl_start_stage stage;
        int error_number;
        const char *text;
    } rows[] = {
        {BL_STAGE_SUPERVISOR, EAGAIN,
         "cannot start the job's supervisor: Resource temporarily unavailable"},
        {BL_STAGE_SPEC, 0, "cannot pass the job on to its supervisor"},
        {BL_STAGE_CGROUP, EACCES, "cannot make the job's control group: Permission denied"},
        {BL_STAGE_USER, EPERM,
         "cannot become the submitting user (uid 7, gid 8): Operation not permitted"},
        {BL_STAGE_WORKDIR, ENOENT,
         "cannot enter the working directory /x: No such file or directory"},
        {BL_STAGE_LOG, EACCES, "cannot open the log %j.log: Permission denied"},
        {BL_STAGE_EXEC, ENOENT, "cannot execute frobnicate: No such file or directory"},
        {BL_STAGE_ENGINE, 0, "the engine cannot start it"},
    };
    char program[] = "frobnicate";
    char workdir[] = "/x";
    char log_pattern[] = "%j.log";
    char *argv[] = {program, NULL};
    const struct bl_launch launch = {.argv = argv,
                                     .argc = 1,
                                     .workdir = workdir,
                                     .log_pattern = log_pattern,
                                     .uid = 7,
                                     .gid = 8};

    (void)state;
    assert_int_equal(FORM_ROWS(rows), BL_STAGE_COUNT);
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_reason reason = {
            .code = BL_REASON_START_FAILED, .need = rows[i].stage, .have = rows[i].error_number};
        BL_AUTO_BUF text = {0};

        bl_reason_print(&text, &reason, &launch);
        assert_string_equal(bl_buf_text(&text), rows[i].text);
    }
}

static void of_a_long_command_the_beginning_is_named_up_to_a_whole_character(void **state)
{
    static const struct bl_reason reason = {.code = BL_REASON_START_FAILED, .need = BL_STAGE_EXEC};
    char program[10001];
    char *argv[] = {program, NULL};
    const struct bl_launch launch = {.argv = argv, .argc = 1};

    (void)state;
    for (size_t ascii = 0; ascii < 2; ascii++) { /* so that the cut falls into a character once */
        BL_AUTO_BUF text = {0};
        BL_AUTO_BUF expected = {0};

        memset(program, 'x', ascii);
        for (size_t at = ascii; at + 2 < sizeof program; at += 2) {
            memcpy(program + at, "é", 2);
            program[at + 2] = '\0';
        }
        bl_reason_print(&text, &reason, &launch);
        bl_buf_printf(&expected, "cannot execute %.*s…", ascii ? 159 : 160, program);
        assert_string_equal(bl_buf_text(&text), bl_buf_text(&expected));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reason_is_a_sentence),
        cmocka_unit_test(a_failed_start_names_what_it_failed_on),
        cmocka_unit_test(of_a_long_command_the_beginning_is_named_up_to_a_whole_character),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
