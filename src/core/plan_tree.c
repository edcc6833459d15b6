/* The events of a plan: blocks of them under a tree that is balanced by height. */
#include "core/plan_parts.h"

#include <string.h>

enum { EVENTS_FIRST = 32 };

static struct bl_plan_cell cell_most(struct bl_plan_cell a, struct bl_plan_cell b)
{
    a.gpus = b.gpus > a.gpus ? b.gpus : a.gpus;
    a.side.cpu_milli = b.side.cpu_milli > a.side.cpu_milli ? b.side.cpu_milli : a.side.cpu_milli;
    a.side.mem_bytes = b.side.mem_bytes > a.side.mem_bytes ? b.side.mem_bytes : a.side.mem_bytes;
    return a;
}

static void set_cell(const struct bl_plan_row *row, int32_t column, struct bl_plan_cell cell)
{
    row->gpus[column] = cell.gpus;
    row->side[column] = cell.side;
}

/* One column of a node of the tree. */
struct summary {
    struct bl_plan_cell sum, least, most;
};

static struct summary summary_of(const struct bl_plan_node *node, int32_t column)
{
    return (struct summary){bl_plan_row_cell(&node->sum, column),
                            bl_plan_row_cell(&node->least, column),
                            bl_plan_row_cell(&node->most, column)};
}

static void set_summary(struct bl_plan_node *node, int32_t column, const struct summary *to)
{
    set_cell(&node->sum, column, to->sum);
    set_cell(&node->least, column, to->least);
    set_cell(&node->most, column, to->most);
}

static void append_event(struct summary *summary, struct bl_plan_cell change)
{
    summary->sum = bl_plan_cell_sum(summary->sum, change);
    summary->least = bl_plan_cell_least(summary->least, summary->sum);
    summary->most = cell_most(summary->most, summary->sum);
}

/* GPUs alone, where no event changes anything else. */
static void sum_up_gpus(struct bl_plan_node *node, int32_t column)
{
    int32_t sum = 0;
    int32_t least = 0;
    int32_t most = 0;

    for (size_t i = 0; i < node->count; i++) {
        sum += node->event[i].column == column ? node->event[i].gpus : 0;
        least = sum < least ? sum : least;
        most = sum > most ? sum : most;
    }
    node->sum.gpus[column] = sum;
    node->least.gpus[column] = least;
    node->most.gpus[column] = most;
}

static void sum_up_leaf(const struct bl_plan_tree *tree, struct bl_plan_node *leaf, int32_t column)
{
    struct summary whole = {0};

    if (!tree->has_sides) {
        sum_up_gpus(leaf, column);
        return;
    }
    for (size_t i = 0; i < leaf->count; i++) {
        if (leaf->event[i].column == column) {
            append_event(&whole, bl_plan_event_change(&leaf->event[i]));
        }
    }
    set_summary(leaf, column, &whole);
}

static void sum_up_children(struct bl_plan_node *node, int32_t column)
{
    struct summary left = summary_of(node->left, column);
    struct summary right = summary_of(node->right, column);

    left.least = bl_plan_cell_least(left.least, bl_plan_cell_sum(left.sum, right.least));
    left.most = cell_most(left.most, bl_plan_cell_sum(left.sum, right.most));
    left.sum = bl_plan_cell_sum(left.sum, right.sum);
    set_summary(node, column, &left);
}

/* After its children, or its events, are others. */
static void note_bounds(struct bl_plan_node *node)
{
    if (node->height == 0) {
        node->first = node->event[0].at;
        node->last = node->event[node->count - 1].at;
        return;
    }
    node->first = node->left->first;
    node->last = node->right->last;
    node->height =
        1 + (node->left->height > node->right->height ? node->left->height : node->right->height);
}

static void add_to_gpus(struct bl_plan_node *leaf, const struct bl_plan_event *event)
{
    int32_t sum = leaf->sum.gpus[event->column] + event->gpus;
    int32_t *least = &leaf->least.gpus[event->column];
    int32_t *most = &leaf->most.gpus[event->column];

    leaf->sum.gpus[event->column] = sum;
    *least = sum < *least ? sum : *least;
    *most = sum > *most ? sum : *most;
}

/* Of an event behind all others of the leaf. */
static void add_to_summary(const struct bl_plan_tree *tree, struct bl_plan_node *leaf,
                           const struct bl_plan_event *event)
{
    struct summary summary;

    if (!tree->has_sides) {
        add_to_gpus(leaf, event);
        return;
    }
    summary = summary_of(leaf, event->column);
    append_event(&summary, bl_plan_event_change(event));
    set_summary(leaf, event->column, &summary);
}

static void sum_up(const struct bl_plan_tree *tree, struct bl_plan_node *node)
{
    for (int32_t column = 0; column < tree->columns; column++) {
        if (node->height > 0) {
            sum_up_children(node, column);
        } else {
            set_summary(node, column, &(struct summary){0});
        }
    }
    for (size_t i = 0; i < node->count; i++) {
        add_to_summary(tree, node, &node->event[i]);
    }
}

static struct bl_plan_node *make_node(const struct bl_plan_tree *tree)
{
    struct bl_plan_node *node = bl_arena_alloc(tree->arena, sizeof *node);

    node->sum = bl_plan_row_make(tree->arena, tree->columns);
    node->least = bl_plan_row_make(tree->arena, tree->columns);
    node->most = bl_plan_row_make(tree->arena, tree->columns);
    return node;
}

static void reserve_events(const struct bl_plan_tree *tree, struct bl_plan_node *leaf, size_t count)
{
    struct bl_plan_event *grown;

    if (count <= leaf->capacity) {
        return;
    }
    count = count > EVENTS_FIRST ? count : EVENTS_FIRST;
    leaf->capacity = count > leaf->capacity * 2 ? count : leaf->capacity * 2;
    grown = bl_arena_alloc(tree->arena, leaf->capacity * sizeof *grown);
    if (leaf->count) {
        memcpy(grown, leaf->event, leaf->count * sizeof *grown);
    }
    leaf->event = grown;
}

static bool is_event_before(const struct bl_plan_event *a, const struct bl_plan_event *b)
{
    return a->at != b->at ? a->at < b->at : a->column < b->column;
}

/* The first event of the leaf that is not before this one. */
static size_t find_event(const struct bl_plan_node *leaf, const struct bl_plan_event *event)
{
    size_t low = 0;
    size_t high = leaf->count;

    if (high > 0 && is_event_before(&leaf->event[high - 1], event)) {
        return high;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (is_event_before(&leaf->event[middle], event)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t bl_plan_leaf_after(const struct bl_plan_node *leaf, bl_time at)
{
    return find_event(leaf, &(struct bl_plan_event){.at = at, .column = INT32_MAX});
}

static bool is_nothing(const struct bl_plan_event *event)
{
    return event->gpus == 0 && event->side.cpu_milli == 0 && event->side.mem_bytes == 0;
}

/* What came to nothing is left out, unless the leaf would be empty. */
static void put_event(const struct bl_plan_tree *tree, struct bl_plan_node *leaf,
                      const struct bl_plan_event *event)
{
    size_t index = find_event(leaf, event);
    bool is_new = index == leaf->count || is_event_before(event, &leaf->event[index]);
    struct bl_plan_event *there;

    if (!is_new) {
        there = &leaf->event[index];
        there->gpus += event->gpus;
        there->side.cpu_milli += event->side.cpu_milli;
        there->side.mem_bytes += event->side.mem_bytes;
        if (is_nothing(there) && leaf->count > 1) {
            leaf->count--;
            memmove(there, there + 1, (leaf->count - index) * sizeof *there);
        }
    } else {
        reserve_events(tree, leaf, leaf->count + 1);
        there = &leaf->event[index];
        memmove(there + 1, there, (leaf->count - index) * sizeof *there);
        *there = *event;
        leaf->count++;
    }
    note_bounds(leaf);
    if (is_new && index + 1 == leaf->count) {
        add_to_summary(tree, leaf, event);
    } else {
        sum_up_leaf(tree, leaf, event->column);
    }
}

/* Where a full leaf is cut: between two instants, near its middle; 0 when all is one instant. */
static size_t find_cut(const struct bl_plan_node *leaf)
{
    bl_time middle = leaf->event[leaf->count / 2].at;
    size_t cut = bl_plan_leaf_after(leaf, middle - 1);

    if (cut == 0) {
        cut = bl_plan_leaf_after(leaf, middle);
    }
    return cut < leaf->count ? cut : 0;
}

/* A node with two leaves instead of one that has grown too large. */
static struct bl_plan_node *split_leaf(const struct bl_plan_tree *tree, struct bl_plan_node *leaf)
{
    size_t cut = leaf->count > tree->block ? find_cut(leaf) : 0;
    struct bl_plan_node *right;
    struct bl_plan_node *parent;

    if (cut == 0) {
        return leaf;
    }
    right = make_node(tree);
    reserve_events(tree, right, tree->block + 1);
    reserve_events(tree, right, leaf->count - cut);
    right->count = leaf->count - cut;
    memcpy(right->event, leaf->event + cut, right->count * sizeof *right->event);
    leaf->count = cut;
    parent = make_node(tree);
    *parent = (struct bl_plan_node){.left = leaf,
                                    .right = right,
                                    .height = 1,
                                    .sum = parent->sum,
                                    .least = parent->least,
                                    .most = parent->most};
    note_bounds(leaf);
    note_bounds(right);
    note_bounds(parent);
    sum_up(tree, leaf);
    sum_up(tree, right);
    sum_up(tree, parent);
    return parent;
}

static int32_t lean(const struct bl_plan_node *node)
{
    return node->height > 0 ? node->left->height - node->right->height : 0;
}

/* `up` takes the place of its parent `node`, which has lost it already: what was known of all that
 * lies below holds for `up` now. */
static struct bl_plan_node *come_up(const struct bl_plan_tree *tree, struct bl_plan_node *up,
                                    struct bl_plan_node *node)
{
    struct bl_plan_node kept = *node;

    node->sum = up->sum;
    node->least = up->least;
    node->most = up->most;
    up->sum = kept.sum;
    up->least = kept.least;
    up->most = kept.most;
    note_bounds(node);
    note_bounds(up);
    sum_up(tree, node);
    return up;
}

static struct bl_plan_node *rotate_right(const struct bl_plan_tree *tree, struct bl_plan_node *node)
{
    struct bl_plan_node *up = node->left;

    node->left = up->right;
    up->right = node;
    return come_up(tree, up, node);
}

static struct bl_plan_node *rotate_left(const struct bl_plan_tree *tree, struct bl_plan_node *node)
{
    struct bl_plan_node *up = node->right;

    node->right = up->left;
    up->left = node;
    return come_up(tree, up, node);
}

static struct bl_plan_node *balance(const struct bl_plan_tree *tree, struct bl_plan_node *node)
{
    if (lean(node) > 1) {
        if (lean(node->left) < 0) {
            node->left = rotate_left(tree, node->left);
        }
        return rotate_right(tree, node);
    }
    if (lean(node) < -1) {
        if (lean(node->right) > 0) {
            node->right = rotate_right(tree, node->right);
        }
        return rotate_left(tree, node);
    }
    return node;
}

static struct bl_plan_node *add_below(const struct bl_plan_tree *tree, struct bl_plan_node *node,
                                      const struct bl_plan_event *event)
{
    struct bl_plan_node **child;

    if (node->height == 0) {
        put_event(tree, node, event);
        return split_leaf(tree, node);
    }
    child = event->at < node->right->first ? &node->left : &node->right;
    *child = add_below(tree, *child, event);
    note_bounds(node);
    sum_up_children(node, event->column);
    return balance(tree, node);
}

void bl_plan_tree_add(struct bl_plan_tree *tree, const struct bl_plan_event *event)
{
    if (!tree->root) {
        tree->root = make_node(tree);
    }
    tree->has_sides = tree->has_sides || event->side.cpu_milli != 0 || event->side.mem_bytes != 0;
    tree->root = add_below(tree, tree->root, event);
}

/* A walk along one column: what is free there so far, and the least of it since `from`. */
struct walk {
    int32_t column;
    bl_time from, end;
    struct bl_plan_cell now;
    struct bl_plan_cell least;
};

static void walk_event(struct walk *walk, const struct bl_plan_event *event)
{
    if (event->column == walk->column && event->at < walk->end) {
        walk->now = bl_plan_cell_sum(walk->now, bl_plan_event_change(event));
        walk->least =
            event->at <= walk->from ? walk->now : bl_plan_cell_least(walk->least, walk->now);
    }
}

static void walk_over(struct walk *walk, const struct bl_plan_node *node)
{
    bool is_inside = node->first > walk->from && node->last < walk->end;

    if (node->first >= walk->end) {
        return;
    }
    if (node->last <= walk->from || is_inside) {
        struct bl_plan_cell low =
            bl_plan_cell_sum(walk->now, bl_plan_row_cell(&node->least, walk->column));

        walk->now = bl_plan_cell_sum(walk->now, bl_plan_row_cell(&node->sum, walk->column));
        walk->least = is_inside ? bl_plan_cell_least(walk->least, low) : walk->now;
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        walk_event(walk, &node->event[i]);
    }
    if (node->height > 0) {
        walk_over(walk, node->left);
        walk_over(walk, node->right);
    }
}

struct bl_plan_cell bl_plan_tree_least(const struct bl_plan_tree *tree, int32_t column,
                                       bl_time from, bl_time end)
{
    struct walk walk = {.column = column, .from = from, .end = end};

    if (tree->root) {
        walk_over(&walk, tree->root);
    }
    return walk.least;
}
