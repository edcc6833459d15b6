/* Processes that ran before they were jobs. */
#include "bl_test.h"
#include "engine_kit.h"

#include "os/clock.h"
#include "os/fs.h"
#include "os/loop.h"
#include "os/proc.h"
#include "os/spawn_spec.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Starts a script by hand in a session of its own, and waits for the file "ready" of its making. */
static struct bl_proc start_by_hand(const struct kit *kit, const char *script)
{
    struct bl_proc proc = {0};
    char path[128];
    pid_t pid = fork();

    if (pid == 0) {
        setsid();
        if (chdir(kit->work) == 0 && freopen("/dev/null", "w", stdout) &&
            freopen("/dev/null", "w", stderr)) {
            execl("/bin/sh", "sh", "-c", script, (char *)NULL);
        }
        _exit(127);
    }
    snprintf(path, sizeof path, "%s/ready", kit->work);
    for (int tries = 0; tries < 6000 && access(path, F_OK) != 0; tries++) {
        usleep(10000);
    }
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(unlink(path), 0);
    assert_true(bl_proc_read(pid, &proc));
    return proc;
}

static struct kit_job job_of(const struct bl_proc *proc)
{
    return (struct kit_job){.pid = proc->pid, .pid_start = proc->start_ticks};
}

/* As its shell would. */
static void reap(pid_t pid)
{
    waitpid(pid, NULL, 0);
}

static void P11_the_end_of_a_process_that_was_adopted_is_told_with_its_code(void **state)
{
    struct kit *kit = *state;
    struct bl_proc proc = start_by_hand(kit, "mkfifo gate; touch ready; read x < gate; exit $x");
    struct kit_job job = job_of(&proc);
    char path[128];
    FILE *gate;

    kit_start(kit, 1, &job);
    assert_int_equal(kit_wait(kit, BL_EVENT_JOB_STARTED, 1)->u.started.pid, proc.pid);
    snprintf(path, sizeof path, "%s/gate", kit->work);
    gate = fopen(path, "w");
    assert_non_null(gate);
    assert_true(fputs("7\n", gate) >= 0);
    fclose(gate);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1); /* before anybody has waited for it */
    reap(proc.pid);
    kit_expect_story(kit, "started 1\nexited 1 7\n");
}

static void P11_a_stop_ends_it_with_all_that_descends_from_it(void **state)
{
    struct kit *kit = *state;
    struct bl_proc proc = start_by_hand(
        kit, "trap '' TERM; (trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > pid; touch ready; "
             "while :; do sleep 1000; done' &) & wait; while :; do sleep 1000; done");
    struct kit_job job = job_of(&proc);
    BL_AUTO_FREE char *text = kit_read(kit, "pid");
    struct bl_proc child = {0};
    struct bl_proc now;

    job.grace = KIT_SHORT_GRACE;
    assert_true(bl_proc_read((pid_t)strtol(text, NULL, 10), &child));
    kit_start(kit, 1, &job);
    kit_wait(kit, BL_EVENT_JOB_STARTED, 1);
    kit_stop(kit, 1);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    reap(proc.pid);
    assert_false(bl_proc_read(child.pid, &now) && now.start_ticks == child.start_ticks &&
                 now.state != 'Z');
    kit_expect_story(kit, "started 1\nsignalled 1 9\n");
}

static void kill_supervisor(struct kit *kit)
{
    kit->fixture->lose(kit, 1);
}

/* Nothing of it is its supervisor's child: another one goes on. */
static void P11_a_supervisor_that_dies_is_followed_by_another_and_the_process_lives(void **state)
{
    struct kit *kit = *state;
    struct bl_proc proc = start_by_hand(kit, "touch ready; exec sleep 1000");
    struct kit_job job = job_of(&proc);
    struct bl_proc now;

    kit_start(kit, 1, &job);
    kit_wait(kit, BL_EVENT_JOB_STARTED, 1);
    kill_supervisor(kit);
    assert_true(bl_proc_read(proc.pid, &now) && now.state != 'Z');
    kit_stop(kit, 1);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    reap(proc.pid);
    kit_expect_story(kit, "started 1\nsignalled 1 15\n");
}

/* As after many supervisors that took over: there is no room for another record. */
static void P11_records_that_are_full_do_not_reach_what_stands_behind_them(void **state)
{
    struct kit *kit = *state;
    struct bl_proc proc = start_by_hand(kit, "touch ready; exec sleep 1000");
    struct kit_job job = job_of(&proc);
    char path[256];
    char bytes[BL_SPAWN_RECORDS_BYTES];
    int fd;

    kit_start(kit, 1, &job);
    kit_wait(kit, BL_EVENT_JOB_STARTED, 1);
    snprintf(path, sizeof path, "%s/attempts/1.1", kit->state);
    fd = open(path, O_RDWR | O_CLOEXEC);
    assert_int_equal(pread(fd, bytes, sizeof bytes, 0), sizeof bytes);
    for (size_t at = strlen(bytes); at < sizeof bytes; at++) {
        assert_int_equal(pwrite(fd, "\n", 1, (off_t)at), 1);
    }
    close(fd);
    kill_supervisor(kit);
    kit_stop(kit, 1);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    reap(proc.pid);
    kit_expect_story(kit, "started 1\nsignalled 1 15\n");
}

static void P11_what_ended_while_nobody_looked_is_gone_and_no_code_is_made_up(void **state)
{
    struct kit *kit = *state;
    struct bl_proc proc = start_by_hand(kit, "touch ready; exec sleep 1000");
    struct kit_job job = job_of(&proc);

    kit_start(kit, 1, &job);
    kit_wait(kit, BL_EVENT_JOB_STARTED, 1);
    kit_close_engine(kit);
    kit_open_engine(kit);
    kit->event_count = 0;
    kill_supervisor(kit);
    kill(proc.pid, SIGKILL);
    reap(proc.pid);
    job.was_running = true;
    kit_adopt(kit, 1, &job);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_expect_story(kit, "gone 1 0\n");
}

static void P11_a_daemon_that_comes_back_goes_on_with_it(void **state)
{
    struct kit *kit = *state;
    struct bl_proc proc = start_by_hand(kit, "touch ready; exec sleep 1000");
    struct kit_job job = job_of(&proc);

    kit_start(kit, 1, &job);
    kit_wait(kit, BL_EVENT_JOB_STARTED, 1);
    kit_restart(kit);
    job.was_running = true;
    kit_adopt(kit, 1, &job);
    kit_stop(kit, 1);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    reap(proc.pid);
    kit_expect_story(kit, "signalled 1 15\n");
}

/* The number stands for another process by now: that one is not touched. */
static void P11_a_recycled_pid_is_left_alone(void **state)
{
    struct kit *kit = *state;
    struct bl_proc proc = start_by_hand(kit, "touch ready; exec sleep 1000");
    struct kit_job job = job_of(&proc);
    struct bl_proc now;

    job.pid_start--;
    job.stopping = true;
    kit_adopt(kit, 1, &job);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_expect_story(kit, "gone 1 0\n");
    assert_true(bl_proc_read(proc.pid, &now) && now.state != 'Z');
    kill(proc.pid, SIGKILL);
    reap(proc.pid);
}

/* So nothing starts that waits for a good end. */
static void P11_what_ran_before_the_machine_was_started_anew_is_lost(void **state)
{
    struct kit *kit = *state;
    struct bl_proc proc = start_by_hand(kit, "touch ready; exec sleep 1000");
    struct kit_job job = job_of(&proc);
    struct bl_proc now;

    job.boot = "another-boot";
    job.was_running = true;
    kit_adopt(kit, 1, &job);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    kit_expect_story(kit, "lost 1 0\n");
    assert_true(bl_proc_read(proc.pid, &now) && now.state != 'Z');
    kill(proc.pid, SIGKILL);
    reap(proc.pid);
}

/* Cancelled before its supervisor lived: it is ended all the same, and nobody says so before. */
static void what_is_to_be_stopped_before_it_was_watched_is_stopped(void **state)
{
    struct kit *kit = *state;
    struct bl_proc proc = start_by_hand(kit, "touch ready; exec sleep 1000");
    struct kit_job job = job_of(&proc);

    job.stopping = true;
    kit_adopt(kit, 1, &job);
    kit_wait(kit, BL_EVENT_JOB_ENDED, 1);
    reap(proc.pid);
    kit_expect_story(kit, "started 1\nsignalled 1 15\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_WAYS(P11_the_end_of_a_process_that_was_adopted_is_told_with_its_code),
        BOTH_WAYS(P11_a_stop_ends_it_with_all_that_descends_from_it),
        BOTH_WAYS(P11_a_supervisor_that_dies_is_followed_by_another_and_the_process_lives),
        BOTH_WAYS(P11_records_that_are_full_do_not_reach_what_stands_behind_them),
        BOTH_WAYS(P11_what_ended_while_nobody_looked_is_gone_and_no_code_is_made_up),
        BOTH_WAYS(P11_a_daemon_that_comes_back_goes_on_with_it),
        BOTH_WAYS(P11_a_recycled_pid_is_left_alone),
        BOTH_WAYS(P11_what_ran_before_the_machine_was_started_anew_is_lost),
        BOTH_WAYS(what_is_to_be_stopped_before_it_was_watched_is_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
