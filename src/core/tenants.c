#include "core/tenants.h"

#include "base/vec.h"

#include <math.h>

enum { FIRST_SLOTS = 256 };

/* Shares are fixed-point, so that sums do not depend on the order of the tenants; squares of 2^16
 * of them still fit. */
#define SHARE_ONE (INT64_C(1) << 22)

struct tenant {
    char *name;
    size_t length;
    uint64_t hash;
    struct bl_resources used;
    int64_t waiting;       /* jobs that have not started */
    int32_t backlog_index; /* -1 when nothing waits */
};

struct bl_tenants {
    BL_VEC(struct tenant) list;
    uint32_t *slot; /* index + 1 */
    size_t slot_count;
    struct bl_resources capacity;
    double per_unit[BL_RESOURCE_COUNT]; /* SHARE_ONE / capacity, 0 without any */

    BL_VEC(uint32_t) backlog; /* tenants */
    BL_VEC(int64_t) share;    /* theirs, beside it */
    double min_max, jain;     /* now */
    bool stale;
    double min_max_integral, jain_integral;
    bl_time duration;
};

struct bl_tenants *bl_tenants_create(void)
{
    struct bl_tenants *tenants = bl_alloc_zero(sizeof *tenants);

    tenants->slot_count = FIRST_SLOTS;
    tenants->slot = bl_alloc_zero(tenants->slot_count * sizeof *tenants->slot);
    return tenants;
}

void bl_tenants_destroy(struct bl_tenants *tenants)
{
    if (tenants) {
        for (size_t i = 0; i < tenants->list.count; i++) {
            free(tenants->list.at[i].name);
        }
        BL_VEC_FINISH(&tenants->list);
        BL_VEC_FINISH(&tenants->backlog);
        BL_VEC_FINISH(&tenants->share);
        free(tenants->slot);
        free(tenants);
    }
}

struct key {
    const char *name;
    size_t length;
    uint64_t hash;
};

/* FNV-1a. */
static struct key key_of(const char *name)
{
    struct key key = {name, 0, UINT64_C(0xCBF29CE484222325)};

    for (; name[key.length]; key.length++) {
        key.hash = (key.hash ^ (unsigned char)name[key.length]) * UINT64_C(0x100000001B3);
    }
    return key;
}

/* Names are short and mostly equal when their hashes are: no call for them. */
static bool is_named(const struct tenant *tenant, const struct key *key)
{
    size_t i = 0;

    if (tenant->hash != key->hash || tenant->length != key->length) {
        return false;
    }
    while (i < key->length && tenant->name[i] == key->name[i]) {
        i++;
    }
    return i == key->length;
}

static size_t find_slot(const struct bl_tenants *tenants, const struct key *key)
{
    size_t mask = tenants->slot_count - 1;
    size_t slot = (size_t)(key->hash ^ key->hash >> 32) & mask;

    while (tenants->slot[slot] && !is_named(&tenants->list.at[tenants->slot[slot] - 1], key)) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

static void grow_slots(struct bl_tenants *tenants)
{
    free(tenants->slot);
    tenants->slot_count *= 2;
    tenants->slot = bl_alloc_zero(tenants->slot_count * sizeof *tenants->slot);
    for (size_t i = 0; i < tenants->list.count; i++) {
        struct key key = key_of(tenants->list.at[i].name);

        tenants->slot[find_slot(tenants, &key)] = (uint32_t)(i + 1);
    }
}

/* The tenant of this job, made when it is new; NULL for a job of nobody. */
static struct tenant *tenant_of(struct bl_tenants *tenants, const struct bl_job *job)
{
    const char *name = job->spec.project ? job->spec.project : job->spec.user;
    struct key key;
    size_t slot;

    if (!name) {
        return NULL;
    }
    key = key_of(name);
    slot = find_slot(tenants, &key);
    if (!tenants->slot[slot]) {
        if (tenants->list.count == BL_TENANTS_MAX) {
            return NULL;
        }
        if ((tenants->list.count + 1) * 2 > tenants->slot_count) {
            grow_slots(tenants);
            slot = find_slot(tenants, &key);
        }
        BL_VEC_PUSH(&tenants->list, (struct tenant){.name = bl_copy_text(name),
                                                    .length = key.length,
                                                    .hash = key.hash,
                                                    .backlog_index = -1});
        tenants->slot[slot] = (uint32_t)tenants->list.count;
    }
    return &tenants->list.at[tenants->slot[slot] - 1];
}

static int64_t share_of(const struct bl_tenants *tenants, const struct tenant *tenant)
{
    double most = 0;

    for (int i = 0; i < BL_RESOURCE_COUNT; i++) {
        double share = (double)tenant->used.amount[i] * tenants->per_unit[i];

        most = share > most ? share : most;
    }
    return (int64_t)(most + 0.5);
}

static void update_share(struct bl_tenants *tenants, const struct tenant *tenant)
{
    if (tenant->backlog_index >= 0) {
        tenants->share.at[tenant->backlog_index] = share_of(tenants, tenant);
        tenants->stale = true;
    }
}

static void add_waiting(struct bl_tenants *tenants, struct tenant *tenant)
{
    if (tenant->waiting++ == 0) {
        tenant->backlog_index = (int32_t)tenants->backlog.count;
        BL_VEC_PUSH(&tenants->backlog, (uint32_t)(tenant - tenants->list.at));
        BL_VEC_PUSH(&tenants->share, share_of(tenants, tenant));
        tenants->stale = true;
    }
}

static void remove_waiting(struct bl_tenants *tenants, struct tenant *tenant)
{
    if (tenant->waiting > 0 && --tenant->waiting == 0) {
        size_t hole = (size_t)tenant->backlog_index;
        uint32_t moved = tenants->backlog.at[--tenants->backlog.count];

        tenants->backlog.at[hole] = moved;
        tenants->share.at[hole] = tenants->share.at[--tenants->share.count];
        tenants->list.at[moved].backlog_index = (int32_t)hole;
        tenant->backlog_index = -1;
        tenants->stale = true;
    }
}

void bl_tenants_note_submitted(struct bl_tenants *tenants, const struct bl_job *job)
{
    struct tenant *tenant = tenant_of(tenants, job);

    if (tenant) {
        add_waiting(tenants, tenant);
    }
}

void bl_tenants_note_started(struct bl_tenants *tenants, const struct bl_job *job)
{
    struct tenant *tenant = tenant_of(tenants, job);

    if (tenant) {
        struct bl_resources held = bl_alloc_resources(&job->alloc);

        bl_resources_add(&tenant->used, &held);
        remove_waiting(tenants, tenant);
        update_share(tenants, tenant);
    }
}

static void release(struct bl_tenants *tenants, struct tenant *tenant, const struct bl_job *job)
{
    struct bl_resources held = bl_alloc_resources(&job->alloc);

    bl_resources_subtract(&tenant->used, &held);
    update_share(tenants, tenant);
}

void bl_tenants_note_held(struct bl_tenants *tenants, const struct bl_job *job,
                          const struct bl_resources *change)
{
    struct tenant *tenant = tenant_of(tenants, job);

    if (tenant) {
        bl_resources_add(&tenant->used, change);
        update_share(tenants, tenant);
    }
}

void bl_tenants_note_put_back(struct bl_tenants *tenants, const struct bl_job *job)
{
    struct tenant *tenant = tenant_of(tenants, job);

    if (tenant) {
        add_waiting(tenants, tenant);
        release(tenants, tenant, job);
    }
}

void bl_tenants_note_ended(struct bl_tenants *tenants, const struct bl_job *job)
{
    struct tenant *tenant = tenant_of(tenants, job);

    if (tenant && job->alloc.part_count == 0) {
        remove_waiting(tenants, tenant);
    } else if (tenant) {
        release(tenants, tenant, job);
    }
}

void bl_tenants_note_capacity(struct bl_tenants *tenants, const struct bl_resources *capacity)
{
    if (memcmp(&tenants->capacity, capacity, sizeof *capacity) == 0) {
        return;
    }
    tenants->capacity = *capacity;
    for (int i = 0; i < BL_RESOURCE_COUNT; i++) {
        tenants->per_unit[i] =
            capacity->amount[i] > 0 ? (double)SHARE_ONE / (double)capacity->amount[i] : 0;
    }
    for (size_t i = 0; i < tenants->backlog.count; i++) {
        update_share(tenants, &tenants->list.at[tenants->backlog.at[i]]);
    }
}

static void look(struct bl_tenants *tenants)
{
    int64_t least = INT64_MAX;
    int64_t most = 0;
    int64_t sum = 0;
    int64_t squares = 0;
    size_t count = tenants->share.count;

    tenants->stale = false;
    for (size_t i = 0; i < count; i++) {
        int64_t share = tenants->share.at[i];

        least = share < least ? share : least;
        most = share > most ? share : most;
        sum += share;
        squares += share * share;
    }
    tenants->min_max = most ? (double)least / (double)most : 1;
    tenants->jain = most ? (double)sum * (double)sum / ((double)count * (double)squares) : 1;
}

void bl_tenants_advance(struct bl_tenants *tenants, bl_time span)
{
    if (tenants->backlog.count < 2) {
        return;
    }
    if (tenants->stale) {
        look(tenants);
    }
    tenants->min_max_integral += tenants->min_max * (double)span;
    tenants->jain_integral += tenants->jain * (double)span;
    tenants->duration += span;
}

static double mean(double integral, bl_time duration)
{
    return duration > 0 ? integral / (double)duration : NAN;
}

double bl_tenants_min_max(const struct bl_tenants *tenants)
{
    return mean(tenants->min_max_integral, tenants->duration);
}

double bl_tenants_jain(const struct bl_tenants *tenants)
{
    return mean(tenants->jain_integral, tenants->duration);
}
