/* Where a job may start, and how much of it fits into what is free there. */
#include "core/plan_parts.h"

#include "base/sort.h"

#include <string.h>

__extension__ typedef __int128 wide;

void bl_plan_scope_init(struct bl_plan_scope *scope, const struct bl_plan_columns *columns,
                        struct bl_arena *arena)
{
    size_t groups = columns->group_count;

    *scope = (struct bl_plan_scope){.columns = columns};
    scope->range = bl_arena_alloc(arena, groups * sizeof *scope->range);
    scope->slot_of = bl_arena_alloc(arena, groups * sizeof *scope->slot_of);
    scope->room = bl_arena_alloc(arena, (size_t)columns->count * sizeof *scope->room);
}

void bl_plan_scope_ask(struct bl_plan_scope *scope, const struct bl_plan_request *request,
                       bool is_full)
{
    const int64_t *need = request->need.amount;
    int64_t gpus = need[BL_RESOURCE_GPU];

    scope->request = request;
    scope->is_full = is_full;
    scope->gpus = (int32_t)gpus;
    scope->is_each_whole =
        gpus > 0 && need[BL_RESOURCE_CPU] % gpus == 0 && need[BL_RESOURCE_MEM] % gpus == 0;
    if (scope->is_each_whole) {
        scope->each =
            (struct bl_plan_side){need[BL_RESOURCE_CPU] / gpus, need[BL_RESOURCE_MEM] / gpus};
    }
}

static bool does_group_suit(const struct bl_plan_group *group, const struct bl_plan_kind *kind)
{
    if (kind->pool >= 0 && group->pool != kind->pool) {
        return false;
    }
    return !kind->has_gpus ||
           (group->type >= 0 && (kind->type_mask == 0 || ((kind->type_mask >> group->type) & 1)) &&
            (kind->gpu_mem_bytes == 0 || group->gpu_mem_bytes >= kind->gpu_mem_bytes));
}

static bool may_start(const struct bl_plan_scope *scope, const struct bl_plan_group *group,
                      bl_time at)
{
    const struct bl_plan_request *request = scope->request;

    return does_group_suit(group, &request->kind) &&
           (group->drain_at == BL_TIME_NEVER || at <= group->drain_at - request->longest);
}

static void add_range(struct bl_plan_scope *scope, const struct bl_plan_group *group,
                      bool is_same_type)
{
    struct bl_plan_range *last = &scope->range[scope->range_count];

    if (scope->range_count > 0 && is_same_type && last[-1].end == group->first) {
        last[-1].end = group->end;
        return;
    }
    scope->slot_count += scope->range_count == 0 || !is_same_type;
    *last = (struct bl_plan_range){group->first, group->end, scope->slot_count - 1};
    scope->range_count++;
}

bool bl_plan_scope_set(struct bl_plan_scope *scope, bl_time at)
{
    const struct bl_plan_columns *columns = scope->columns;
    int32_t type = -1;
    bool is_changed = false;

    scope->range_count = 0;
    scope->slot_count = 0;
    for (size_t i = 0; i < columns->group_count; i++) {
        const struct bl_plan_group *group = &columns->group[i];
        int32_t slot = -1;

        if (may_start(scope, group, at)) {
            add_range(scope, group, group->type == type);
            type = group->type;
            slot = scope->slot_count - 1;
        }
        is_changed = is_changed || scope->slot_of[i] != slot;
        scope->slot_of[i] = slot;
    }
    return is_changed;
}

static int32_t within(int32_t gpus, int32_t all)
{
    gpus = gpus < all ? gpus : all;
    return gpus > 0 ? gpus : 0;
}

/* How much of `all` GPUs this much of another resource is enough for, at most `room`. */
static int32_t room_beside(int32_t room, int64_t available, int64_t need, int64_t all)
{
    if (need <= 0 || room <= 0 || (wide)available * all >= (wide)room * need) {
        return room;
    }
    return available > 0 ? (int32_t)((wide)available * all / need) : 0;
}

/* The same, by what is asked beside each. */
static int32_t room_by_each(int32_t room, int64_t available, int64_t each)
{
    if (each == 0 || room * each <= available) {
        return room;
    }
    return available > 0 ? (int32_t)(available / each) : 0;
}

static int32_t room_of(const struct bl_plan_scope *scope, const struct bl_plan_cell *cell)
{
    const int64_t *need = scope->request->need.amount;
    int32_t room = within(cell->gpus, scope->gpus);

    if (!scope->is_full || room == 0) {
        return room;
    }
    if (scope->is_each_whole) {
        room = room_by_each(room, cell->side.cpu_milli, scope->each.cpu_milli);
        return room_by_each(room, cell->side.mem_bytes, scope->each.mem_bytes);
    }
    room = room_beside(room, cell->side.cpu_milli, need[BL_RESOURCE_CPU], scope->gpus);
    return room_beside(room, cell->side.mem_bytes, need[BL_RESOURCE_MEM], scope->gpus);
}

/* Blocks may leave less than nothing of what is not asked for. */
static bool has_enough(int64_t available, int64_t need)
{
    return available >= need || need == 0;
}

static bool is_whole(const struct bl_plan_scope *scope, const struct bl_plan_cell *cell)
{
    const int64_t *need = scope->request->need.amount;

    return has_enough(cell->gpus, need[BL_RESOURCE_GPU]) &&
           has_enough(cell->side.cpu_milli, need[BL_RESOURCE_CPU]) &&
           has_enough(cell->side.mem_bytes, need[BL_RESOURCE_MEM]);
}

/* What one column adds to the tally of its slot. */
static void add_cell(struct bl_plan_tally *tally, const struct bl_plan_scope *scope, int32_t slot,
                     const struct bl_plan_cell *cell, int sign)
{
    int32_t room;

    if (scope->gpus == 0) {
        tally->whole += (int64_t)sign * is_whole(scope, cell);
        return;
    }
    room = room_of(scope, cell);
    tally->whole += (int64_t)sign * (room == scope->gpus);
    tally->sum[slot] += (int64_t)sign * room;
}

static void count_gpus(struct bl_plan_tally *tally, const struct bl_plan_scope *scope,
                       const struct bl_plan_range *range, const struct bl_plan_row *row)
{
    const int32_t *gpus = row->gpus + range->first;
    int32_t count = range->end - range->first;

    tally->whole += bl_plan_gpus_count(gpus, count, scope->gpus);
    if (scope->request->may_spread) {
        tally->sum[range->slot] += bl_plan_gpus_sum(gpus, count, scope->gpus);
    }
}

static void count_cells(struct bl_plan_tally *tally, const struct bl_plan_scope *scope,
                        const struct bl_plan_range *range, const struct bl_plan_row *row)
{
    for (int32_t i = range->first; i < range->end; i++) {
        struct bl_plan_cell cell = bl_plan_row_cell(row, i);

        if (scope->columns->node[i] >= 0) {
            add_cell(tally, scope, range->slot, &cell, 1);
        }
    }
}

void bl_plan_tally_count(struct bl_plan_tally *tally, const struct bl_plan_scope *scope,
                         const struct bl_plan_row *row)
{
    tally->whole = 0;
    for (int32_t slot = 0; slot < scope->slot_count; slot++) {
        tally->sum[slot] = 0;
    }
    for (size_t i = 0; i < scope->range_count; i++) {
        if (scope->is_full) {
            count_cells(tally, scope, &scope->range[i], row);
        } else {
            count_gpus(tally, scope, &scope->range[i], row);
        }
    }
}

void bl_plan_tally_change(struct bl_plan_tally *tally, const struct bl_plan_scope *scope,
                          int32_t column, struct bl_plan_cell old, struct bl_plan_cell now)
{
    int32_t slot = bl_plan_scope_slot(scope, column);

    if (slot >= 0 && !scope->is_full) {
        bl_plan_tally_change_gpus(tally, scope, slot, old.gpus, now.gpus);
    } else if (slot >= 0) {
        add_cell(tally, scope, slot, &old, -1);
        add_cell(tally, scope, slot, &now, 1);
    }
}

static int descending(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left;
    int32_t b = *(const int32_t *)right;

    return a < b ? 1 : a > b ? -1 : 0;
}

/* Whether those nodes of the slot that have most room are enough together. */
static bool do_few_suffice(const struct bl_plan_scope *scope, int32_t slot,
                           const struct bl_plan_row *row)
{
    int64_t rest = scope->request->need.amount[BL_RESOURCE_GPU];
    size_t count = 0;

    for (size_t i = 0; i < scope->range_count; i++) {
        const struct bl_plan_range *range = &scope->range[i];

        for (int32_t c = range->first; range->slot == slot && c < range->end; c++) {
            struct bl_plan_cell cell = bl_plan_row_cell(row, c);

            scope->room[count++] = room_of(scope, &cell);
        }
    }
    bl_sort(scope->room, count, sizeof *scope->room, descending);
    for (size_t i = 0; i < count && i < (size_t)scope->request->kind.nodes_max; i++) {
        rest -= scope->room[i];
    }
    return rest <= 0;
}

bool bl_plan_tally_fits(const struct bl_plan_tally *tally, const struct bl_plan_scope *scope,
                        const struct bl_plan_row *row)
{
    const struct bl_plan_request *request = scope->request;

    if (tally->whole > 0) {
        return true;
    }
    for (int32_t slot = 0; request->may_spread && slot < scope->slot_count; slot++) {
        if (tally->sum[slot] >= request->need.amount[BL_RESOURCE_GPU] &&
            (request->kind.nodes_max == 0 || do_few_suffice(scope, slot, row))) {
            return true;
        }
    }
    return false;
}
