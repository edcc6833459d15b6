#include "core/predict_history.h"

#include "base/own.h"
#include "core/predict_dist.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    PASSED_MAX = 256, /* newer runs that a search steps over */
    FIRST_ROOM = 64,
    FIRST_SLOTS = 1024
};

/* What a search looks at, apart from the rest: it is quick when it stays together. */
struct link {
    float log_run, log_share;
    uint32_t back[BL_KIN_COUNT]; /* how many runs ago the last one of that kind was; 0 = long ago */
};

struct entry {
    struct bl_traits traits;
    bl_time run;
};

/* The newest run of a kind. */
struct slot {
    int64_t key; /* 0 = free */
    int64_t newest;
};

struct bl_history {
    struct link *link; /* run n is at n % room */
    struct entry *entry;
    int64_t room;        /* a power of two, BL_HISTORY_RUNS at most */
    int64_t first, next; /* numbers */
    struct slot *slot;   /* open addressing */
    size_t slots, used;
};

struct bl_history *bl_history_create(void)
{
    struct bl_history *history = bl_alloc_zero(sizeof *history);

    history->room = FIRST_ROOM;
    history->link = bl_alloc_zero(FIRST_ROOM * sizeof *history->link);
    history->entry = bl_alloc_zero(FIRST_ROOM * sizeof *history->entry);
    history->slots = FIRST_SLOTS;
    history->slot = bl_alloc_zero(FIRST_SLOTS * sizeof *history->slot);
    history->first = 1;
    history->next = 1;
    return history;
}

void bl_history_destroy(struct bl_history *history)
{
    if (history) {
        free(history->link);
        free(history->entry);
        free(history->slot);
        free(history);
    }
}

static struct link *link_of(const struct bl_history *history, int64_t number)
{
    return &history->link[number & (history->room - 1)];
}

static struct entry *entry_of(const struct bl_history *history, int64_t number)
{
    return &history->entry[number & (history->room - 1)];
}

static size_t home_of(const struct bl_history *history, int64_t key)
{
    return (size_t)((uint64_t)key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (history->slots - 1);
}

/* The slot of the key, or the free one where it would stand. */
static struct slot *find_slot(const struct bl_history *history, int64_t key)
{
    size_t at = home_of(history, key);

    while (history->slot[at].key && history->slot[at].key != key) {
        at = (at + 1) & (history->slots - 1);
    }
    return &history->slot[at];
}

static void grow_slots(struct bl_history *history)
{
    struct slot *old = history->slot;
    size_t count = history->slots;

    history->slots *= 2;
    history->slot = bl_alloc_zero(history->slots * sizeof *history->slot);
    for (size_t i = 0; i < count; i++) {
        if (old[i].key) {
            *find_slot(history, old[i].key) = old[i];
        }
    }
    free(old);
}

/* Those behind it that would no longer be found move up. */
static void free_slot(struct bl_history *history, struct slot *slot)
{
    size_t mask = history->slots - 1;
    size_t hole = (size_t)(slot - history->slot);

    for (size_t at = (hole + 1) & mask; history->slot[at].key; at = (at + 1) & mask) {
        size_t home = home_of(history, history->slot[at].key);

        if (((at - home) & mask) >= ((at - hole) & mask)) {
            history->slot[hole] = history->slot[at];
            hole = at;
        }
    }
    history->slot[hole] = (struct slot){0};
    history->used--;
}

static void grow_room(struct bl_history *history)
{
    struct bl_history old = *history;

    history->room *= 2;
    history->link = bl_alloc_zero((size_t)history->room * sizeof *history->link);
    history->entry = bl_alloc_zero((size_t)history->room * sizeof *history->entry);
    for (int64_t number = old.first; number < old.next; number++) {
        *link_of(history, number) = *link_of(&old, number);
        *entry_of(history, number) = *entry_of(&old, number);
    }
    free(old.link);
    free(old.entry);
}

static void drop_first(struct bl_history *history)
{
    const struct bl_traits *traits = &entry_of(history, history->first)->traits;

    for (int kin = 0; kin < BL_KIN_COUNT; kin++) {
        int64_t key = bl_traits_key(traits, (enum bl_kin)kin);
        struct slot *slot = key ? find_slot(history, key) : NULL;

        if (slot && slot->key && slot->newest == history->first) {
            free_slot(history, slot);
        }
    }
    history->first++;
}

static void chain(struct bl_history *history, struct link *link, enum bl_kin kin, int64_t key)
{
    struct slot *slot = find_slot(history, key);

    if (!slot->key) {
        history->used++;
        *slot = (struct slot){key, 0};
    }
    link->back[kin] = slot->newest ? (uint32_t)(history->next - slot->newest) : 0;
    slot->newest = history->next;
    if (history->used * 2 > history->slots) {
        grow_slots(history);
    }
}

static float log_seconds(bl_time length)
{
    return (float)((double)bl_dist_point(length) / BL_DIST_OCTAVE - log2((double)BL_SECOND));
}

void bl_history_add(struct bl_history *history, const struct bl_traits *traits, bl_time run)
{
    struct link *link;

    if (history->next - history->first == history->room && history->room < BL_HISTORY_RUNS) {
        grow_room(history);
    }
    if (history->next - history->first == history->room) {
        drop_first(history);
    }
    *entry_of(history, history->next) = (struct entry){*traits, run};
    link = link_of(history, history->next);
    memset(link, 0, sizeof *link);
    link->log_run = log_seconds(run);
    link->log_share = traits->limit > 0 ? link->log_run - log_seconds(traits->limit) : (float)NAN;
    for (int kin = 0; kin < BL_KIN_COUNT; kin++) {
        int64_t key = bl_traits_key(traits, (enum bl_kin)kin);

        if (key) {
            chain(history, link, (enum bl_kin)kin, key);
        }
    }
    history->next++;
}

int64_t bl_history_next(const struct bl_history *history)
{
    return history->next;
}

void bl_history_begin_at(struct bl_history *history, int64_t number)
{
    assert(history->first == history->next && number > 0);
    history->first = number;
    history->next = number;
}

int64_t bl_history_first(const struct bl_history *history)
{
    return history->first;
}

const struct bl_traits *bl_history_traits(const struct bl_history *history, int64_t number)
{
    return &entry_of(history, number)->traits;
}

bl_time bl_history_run(const struct bl_history *history, int64_t number)
{
    return entry_of(history, number)->run;
}

int32_t bl_history_find(const struct bl_history *history, const struct bl_traits *traits,
                        enum bl_kin kin, int64_t known, int32_t most, int64_t number[])
{
    int64_t key = bl_traits_key(traits, kin);
    const struct slot *slot = key ? find_slot(history, key) : NULL;
    int64_t at = slot && slot->key ? slot->newest : 0;
    int32_t passed = 0;
    int32_t count = 0;

    while (at >= history->first && count < most && passed < PASSED_MAX) {
        uint32_t back = link_of(history, at)->back[kin];

        if (at < known) {
            number[count++] = at;
        } else {
            passed++;
        }
        at = back ? at - back : 0;
    }
    return count;
}

int64_t bl_history_newest(const struct bl_history *history, int64_t key)
{
    const struct slot *slot = key ? find_slot(history, key) : NULL;

    return slot && slot->key ? slot->newest : 0;
}

double bl_history_log_run(const struct bl_history *history, int64_t number)
{
    return (double)link_of(history, number)->log_run;
}

double bl_history_log_share(const struct bl_history *history, int64_t number)
{
    return (double)link_of(history, number)->log_share;
}
