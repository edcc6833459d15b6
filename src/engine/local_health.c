#include "engine/local_health.h"

#include "base/own.h"
#include "base/units.h"
#include "os/fs.h"
#include "os/log.h"
#include "os/loop.h"
#include "os/own_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define EVERY (5 * BL_SECOND)

enum { FILE_MAX = 1 << 16 };

struct node_health {
    uint64_t seen; /* GPUs that were there once: one that never was is not told of */
    uint64_t lost;
    bool is_told;
};

struct bl_local_health {
    struct bl_local_health_parts parts;
    struct node_health *node; /* as those of `nodes` */
    bool is_suspect;
    char *file;       /* "STATE/lost-gpus" */
    char *complained; /* the text of the file that was last complained about */
    struct bl_watch *timer;
};

/* A device that is gone from the bus answers every read with ones. */
static bool is_on_bus(const char *pci_dir, const char *address)
{
    unsigned char vendor[2] = {0xff, 0xff};
    BL_AUTO_BUF path = {0};
    BL_AUTO_FD fd = -1;

    bl_buf_printf(&path, "%s/%s/config", pci_dir, address);
    fd = open(bl_buf_text(&path), O_RDONLY | O_CLOEXEC);
    return fd >= 0 && read(fd, vendor, sizeof vendor) == sizeof vendor &&
           !(vendor[0] == 0xff && vendor[1] == 0xff);
}

static uint64_t look_at_bus(const struct bl_local_health *health, size_t index)
{
    const struct bl_local_node *node = &health->parts.nodes->node[index];
    struct node_health *known = &health->node[index];
    uint64_t here = 0;

    for (int32_t gpu = 0; gpu < node->spec.gpus && node->pci; gpu++) {
        here |= is_on_bus(health->parts.pci_dir, node->pci[gpu]) ? UINT64_C(1) << gpu : 0;
    }
    known->seen |= here;
    return known->seen & ~here;
}

/* "NODE:GPU" sets its bit; false for what is neither that nor empty. */
static bool read_line(const struct bl_local_health *health, char *line, uint64_t *lost)
{
    char *colon = strrchr(line, ':');
    int64_t gpu = 0;

    if (!line[0] || line[0] == '#') {
        return true;
    }
    if (!colon) {
        return false;
    }
    *colon = '\0';
    for (size_t i = 0; i < health->parts.nodes->count; i++) {
        const struct bl_node_spec *spec = &health->parts.nodes->node[i].spec;

        if (strcmp(spec->name, line) == 0) {
            bool is_one =
                spec->gpus > 0 && bl_int_parse(colon + 1, 0, spec->gpus - 1, &gpu, NULL) == BL_OK;

            lost[i] |= is_one ? UINT64_C(1) << gpu : 0;
            return is_one;
        }
    }
    return false;
}

/* Complaints are made once, not with each look. */
static void complain(struct bl_local_health *health, const char *text, int line)
{
    if (health->complained && strcmp(health->complained, text) == 0) {
        return;
    }
    bl_log(BL_LOG_WARNING,
           "%s:%d: expected NODE:GPU with a GPU of this machine; the line is left "
           "out",
           health->file, line);
    free(health->complained);
    health->complained = bl_copy_text(text);
}

static void look_at_file(struct bl_local_health *health, uint64_t *lost)
{
    BL_AUTO_BUF text = {0};
    BL_AUTO_FREE char *lines = NULL;
    char *line;
    char *rest;
    int number = 0;
    int wrong = 0;

    if (access(health->file, F_OK) != 0 ||
        bl_fs_read(health->file, FILE_MAX, &text, NULL) != BL_OK) {
        return;
    }
    lines = bl_copy_text(bl_buf_text(&text));
    rest = lines;
    while ((line = strsep(&rest, "\n"))) {
        number++;
        wrong = !read_line(health, line, lost) && !wrong ? number : wrong;
    }
    if (wrong) {
        complain(health, bl_buf_text(&text), wrong);
    }
}

static void tell(const struct bl_local_health *health, size_t index, uint64_t lost)
{
    const struct bl_node_spec *spec = &health->parts.nodes->node[index].spec;
    uint64_t before = health->node[index].lost;
    struct bl_event event = {.kind = BL_EVENT_GPU_STATE};

    for (int gpu = 0; gpu < spec->gpus; gpu++) {
        if ((lost ^ before) >> gpu & 1) {
            bl_log(lost >> gpu & 1 ? BL_LOG_WARNING : BL_LOG_INFO,
                   lost >> gpu & 1 ? "GPU %d of %s is lost: nothing starts on it until it is back"
                                   : "GPU %d of %s is back",
                   gpu, spec->name);
        }
    }
    event.u.gpu_state.name = spec->name;
    event.u.gpu_state.lost = (int64_t)lost;
    health->parts.host.report(health->parts.host.self, &event);
}

void bl_local_health_look(struct bl_local_health *health)
{
    size_t count = health->parts.nodes->count;
    BL_AUTO_FREE uint64_t *lost = bl_alloc_zero((count + 1) * sizeof *lost);

    look_at_file(health, lost);
    for (size_t i = 0; i < count; i++) {
        struct node_health *node = &health->node[i];

        lost[i] |= look_at_bus(health, i);
        if (health->parts.nodes->node[i].spec.gpus > 0 &&
            (!node->is_told || lost[i] != node->lost)) {
            tell(health, i, lost[i]);
        }
        node->is_told = true;
        node->lost = lost[i];
    }
}

void bl_local_health_suspect(struct bl_local_health *health, enum bl_end_cause cause, int code)
{
    health->is_suspect = health->is_suspect || cause != BL_END_EXITED || code != 0;
}

void bl_local_health_check(struct bl_local_health *health)
{
    if (health->is_suspect) {
        health->is_suspect = false;
        bl_local_health_look(health);
    }
}

static void on_timer(void *self)
{
    struct bl_local_health *health = self;

    bl_local_health_look(health);
    bl_watch_arm(health->timer, EVERY);
}

struct bl_local_health *bl_local_health_create(const struct bl_local_health_parts *parts)
{
    struct bl_local_health *health = bl_alloc_zero(sizeof *health);
    BL_AUTO_BUF file = {0};

    bl_buf_printf(&file, "%s/lost-gpus", parts->state_dir);
    health->parts = *parts;
    health->parts.pci_dir = parts->pci_dir ? parts->pci_dir : "/sys/bus/pci/devices";
    health->node = bl_alloc_zero((parts->nodes->count + 1) * sizeof *health->node);
    health->file = bl_buf_take(&file);
    health->timer = bl_loop_watch_timer(parts->loop, on_timer, health);
    bl_watch_arm(health->timer, 0);
    return health;
}

void bl_local_health_destroy(struct bl_local_health *health)
{
    if (health) {
        bl_watch_destroy(health->timer);
        free(health->complained);
        free(health->file);
        free(health->node);
        free(health);
    }
}
