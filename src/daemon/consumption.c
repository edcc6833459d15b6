#include "daemon/consumption.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

static const char *const by_words[BL_BY_COUNT] = {
    [BL_BY_USER] = "user",   [BL_BY_PROJECT] = "project",     [BL_BY_KIND] = "kind",
    [BL_BY_CLASS] = "class", [BL_BY_NODE_TYPE] = "node-type",
};

/* A row that grows. */
struct group {
    struct bl_consumer consumer;
    BL_VEC(bl_time) waits;
    double slowdown_sum;
    int64_t slowdowns;
};

/* GPU time that the jobs of a booking held in the window. */
struct use {
    double gpu_s;
};

struct maker {
    const struct bl_ledger *ledger;
    const struct bl_cluster *cluster;
    const struct bl_consumption_wish *wish;
    struct bl_map groups; /* hash of the words -> struct group, owned */
    struct bl_map uses;   /* booking -> struct use, owned */
    struct group total;
    bool is_priced;
};

const char *bl_by_name(enum bl_by by)
{
    return by_words[by];
}

/* --- rows ------------------------------------------------------------------------------------ */

static bool is_same_word(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* FNV-1a over the words, with what cannot stand in one between them. */
static int64_t hash_of(const char *const word[BL_BY_COUNT])
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);

    for (int i = 0; i < BL_BY_COUNT; i++) {
        for (const char *c = word[i]; c && *c; c++) {
            hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001B3);
        }
        hash = (hash ^ (word[i] ? 0xFFu : 0xFEu)) * UINT64_C(0x100000001B3);
    }
    return (int64_t)(hash >> 1);
}

static bool has_words(const struct group *group, const char *const word[BL_BY_COUNT])
{
    for (int i = 0; i < BL_BY_COUNT; i++) {
        if (!is_same_word(group->consumer.word[i], word[i])) {
            return false;
        }
    }
    return true;
}

/* The row of these words, those alone that are asked for. */
static struct group *group_of(struct maker *maker, const char *const all[BL_BY_COUNT])
{
    const char *word[BL_BY_COUNT];
    struct group *group;
    int64_t key;

    for (int i = 0; i < BL_BY_COUNT; i++) {
        word[i] = maker->wish->by[i] ? all[i] : NULL;
    }
    key = hash_of(word);
    while ((group = bl_map_find(&maker->groups, key)) && !has_words(group, word)) {
        key++;
    }
    if (!group) {
        group = bl_alloc_zero(sizeof *group);
        memcpy(group->consumer.word, word, sizeof word);
        bl_map_insert(&maker->groups, key, group);
    }
    return group;
}

/* --- jobs ------------------------------------------------------------------------------------ */

static bool is_within(const struct maker *maker, bl_time at)
{
    return at >= maker->wish->from && at < maker->wish->to;
}

/* How much of [start, end) lies in the window. */
static bl_time overlap(const struct maker *maker, bl_time start, bl_time end)
{
    bl_time from = start > maker->wish->from ? start : maker->wish->from;
    bl_time to = end < maker->wish->to ? end : maker->wish->to;

    return to > from ? to - from : 0;
}

static bl_time end_of(const struct maker *maker, const struct bl_job *job)
{
    return job->ended_at ? job->ended_at : maker->wish->now;
}

/* What it held is known as a sum: it is spread evenly from its first start to its end. */
static double gpu_s_of(const struct maker *maker, const struct bl_job *job)
{
    bl_time start = job->first_started_at;
    bl_time length = end_of(maker, job) - start;

    if (!start || length <= 0) {
        return 0;
    }
    return bl_job_attained(job, end_of(maker, job)) *
           (double)overlap(maker, start, start + length) / (double)length;
}

/* A GPU of a node costs its part of the node. */
static double price_per_gpu_s(const struct maker *maker, const struct bl_alloc *alloc)
{
    double price = 0;
    double gpus = 0;

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        const struct bl_alloc_part *part = &bl_alloc_parts(alloc)[i];
        const struct bl_node_spec *node = &maker->cluster->node[part->node].spec;

        gpus += part->gpus;
        price += node->gpus > 0 ? (double)node->price_micros * part->gpus / node->gpus : 0;
    }
    return gpus > 0 ? price / gpus / 3600e6 : 0;
}

static const char *type_of(const struct maker *maker, const struct bl_alloc *alloc)
{
    return alloc->part_count > 0 ? maker->cluster->node[bl_alloc_parts(alloc)->node].spec.gpu_type
                                 : NULL;
}

static void add_times(const struct maker *maker, struct group *group, const struct bl_job *job)
{
    bool has_ended = job->ended_at && is_within(maker, job->ended_at);

    group->consumer.submitted += is_within(maker, job->submitted_at);
    if (job->first_started_at && is_within(maker, job->first_started_at)) {
        group->consumer.started++;
        BL_VEC_PUSH(&group->waits, job->first_started_at - job->submitted_at);
    }
    group->consumer.ended_as[job->state] += has_ended;
    if (has_ended && job->started_at && job->reason.code != BL_REASON_START_FAILED) {
        group->slowdown_sum += bl_job_slowdown(job);
        group->slowdowns++;
    }
}

static void add_to(const struct maker *maker, struct group *group, const struct bl_job *job,
                   double gpu_s)
{
    const struct bl_ledger_job *entry = bl_ledger_get(maker->ledger, job->id);

    group->consumer.jobs++;
    group->consumer.preemptions += job->preemptions;
    group->consumer.gpu_s += gpu_s;
    group->consumer.cost += gpu_s * price_per_gpu_s(maker, &entry->alloc);
    add_times(maker, group, job);
}

static void add_use(struct maker *maker, int64_t booking, double gpu_s)
{
    struct use *use = bl_map_find(&maker->uses, booking);

    if (!use) {
        use = bl_alloc_zero(sizeof *use);
        bl_map_insert(&maker->uses, booking, use);
    }
    use->gpu_s += gpu_s;
}

static void add_job(struct maker *maker, const struct bl_job *job)
{
    const char *const word[BL_BY_COUNT] = {
        [BL_BY_USER] = job->spec.user,
        [BL_BY_PROJECT] = job->spec.project,
        [BL_BY_KIND] = bl_job_kind_name(job->spec.kind),
        [BL_BY_CLASS] = bl_job_class_name(job->spec.job_class),
        [BL_BY_NODE_TYPE] = type_of(maker, &bl_ledger_get(maker->ledger, job->id)->alloc),
    };
    double gpu_s = gpu_s_of(maker, job);

    if (job->array || job->submitted_at >= maker->wish->to ||
        (job->ended_at && job->ended_at < maker->wish->from)) {
        return;
    }
    add_to(maker, group_of(maker, word), job, gpu_s);
    add_to(maker, &maker->total, job, gpu_s);
    if (job->spec.reservation) {
        add_use(maker, job->spec.reservation, gpu_s);
    }
}

/* --- reservations ---------------------------------------------------------------------------- */

static double reserved_gpu_s(const struct maker *maker, const struct bl_occurrence *slot)
{
    bl_time end = slot->ended_at && slot->ended_at < slot->end ? slot->ended_at : slot->end;
    double gpus = 0;

    end = end < maker->wish->now ? end : maker->wish->now;
    for (uint32_t i = 0; i < slot->alloc.part_count; i++) {
        gpus += bl_alloc_parts(&slot->alloc)[i].gpus;
    }
    return gpus * (double)overlap(maker, slot->start, end) / BL_SECOND;
}

static void add_booking(struct maker *maker, const struct bl_booking *booking)
{
    const struct bl_occurrence *first = booking->occurrence;
    const char *const word[BL_BY_COUNT] = {
        [BL_BY_USER] = booking->spec.user,
        [BL_BY_PROJECT] = booking->spec.project,
        [BL_BY_NODE_TYPE] = booking->occurrence_count ? type_of(maker, &first->alloc) : NULL,
    };
    const struct use *use = bl_map_find(&maker->uses, booking->spec.id);
    double reserved = 0;
    struct group *group;

    for (size_t i = 0; i < booking->occurrence_count; i++) {
        reserved += reserved_gpu_s(maker, &booking->occurrence[i]);
    }
    if (reserved <= 0) {
        return;
    }
    group = group_of(maker, word);
    group->consumer.reserved_gpu_s += reserved;
    group->consumer.reserved_used_gpu_s += use ? use->gpu_s : 0;
    maker->total.consumer.reserved_gpu_s += reserved;
    maker->total.consumer.reserved_used_gpu_s += use ? use->gpu_s : 0;
}

/* --- the whole ------------------------------------------------------------------------------- */

static int compare_times(const void *left, const void *right)
{
    bl_time a = *(const bl_time *)left;
    bl_time b = *(const bl_time *)right;

    return (a > b) - (a < b);
}

/* Nearest rank, as in core/metrics. */
static double rank_s(const struct group *group, size_t percent)
{
    size_t rank = (group->waits.count * percent + 99) / 100;

    return (double)group->waits.at[rank > 0 ? rank - 1 : 0] / BL_SECOND;
}

static struct bl_consumer finish(const struct maker *maker, struct group *group)
{
    struct bl_consumer *out = &group->consumer;
    double sum = 0;

    bl_sort(group->waits.at, group->waits.count, sizeof *group->waits.at, compare_times);
    for (size_t i = 0; i < group->waits.count; i++) {
        sum += (double)group->waits.at[i] / BL_SECOND;
    }
    out->wait_mean_s = out->wait_p50_s = out->wait_p90_s = (double)NAN;
    if (group->waits.count > 0) {
        out->wait_mean_s = sum / (double)group->waits.count;
        out->wait_p50_s = rank_s(group, 50);
        out->wait_p90_s = rank_s(group, 90);
    }
    out->slowdown = group->slowdowns ? group->slowdown_sum / (double)group->slowdowns : (double)NAN;
    out->cost = maker->is_priced ? out->cost : (double)NAN;
    BL_VEC_FINISH(&group->waits);
    return *out;
}

static int compare_words(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_rows(const void *left, const void *right)
{
    const struct bl_consumer *a = left;
    const struct bl_consumer *b = right;
    int order = (a->gpu_s < b->gpu_s) - (a->gpu_s > b->gpu_s);

    for (int i = 0; order == 0 && i < BL_BY_COUNT; i++) {
        order = compare_words(a->word[i], b->word[i]);
    }
    return order;
}

static void add_all(struct maker *maker)
{
    const struct bl_core *core = maker->ledger->core;
    const struct bl_booking *booking;
    const struct bl_job *job;
    size_t cursor = 0;

    for (size_t i = 0; i < maker->cluster->node_count; i++) {
        maker->is_priced = maker->is_priced || maker->cluster->node[i].spec.price_micros > 0;
    }
    while ((job = bl_core_next_job(core, &cursor))) {
        add_job(maker, job);
    }
    cursor = 0;
    while (!maker->wish->by[BL_BY_KIND] && !maker->wish->by[BL_BY_CLASS] &&
           (booking = bl_core_next_booking(core, &cursor))) {
        if (!bl_promised_job(booking)) {
            add_booking(maker, booking);
        }
    }
}

static void take_rows(struct maker *maker, struct bl_arena *arena, struct bl_consumption *out)
{
    struct group *group;
    size_t cursor = 0;

    out->row = bl_arena_alloc(arena, (maker->groups.count + 1) * sizeof *out->row);
    while ((group = bl_map_next(&maker->groups, &cursor))) {
        out->row[out->count++] = finish(maker, group);
    }
    bl_sort(out->row, out->count, sizeof *out->row, compare_rows);
    out->total = finish(maker, &maker->total);
    bl_map_finish_owned(&maker->groups);
    bl_map_finish_owned(&maker->uses);
}

struct bl_consumption bl_consumption_make(const struct bl_ledger *ledger,
                                          const struct bl_consumption_wish *wish,
                                          struct bl_arena *arena)
{
    struct maker maker = {.ledger = ledger, .cluster = bl_core_cluster(ledger->core), .wish = wish};
    struct bl_consumption out = {0};
    struct bl_tally tally;

    bl_metrics_tally(bl_core_metrics(ledger->core), wish->now, &tally);
    out.whole_since = tally.count[BL_COUNT_FORGOTTEN_BEFORE];
    add_all(&maker);
    take_rows(&maker, arena, &out);
    return out;
}
