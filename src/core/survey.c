#include "core/survey.h"

#include "base/sort.h"
#include "core/bookings.h"
#include "core/place.h"

#include <string.h>

struct taken {
    struct bl_slot slot;
    const struct bl_alloc *alloc;
};

struct survey_job {
    const struct bl_job *job;
    bl_time until;
    bool is_apart; /* in the way, although the wish might take it in */
};

/* What of a slot no job inside of it uses; all, until one does. */
struct pool {
    struct bl_alloc left;
    bool is_used;
};

/* How those count that would be inside if the slot held their GPUs. */
enum own_jobs {
    OWN_IN_THE_WAY,
    OWN_LET_IN,  /* not at all, unless they are apart */
    OWN_BY_SHARE /* those with GPUs that it holds: with what they have beyond it */
};

struct bl_survey {
    const struct bl_core *core;
    struct bl_booking_wish wish;
    struct bl_arena *arena;
    struct bl_cluster bare; /* the machine without what is held ahead */
    struct survey_job *job; /* who runs outside of a slot of its own */
    size_t job_count;
    struct bl_survey_node *node;
    struct bl_resources *room;
    struct pool *pool; /* of each live occurrence */
    BL_VEC(struct taken) taken;
};

static void list_jobs(struct bl_survey *survey)
{
    const struct bl_core *core = survey->core;

    survey->job = bl_arena_alloc(survey->arena, (core->running.count + 1) * sizeof *survey->job);
    for (size_t i = 0; i < core->running.count; i++) {
        const struct bl_job *job = core->running.at[i].job;

        if (!bl_core_open_slot(core, job->spec.reservation, &job->alloc)) {
            survey->job[survey->job_count++] =
                (struct survey_job){job, bl_core_job_until(core, job), false};
        }
    }
}

struct bl_survey *bl_survey_create(const struct bl_core *core, const struct bl_booking_wish *wish,
                                   struct bl_arena *arena)
{
    struct bl_survey *survey = bl_arena_alloc(arena, sizeof *survey);
    size_t nodes = core->cluster.node_count + 1;

    survey->core = core;
    survey->wish = *wish;
    survey->arena = arena;
    survey->bare = core->cluster;
    survey->bare.holds = NULL;
    survey->node = bl_arena_alloc(arena, nodes * sizeof *survey->node);
    survey->room = bl_arena_alloc(arena, nodes * sizeof *survey->room);
    survey->pool = bl_arena_alloc(arena, (core->bookings->live.count + 1) * sizeof *survey->pool);
    list_jobs(survey);
    return survey;
}

static void take_off(struct bl_survey_node *node, const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        struct bl_survey_node *at = &node[part[i].node];

        at->gpus -=
            part[i].gpu_mask ? __builtin_popcountll(at->gpu_mask & part[i].gpu_mask) : part[i].gpus;
        at->gpu_mask &= ~part[i].gpu_mask;
        at->cpu_milli -= part[i].cpu_milli;
        at->mem_bytes -= part[i].mem_bytes;
    }
}

static bool overlaps(struct bl_slot slot, bl_time start, bl_time end)
{
    return start < slot.end && end > slot.start;
}

/* What the wish is to replace. */
static bool is_replaced(const struct bl_booking_wish *wish, const struct bl_live *live)
{
    int32_t number = bl_live_occurrence(live)->number;

    return wish->first > 0 && live->booking->spec.id == wish->spec->id &&
           (wish->only ? number == wish->first : number >= wish->first);
}

/* Of the wish's own user, for a slot that begins at once: inside if that holds GPUs of the job. */
static bool may_take_in(const struct bl_survey *survey, const struct bl_job *job,
                        struct bl_slot slot)
{
    const struct bl_booking_spec *spec = survey->wish.spec;
    bl_time now = survey->wish.now > survey->core->now ? survey->wish.now : survey->core->now;

    return slot.start <= now && bl_booking_takes_in(spec, job);
}

/* One that is resized shall be inside of it afterwards, too. */
static bool would_be_around(const struct bl_alloc *held, const struct bl_job *job)
{
    return bl_alloc_shares_named(&job->alloc, held) &&
           (job->state != BL_JOB_RESIZING || bl_alloc_shares_named(&job->next, held));
}

/* The job has the slot's before anything else, and those after it what that leaves. */
static void use_up(struct pool *pool, const struct bl_alloc *held, struct bl_alloc *job)
{
    struct bl_alloc unused;
    struct bl_alloc beyond;

    if (!pool->is_used) {
        bl_alloc_copy(&pool->left, held);
        pool->is_used = true;
    }
    bl_alloc_beyond(&pool->left, job, &unused);
    bl_alloc_beyond(job, &pool->left, &beyond);
    bl_alloc_finish(&pool->left);
    bl_alloc_finish(job);
    pool->left = unused;
    *job = beyond;
}

static void finish_pool(struct pool *pool)
{
    if (pool->is_used) {
        bl_alloc_finish(&pool->left);
        pool->is_used = false;
    }
}

/* Slots that it is inside of hold its GPUs already: beside them it has what goes beyond. */
static void use_slots(struct bl_survey *survey, struct bl_slot slot, const struct bl_job *job,
                      struct bl_alloc *left)
{
    const struct bl_bookings *bookings = survey->core->bookings;

    for (size_t i = 0; job->inside_at && i < bookings->live.count; i++) {
        const struct bl_live *live = &bookings->live.at[i];
        const struct bl_occurrence *around = bl_live_occurrence(live);

        if (bl_slot_is_around(live, job) && overlaps(slot, around->start, around->end) &&
            !is_replaced(&survey->wish, live)) {
            use_up(&survey->pool[i], &around->alloc, left);
        }
    }
}

static void show_all(struct bl_survey *survey, struct bl_slot slot)
{
    for (size_t i = 0; i < survey->bare.node_count; i++) {
        const struct bl_node *node = &survey->bare.node[i];

        survey->node[i] = (struct bl_survey_node){0};
        if (node->state == BL_NODE_UP && node->drain_at >= slot.end) {
            survey->node[i] = (struct bl_survey_node){.gpu_mask = bl_node_sound_gpus(node),
                                                      .first = node->free_gpu_mask,
                                                      .gpus = bl_node_sound_count(node),
                                                      .cpu_milli = node->spec.cpu_milli,
                                                      .mem_bytes = node->spec.mem_bytes};
        }
    }
}

static void take_off_jobs(struct bl_survey *survey, struct bl_slot slot, bl_time asked,
                          enum own_jobs own, const struct bl_alloc *held)
{
    struct pool ours = {0};

    for (size_t i = 0; i < survey->job_count; i++) {
        const struct survey_job *at = &survey->job[i];
        bool may_be_in = own != OWN_IN_THE_WAY &&
                         may_take_in(survey, at->job, (struct bl_slot){asked, slot.end});
        struct bl_alloc left;

        if (at->until <= slot.start || (may_be_in && own == OWN_LET_IN && !at->is_apart)) {
            continue;
        }
        bl_alloc_copy(&left, &at->job->alloc);
        use_slots(survey, slot, at->job, &left);
        if (may_be_in && own == OWN_BY_SHARE && would_be_around(held, at->job)) {
            use_up(&ours, held, &left);
        }
        take_off(survey->node, &left);
        bl_alloc_finish(&left);
    }
    finish_pool(&ours);
    for (size_t i = 0; i < survey->core->bookings->live.count; i++) {
        finish_pool(&survey->pool[i]);
    }
}

/* A slot that has begun cannot be had from those who are still there. */
static void look_at(struct bl_survey *survey, struct bl_slot slot, enum own_jobs own,
                    const struct bl_alloc *held)
{
    const struct bl_bookings *bookings = survey->core->bookings;
    bl_time asked = slot.start;

    slot.start = slot.start > survey->core->now ? slot.start : survey->core->now;
    show_all(survey, slot);
    for (size_t i = 0; i < bookings->live.count; i++) {
        const struct bl_live *live = &bookings->live.at[i];
        const struct bl_occurrence *other = bl_live_occurrence(live);

        if (other->start >= slot.end) {
            break;
        }
        if (other->end > slot.start && !is_replaced(&survey->wish, live)) {
            take_off(survey->node, &other->alloc);
        }
    }
    take_off_jobs(survey, slot, asked, own, held);
    for (size_t i = 0; i < survey->taken.count; i++) {
        const struct taken *taken = &survey->taken.at[i];

        if (overlaps(slot, taken->slot.start, taken->slot.end)) {
            take_off(survey->node, taken->alloc);
        }
    }
}

/* The share of a node that goes with some of its GPUs. */
static int64_t share_of(int64_t all, int32_t gpus, int32_t of)
{
    __extension__ typedef __int128 wide;

    return of > 0 ? (int64_t)((wide)all * gpus / of) : 0;
}

/* GPUs whose share of CPUs and memory is there, too. */
static int32_t bookable(const struct bl_node *node, const struct bl_survey_node *left)
{
    int32_t gpus = left->gpus > 0 ? left->gpus : 0;

    while (gpus > 0 && (share_of(node->spec.cpu_milli, gpus, node->spec.gpus) > left->cpu_milli ||
                        share_of(node->spec.mem_bytes, gpus, node->spec.gpus) > left->mem_bytes)) {
        gpus--;
    }
    return gpus;
}

/* A job that stands for the booking, for those who place jobs. */
static struct bl_job stand_in(const struct bl_survey *survey, int32_t gpus, const char *gpu_type)
{
    struct bl_job job = {.id = 1};

    job.spec.gpus_min = gpus;
    job.spec.gpus_want = gpus;
    job.spec.gpus_max = gpus;
    job.spec.limit = 1;
    job.spec.pool = survey->wish.spec->pool;
    if (gpu_type) {
        job.spec.gpu_type[job.spec.gpu_type_count++] = gpu_type;
    }
    bl_job_resolve(&job, &survey->bare);
    return job;
}

static void name_part(const struct bl_survey *survey, struct bl_alloc_part *part)
{
    const struct bl_survey_node *left = &survey->node[part->node];
    uint64_t first = bl_gpus_lowest(left->gpu_mask & left->first, part->gpus);

    part->gpu_mask =
        first | bl_gpus_lowest(left->gpu_mask & ~first, part->gpus - __builtin_popcountll(first));
}

static void share_part(const struct bl_survey *survey, struct bl_alloc_part *part)
{
    const struct bl_node *node = &survey->bare.node[part->node];

    name_part(survey, part);
    part->cpu_milli = share_of(node->spec.cpu_milli, part->gpus, node->spec.gpus);
    part->mem_bytes = share_of(node->spec.mem_bytes, part->gpus, node->spec.gpus);
}

/* Into the arena. */
static void keep(const struct bl_survey *survey, struct bl_alloc *alloc,
                 void (*complete)(const struct bl_survey *survey, struct bl_alloc_part *part))
{
    struct bl_alloc_part *many = alloc->many;

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        complete(survey, alloc->part_count > 1 ? &alloc->many[i] : &alloc->single);
    }
    if (alloc->part_count > 1) {
        alloc->many = bl_arena_alloc(survey->arena, alloc->part_count * sizeof *many);
        memcpy(alloc->many, many, alloc->part_count * sizeof *many);
        free(many);
    }
}

static bool find_as_seen(struct bl_survey *survey, int32_t gpus, const char *gpu_type,
                         struct bl_alloc *out)
{
    struct bl_job job = stand_in(survey, gpus, gpu_type);
    struct bl_free left = {.cluster = &survey->bare, .at = survey->bare.now, .node = survey->room};

    for (size_t i = 0; i < survey->bare.node_count; i++) {
        survey->room[i] =
            (struct bl_resources){{bookable(&survey->bare.node[i], &survey->node[i]), 0, 0}};
        bl_resources_add(&left.total, &survey->room[i]);
    }
    if (!bl_place_plan(&left, &job, gpus, out)) {
        return false;
    }
    keep(survey, out, share_part);
    return true;
}

bool bl_survey_find_job(struct bl_survey *survey, struct bl_slot slot, const struct bl_job *job,
                        int32_t gpus, struct bl_alloc *out)
{
    struct bl_job alone = *job;
    struct bl_free left = {.cluster = &survey->bare, .at = survey->bare.now, .node = survey->room};

    alone.spec.limit = 1; /* its end is the slot's, and that was looked at */
    look_at(survey, slot, OWN_IN_THE_WAY, NULL);
    for (size_t i = 0; i < survey->bare.node_count; i++) {
        const struct bl_survey_node *node = &survey->node[i];

        survey->room[i] = (struct bl_resources){{node->gpus, node->cpu_milli, node->mem_bytes}};
        bl_resources_add(&left.total, &survey->room[i]);
    }
    if (!bl_place_plan(&left, &alone, gpus, out)) {
        return false;
    }
    keep(survey, out, name_part);
    return true;
}

static struct bl_alloc_part named_part(const struct bl_survey *survey,
                                       const struct bl_booking_place *place)
{
    struct bl_alloc_part part = {.node = bl_cluster_find_node(&survey->bare, place->node)};
    const struct bl_node *node = &survey->bare.node[part.node];

    part.gpu_mask = place->gpu_mask ? place->gpu_mask : bl_node_gpus(&node->spec);
    part.gpus = part.gpu_mask ? __builtin_popcountll(part.gpu_mask) : node->spec.gpus;
    part.cpu_milli = share_of(node->spec.cpu_milli, part.gpus, node->spec.gpus);
    part.mem_bytes = share_of(node->spec.mem_bytes, part.gpus, node->spec.gpus);
    return part;
}

static bool has_part(const struct bl_survey *survey, const struct bl_alloc_part *part)
{
    const struct bl_survey_node *left = &survey->node[part->node];

    return (part->gpu_mask & ~left->gpu_mask) == 0 && part->gpus <= left->gpus &&
           part->cpu_milli <= left->cpu_milli && part->mem_bytes <= left->mem_bytes;
}

bool bl_survey_has(struct bl_survey *survey, struct bl_slot slot, const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    look_at(survey, slot, OWN_BY_SHARE, alloc);
    for (uint32_t i = 0; i < alloc->part_count; i++) {
        if (!has_part(survey, &part[i])) {
            return false;
        }
    }
    return true;
}

/* All that is named; which are `gpus` GPUs is for the caller to know. */
static bool find_named(struct bl_survey *survey, struct bl_slot slot, struct bl_alloc *out)
{
    const struct bl_booking_spec *spec = survey->wish.spec;
    struct bl_alloc alloc = {.part_count = (uint32_t)spec->on_count};

    alloc.many = bl_arena_alloc(survey->arena, spec->on_count * sizeof *alloc.many);
    for (size_t i = 0; i < spec->on_count; i++) {
        alloc.many[i] = named_part(survey, &spec->on[i]);
    }
    alloc.single = alloc.many[0];
    *out = alloc;
    return bl_survey_has(survey, slot, &alloc);
}

/* Those that the slot would not be around are in its way; false when none of them was let in. */
static bool set_apart(struct bl_survey *survey, struct bl_slot slot, const struct bl_alloc *held)
{
    bool is_news = false;

    for (size_t i = 0; i < survey->job_count; i++) {
        struct survey_job *at = &survey->job[i];

        if (!at->is_apart && may_take_in(survey, at->job, slot) &&
            !would_be_around(held, at->job)) {
            at->is_apart = true;
            is_news = true;
        }
    }
    return is_news;
}

/* GPUs of jobs that are let in before others. */
static void put_own_first(struct bl_survey *survey, struct bl_slot slot)
{
    for (size_t i = 0; i < survey->bare.node_count; i++) {
        survey->node[i].first = 0;
    }
    for (size_t i = 0; i < survey->job_count; i++) {
        const struct bl_alloc *alloc = &survey->job[i].job->alloc;

        for (uint32_t k = 0; k < alloc->part_count && may_take_in(survey, survey->job[i].job, slot);
             k++) {
            survey->node[bl_alloc_parts(alloc)[k].node].first |= bl_alloc_parts(alloc)[k].gpu_mask;
        }
    }
}

/* All that may be let in; false when there is none. */
static bool let_in(struct bl_survey *survey, struct bl_slot slot)
{
    bool is_any = false;

    for (size_t i = 0; i < survey->job_count; i++) {
        survey->job[i].is_apart = false;
        is_any |= may_take_in(survey, survey->job[i].job, slot);
    }
    return is_any;
}

/* Around some of the user's own jobs: which, only the GPUs that are found tell. */
static bool find_around(struct bl_survey *survey, struct bl_slot slot, int32_t gpus,
                        const char *gpu_type, bool is_own_first, struct bl_alloc *out)
{
    if (!let_in(survey, slot)) {
        return false;
    }
    do {
        look_at(survey, slot, OWN_LET_IN, NULL);
        if (is_own_first) {
            put_own_first(survey, slot);
        }
        if (!find_as_seen(survey, gpus, gpu_type, out)) {
            return false;
        }
        if (bl_survey_has(survey, slot, out)) {
            return true;
        }
    } while (set_apart(survey, slot, out));
    return false;
}

/* Beside the user's own jobs if there is room, else with as few of their GPUs as need be, else with
 * all of them: it is their CPUs that are in the way. */
static bool find_anywhere(struct bl_survey *survey, struct bl_slot slot, int32_t gpus,
                          const char *gpu_type, struct bl_alloc *out)
{
    look_at(survey, slot, OWN_IN_THE_WAY, NULL);
    return find_as_seen(survey, gpus, gpu_type, out) ||
           find_around(survey, slot, gpus, gpu_type, false, out) ||
           find_around(survey, slot, gpus, gpu_type, true, out);
}

bool bl_survey_find(struct bl_survey *survey, struct bl_slot slot, int32_t gpus,
                    const char *gpu_type, struct bl_alloc *out)
{
    return survey->wish.spec->on_count > 0 ? find_named(survey, slot, out)
                                           : find_anywhere(survey, slot, gpus, gpu_type, out);
}

bool bl_survey_suits(const struct bl_survey *survey, const struct bl_alloc *alloc)
{
    struct bl_job job = stand_in(survey, 1, survey->wish.spec->gpu_type);
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        if (!bl_place_suits(&survey->bare, &job, part[i].node)) {
            return false;
        }
    }
    return alloc->part_count > 0;
}

void bl_survey_take(struct bl_survey *survey, struct bl_slot slot, const struct bl_alloc *alloc)
{
    struct bl_alloc *kept = bl_arena_alloc(survey->arena, sizeof *kept);

    *kept = *alloc;
    if (survey->taken.count == survey->taken.capacity) {
        size_t capacity = survey->taken.capacity ? survey->taken.capacity * 2 : 8;
        struct taken *grown = bl_arena_alloc(survey->arena, capacity * sizeof *grown);

        if (survey->taken.count > 0) {
            memcpy(grown, survey->taken.at, survey->taken.count * sizeof *grown);
        }
        survey->taken.at = grown;
        survey->taken.capacity = capacity;
    }
    survey->taken.at[survey->taken.count++] = (struct taken){slot, kept};
}

void bl_survey_ask(struct bl_survey *survey, const struct bl_booking_spec *spec)
{
    survey->wish.spec = spec;
    survey->taken.count = 0;
}

/* By halving: what fits fits with fewer, too. Looked at once where no job of the user could be let
 * in. */
int32_t bl_survey_most(struct bl_survey *survey, struct bl_slot slot, const char *gpu_type)
{
    int32_t low = 0;
    int32_t high = (int32_t)survey->bare.capacity.amount[BL_RESOURCE_GPU];
    bool has_own = let_in(survey, slot);
    struct bl_alloc alloc;

    look_at(survey, slot, OWN_IN_THE_WAY, NULL);
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;

        if (has_own ? find_anywhere(survey, slot, middle, gpu_type, &alloc)
                    : find_as_seen(survey, middle, gpu_type, &alloc)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static int compare_instants(const void *left, const void *right)
{
    bl_time a = *(const bl_time *)left;
    bl_time b = *(const bl_time *)right;

    return a < b ? -1 : a > b;
}

static size_t sort_once(bl_time *instant, size_t count)
{
    size_t kept = 0;

    bl_sort(instant, count, sizeof *instant, compare_instants);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || instant[kept - 1] != instant[i]) {
            instant[kept++] = instant[i];
        }
    }
    return kept;
}

size_t bl_survey_instants(struct bl_survey *survey, bl_time **out)
{
    const struct bl_bookings *bookings = survey->core->bookings;
    size_t most = 2 * bookings->live.count + survey->job_count + survey->bare.node_count + 1;
    bl_time *instant = bl_arena_alloc(survey->arena, most * sizeof *instant);
    size_t count = 0;

    for (size_t i = 0; i < bookings->live.count; i++) {
        const struct bl_occurrence *other = bl_live_occurrence(&bookings->live.at[i]);

        instant[count++] = other->start;
        instant[count++] = other->end;
    }
    for (size_t i = 0; i < survey->job_count; i++) {
        if (survey->job[i].until != BL_TIME_NEVER) {
            instant[count++] = survey->job[i].until;
        }
    }
    for (size_t i = 0; i < survey->bare.node_count; i++) {
        if (survey->bare.node[i].drain_at != BL_TIME_NEVER) {
            instant[count++] = survey->bare.node[i].drain_at;
        }
    }
    *out = instant;
    return sort_once(instant, count);
}

/* One that has no more than its GPUs' share of each node is in nobody's way once it is let in. */
static bool is_let_in(const struct bl_survey *survey, const struct bl_job *job, struct bl_slot slot)
{
    const struct bl_alloc_part *part = bl_alloc_parts(&job->alloc);
    bool is_share = may_take_in(survey, job, slot);

    for (uint32_t i = 0; i < job->alloc.part_count && is_share; i++) {
        const struct bl_node_spec *node = &survey->bare.node[part[i].node].spec;

        is_share = part[i].cpu_milli <= share_of(node->cpu_milli, part[i].gpus, node->gpus) &&
                   part[i].mem_bytes <= share_of(node->mem_bytes, part[i].gpus, node->gpus);
    }
    return is_share;
}

/* GPUs of an allocation that the booking could have if they were free. */
static int32_t wanted_of(const struct bl_survey *survey, const struct bl_job *stand_in,
                         const struct bl_alloc *alloc)
{
    const struct bl_booking_spec *spec = survey->wish.spec;
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);
    int32_t gpus = 0;

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        bool is_named =
            spec->on_count == 0 && bl_place_suits(&survey->bare, stand_in, part[i].node);

        for (size_t k = 0; k < spec->on_count && !is_named; k++) {
            struct bl_alloc_part named = named_part(survey, &spec->on[k]);

            is_named = named.node == part[i].node &&
                       (named.gpu_mask == 0 || (named.gpu_mask & part[i].gpu_mask) != 0);
        }
        gpus += is_named ? part[i].gpus : 0;
    }
    return gpus;
}

size_t bl_survey_conflicts(struct bl_survey *survey, struct bl_slot slot, struct bl_conflict *out,
                           size_t most)
{
    const struct bl_bookings *bookings = survey->core->bookings;
    struct bl_job stand = stand_in(survey, 1, survey->wish.spec->gpu_type);
    size_t count = 0;

    for (size_t i = 0; i < bookings->live.count && count < most; i++) {
        const struct bl_live *live = &bookings->live.at[i];
        const struct bl_occurrence *other = bl_live_occurrence(live);
        int32_t gpus = wanted_of(survey, &stand, &other->alloc);

        if (gpus > 0 && overlaps(slot, other->start, other->end) &&
            !is_replaced(&survey->wish, live)) {
            out[count++] = (struct bl_conflict){
                live->booking->spec.id, other->number, bl_promised_job(live->booking),
                other->start,           other->end,    gpus};
        }
    }
    for (size_t i = 0; i < survey->job_count && count < most; i++) {
        const struct bl_job *job = survey->job[i].job;
        int32_t gpus = wanted_of(survey, &stand, &job->alloc);

        if (gpus > 0 && survey->job[i].until > slot.start && !is_let_in(survey, job, slot)) {
            out[count++] = (struct bl_conflict){.job = job->id,
                                                .start = job->started_at,
                                                .end = survey->job[i].until,
                                                .gpus = gpus};
        }
    }
    return count;
}
