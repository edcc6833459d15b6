#include "bl_test.h"
#include "engine/local_attempt.h"

#include "os/clock.h"
#include "os/proc.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void a_save_that_nobody_hears_is_a_stop(void **state)
{
    struct bl_attempt attempt = {.save_asked = true, .status = {.pid = 1 << 30}};

    (void)state;
    bl_attempt_tell_save(&attempt);
    assert_true(attempt.stop_asked); /* no signal was asked for */
    attempt = (struct bl_attempt){.save_asked = true,
                                  .save_by_signal = {SIGUSR1, BL_MINUTE, true},
                                  .status = {.pid = 1 << 30}};
    bl_attempt_tell_save(&attempt);
    assert_true(attempt.stop_asked); /* and here no process is there to hear it */
    assert_int_equal(attempt.save_by, 0);
}

static void a_save_waits_until_the_job_lives(void **state)
{
    struct bl_attempt attempt = {.save_asked = true};

    (void)state;
    bl_attempt_tell_save(&attempt);
    assert_false(attempt.stop_asked);
}

static void who_does_not_leave_in_its_time_is_stopped(void **state)
{
    bl_time now = bl_clock_monotonic();
    struct bl_attempt attempt = {.save_asked = true, .save_by = now};

    (void)state;
    bl_attempt_end_save(&attempt, now - 1);
    assert_false(attempt.stop_asked);
    bl_attempt_end_save(&attempt, now);
    assert_true(attempt.stop_asked);
    assert_int_equal(attempt.save_by, 0);
}

/* A process that the kernel does not let go of outlives every supervisor. */
static void P11_only_the_first_supervisor_is_held_to_be_stuck(void **state)
{
    pid_t pid = fork();
    struct bl_proc proc = {0};

    (void)state;
    if (pid == 0) {
        signal(SIGTERM, SIG_IGN);
        for (;;) {
            pause();
        }
    }
    assert_true(bl_proc_read(pid, &proc));
    for (int took_over = 0; took_over <= 1; took_over++) {
        struct bl_attempt attempt = {
            .is_adopted = true,
            .stop_asked = true,
            .sweeping = took_over,
            .status = {.supervisor = pid, .supervisor_start = proc.start_ticks}};

        bl_attempt_tell_stop(&attempt);
        assert_true(attempt.stop_told);
        assert_int_equal(attempt.stop_by == 0, took_over);
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_save_that_nobody_hears_is_a_stop),
        cmocka_unit_test(a_save_waits_until_the_job_lives),
        cmocka_unit_test(who_does_not_leave_in_its_time_is_stopped),
        cmocka_unit_test(P11_only_the_first_supervisor_is_held_to_be_stuck),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
