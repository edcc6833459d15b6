#include "core/place.h"

#include "base/own.h"
#include "core/hold.h"

#include <assert.h>
#include <string.h>

/* Amounts per node, wherever they lie: in the books or in a plan. */
struct amounts {
    const struct bl_cluster *cluster;
    bl_time at; /* the instant that they are of */
    const char *first;
    size_t stride;
};

/* What is asked, with the per-GPU arithmetic in one place. */
struct request {
    const struct bl_job *job;
    struct bl_resources need;
};

static const struct bl_resources *amount_at(const struct amounts *amounts, size_t node)
{
    return (const struct bl_resources *)(const void *)(amounts->first + node * amounts->stride);
}

/* What of it the job may have: others hold GPUs ahead. `kept` is memory for the answer. */
static const struct bl_resources *room_at(const struct amounts *amounts,
                                          const struct request *request, size_t node,
                                          struct bl_resources *kept)
{
    const struct bl_resources *amount = amount_at(amounts, node);

    if (!bl_holds_matter(amounts->cluster, request->job)) {
        return amount;
    }
    *kept = bl_hold_room(amounts->cluster, request->job, amounts->at, (int32_t)node, amount);
    return kept;
}

static struct amounts amounts_of_books(const struct bl_cluster *cluster)
{
    return (struct amounts){cluster, cluster->now, (const char *)&cluster->node[0].free,
                            sizeof cluster->node[0]};
}

static struct amounts amounts_of_plan(const struct bl_free *free_now)
{
    return (struct amounts){free_now->cluster, free_now->at, (const char *)free_now->node,
                            sizeof free_now->node[0]};
}

static bool does_type_suit(const struct bl_node *node, const struct bl_job *job)
{
    if (job->spec.gpus_max == 0) {
        return true;
    }
    return node->type >= 0 && (job->type_mask == 0 || ((job->type_mask >> node->type) & 1)) &&
           (job->spec.gpu_mem_bytes == 0 || node->spec.gpu_mem_bytes >= job->spec.gpu_mem_bytes);
}

static bool does_node_suit(const struct bl_node *node, const struct bl_job *job)
{
    return (job->pool < 0 || node->pool == job->pool) && does_type_suit(node, job);
}

/* Before a drain only what is sure to end in time may start: by its limit, not by a guess. */
static bool ends_before_drain(bl_time start, const struct bl_node *node, const struct bl_job *job)
{
    return node->drain_at == BL_TIME_NEVER || bl_job_longest_end(job, start) <= node->drain_at;
}

static bool is_usable(bl_time start, const struct bl_node *node, const struct bl_job *job)
{
    return node->state == BL_NODE_UP && does_node_suit(node, job) &&
           ends_before_drain(start, node, job);
}

int64_t bl_place_share(int64_t total, int32_t gpus, int64_t all_gpus)
{
    __extension__ typedef __int128 wide;

    return gpus == all_gpus ? total : (int64_t)(((wide)total * gpus + all_gpus - 1) / all_gpus);
}

/* How many of the wanted GPUs the node can take, its CPUs and memory considered. */
static int32_t most_on_node(const struct bl_resources *available, const struct request *request)
{
    __extension__ typedef __int128 wide;
    int64_t all = request->need.amount[BL_RESOURCE_GPU];
    int64_t most =
        available->amount[BL_RESOURCE_GPU] < all ? available->amount[BL_RESOURCE_GPU] : all;

    for (int i = BL_RESOURCE_CPU; i < BL_RESOURCE_COUNT && most > 0; i++) {
        if (request->need.amount[i] > 0) {
            wide by_this = (wide)available->amount[i] * all / request->need.amount[i];

            most = by_this < most ? (int64_t)by_this : most;
        }
    }
    return most > 0 ? (int32_t)most : 0;
}

/* Plans may leave less than nothing of what is not asked for. */
static bool does_suffice(const struct bl_resources *left, const struct bl_resources *need)
{
    for (int i = 0; i < BL_RESOURCE_COUNT; i++) {
        if (need->amount[i] > 0 && need->amount[i] > left->amount[i]) {
            return false;
        }
    }
    return true;
}

/* The node that holds it all and is left with least; -1 when none does. */
static int32_t find_best_node(const struct amounts *amounts, const struct request *request)
{
    const struct bl_cluster *cluster = amounts->cluster;
    struct bl_resources best_left = {0};
    struct bl_resources kept;
    int32_t best = -1;

    for (size_t i = 0; i < cluster->node_count; i++) {
        const struct bl_resources *left = amount_at(amounts, i);

        if (!does_suffice(left, &request->need) ||
            !is_usable(amounts->at, &cluster->node[i], request->job)) {
            continue;
        }
        left = room_at(amounts, request, i, &kept);
        if (does_suffice(left, &request->need) &&
            (best < 0 || left->amount[BL_RESOURCE_GPU] < best_left.amount[BL_RESOURCE_GPU] ||
             (left->amount[BL_RESOURCE_GPU] == best_left.amount[BL_RESOURCE_GPU] &&
              left->amount[BL_RESOURCE_CPU] < best_left.amount[BL_RESOURCE_CPU]))) {
            best = (int32_t)i;
            best_left = *left;
        }
    }
    return best;
}

/* How a job is spread over nodes of one type: which nodes and how many GPUs on each. */
struct spread {
    int32_t *node;
    int32_t *gpus;
    size_t count;
};

/* What the nodes can take, apart from all else that is known of them: it is gone through for each
 * part of a spread. */
struct takers {
    int32_t *most; /* 0: nothing, or it is taken already */
    int32_t *type;
    size_t count;
};

/* The node of this type that takes most of the rest; of those that take all of the rest, the one
 * that could take least. */
static int32_t find_next_node(const struct takers *takers, int32_t type, int32_t rest)
{
    const int32_t *most = takers->most;
    int32_t best = -1;

    for (size_t i = 0; i < takers->count; i++) {
        bool is_better;

        if (most[i] <= 0 || takers->type[i] != type) {
            continue;
        }
        is_better = best < 0 || (most[i] >= rest ? most[best] < rest || most[i] < most[best]
                                                 : most[i] > most[best]);
        best = is_better ? (int32_t)i : best;
    }
    return best;
}

static bool spread_over_type(const struct takers *takers, const struct request *request,
                             int32_t type, struct spread *out)
{
    int32_t rest = (int32_t)request->need.amount[BL_RESOURCE_GPU];
    int32_t nodes_max = request->job->spec.nodes_max;

    out->count = 0;
    while (rest > 0 && (nodes_max == 0 || out->count < (size_t)nodes_max)) {
        int32_t node = find_next_node(takers, type, rest);

        if (node < 0) {
            break;
        }
        out->node[out->count] = node;
        out->gpus[out->count] = takers->most[node] < rest ? takers->most[node] : rest;
        rest -= out->gpus[out->count];
        out->count++;
        takers->most[node] = 0;
    }
    return rest == 0;
}

static struct spread spread_create(size_t nodes)
{
    return (struct spread){.node = bl_alloc_zero(nodes * sizeof(int32_t)),
                           .gpus = bl_alloc_zero(nodes * sizeof(int32_t))};
}

static void spread_finish(struct spread *spread)
{
    free(spread->node);
    free(spread->gpus);
}

static void swap_spreads(struct spread *a, struct spread *b)
{
    struct spread kept = *a;

    *a = *b;
    *b = kept;
}

static struct takers list_takers(const struct amounts *amounts, const struct request *request)
{
    const struct bl_cluster *cluster = amounts->cluster;
    struct takers takers = {bl_alloc_zero(cluster->node_count * sizeof *takers.most),
                            bl_alloc_zero(cluster->node_count * sizeof *takers.type),
                            cluster->node_count};
    struct bl_resources kept;

    for (size_t i = 0; i < takers.count; i++) {
        const struct bl_node *node = &cluster->node[i];

        takers.most[i] = most_on_node(room_at(amounts, request, i, &kept), request);
        if (takers.most[i] > 0 && !is_usable(amounts->at, node, request->job)) {
            takers.most[i] = 0;
        }
        takers.type[i] = takers.most[i] > 0 ? node->type : -1;
    }
    return takers;
}

static void takers_finish(struct takers *takers)
{
    free(takers->most);
    free(takers->type);
}

/* A gang is never mixed from several GPU types; of the types, the one on fewest nodes wins, then
 * the one that comes first in the cluster. */
static bool find_spread(const struct amounts *amounts, const struct request *request,
                        struct spread *out)
{
    const struct bl_cluster *cluster = amounts->cluster;
    struct spread tried = spread_create(cluster->node_count);
    struct takers takers = list_takers(amounts, request);
    bool found = false;

    /* What one type takes of it is not another's. */
    for (size_t type = 0; type < cluster->type_count; type++) {
        if (spread_over_type(&takers, request, (int32_t)type, &tried) &&
            (!found || tried.count < out->count)) {
            swap_spreads(&tried, out);
            found = true;
        }
    }
    takers_finish(&takers);
    spread_finish(&tried);
    return found;
}

static bool may_spread(const struct request *request)
{
    return request->job->spec.nodes_max != 1 && request->need.amount[BL_RESOURCE_GPU] > 1;
}

static struct bl_alloc_part make_part(const struct request *request, int32_t node, int32_t gpus)
{
    int64_t all = request->need.amount[BL_RESOURCE_GPU];

    return (struct bl_alloc_part){
        .node = node,
        .gpus = gpus,
        .cpu_milli = bl_place_share(request->need.amount[BL_RESOURCE_CPU], gpus, all),
        .mem_bytes = bl_place_share(request->need.amount[BL_RESOURCE_MEM], gpus, all),
    };
}

static bool place_spread(const struct amounts *amounts, const struct request *request,
                         struct bl_alloc *out)
{
    struct spread spread = spread_create(amounts->cluster->node_count);
    bool found = find_spread(amounts, request, &spread);

    if (found) {
        assert(spread.count > 1);
        out->part_count = (uint32_t)spread.count;
        out->many = bl_realloc_array(NULL, spread.count, sizeof *out->many);
        for (size_t i = 0; i < spread.count; i++) {
            out->many[i] = make_part(request, spread.node[i], spread.gpus[i]);
        }
    }
    spread_finish(&spread);
    return found;
}

/* Nodes and counts, GPUs not yet named. */
static bool place_on(const struct amounts *amounts, const struct request *request,
                     struct bl_alloc *out)
{
    int32_t node = find_best_node(amounts, request);

    if (node >= 0) {
        int32_t gpus = (int32_t)request->need.amount[BL_RESOURCE_GPU];

        *out = (struct bl_alloc){.part_count = 1, .single = make_part(request, node, gpus)};
        return true;
    }
    return may_spread(request) && amounts->cluster->node_count > 1 &&
           place_spread(amounts, request, out);
}

static void name_gpus(const struct bl_cluster *cluster, const struct bl_job *job,
                      struct bl_alloc_part *part)
{
    part->gpu_mask = bl_gpus_lowest(bl_place_mask(cluster, job, part->node) &
                                        cluster->node[part->node].free_gpu_mask,
                                    part->gpus);
}

static bool place_in_books(const struct amounts *amounts, const struct request *request,
                           struct bl_alloc *out)
{
    if (!place_on(amounts, request, out)) {
        return false;
    }
    for (uint32_t i = 0; out->part_count > 1 && i < out->part_count; i++) {
        name_gpus(amounts->cluster, request->job, &out->many[i]);
    }
    if (out->part_count == 1) {
        name_gpus(amounts->cluster, request->job, &out->single);
    }
    return true;
}

bool bl_place_try(const struct bl_cluster *cluster, const struct bl_job *job, int32_t gpus,
                  struct bl_alloc *out)
{
    struct request request = {job, bl_job_need(&job->spec, gpus)};
    struct amounts amounts;

    if (!bl_resources_fit(&request.need, &cluster->free) || cluster->node_count == 0) {
        return false;
    }
    amounts = amounts_of_books(cluster);
    return place_in_books(&amounts, &request, out);
}

bool bl_place_first(const struct bl_cluster *cluster, const struct bl_job *job, int32_t gpus,
                    struct bl_alloc *out)
{
    struct request request = {job, bl_job_need(&job->spec, gpus)};
    struct amounts amounts = amounts_of_books(cluster);
    struct bl_resources kept;

    for (size_t i = 0; i < cluster->node_count; i++) {
        const struct bl_node *node = &cluster->node[i];

        if (is_usable(cluster->now, node, job) &&
            bl_resources_fit(&request.need, room_at(&amounts, &request, i, &kept))) {
            *out =
                (struct bl_alloc){.part_count = 1, .single = make_part(&request, (int32_t)i, gpus)};
            name_gpus(cluster, job, &out->single);
            return true;
        }
    }
    return bl_place_try(cluster, job, gpus, out);
}

uint64_t bl_place_mask(const struct bl_cluster *cluster, const struct bl_job *job, int32_t node)
{
    return bl_holds_matter(cluster, job) ? bl_hold_mask(cluster, job, cluster->now, node)
                                         : bl_node_sound_gpus(&cluster->node[node]);
}

bool bl_place_suits(const struct bl_cluster *cluster, const struct bl_job *job, int32_t node)
{
    return is_usable(cluster->now, &cluster->node[node], job);
}

int32_t bl_place_room(const struct bl_cluster *cluster, const struct bl_job *job, int32_t gpus,
                      int32_t node)
{
    struct request request = {job, bl_job_need(&job->spec, gpus)};
    struct amounts amounts = amounts_of_books(cluster);
    struct bl_resources kept;

    return is_usable(cluster->now, &cluster->node[node], job)
               ? most_on_node(room_at(&amounts, &request, (size_t)node, &kept), &request)
               : 0;
}

struct bl_alloc_part bl_place_part(const struct bl_cluster *cluster, const struct bl_job *job,
                                   int32_t gpus, int32_t node, int32_t here)
{
    struct request request = {job, bl_job_need(&job->spec, gpus)};
    struct bl_alloc_part part = make_part(&request, node, here);

    name_gpus(cluster, job, &part);
    return part;
}

bool bl_place_plan(const struct bl_free *free_then, const struct bl_job *job, int32_t gpus,
                   struct bl_alloc *out)
{
    struct request request = {job, bl_job_need(&job->spec, gpus)};
    struct amounts amounts = amounts_of_plan(free_then);

    return bl_resources_fit(&request.need, &free_then->total) && place_on(&amounts, &request, out);
}

bool bl_place_within(const struct bl_free *limits, const struct bl_job *job, int32_t gpus,
                     struct bl_alloc *out)
{
    struct request request = {job, bl_job_need(&job->spec, gpus)};
    struct amounts amounts = amounts_of_plan(limits);

    return bl_resources_fit(&request.need, &limits->total) &&
           place_in_books(&amounts, &request, out);
}

bool bl_place_fits(const struct bl_free *free_then, const struct bl_job *job, int32_t gpus)
{
    struct bl_alloc alloc = {0};
    bool fits = bl_place_plan(free_then, job, gpus, &alloc);

    bl_alloc_finish(&alloc);
    return fits;
}

int64_t bl_place_count_free(const struct bl_cluster *cluster, const struct bl_job *job)
{
    struct request request = {.job = job};
    struct amounts amounts = amounts_of_books(cluster);
    struct bl_resources kept;
    int64_t count = 0;

    for (size_t i = 0; i < cluster->node_count; i++) {
        if (is_usable(cluster->now, &cluster->node[i], job)) {
            const struct bl_resources *room = room_at(&amounts, &request, i, &kept);

            count += room->amount[BL_RESOURCE_GPU] > 0 ? room->amount[BL_RESOURCE_GPU] : 0;
        }
    }
    return count;
}

struct bl_free bl_free_copy(const struct bl_cluster *cluster, struct bl_arena *arena)
{
    struct bl_free copy = {.cluster = cluster, .at = cluster->now, .total = cluster->free};

    copy.node = bl_arena_alloc(arena, cluster->node_count * sizeof *copy.node);
    for (size_t i = 0; i < cluster->node_count; i++) {
        if (cluster->node[i].state == BL_NODE_UP) {
            copy.node[i] = cluster->node[i].free;
        }
    }
    return copy;
}

static void change_free(struct bl_free *free_now, const struct bl_alloc *alloc, int sign)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        const struct bl_alloc_part *p = &part[i];
        struct bl_resources change = {
            {sign * (int64_t)p->gpus, sign * p->cpu_milli, sign * p->mem_bytes}};

        if (free_now->cluster->node[p->node].state == BL_NODE_UP) {
            bl_resources_add(&free_now->node[p->node], &change);
            bl_resources_add(&free_now->total, &change);
        }
    }
}

void bl_free_add(struct bl_free *free_now, const struct bl_alloc *alloc)
{
    change_free(free_now, alloc, 1);
}

void bl_free_take(struct bl_free *free_now, const struct bl_alloc *alloc)
{
    change_free(free_now, alloc, -1);
}

void bl_free_narrow(struct bl_free *window, const struct bl_free *more)
{
    window->total = (struct bl_resources){0};
    for (size_t n = 0; n < window->cluster->node_count; n++) {
        for (int r = 0; r < BL_RESOURCE_COUNT; r++) {
            if (more->node[n].amount[r] < window->node[n].amount[r]) {
                window->node[n].amount[r] = more->node[n].amount[r];
            }
        }
        bl_resources_add(&window->total, &window->node[n]);
    }
}
