/* The local engine on a real loop, with the real supervisor. */
#include "bl_test.h"
#include "engine_kit.h"

#include "os/fs.h"
#include "os/loop.h"
#include "os/proc.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct bl_engine bl_engine_local;
extern const struct kit_fixture kit_fixture_local;

static const char *const variants[] = {"", "without_groups", NULL};

static void open_local(struct kit *kit)
{
    kit->loop = bl_loop_create();
}

static void configure_local(const struct kit *kit, struct bl_engine_config *config)
{
    config->supervisor = getenv("BALEEN_SUPERVISOR");
    config->no_cgroup = kit->variant;
}

static bool turn_local(struct kit *kit)
{
    bl_loop_step(kit->loop, 10 * BL_MILLISECOND);
    return true;
}

static void close_local(struct kit *kit)
{
    for (size_t i = 0; i < kit->event_count; i++) {
        kit_kill_processes(kit, kit->event[i].job);
    }
    bl_loop_destroy(kit->loop);
}

static void lose_local(struct kit *kit, int64_t id)
{
    char path[256];
    BL_AUTO_BUF text = {0};
    struct bl_proc proc;
    pid_t pid;

    snprintf(path, sizeof path, "%s/attempts/%lld.1", kit->state, (long long)id);
    assert_int_equal(bl_fs_read(path, (size_t)16 * 1024 * 1024, &text, NULL), BL_OK);
    assert_int_equal(strncmp(bl_buf_text(&text), "supervisor ", 11), 0);
    pid = (pid_t)strtol(bl_buf_text(&text) + 11, NULL, 10);
    assert_int_equal(kill(pid, SIGKILL), 0);
    while (bl_proc_read(pid, &proc) && proc.state != 'Z') {
        bl_loop_step(kit->loop, BL_MILLISECOND);
    }
}

const struct kit_fixture kit_fixture_local = {.engine = &bl_engine_local,
                                              .variants = variants,
                                              .open = open_local,
                                              .configure = configure_local,
                                              .turn = turn_local,
                                              .close = close_local,
                                              .lose = lose_local};

static int open_variant(void **state, int variant)
{
    struct kit *kit = bl_alloc_zero(sizeof *kit);

    kit_open(kit, &kit_fixture_local, variant);
    *state = kit;
    return 0;
}

int kit_open_with_groups(void **state)
{
    return open_variant(state, 0);
}

int kit_open_without_groups(void **state)
{
    return open_variant(state, 1);
}

int kit_close_local(void **state)
{
    kit_close(*state);
    free(*state);
    return 0;
}
