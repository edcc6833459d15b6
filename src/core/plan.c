#include "core/plan.h"

#include "core/hold.h"
#include "core/plan_parts.h"

#include <assert.h>
#include <string.h>

enum { BLOCK_EVENTS = 64, BLOCK_ROWS = 2 };

static void load_base(struct bl_plan *plan)
{
    for (int32_t i = 0; i < plan->columns.count; i++) {
        int32_t node = plan->columns.node[i];
        const struct bl_resources *amounts = &plan->cluster.node[node >= 0 ? node : 0].free;

        if (node < 0) {
            plan->base.gpus[i] = BL_PLAN_NO_GPUS;
            continue;
        }
        plan->base.gpus[i] = (int32_t)amounts->amount[BL_RESOURCE_GPU];
        plan->base.side[i] = (struct bl_plan_side){amounts->amount[BL_RESOURCE_CPU],
                                                   amounts->amount[BL_RESOURCE_MEM]};
    }
}

void bl_plan_change(struct bl_plan *plan, struct bl_plan_tree *tree, const struct bl_alloc *alloc,
                    bl_time at, int32_t sign)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    bl_plan_light_note(&plan->columns, alloc);
    for (uint32_t i = 0; i < alloc->part_count && at != BL_TIME_NEVER; i++) {
        struct bl_plan_event event = {.at = at,
                                      .column = plan->columns.of_node[part[i].node],
                                      .gpus = sign * part[i].gpus,
                                      .side = {sign * part[i].cpu_milli, sign * part[i].mem_bytes}};

        if (event.column >= 0) {
            bl_plan_tree_add(tree, &event);
        }
    }
}

static void add_running(struct bl_plan *plan, struct bl_plan_tree *tree, const struct bl_view *view)
{
    for (size_t i = 0; i < view->running_count; i++) {
        bl_time end = view->running[i].planned_end;

        bl_plan_change(plan, tree, &view->running[i].job->alloc,
                       end > view->now ? end : view->now + 1, 1);
    }
}

/* Rows are as long as there are nodes: with blocks that are no shorter, all rows together take no
 * more memory than the events. */
static struct bl_plan_tree make_tree(const struct bl_plan *plan)
{
    size_t block = (size_t)plan->columns.count * BLOCK_ROWS;

    return (struct bl_plan_tree){.arena = plan->arena,
                                 .columns = plan->columns.count,
                                 .block = block > BLOCK_EVENTS ? block : BLOCK_EVENTS};
}

struct bl_plan *bl_plan_create(const struct bl_view *view)
{
    struct bl_plan *plan = bl_arena_alloc(view->scratch, sizeof *plan);
    const struct bl_holds *holds = view->cluster->holds;

    plan->first = view->now;
    plan->cluster = *view->cluster;
    plan->cluster.holds = NULL;
    plan->holds = holds && holds->count > 0 ? holds : NULL;
    plan->arena = view->scratch;
    plan->columns = bl_plan_columns_make(&plan->cluster, view->scratch);
    plan->base = bl_plan_row_make(view->scratch, plan->columns.count);
    load_base(plan);
    plan->facts.arena = view->scratch;
    plan->facts_of_gpus.arena = view->scratch;
    plan->tree = make_tree(plan);
    bl_plan_sweep_init(&plan->sweep, &plan->tree, &plan->base, &plan->columns);
    plan->window = (struct bl_free){.cluster = &plan->cluster};
    plan->window.node =
        bl_arena_alloc(view->scratch, plan->cluster.node_count * sizeof *plan->window.node);
    add_running(plan, &plan->tree, view);
    if (plan->holds) {
        plan->lent = make_tree(plan);
        add_running(plan, &plan->lent, view);
        bl_plan_add_holds(plan, view);
    }
    return plan;
}

static struct bl_plan_request make_request(const struct bl_plan *plan, const struct bl_job *job,
                                           int32_t gpus, bl_time duration)
{
    const struct bl_job_spec *spec = &job->spec;

    return (struct bl_plan_request){
        .job = job,
        .kind = {job->type_mask, spec->gpu_mem_bytes, job->pool, spec->nodes_max,
                 spec->gpus_max > 0, plan->holds && bl_job_gives_way(spec)},
        .need = bl_job_need(spec, gpus),
        .duration = duration,
        .longest = plan->columns.has_drains ? bl_job_longest_left(job) : 0,
        .may_spread = spec->nodes_max != 1 && gpus > 1 && plan->columns.cluster->node_count > 1,
    };
}

static int64_t at_least_nothing(int64_t amount)
{
    return amount > 0 ? amount : 0;
}

static struct bl_plan_cell least_of(const struct bl_plan *plan, const struct bl_plan_tree *tree,
                                    int32_t column, bl_time from, bl_time end)
{
    return bl_plan_cell_sum(bl_plan_row_cell(&plan->base, column),
                            bl_plan_tree_least(tree, column, from, end));
}

/* Until when nothing held may begin, or go on, where a job that gives way starts. */
static bl_time lead_end(const struct bl_plan *plan, const struct bl_job *job, bl_time start)
{
    return start + bl_saves_lead(plan->holds->saves, job) + 1;
}

/* What is free in one column over the whole time that the sweep has found. Where nothing beside
 * GPUs can be short, and no two nodes are compared by it, there is enough of that. */
static struct bl_resources window_of(const struct bl_plan *plan, int32_t column)
{
    const struct bl_plan_sweep *sweep = &plan->sweep;
    const struct bl_plan_request *request = sweep->scope.request;
    struct bl_plan_cell cell = bl_plan_row_cell(&sweep->window, column);

    if (plan->is_light && sweep->tally.whole <= 1) {
        return (struct bl_resources){{cell.gpus, request->need.amount[BL_RESOURCE_CPU],
                                      request->need.amount[BL_RESOURCE_MEM]}};
    }
    if (!sweep->tree->has_sides) {
        cell.side = plan->base.side[column];
    } else if (!sweep->scope.is_full) {
        cell = least_of(plan, sweep->tree, column, sweep->start, sweep->end);
    }
    if (request->kind.gives_way) {
        cell = bl_plan_cell_least(cell, least_of(plan, &plan->tree, column, sweep->start,
                                                 lead_end(plan, request->job, sweep->start)));
    }
    return (struct bl_resources){{at_least_nothing(cell.gpus),
                                  at_least_nothing(cell.side.cpu_milli),
                                  at_least_nothing(cell.side.mem_bytes)}};
}

/* Of nodes that have at least so many GPUs all the time. */
static void fill_window(struct bl_plan *plan, int32_t least)
{
    const struct bl_plan_scope *scope = &plan->sweep.scope;
    struct bl_free *window = &plan->window;

    memset(window->node, 0, plan->cluster.node_count * sizeof *window->node);
    window->total = (struct bl_resources){0};
    window->at = plan->sweep.start;
    for (size_t r = 0; r < scope->range_count; r++) {
        for (int32_t i = scope->range[r].first; i < scope->range[r].end; i++) {
            int32_t node = plan->columns.node[i];

            if (node >= 0 && plan->sweep.window.gpus[i] >= least) {
                window->node[node] = window_of(plan, i);
                bl_resources_add(&window->total, &window->node[node]);
            }
        }
    }
}

/* A node that holds all of it all the time. */
struct whole {
    int32_t node; /* -1: none yet */
    struct bl_resources room;
};

/* As placement does: the one that is left with fewest GPUs, then with fewest CPUs, then the first.
 */
static bool is_better(const struct whole *one, const struct whole *best)
{
    const int64_t *a = one->room.amount;
    const int64_t *b = best->room.amount;

    if (best->node < 0 || a[BL_RESOURCE_GPU] != b[BL_RESOURCE_GPU]) {
        return best->node < 0 || a[BL_RESOURCE_GPU] < b[BL_RESOURCE_GPU];
    }
    return a[BL_RESOURCE_CPU] != b[BL_RESOURCE_CPU] ? a[BL_RESOURCE_CPU] < b[BL_RESOURCE_CPU]
                                                    : one->node < best->node;
}

static void look_at_column(struct bl_plan *plan, const struct bl_plan_request *request,
                           int32_t column, struct whole *best)
{
    struct whole one = {plan->columns.node[column], {{0}}};
    int32_t gpus = plan->sweep.window.gpus[column];

    if (gpus < request->need.amount[BL_RESOURCE_GPU] ||
        (best->node >= 0 && !request->kind.gives_way &&
         gpus > best->room.amount[BL_RESOURCE_GPU])) {
        return;
    }
    one.room = window_of(plan, column);
    if (bl_resources_fit(&request->need, &one.room) && is_better(&one, best)) {
        *best = one;
    }
}

/* What most jobs come to: seen without looking at all nodes. */
static bool choose_whole(struct bl_plan *plan, const struct bl_plan_request *request,
                         struct bl_alloc *out)
{
    const struct bl_plan_scope *scope = &plan->sweep.scope;
    const int64_t *need = request->need.amount;
    struct whole best = {.node = -1};

    for (size_t r = 0; r < scope->range_count; r++) {
        for (int32_t i = scope->range[r].first; i < scope->range[r].end; i++) {
            look_at_column(plan, request, i, &best);
        }
    }
    if (best.node < 0) {
        return false;
    }
    *out = (struct bl_alloc){.part_count = 1,
                             .single = {.node = best.node,
                                        .gpus = (int32_t)need[BL_RESOURCE_GPU],
                                        .cpu_milli = need[BL_RESOURCE_CPU],
                                        .mem_bytes = need[BL_RESOURCE_MEM]}};
    return true;
}

/* A place at the start that the sweep has found; false when CPUs or memory do not suffice. A node
 * that holds all goes first, so that the others need not be looked at where there is one. */
static bool choose_nodes(struct bl_plan *plan, const struct bl_plan_request *request,
                         struct bl_alloc *out)
{
    int32_t gpus = (int32_t)request->need.amount[BL_RESOURCE_GPU];

    plan->sweep.scope.request = request;
    if (gpus > 0 && plan->sweep.tally.whole > 0 && choose_whole(plan, request, out)) {
        return true;
    }
    fill_window(plan, gpus > 0 ? 1 : INT32_MIN);
    return bl_place_plan(&plan->window, request->job, gpus, out);
}

/* A sweep from the bound that the facts give, or from `from`. Where the facts cover all the time
 * before, what it finds becomes one of them. */
static bl_time sweep_gpus(struct bl_plan *plan, const struct bl_plan_request *request, bl_time from)
{
    struct bl_plan_facts *facts = &plan->facts_of_gpus;
    bl_time bound = bl_plan_facts_bound(facts, request, plan->first);
    bl_time start = from > bound ? from : bound;

    if (start != BL_TIME_NEVER) {
        start = bl_plan_sweep_find(&plan->sweep, request, false, start);
    }
    if (from <= bound) {
        bl_plan_facts_note(facts, request, start);
    }
    return start;
}

/* A start where GPUs would do, and whether all else does there too. GPUs are what is short nearly
 * always. */
static bool search_for_gpus(struct bl_plan *plan, const struct bl_plan_request *request,
                            bl_time *start, struct bl_alloc *out)
{
    struct bl_plan_request gpus = *request;

    gpus.need = (struct bl_resources){{request->need.amount[BL_RESOURCE_GPU]}};
    *start = sweep_gpus(plan, &gpus, *start);
    return *start == BL_TIME_NEVER || choose_nodes(plan, request, out);
}

/* The earliest start at which the amounts suffice, and nodes for it; false when what is held is in
 * the way of those, which only happens to jobs that give way. */
static bool search_amounts(struct bl_plan *plan, const struct bl_plan_request *request,
                           bl_time from, bl_time *out_start, struct bl_alloc *out)
{
    const struct bl_plan_request light = bl_plan_light_request(&plan->columns, request);
    bl_time bound = bl_plan_facts_bound(&plan->facts, &light, plan->first);
    bl_time start = from > bound ? from : bound;
    bool is_placed = start == BL_TIME_NEVER;

    plan->is_light = !request->kind.gives_way && light.need.amount[BL_RESOURCE_GPU] > 0 &&
                     light.need.amount[BL_RESOURCE_CPU] == 0 &&
                     light.need.amount[BL_RESOURCE_MEM] == 0;
    if (!is_placed && request->need.amount[BL_RESOURCE_GPU] > 0) {
        is_placed = search_for_gpus(plan, request, &start, out);
    }
    if (!is_placed) {
        start = bl_plan_sweep_find(&plan->sweep, &light, true, start);
        is_placed = start == BL_TIME_NEVER || choose_nodes(plan, request, out);
        if (from <= bound) {
            bl_plan_facts_note(&plan->facts, &light, start);
        }
    }
    *out_start = start;
    return is_placed;
}

/* A job that gives way may run into what is held; where that begins too soon after its start, it is
 * planned like any other. */
static bl_time search_lent(struct bl_plan *plan, const struct bl_plan_request *request,
                           bl_time from, struct bl_alloc *out)
{
    struct bl_plan_request firm = *request;
    bl_time start;
    bool is_placed;

    plan->sweep.tree = &plan->lent;
    is_placed = search_amounts(plan, request, from, &start, out);
    plan->sweep.tree = &plan->tree;
    if (!is_placed) {
        firm.kind.gives_way = false;
        is_placed = search_amounts(plan, &firm, start, &start, out);
        assert(is_placed);
    }
    return start;
}

/* By its limit, not by a guess, a job must be gone before what is held begins. */
static bl_time search_firm(struct bl_plan *plan, const struct bl_plan_request *request,
                           bl_time from, struct bl_alloc *out)
{
    struct bl_plan_request longest = *request;
    bl_time start;
    bl_time end;
    bool is_placed = search_amounts(plan, request, from, &start, out);

    assert(is_placed);
    longest.duration = bl_job_longest_left(request->job);
    if (!plan->holds || start == BL_TIME_NEVER || longest.duration <= request->duration ||
        __builtin_add_overflow(start, longest.duration, &end) ||
        bl_plan_next_hold(plan, out, start + request->duration, end) == end) {
        return start;
    }
    bl_alloc_finish(out);
    is_placed = search_amounts(plan, &longest, start, &start, out);
    assert(is_placed);
    return start;
}

static bl_time search(struct bl_plan *plan, const struct bl_plan_request *request, bl_time from,
                      struct bl_alloc *out)
{
    if (plan->holds) {
        bl_plan_drop_promise(plan, request->job);
    }
    return request->kind.gives_way ? search_lent(plan, request, from, out)
                                   : search_firm(plan, request, from, out);
}

bl_time bl_plan_find(struct bl_plan *plan, const struct bl_job *job, int32_t gpus, bl_time duration,
                     bl_time from)
{
    struct bl_plan_request request = make_request(plan, job, gpus, duration);
    struct bl_alloc alloc = {0};
    bl_time start = search(plan, &request, from, &alloc);

    bl_alloc_finish(&alloc);
    return start;
}

/* Takes it, until it ends or gives way. */
static void take(struct bl_plan *plan, const struct bl_plan_request *request,
                 const struct bl_plan_place *place)
{
    bl_time end = place->end;

    if (request->kind.gives_way) {
        end = bl_plan_next_hold(plan, &place->alloc, place->start, end);
    }
    bl_plan_change(plan, &plan->tree, &place->alloc, place->start, -1);
    bl_plan_change(plan, &plan->tree, &place->alloc, end, 1);
    if (plan->holds) {
        bl_plan_change(plan, &plan->lent, &place->alloc, place->start, -1);
        bl_plan_change(plan, &plan->lent, &place->alloc, place->end, 1);
    }
}

/* A copy whose parts are the plan's. */
static struct bl_alloc keep_alloc(struct bl_plan *plan, struct bl_alloc *alloc)
{
    struct bl_alloc kept = *alloc;

    if (alloc->part_count > 1) {
        kept.many = bl_arena_alloc(plan->arena, alloc->part_count * sizeof *kept.many);
        memcpy(kept.many, alloc->many, alloc->part_count * sizeof *kept.many);
    }
    bl_alloc_finish(alloc);
    return kept;
}

struct bl_plan_place bl_plan_put(struct bl_plan *plan, const struct bl_job *job, int32_t gpus,
                                 bl_time duration, bl_time from)
{
    struct bl_plan_request request = make_request(plan, job, gpus, duration);
    struct bl_plan_place place = {.start = BL_TIME_NEVER};
    struct bl_alloc alloc = {0};
    bl_time start = search(plan, &request, from, &alloc);

    if (start == BL_TIME_NEVER || __builtin_add_overflow(start, duration, &place.end)) {
        bl_alloc_finish(&alloc);
        return place;
    }
    place.start = start;
    place.alloc = keep_alloc(plan, &alloc);
    take(plan, &request, &place);
    return place;
}

bl_time bl_plan_add(struct bl_plan *plan, const struct bl_job *job, int32_t gpus, bl_time duration,
                    bl_time from)
{
    return bl_plan_put(plan, job, gpus, duration, from).start;
}

static void change_over(struct bl_plan *plan, const struct bl_alloc *alloc, bl_time from,
                        bl_time to, int32_t sign)
{
    from = from > plan->first ? from : plan->first;
    if (from < to) {
        bl_plan_change(plan, &plan->tree, alloc, from, sign);
        bl_plan_change(plan, &plan->tree, alloc, to, -sign);
    }
    if (from < to && plan->holds) {
        bl_plan_change(plan, &plan->lent, alloc, from, sign);
        bl_plan_change(plan, &plan->lent, alloc, to, -sign);
    }
}

void bl_plan_block(struct bl_plan *plan, const struct bl_alloc *alloc, bl_time from, bl_time to)
{
    change_over(plan, alloc, from, to, -1);
}

void bl_plan_remove(struct bl_plan *plan, const struct bl_alloc *alloc, bl_time from, bl_time to)
{
    change_over(plan, alloc, from, to, 1);
    plan->facts.count = 0;
    plan->facts_of_gpus.count = 0;
}
