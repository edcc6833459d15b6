#include "bl_test.h"
#include "os/thread.h"

#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

struct seen {
    int priority, back;
    bool blocks_signals;
};

static void *look_around(void *self)
{
    struct seen *seen = self;
    int first = bl_thread_niceness();
    sigset_t blocked;

    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    seen->blocks_signals = sigismember(&blocked, SIGTERM) && sigismember(&blocked, SIGCHLD);
    bl_thread_step_back();
    seen->priority = bl_thread_niceness();
    bl_thread_set_niceness(first);
    seen->back = bl_thread_niceness();
    return NULL;
}

static void a_helper_leaves_signals_and_time_to_the_main_thread(void **state)
{
    struct seen seen = {0};
    sigset_t blocked;
    pthread_t thread;
    int before = bl_thread_niceness();

    (void)state;
    assert_int_equal(bl_thread_start(&thread, look_around, &seen, "a thread", NULL), BL_OK);
    pthread_join(thread, NULL);
    assert_true(seen.blocks_signals);
    assert_true(seen.priority > before || before >= 19);
    /* whoever may not take it back stays as it is */
    assert_true(seen.back == before || seen.back == seen.priority);
    assert_int_equal(bl_thread_niceness(), before);
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    assert_false(sigismember(&blocked, SIGTERM));
}

static void a_wait_goes_by_the_monotonic_clock(void **state)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition;
    struct timespec past;

    (void)state;
    bl_thread_init_condition(&condition);
    clock_gettime(CLOCK_MONOTONIC, &past);
    pthread_mutex_lock(&mutex);
    assert_int_not_equal(pthread_cond_timedwait(&condition, &mutex, &past), 0);
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&condition);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_helper_leaves_signals_and_time_to_the_main_thread),
        cmocka_unit_test(a_wait_goes_by_the_monotonic_clock),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
