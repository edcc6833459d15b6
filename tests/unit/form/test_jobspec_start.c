#include "jobspec_test.h"

#include <signal.h>

#define TAIL ", command: [x], workdir: /w}"

/* What says when and how often it starts: "array=10%2 not_before=… priority=…". */
static void print_start(struct bl_buf *out, const struct bl_jobspec *job)
{
    const struct bl_job_spec *core = &job->core;

    bl_buf_printf(out, "array=%lld%%%d priority=%d retries=%d%s%s warning=%d@%lld%s",
                  (long long)bl_array_count(core), core->array_running_max, core->priority,
                  core->retries_max, core->may_restart ? " requeue" : "", job->hold ? " hold" : "",
                  core->warning.signal, (long long)(core->warning.lead / BL_SECOND),
                  core->warning.shell_only ? " shell" : "");
    if (core->reservation) {
        bl_buf_printf(out, " in=%lld", (long long)core->reservation);
    }
    bl_buf_append_text(out, core->promise ? " promise" : "");
    if (job->launch.resume) {
        bl_buf_printf(out, " every=%lld resume=%s",
                      (long long)(job->launch.checkpoint_every / BL_SECOND), job->launch.resume);
    }
}

static void A7_when_and_how_often_a_job_starts_is_read(void **state)
{
    static const struct {
        const char *yaml;
        const char *expected;
    } rows[] = {
        {"{name: x" TAIL, "array=0%0 priority=0 retries=0 warning=0@0"},
        {"{checkpoint: {signal: USR1@9, every: 30m, resume: --resume latest}" TAIL,
         "array=0%0 priority=0 retries=0 warning=10@9 every=1800 resume=--resume latest"},
        {"{reservation: r17" TAIL, "array=0%0 priority=0 retries=0 warning=0@0 in=17"},
        {"{promise: yes, time: {limit: 1h}" TAIL,
         "array=0%0 priority=0 retries=0 warning=0@0 promise"},
        {"{array: 0-9%2" TAIL, "array=10%2 priority=0 retries=0 warning=0@0"},
        {"{array: '1,3,5'" TAIL, "array=3%0 priority=0 retries=0 warning=0@0"},
        {"{array: 5" TAIL, "array=1%0 priority=0 retries=0 warning=0@0"},
        {"{priority: -7, requeue: yes, retries: 3, hold: true" TAIL,
         "array=0%0 priority=-7 retries=3 requeue hold warning=0@0"},
        {"{requeue: no, hold: no" TAIL, "array=0%0 priority=0 retries=0 warning=0@0"},
        {"{checkpoint: {signal: USR1, lead: 90s}" TAIL,
         "array=0%0 priority=0 retries=0 warning=10@90"},
        {"{checkpoint: {lead: 2m, signal: 'B:SIGUSR1'}" TAIL,
         "array=0%0 priority=0 retries=0 warning=10@120 shell"},
        {"{checkpoint: {signal: USR1}" TAIL, "array=0%0 priority=0 retries=0 warning=10@60"},
        {"{checkpoint: {signal: USR1@30}" TAIL, "array=0%0 priority=0 retries=0 warning=10@30"},
    };

    (void)state;
    assert_int_equal(SIGUSR1, 10);
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        BL_AUTO_BUF printed = {0};
        struct job_text job;

        job_read(&job, BL_JOBSPEC_LIVE, rows[i].yaml);
        if (job.status != BL_OK) {
            fail_msg("'%s' was refused: %s", rows[i].yaml, job.text.err.text);
        }
        print_start(&printed, &job.job);
        assert_string_equal(bl_buf_text(&printed), rows[i].expected);
        job_finish(&job);
    }
}

static void an_instant_is_left_to_who_knows_the_time_unless_it_is_one_already(void **state)
{
    struct job_text job;

    (void)state;
    job_read(&job, BL_JOBSPEC_LIVE, "{not_before: 2h" TAIL);
    assert_int_equal(job.job.not_before.kind, BL_INSTANT_AFTER);
    assert_int_equal(job.job.not_before.at, 2 * BL_HOUR);
    assert_int_equal(job.job.core.not_before, 0);
    job_finish(&job);
    job_read(&job, BL_JOBSPEC_LIVE, "{not_before: 2026-12-01T12:00:00Z" TAIL);
    assert_int_equal(job.job.not_before.kind, BL_INSTANT_AT);
    assert_int_equal(job.job.core.not_before, INT64_C(1796126400) * BL_SECOND);
    job_finish(&job);
}

static void wrong_wishes_are_refused(void **state)
{
    static const struct {
        const char *yaml;
        const char *message;
    } rows[] = {
        {"{array: 0-" TAIL, "test:1: array: expected indices like 0-9"},
        {"{array: [1, 2]" TAIL, "array: expected indices like 0-9, \"1,3,5\" or 0-99%10, found a"},
        {"{not_before: soon" TAIL, "not_before: expected an instant like 2026-12-01T08:30"},
        {"{not_before: [1]" TAIL, "not_before: expected an instant like 16:00"},
        {"{priority: 1000001" TAIL, "priority: expected a whole number from -1000000 to 1000000"},
        {"{retries: -1" TAIL, "retries: expected a whole number from 0 to 1000"},
        {"{requeue: maybe" TAIL, "requeue: expected one of no, yes, false, true, found 'maybe'"},
        {"{hold: 1" TAIL, "hold: expected one of no, yes, false, true, found '1'"},
        {"{checkpoint: USR1" TAIL, "checkpoint: expected a map of keys and values, found a text"},
        {"{checkpoint: {lead: 90s}" TAIL, "lead: expected a signal beside it: {signal: USR1,"},
        {"{checkpoint: {signal: KILL}" TAIL, "signal: expected a signal that a program can handle"},
        {"{checkpoint: {signal: [1]}" TAIL, "signal: expected a signal like USR1, found a list"},
        {"{checkpoint: {every: often}" TAIL, "every: expected a time like"},
        {"{checkpoint: {resume: [a]}" TAIL, "resume: expected a text, found a list"},
        {"{checkpoint: {cost: 9s}" TAIL, "cost: cost is not supported by this version yet"},
        {"{checkpoint: {singal: USR1}" TAIL, "singal: unknown key, did you mean 'signal'?"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        job_expect_refusal(BL_JOBSPEC_LIVE, rows[i].yaml, rows[i].message);
    }
}

static void jobs_of_a_trace_have_times_of_their_own(void **state)
{
    (void)state;
    job_expect_refusal(BL_JOBSPEC_TRACE, "{work: 1h, array: 0-3}",
                       "array: a job of a trace cannot have this key");
    job_expect_refusal(BL_JOBSPEC_TRACE, "{work: 1h, not_before: 2h}",
                       "not_before: a job of a trace cannot have this key");
    job_expect_refusal(BL_JOBSPEC_TRACE, "{work: 1h, hold: yes}",
                       "hold: a job of a trace cannot have this key");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A7_when_and_how_often_a_job_starts_is_read),
        cmocka_unit_test(an_instant_is_left_to_who_knows_the_time_unless_it_is_one_already),
        cmocka_unit_test(wrong_wishes_are_refused),
        cmocka_unit_test(jobs_of_a_trace_have_times_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
