#include "engine/local_health.h"

#include "base/own.h"
#include "bl_test.h"
#include "os/fs.h"
#include "os/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder with a bus of two devices, and a node of each kind: found and declared. */
struct place {
    char folder[64];
    struct bl_loop *loop;
    struct bl_local_nodes nodes;
    struct bl_local_health *health;
    struct bl_buf told;
};

static void take_report(void *self, const struct bl_event *event)
{
    struct place *place = self;

    assert_int_equal(event->kind, BL_EVENT_GPU_STATE);
    bl_buf_printf(&place->told, "%s=%llx ", event->u.gpu_state.name,
                  (unsigned long long)event->u.gpu_state.lost);
}

/* What the config file of a device begins with; NULL takes it away. */
static void set_device(const struct place *place, const char *address, const char *bytes)
{
    char path[160];

    snprintf(path, sizeof path, "%s/%s", place->folder, address);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/%s/config", place->folder, address);
    if (bytes) {
        assert_int_equal(bl_fs_write_atomic(path, 0600, bytes, 2, NULL), BL_OK);
    } else {
        unlink(path);
    }
}

static void write_file(const struct place *place, const char *text)
{
    char path[160];

    snprintf(path, sizeof path, "%s/lost-gpus", place->folder);
    assert_int_equal(bl_fs_write_atomic(path, 0600, text, strlen(text), NULL), BL_OK);
}

static void open_place(struct place *place)
{
    static const struct bl_local_machine machine = {.name = "box", .cpu_milli = 8, .mem_bytes = 8};
    struct bl_nvml_list gpus = {0};
    struct bl_nvml_gpu gpu = {.domain = 1, .mem_bytes = 1};

    *place = (struct place){.folder = "/tmp/baleen-health-XXXXXX"};
    assert_non_null(mkdtemp(place->folder));
    snprintf(gpu.name, sizeof gpu.name, "NVIDIA H200");
    for (gpu.bus = 0x3a; gpu.bus < 0x3c; gpu.bus++) {
        BL_VEC_PUSH(&gpus.gpus, gpu);
    }
    bl_local_nodes_group(&gpus, &machine, &place->nodes);
    bl_nvml_list_finish(&gpus);
    set_device(place, "0001:3a:00.0", "\xde\x10");
    set_device(place, "0001:3b:00.0", "\xde\x10");
    place->loop = bl_loop_create();
    place->health =
        bl_local_health_create(&(struct bl_local_health_parts){.loop = place->loop,
                                                               .host = {place, take_report},
                                                               .nodes = &place->nodes,
                                                               .state_dir = place->folder,
                                                               .pci_dir = place->folder});
}

static void close_place(struct place *place)
{
    bl_local_health_destroy(place->health);
    bl_loop_destroy(place->loop);
    bl_local_nodes_finish(&place->nodes);
    bl_buf_finish(&place->told);
    bl_fs_remove_tree(place->folder, NULL);
}

/* What the next look tells. */
static void check(struct place *place, const char *expected)
{
    bl_buf_clear(&place->told);
    bl_local_health_look(place->health);
    assert_string_equal(bl_buf_text(&place->told), expected);
}

static void P21_a_gpu_that_leaves_the_bus_is_lost_until_it_is_back(void **state)
{
    struct place place;

    (void)state;
    open_place(&place);
    check(&place, "box=0 ");
    check(&place, "");
    set_device(&place, "0001:3b:00.0", "\xff\xff");
    check(&place, "box=2 ");
    set_device(&place, "0001:3a:00.0", NULL);
    check(&place, "box=3 ");
    set_device(&place, "0001:3b:00.0", "\xde\x10");
    check(&place, "box=1 ");
    set_device(&place, "0001:3a:00.0", "\xde\x10");
    check(&place, "box=0 ");
    close_place(&place);
}

static void what_never_was_on_the_bus_is_not_told_of(void **state)
{
    struct place place;

    (void)state;
    open_place(&place);
    set_device(&place, "0001:3a:00.0", NULL);
    check(&place, "box=0 ");
    close_place(&place);
}

static void the_file_says_of_gpus_that_they_are_lost(void **state)
{
    static const char *const rows[][2] = {
        {"box:1\n", "box=2 "},        {"box:0\nbox:1", "box=3 "},     {"", "box=0 "},
        {"box:2\nbox:-1\nbox\n", ""}, {"# box:0\n\nbox:0", "box=1 "}, {"other:0\n", "box=0 "}};
    struct place place;

    (void)state;
    open_place(&place);
    check(&place, "box=0 ");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_file(&place, rows[i][0]);
        check(&place, rows[i][1]);
    }
    close_place(&place);
}

static void a_failure_makes_the_next_check_look(void **state)
{
    struct place place;

    (void)state;
    open_place(&place);
    bl_local_health_suspect(place.health, BL_END_EXITED, 0);
    bl_local_health_check(place.health);
    assert_string_equal(bl_buf_text(&place.told), "");
    bl_local_health_suspect(place.health, BL_END_EXITED, 1);
    bl_local_health_check(place.health);
    assert_string_equal(bl_buf_text(&place.told), "box=0 ");
    close_place(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P21_a_gpu_that_leaves_the_bus_is_lost_until_it_is_back),
        cmocka_unit_test(what_never_was_on_the_bus_is_not_told_of),
        cmocka_unit_test(the_file_says_of_gpus_that_they_are_lost),
        cmocka_unit_test(a_failure_makes_the_next_check_look),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
