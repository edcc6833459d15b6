#include "os/nursery.h"
#include "bl_test.h"

#include "os/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* This program in the supervisor's place: a nursery that writes down its orders and dies on demand;
 * a supervisor that was executed directly writes that down. */
static int play_supervisor(char **argv)
{
    struct bl_nursery_order order;

    if (strcmp(argv[1], "nursery") != 0) {
        return dprintf(BL_SPAWN_FD, "direct %s\n", argv[1]) > 0 ? 0 : 1;
    }
    while (bl_nursery_receive(BL_SPAWN_FD, &order)) {
        if (order.attempt_fd >= 0) {
            dprintf(order.attempt_fd, "%d %s\n", (int)order.mode, order.path);
            close(order.attempt_fd);
        }
        if (strcmp(order.path, "/die") == 0) {
            return 1;
        }
    }
    return 0;
}

static void wait_text(int fd, const char *expected)
{
    char text[8192];

    for (int tries = 0; tries < 60000; tries++) {
        ssize_t length = pread(fd, text, sizeof text - 1, 0);

        assert_true(length >= 0);
        text[length] = '\0';
        if (strcmp(text, expected) == 0) {
            return;
        }
        poll(NULL, 0, 1);
    }
    fail_msg("waited in vain for '%s', there is '%s'", expected, text);
}

static int new_file(void)
{
    char path[] = "/tmp/baleen-order-XXXXXX";
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    unlink(path);
    assert_int_equal(fcntl(fd, F_SETFL, O_APPEND), 0);
    return fd;
}

static void orders_are_carried_out_with_their_file(void **state)
{
    struct bl_nursery *nursery = bl_nursery_create("/proc/self/exe");
    int fd = new_file();

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct bl_spawn_supervisor order = {
            .mode = i ? BL_SPAWN_SWEEP : BL_SPAWN_RUN, .path = "/a path", .attempt_fd = fd};

        assert_int_equal(bl_nursery_start(nursery, &order), 0);
    }
    wait_text(fd, "0 /a path\n1 /a path\n1 /a path\n");
    bl_nursery_destroy(nursery);
    close(fd);
}

static void a_nursery_that_died_is_replaced(void **state)
{
    struct bl_nursery *nursery = bl_nursery_create("/proc/self/exe");
    struct bl_spawn_supervisor order = {.mode = BL_SPAWN_RUN, .path = "/die"};
    int fd = new_file();

    (void)state;
    order.attempt_fd = fd;
    assert_int_equal(bl_nursery_start(nursery, &order), 0);
    wait_text(fd, "0 /die\n");
    order.path = "/next";
    for (int i = 0; i < 60000; i++) { /* orders sent while it dies go with it */
        struct stat about;

        assert_int_equal(bl_nursery_start(nursery, &order), 0);
        poll(NULL, 0, 1);
        assert_int_equal(fstat(fd, &about), 0);
        if (about.st_size > 7) {
            break;
        }
    }
    bl_nursery_destroy(nursery);
    close(fd);
}

static void what_was_started_here_is_known(void **state)
{
    struct bl_nursery *nursery = bl_nursery_create("/proc/self/exe");
    struct bl_proc_list own = {0};
    int known = 0;

    (void)state;
    assert_true(bl_proc_scan_below(getpid(), &own));
    for (size_t i = 0; i < own.all.count; i++) {
        known += bl_nursery_started(nursery, own.all.at[i].pid);
    }
    assert_int_equal(known, 1); /* others are of nurseries before */
    assert_false(bl_nursery_started(nursery, getpid()));
    bl_proc_list_finish(&own);
    bl_nursery_destroy(nursery);
}

static void a_path_too_long_for_an_order_goes_the_direct_way(void **state)
{
    static char path[BL_NURSERY_PATH_MAX + 1];
    struct bl_nursery *nursery = bl_nursery_create("/proc/self/exe");
    int fd = new_file();
    struct bl_spawn_supervisor order = {.mode = BL_SPAWN_RUN, .path = path, .attempt_fd = fd};

    (void)state;
    memset(path, 'x', sizeof path - 1);
    assert_int_equal(bl_nursery_start(nursery, &order), 0);
    wait_text(fd, "direct run\n");
    bl_nursery_destroy(nursery);
    close(fd);
}

static void without_a_program_an_order_fails_with_its_errno(void **state)
{
    struct bl_nursery *nursery = bl_nursery_create("/no/such/program");
    struct bl_spawn_supervisor order = {.mode = BL_SPAWN_RUN, .path = "/x", .attempt_fd = -1};

    (void)state;
    assert_int_equal(bl_nursery_start(nursery, &order), ENOENT);
    bl_nursery_destroy(nursery);
    bl_nursery_destroy(NULL);
}

static void a_descriptor_travels_and_the_end_is_noticed(void **state)
{
    struct bl_nursery_order order;
    int ends[2];

    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    assert_int_equal(send(ends[0], "", 1, 0), 1); /* a mode alone */
    assert_true(bl_nursery_receive(ends[1], &order));
    assert_string_equal(order.path, "");
    assert_int_equal(order.attempt_fd, -1);
    close(ends[0]);
    assert_false(bl_nursery_receive(ends[1], &order));
    close(ends[1]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_carried_out_with_their_file),
        cmocka_unit_test(a_nursery_that_died_is_replaced),
        cmocka_unit_test(what_was_started_here_is_known),
        cmocka_unit_test(a_path_too_long_for_an_order_goes_the_direct_way),
        cmocka_unit_test(without_a_program_an_order_fails_with_its_errno),
        cmocka_unit_test(a_descriptor_travels_and_the_end_is_noticed),
    };

    if (argc == 3) {
        return play_supervisor(argv);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
