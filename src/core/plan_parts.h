/* Inside of the plan, shared by its own files only.
 *
 * What is free on the nodes changes by events: at an instant a node, its column here, has so much
 * more or less. The events stand in blocks, the leaves of a balanced tree over time; every node of
 * the tree knows for each column the sum of its events, and the least and the most that the sums
 * from its beginning on reach. So an event changes one column of each node on its way, and what is
 * free at an instant, or at least or at most free over a time, comes from as many nodes of the tree
 * as it is high. */
#ifndef BL_CORE_PLAN_PARTS_H
#define BL_CORE_PLAN_PARTS_H

#include "core/plan.h"

struct bl_plan_side {
    int64_t cpu_milli;
    int64_t mem_bytes;
};

/* Amounts of one column, and of all. A search looks at GPUs first and at what lies beside them only
 * where that could matter: so they are apart. */
struct bl_plan_cell {
    int32_t gpus;
    struct bl_plan_side side;
};

struct bl_plan_row {
    int32_t *gpus;
    struct bl_plan_side *side;
};

/* Columns are gone through so many at once. */
enum { BL_PLAN_LANES = 8 };

/* Nodes that are the same to a job that asks: neighbouring columns, filled up to whole lanes with
 * such as have no node and nothing free. */
struct bl_plan_group {
    int32_t type, pool;
    int64_t gpu_mem_bytes;
    bl_time drain_at;
    int32_t first, end; /* columns; so many have nodes: */
    int32_t nodes;
    struct bl_plan_side least_each; /* what every node has beside each of its GPUs */
    struct bl_plan_side most_each;  /* what was ever taken beside one */
};

/* The nodes that are up, by group and then by index; others have nothing to plan with. */
struct bl_plan_columns {
    const struct bl_cluster *cluster;
    int32_t count;
    int32_t *of_node;  /* -1: not up */
    int32_t *node;     /* of each column; -1: none */
    int32_t *group_of; /* of each column */
    struct bl_plan_group *group;
    size_t group_count;
    bool has_drains;
};

/* A taken part counts for its group from now on. */
void bl_plan_light_note(struct bl_plan_columns *columns, const struct bl_alloc *alloc);

struct bl_plan_columns bl_plan_columns_make(const struct bl_cluster *cluster,
                                            struct bl_arena *arena);

/* What comes to one column, or goes. Two of them share what memory gives at once. */
struct bl_plan_event {
    bl_time at;
    int32_t column;
    int32_t gpus;
    struct bl_plan_side side;
};

struct bl_plan_node {
    struct bl_plan_node *left, *right; /* NULL: a leaf */
    int32_t height;                    /* of a leaf: 0 */
    bl_time first, last;               /* instants of its events */
    struct bl_plan_row sum;
    struct bl_plan_row least, most; /* of the sums after each event; nothing before the first */
    struct bl_plan_event *event;    /* of a leaf: by (at, column), each once */
    size_t count;
    size_t capacity;
};

struct bl_plan_tree {
    struct bl_plan_node *root; /* NULL: no events */
    struct bl_arena *arena;
    int32_t columns;
    bool has_sides; /* some event changes CPUs or memory */
    size_t block;   /* events that a leaf has at most, unless all are of one instant */
};

struct bl_plan_row bl_plan_row_make(struct bl_arena *arena, int32_t columns);

/* What a column without a node has free: never enough, and far from overflow. */
#define BL_PLAN_NO_GPUS (-(1 << 29))

/* GPUs of neighbouring columns; the count is one of whole lanes. */
void bl_plan_gpus_add(int32_t *restrict to, const int32_t *restrict more, int32_t count);
void bl_plan_gpus_subtract(int32_t *restrict from, const int32_t *restrict less, int32_t count);
/* The smaller of both. */
void bl_plan_gpus_narrow(int32_t *restrict window, const int32_t *restrict more, int32_t count);
/* How many have at least so many. */
int64_t bl_plan_gpus_count(const int32_t *gpus, int32_t count, int32_t least);
/* Their sum, of each at most so many. */
int64_t bl_plan_gpus_sum(const int32_t *gpus, int32_t count, int32_t most);

static inline struct bl_plan_cell bl_plan_row_cell(const struct bl_plan_row *row, int32_t column)
{
    return (struct bl_plan_cell){row->gpus[column], row->side[column]};
}

static inline struct bl_plan_cell bl_plan_cell_sum(struct bl_plan_cell a, struct bl_plan_cell b)
{
    a.gpus += b.gpus;
    a.side.cpu_milli += b.side.cpu_milli;
    a.side.mem_bytes += b.side.mem_bytes;
    return a;
}

static inline struct bl_plan_cell bl_plan_event_change(const struct bl_plan_event *event)
{
    return (struct bl_plan_cell){event->gpus, event->side};
}

static inline struct bl_plan_cell bl_plan_cell_least(struct bl_plan_cell a, struct bl_plan_cell b)
{
    a.gpus = b.gpus < a.gpus ? b.gpus : a.gpus;
    a.side.cpu_milli = b.side.cpu_milli < a.side.cpu_milli ? b.side.cpu_milli : a.side.cpu_milli;
    a.side.mem_bytes = b.side.mem_bytes < a.side.mem_bytes ? b.side.mem_bytes : a.side.mem_bytes;
    return a;
}

/* Joined with what is there for the same column at the same instant. */
void bl_plan_tree_add(struct bl_plan_tree *tree, const struct bl_plan_event *event);

/* The least of one column over [from, end), counted from nothing at the beginning of time. */
struct bl_plan_cell bl_plan_tree_least(const struct bl_plan_tree *tree, int32_t column,
                                       bl_time from, bl_time end);

/* The leaf's first event after `at`. */
size_t bl_plan_leaf_after(const struct bl_plan_node *leaf, bl_time at);

/* What a job asks of nodes beside amounts. */
struct bl_plan_kind {
    uint64_t type_mask;
    int64_t gpu_mem_bytes;
    int32_t pool;
    int32_t nodes_max;
    bool has_gpus;
    bool gives_way; /* before what is held ahead: only that is in its way that begins at once */
};

/* What is sought. */
struct bl_plan_request {
    const struct bl_job *job;
    struct bl_plan_kind kind;
    struct bl_resources need;
    bl_time duration;
    bl_time longest; /* what must be over before a drain; 0 where none is to come */
    bool may_spread; /* over several nodes */
};

/* Without the CPUs or the memory that cannot be short where the request's GPUs are free: as much as
 * it asks for beside each, and all others have taken, every node has beside each of its GPUs. */
struct bl_plan_request bl_plan_light_request(const struct bl_plan_columns *columns,
                                             const struct bl_plan_request *request);

/* Columns where the job may start at an instant, and whether CPUs and memory are looked at. Columns
 * of one GPU type make a slot: a gang lies within one. */
struct bl_plan_range {
    int32_t first, end;
    int32_t slot;
};

struct bl_plan_scope {
    const struct bl_plan_columns *columns;
    const struct bl_plan_request *request;
    bool is_full;
    int32_t gpus;             /* of the request */
    struct bl_plan_side each; /* what is asked beside each GPU, where that is a whole number */
    bool is_each_whole;
    struct bl_plan_range *range;
    size_t range_count;
    int32_t slot_count;
    int32_t *slot_of; /* of each group; -1: not for this job */
    int32_t *room;    /* one per column, to sort in */
};

/* How much of it fits into a row. */
struct bl_plan_tally {
    int64_t whole;                 /* nodes that hold all of it */
    int64_t sum[BL_GPU_TYPES_MAX]; /* GPUs of it that fit onto the nodes of each slot */
};

void bl_plan_scope_init(struct bl_plan_scope *scope, const struct bl_plan_columns *columns,
                        struct bl_arena *arena);
void bl_plan_scope_ask(struct bl_plan_scope *scope, const struct bl_plan_request *request,
                       bool is_full);
/* For a start at `at`; true when that changes something. */
bool bl_plan_scope_set(struct bl_plan_scope *scope, bl_time at);

void bl_plan_tally_count(struct bl_plan_tally *tally, const struct bl_plan_scope *scope,
                         const struct bl_plan_row *row);
/* After one column of the row has changed; the second where GPUs alone are looked at. */
void bl_plan_tally_change(struct bl_plan_tally *tally, const struct bl_plan_scope *scope,
                          int32_t column, struct bl_plan_cell old, struct bl_plan_cell now);
static inline void bl_plan_tally_change_gpus(struct bl_plan_tally *tally,
                                             const struct bl_plan_scope *scope, int32_t slot,
                                             int32_t old, int32_t now)
{
    int32_t all = scope->gpus;

    tally->whole += (now >= all) - (old >= all);
    old = old < all ? old : all;
    now = now < all ? now : all;
    tally->sum[slot] += (now > 0 ? now : 0) - (old > 0 ? old : 0);
}

/* Of a column; -1: not for this job. */
static inline int32_t bl_plan_scope_slot(const struct bl_plan_scope *scope, int32_t column)
{
    return scope->slot_of[scope->columns->group_of[column]];
}

bool bl_plan_tally_fits(const struct bl_plan_tally *tally, const struct bl_plan_scope *scope,
                        const struct bl_plan_row *row);

/* A search that goes through the tree once. */
struct bl_plan_sweep {
    const struct bl_plan_tree *tree;
    const struct bl_plan_row *base; /* what is free before all events */
    struct bl_plan_scope scope;
    struct bl_plan_row now;    /* free at `at` */
    struct bl_plan_row window; /* free all the time from `start` to `at` */
    struct bl_plan_row back;   /* free at `back_at`, on the way back */
    struct bl_plan_row trial;
    struct bl_plan_cell *saved; /* one per column */
    struct bl_plan_tally tally;
    struct bl_plan_tally trial_tally;
    bl_time at;
    bl_time start;
    bl_time end;
    bl_time back_at;
};

void bl_plan_sweep_init(struct bl_plan_sweep *sweep, const struct bl_plan_tree *tree,
                        const struct bl_plan_row *base, const struct bl_plan_columns *columns);

/* The earliest start at `from` or later, BL_TIME_NEVER when there is none; then sweep->window is
 * what is free all the time (GPUs alone unless is_full), in the columns of the scope. */
bl_time bl_plan_sweep_find(struct bl_plan_sweep *sweep, const struct bl_plan_request *request,
                           bool is_full, bl_time from);

/* What searches found: the first instant for a request holds for all that ask for no less, while
 * the plan only fills up. */
struct bl_plan_fact {
    struct bl_plan_kind kind;
    struct bl_resources need;
    bl_time duration;
    bl_time longest;
};

enum { BL_PLAN_FACTS_MAX = 384 };

/* What tells most of them apart, kept close together. */
struct bl_plan_fact_key {
    bl_time earliest;
    bl_time duration;
    int64_t gpus;
};

struct bl_plan_facts {
    struct bl_arena *arena;
    struct bl_plan_fact_key *key;
    struct bl_plan_fact *fact; /* beside the keys */
    size_t count;
    size_t capacity;
    size_t oldest;
};

/* No start before this one can be found for the request; at least `from`. */
bl_time bl_plan_facts_bound(const struct bl_plan_facts *facts,
                            const struct bl_plan_request *request, bl_time from);
void bl_plan_facts_note(struct bl_plan_facts *facts, const struct bl_plan_request *request,
                        bl_time earliest);

struct bl_plan {
    bl_time first;
    struct bl_cluster cluster;    /* its nodes, without what is held ahead */
    const struct bl_holds *holds; /* that; NULL = nothing */
    struct bl_arena *arena;
    struct bl_plan_columns columns;
    struct bl_plan_row base; /* free at `first`, before all events */
    struct bl_plan_tree tree;
    struct bl_plan_tree lent; /* the same without holds, for jobs that give way; only beside them */
    struct bl_plan_sweep sweep;
    struct bl_plan_facts facts;
    struct bl_plan_facts facts_of_gpus; /* as if nothing but GPUs were asked for */
    struct bl_free window;              /* to choose nodes from */
    bool is_light;                      /* only GPUs can be short for what is sought */
    struct bl_plan_dropped *dropped;    /* promises that are no longer in the way of their jobs */
};

/* What an allocation has is free, or with sign -1 taken, from `at` on. */
void bl_plan_change(struct bl_plan *plan, struct bl_plan_tree *tree, const struct bl_alloc *alloc,
                    bl_time at, int32_t sign);

/* What is held ahead, after what runs. GPUs that a running job has are taken once. */
void bl_plan_add_holds(struct bl_plan *plan, const struct bl_view *view);
/* The job's own promise is no longer in its way. */
void bl_plan_drop_promise(struct bl_plan *plan, const struct bl_job *job);
/* The first instant of [from, to) at which something held begins on nodes of the allocation; `to`
 * when there is none. */
bl_time bl_plan_next_hold(const struct bl_plan *plan, const struct bl_alloc *alloc, bl_time from,
                          bl_time to);

#endif
