#include "bl_test.h"
#include "daemon/gate.h"
#include "daemon/listen.h"
#include "os/clock.h"
#include "os/loop.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TAKEN_MAX = 8, FILLERS_MAX = 128, STEPS = 20 };

struct scene {
    struct bl_loop *loop;
    struct bl_gate *gate;
    struct sockaddr_in address;
    int room; /* how many it takes */
    int taken[TAKEN_MAX];
    int count;
    struct rlimit limit;
    int filler[FILLERS_MAX];
    int filler_count;
};

static enum bl_gate_verdict take(void *self, int fd)
{
    struct scene *scene = self;

    if (scene->count >= scene->room) {
        return BL_GATE_FULL;
    }
    scene->taken[scene->count++] = fd;
    return BL_GATE_TAKEN;
}

static void scene_open(struct scene *scene, int room)
{
    struct bl_listen_tcp wish = {"127.0.0.1:0", false};
    struct bl_gate_options options = {.self = scene, .take = take, .refusal = "no room\n"};
    socklen_t length = sizeof scene->address;
    BL_AUTO_BUF url = {0};

    *scene = (struct scene){.loop = bl_loop_create(), .room = room};
    assert_int_equal(bl_listen_open_tcp(&wish, &options.listen_fd, &url, NULL), BL_OK);
    getsockname(options.listen_fd, (struct sockaddr *)&scene->address, &length);
    scene->gate = bl_gate_create(scene->loop, &options);
    getrlimit(RLIMIT_NOFILE, &scene->limit);
}

static void scene_close(struct scene *scene)
{
    for (int i = 0; i < scene->count; i++) {
        close(scene->taken[i]);
    }
    bl_gate_destroy(scene->gate);
    bl_loop_destroy(scene->loop);
}

static int connect_to(const struct scene *scene)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&scene->address, sizeof scene->address),
                     0);
    return fd;
}

/* What the peer hears until the connection ends. */
static void expect_refusal(struct scene *scene, int fd)
{
    char text[64] = "";
    ssize_t length;

    bl_loop_step(scene->loop, 5 * BL_SECOND);
    length = recv(fd, text, sizeof text - 1, 0);
    assert_int_equal(length, strlen("no room\n"));
    assert_string_equal(text, "no room\n");
    assert_int_equal(recv(fd, text, sizeof text, 0), 0);
    close(fd);
}

/* Leaves this process `left` descriptors. */
static void use_up_descriptors(struct scene *scene, int left)
{
    struct rlimit low = {.rlim_cur = 64, .rlim_max = scene->limit.rlim_max};

    assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
    for (;;) {
        int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

        if (fd < 0) {
            break;
        }
        scene->filler[scene->filler_count++] = fd;
    }
    for (int i = 0; i < left; i++) {
        close(scene->filler[--scene->filler_count]);
    }
}

static void give_back_descriptors(struct scene *scene)
{
    while (scene->filler_count > 0) {
        close(scene->filler[--scene->filler_count]);
    }
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &scene->limit), 0);
}

static void connections_are_taken_while_there_is_room_and_refused_in_words_afterwards(void **state)
{
    struct scene scene;
    int first;

    (void)state;
    scene_open(&scene, 1);
    first = connect_to(&scene);
    bl_loop_step(scene.loop, 5 * BL_SECOND);
    assert_int_equal(scene.count, 1);
    for (int i = 0; i < 3; i++) {
        expect_refusal(&scene, connect_to(&scene));
    }
    scene.room = 2;
    close(connect_to(&scene));
    bl_loop_step(scene.loop, 5 * BL_SECOND);
    assert_int_equal(scene.count, 2);
    close(first);
    scene_close(&scene);
}

static void what_was_sent_before_does_not_take_the_refusal_away(void **state)
{
    struct scene scene;
    int fd;

    (void)state;
    scene_open(&scene, 0);
    fd = connect_to(&scene);
    assert_int_equal(send(fd, "GET / HTTP/1.1\r\n\r\n", 18, 0), 18);
    expect_refusal(&scene, fd);
    scene_close(&scene);
}

static void without_descriptors_connections_are_refused_in_words(void **state)
{
    struct scene scene;
    int fd[3];

    (void)state;
    scene_open(&scene, TAKEN_MAX);
    for (int i = 0; i < 3; i++) {
        fd[i] = connect_to(&scene);
    }
    use_up_descriptors(&scene, 0);
    for (int i = 0; i < 3; i++) {
        expect_refusal(&scene, fd[i]);
        use_up_descriptors(&scene, 0);
    }
    assert_int_equal(scene.count, 0);
    give_back_descriptors(&scene);
    close(connect_to(&scene));
    bl_loop_step(scene.loop, 5 * BL_SECOND);
    assert_int_equal(scene.count, 1);
    scene_close(&scene);
}

/* Somebody else takes the spare descriptor just when it is free. */
static void without_any_descriptor_the_gate_rests_and_comes_back(void **state)
{
    struct scene scene;
    struct rlimit none = {.rlim_cur = 0};
    bl_time began;
    int fd;

    (void)state;
    scene_open(&scene, TAKEN_MAX);
    fd = connect_to(&scene);
    none.rlim_max = scene.limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    began = bl_clock_monotonic();
    for (int i = 0; i < STEPS; i++) {
        bl_loop_step(scene.loop, 10 * BL_MILLISECOND);
    }
    /* a loop that spins would be through at once */
    assert_true(bl_clock_monotonic() - began > 100 * BL_MILLISECOND);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &scene.limit), 0);
    for (int i = 0; i < 1000 && scene.count == 0; i++) {
        bl_loop_step(scene.loop, 10 * BL_MILLISECOND);
    }
    assert_int_equal(scene.count, 1);
    close(fd);
    scene_close(&scene);
}

/* --- where it listens ------------------------------------------------------------------------ */

static void only_addresses_of_this_machine_alone_are_taken_unless_it_is_said(void **state)
{
    static const struct {
        struct bl_listen_tcp wish;
        const char *expected; /* the URL's beginning, or a part of the message */
        int status;
    } rows[] = {
        {{"127.0.0.1:0", false}, "http://127.0.0.1:", BL_OK},
        {{"localhost:0", false}, "http://127.0.0.1:", BL_OK},
        {{"127.9.9.9:0", false}, "http://127.9.9.9:", BL_OK},
        {{"0.0.0.0:0", true}, "http://0.0.0.0:", BL_OK},
        {{"0.0.0.0:0", false}, "can be reached from other machines", BL_EREFUSED},
        {{"[::]:0", false}, "can be reached from other machines", BL_EREFUSED},
        {{"10.1.2.3:0", false}, "can be reached from other machines", BL_EREFUSED},
        {{"example.org:80", false}, "expected an address of this machine", BL_EINVAL},
        {{"300.1.1.1:80", false}, "expected an address of this machine", BL_EINVAL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF url = {0};
        struct bl_error err = {0};
        int fd = -1;
        int status = bl_listen_open_tcp(&rows[i].wish, &fd, &url, &err);
        const char *found = status == BL_OK ? bl_buf_text(&url) : err.text;

        if (status != rows[i].status || !strstr(found, rows[i].expected)) {
            fail_msg("%s: %d '%s'", rows[i].wish.address, status, found);
        }
        assert_int_equal(fd >= 0, status == BL_OK);
        if (fd >= 0) {
            close(fd);
        }
    }
}

static void a_port_that_is_taken_is_refused_with_a_way_out(void **state)
{
    struct bl_listen_tcp any = {"127.0.0.1:0", false};
    struct bl_listen_tcp same = {NULL, false};
    BL_AUTO_BUF url = {0};
    struct bl_error err = {0};
    int first = -1;
    int second = -1;

    (void)state;
    assert_int_equal(bl_listen_open_tcp(&any, &first, &url, NULL), BL_OK);
    same.address = bl_buf_text(&url) + strlen("http://");
    assert_int_equal(bl_listen_open_tcp(&same, &second, &url, &err), BL_ESYSTEM);
    assert_non_null(strstr(err.hint, "--http none"));
    close(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connections_are_taken_while_there_is_room_and_refused_in_words_afterwards),
        cmocka_unit_test(what_was_sent_before_does_not_take_the_refusal_away),
        cmocka_unit_test(without_descriptors_connections_are_refused_in_words),
        cmocka_unit_test(without_any_descriptor_the_gate_rests_and_comes_back),
        cmocka_unit_test(only_addresses_of_this_machine_alone_are_taken_unless_it_is_said),
        cmocka_unit_test(a_port_that_is_taken_is_refused_with_a_way_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
