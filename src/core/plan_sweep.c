/* The search for the earliest start. It goes on from a start as long as the job fits into what is
 * free all the time. Where it no longer does, at an instant, it goes back from there as far as the
 * job fits: no start before that can pass the instant, and from that one on all is known already up
 * to it. So nothing is looked at twice but what the way back takes, and whole subtrees are passed
 * at once both ways. */
#include "core/plan_parts.h"

#include <assert.h>
#include <string.h>

void bl_plan_sweep_init(struct bl_plan_sweep *sweep, const struct bl_plan_tree *tree,
                        const struct bl_plan_row *base, const struct bl_plan_columns *columns)
{
    *sweep = (struct bl_plan_sweep){.tree = tree, .base = base};
    bl_plan_scope_init(&sweep->scope, columns, tree->arena);
    sweep->now = bl_plan_row_make(tree->arena, columns->count);
    sweep->window = bl_plan_row_make(tree->arena, columns->count);
    sweep->back = bl_plan_row_make(tree->arena, columns->count);
    sweep->trial = bl_plan_row_make(tree->arena, columns->count);
    sweep->saved = bl_arena_alloc(tree->arena, (size_t)columns->count * sizeof *sweep->saved);
}

static void add_sides(const struct bl_plan_row *to, const struct bl_plan_row *more,
                      const struct bl_plan_range *range, int32_t sign)
{
    for (int32_t i = range->first; i < range->end; i++) {
        to->side[i].cpu_milli += sign * more->side[i].cpu_milli;
        to->side[i].mem_bytes += sign * more->side[i].mem_bytes;
    }
}

/* to += sign * more, in the columns of the scope. */
static void add_row(const struct bl_plan_sweep *sweep, const struct bl_plan_row *to,
                    const struct bl_plan_row *more, int32_t sign)
{
    for (size_t r = 0; r < sweep->scope.range_count; r++) {
        const struct bl_plan_range *range = &sweep->scope.range[r];
        int32_t count = range->end - range->first;

        if (sign > 0) {
            bl_plan_gpus_add(to->gpus + range->first, more->gpus + range->first, count);
        } else {
            bl_plan_gpus_subtract(to->gpus + range->first, more->gpus + range->first, count);
        }
        if (sweep->scope.is_full) {
            add_sides(to, more, range, sign);
        }
    }
}

static void copy_row(const struct bl_plan_sweep *sweep, const struct bl_plan_row *to,
                     const struct bl_plan_row *from)
{
    for (size_t r = 0; r < sweep->scope.range_count; r++) {
        const struct bl_plan_range *range = &sweep->scope.range[r];
        size_t count = (size_t)(range->end - range->first);

        memcpy(to->gpus + range->first, from->gpus + range->first, count * sizeof *to->gpus);
        if (sweep->scope.is_full) {
            memcpy(to->side + range->first, from->side + range->first, count * sizeof *to->side);
        }
    }
}

static void add_event(const struct bl_plan_sweep *sweep, const struct bl_plan_row *row,
                      const struct bl_plan_event *event, int32_t sign)
{
    row->gpus[event->column] += sign * event->gpus;
    if (sweep->scope.is_full) {
        row->side[event->column].cpu_milli += sign * event->side.cpu_milli;
        row->side[event->column].mem_bytes += sign * event->side.mem_bytes;
    }
}

static void narrow_sides(const struct bl_plan_row *to, const struct bl_plan_row *more,
                         const struct bl_plan_range *range)
{
    for (int32_t i = range->first; i < range->end; i++) {
        to->side[i] = bl_plan_cell_least(bl_plan_row_cell(to, i), bl_plan_row_cell(more, i)).side;
    }
}

/* trial = the smaller of the window and `from` + `low`. */
static void narrow_to_trial(const struct bl_plan_sweep *sweep, const struct bl_plan_row *from,
                            const struct bl_plan_row *low)
{
    copy_row(sweep, &sweep->trial, from);
    add_row(sweep, &sweep->trial, low, 1);
    for (size_t r = 0; r < sweep->scope.range_count; r++) {
        const struct bl_plan_range *range = &sweep->scope.range[r];

        bl_plan_gpus_narrow(sweep->trial.gpus + range->first, sweep->window.gpus + range->first,
                            range->end - range->first);
        if (sweep->scope.is_full) {
            narrow_sides(&sweep->trial, &sweep->window, range);
        }
    }
}

static bool does_trial_fit(struct bl_plan_sweep *sweep)
{
    bl_plan_tally_count(&sweep->trial_tally, &sweep->scope, &sweep->trial);
    return bl_plan_tally_fits(&sweep->trial_tally, &sweep->scope, &sweep->trial);
}

static bool does_window_fit(const struct bl_plan_sweep *sweep)
{
    return bl_plan_tally_fits(&sweep->tally, &sweep->scope, &sweep->window);
}

static void take_trial(struct bl_plan_sweep *sweep)
{
    struct bl_plan_row row = sweep->window;

    sweep->window = sweep->trial;
    sweep->trial = row;
    sweep->tally.whole = sweep->trial_tally.whole;
    memcpy(sweep->tally.sum, sweep->trial_tally.sum,
           (size_t)sweep->scope.slot_count * sizeof *sweep->tally.sum);
}

/* Narrows the window by what is free in one column of `row`; false when it stays as it is. */
static bool narrow_column(struct bl_plan_sweep *sweep, const struct bl_plan_row *row,
                          int32_t column)
{
    int32_t slot = bl_plan_scope_slot(&sweep->scope, column);
    struct bl_plan_cell old;
    struct bl_plan_cell now;

    if (slot < 0) {
        return false;
    }
    if (!sweep->scope.is_full) {
        if (row->gpus[column] >= sweep->window.gpus[column]) {
            return false;
        }
        bl_plan_tally_change_gpus(&sweep->tally, &sweep->scope, slot, sweep->window.gpus[column],
                                  row->gpus[column]);
        sweep->window.gpus[column] = row->gpus[column];
        return true;
    }
    old = bl_plan_row_cell(&sweep->window, column);
    now = bl_plan_cell_least(old, bl_plan_row_cell(row, column));
    sweep->window.gpus[column] = now.gpus;
    sweep->window.side[column] = now.side;
    bl_plan_tally_change(&sweep->tally, &sweep->scope, column, old, now);
    return true;
}

/* The events of one instant of a leaf, from *index on, which becomes the next one's; false when the
 * window no longer fits. */
static bool pass_instant(struct bl_plan_sweep *sweep, const struct bl_plan_node *leaf,
                         size_t *index)
{
    bl_time at = leaf->event[*index].at;
    bool is_narrower = false;

    sweep->at = at;
    for (; *index < leaf->count && leaf->event[*index].at == at; ++*index) {
        const struct bl_plan_event *event = &leaf->event[*index];

        add_event(sweep, &sweep->now, event, 1);
        is_narrower = narrow_column(sweep, &sweep->now, event->column) || is_narrower;
    }
    return !is_narrower || does_window_fit(sweep);
}

static bool go_through_leaf(struct bl_plan_sweep *sweep, const struct bl_plan_node *leaf)
{
    size_t index = bl_plan_leaf_after(leaf, sweep->at);

    while (index < leaf->count && leaf->event[index].at < sweep->end) {
        if (!pass_instant(sweep, leaf, &index)) {
            return false;
        }
    }
    return true;
}

/* On from `at` until the end, or, with false, until the instant at which it no longer fits. */
static bool go_on(struct bl_plan_sweep *sweep, const struct bl_plan_node *node)
{
    if (node->last <= sweep->at || node->first >= sweep->end) {
        return true;
    }
    if (node->first > sweep->at && node->last < sweep->end) {
        narrow_to_trial(sweep, &sweep->now, &node->least);
        if (does_trial_fit(sweep)) {
            take_trial(sweep);
            add_row(sweep, &sweep->now, &node->sum, 1);
            sweep->at = node->last;
            return true;
        }
    }
    if (node->height == 0) {
        return go_through_leaf(sweep, node);
    }
    return go_on(sweep, node->left) && go_on(sweep, node->right);
}

/* Takes back the events of an instant, the last of which is before `end`, and narrows the window by
 * what was free before them; false, and the window as it was, when it does not fit then. */
static bool undo_instant(struct bl_plan_sweep *sweep, const struct bl_plan_node *leaf, size_t first,
                         size_t end)
{
    for (size_t i = first; i < end; i++) {
        int32_t column = leaf->event[i].column;

        sweep->saved[i - first] = bl_plan_row_cell(&sweep->window, column);
        add_event(sweep, &sweep->back, &leaf->event[i], -1);
        narrow_column(sweep, &sweep->back, column);
    }
    if (does_window_fit(sweep)) {
        return true;
    }
    for (size_t i = first; i < end; i++) {
        int32_t column = leaf->event[i].column;
        struct bl_plan_cell now = bl_plan_row_cell(&sweep->window, column);

        sweep->window.gpus[column] = sweep->saved[i - first].gpus;
        sweep->window.side[column] = sweep->saved[i - first].side;
        bl_plan_tally_change(&sweep->tally, &sweep->scope, column, now, sweep->saved[i - first]);
    }
    return false;
}

static bool go_back_through_leaf(struct bl_plan_sweep *sweep, const struct bl_plan_node *leaf)
{
    size_t end = bl_plan_leaf_after(leaf, sweep->back_at);

    while (end > 0) {
        bl_time at = leaf->event[end - 1].at;
        size_t first = end - 1;

        while (first > 0 && leaf->event[first - 1].at == at) {
            first--;
        }
        if (!undo_instant(sweep, leaf, first, end)) {
            sweep->start = at;
            return false;
        }
        sweep->back_at = at - 1;
        end = first;
    }
    return true;
}

/* Back from `back_at` as far as it fits; false when sweep->start has been found. */
static bool go_back(struct bl_plan_sweep *sweep, const struct bl_plan_node *node)
{
    if (node->first > sweep->back_at) {
        return true;
    }
    if (node->last <= sweep->back_at) {
        add_row(sweep, &sweep->back, &node->sum, -1);
        narrow_to_trial(sweep, &sweep->back, &node->least);
        if (does_trial_fit(sweep)) {
            take_trial(sweep);
            sweep->back_at = node->first - 1;
            return true;
        }
        add_row(sweep, &sweep->back, &node->sum, 1);
    }
    if (node->height == 0) {
        return go_back_through_leaf(sweep, node);
    }
    return go_back(sweep, node->right) && go_back(sweep, node->left);
}

/* Begins the window with what is free at `at`, and answers whether it fits. */
static bool open_window(struct bl_plan_sweep *sweep)
{
    copy_row(sweep, &sweep->window, &sweep->now);
    bl_plan_tally_count(&sweep->tally, &sweep->scope, &sweep->window);
    return does_window_fit(sweep);
}

/* The earliest start from which the job gets past `at`; false when it does not fit there alone. */
static bool start_later(struct bl_plan_sweep *sweep)
{
    bool is_past;

    if (!open_window(sweep)) {
        return false;
    }
    copy_row(sweep, &sweep->back, &sweep->now);
    sweep->back_at = sweep->at;
    is_past = go_back(sweep, sweep->tree->root);
    assert(!is_past);
    return true;
}

/* Sets the start; false when nodes have dropped out by then and it no longer fits. */
static bool begin_at(struct bl_plan_sweep *sweep, bl_time start)
{
    sweep->start = start;
    if (__builtin_add_overflow(start, sweep->scope.request->duration, &sweep->end)) {
        sweep->end = BL_TIME_NEVER;
    }
    if (bl_plan_scope_set(&sweep->scope, start)) {
        bl_plan_tally_count(&sweep->tally, &sweep->scope, &sweep->window);
    }
    return does_window_fit(sweep);
}

/* Whether more may be free than before the event. */
static bool seek_event(struct bl_plan_sweep *sweep, const struct bl_plan_event *event)
{
    int32_t slot = bl_plan_scope_slot(&sweep->scope, event->column);
    struct bl_plan_cell old;

    if (slot < 0) {
        return false;
    }
    old = bl_plan_row_cell(&sweep->now, event->column);
    add_event(sweep, &sweep->now, event, 1);
    if (!sweep->scope.is_full) {
        bl_plan_tally_change_gpus(&sweep->tally, &sweep->scope, slot, old.gpus,
                                  old.gpus + event->gpus);
        return event->gpus > 0;
    }
    bl_plan_tally_change(&sweep->tally, &sweep->scope, event->column, old,
                         bl_plan_row_cell(&sweep->now, event->column));
    return true;
}

static bool seek_in_leaf(struct bl_plan_sweep *sweep, const struct bl_plan_node *leaf)
{
    size_t index = bl_plan_leaf_after(leaf, sweep->at);

    bl_plan_tally_count(&sweep->tally, &sweep->scope, &sweep->now);
    while (index < leaf->count) {
        bool is_more = false;

        sweep->at = leaf->event[index].at;
        for (; index < leaf->count && leaf->event[index].at == sweep->at; index++) {
            is_more = seek_event(sweep, &leaf->event[index]) || is_more;
        }
        if (is_more && bl_plan_tally_fits(&sweep->tally, &sweep->scope, &sweep->now)) {
            return true;
        }
    }
    return false;
}

/* On from `at` to the next instant at which it fits for a moment at least. */
static bool seek(struct bl_plan_sweep *sweep, const struct bl_plan_node *node)
{
    if (node->last <= sweep->at) {
        return false;
    }
    if (node->first > sweep->at) {
        copy_row(sweep, &sweep->trial, &sweep->now);
        add_row(sweep, &sweep->trial, &node->most, 1);
        if (!does_trial_fit(sweep)) {
            add_row(sweep, &sweep->now, &node->sum, 1);
            sweep->at = node->last;
            return false;
        }
    }
    if (node->height == 0) {
        return seek_in_leaf(sweep, node);
    }
    return seek(sweep, node->left) || seek(sweep, node->right);
}

/* What is free at `at`. */
static void add_up_to(struct bl_plan_sweep *sweep, const struct bl_plan_node *node)
{
    if (node->last <= sweep->at) {
        add_row(sweep, &sweep->now, &node->sum, 1);
        return;
    }
    if (node->first > sweep->at) {
        return;
    }
    if (node->height > 0) {
        add_up_to(sweep, node->left);
        add_up_to(sweep, node->right);
        return;
    }
    for (size_t i = 0; node->event[i].at <= sweep->at; i++) {
        add_event(sweep, &sweep->now, &node->event[i], 1);
    }
}

/* A first start, at which nothing is known yet. */
static bool begin(struct bl_plan_sweep *sweep, bl_time from)
{
    sweep->at = from;
    bl_plan_scope_set(&sweep->scope, from);
    copy_row(sweep, &sweep->now, sweep->base);
    if (sweep->tree->root) {
        add_up_to(sweep, sweep->tree->root);
    }
    return open_window(sweep) && begin_at(sweep, from);
}

bl_time bl_plan_sweep_find(struct bl_plan_sweep *sweep, const struct bl_plan_request *request,
                           bool is_full, bl_time from)
{
    const struct bl_plan_node *root = sweep->tree->root;
    bool fits;

    bl_plan_scope_ask(&sweep->scope, request, is_full);
    fits = begin(sweep, from);
    for (;;) {
        while (!fits) {
            if (!root || !seek(sweep, root)) {
                return BL_TIME_NEVER;
            }
            fits = open_window(sweep) && begin_at(sweep, sweep->at);
        }
        if (!root || go_on(sweep, root)) {
            return sweep->start;
        }
        do {
            fits = start_later(sweep);
        } while (fits && !begin_at(sweep, sweep->start));
    }
}
