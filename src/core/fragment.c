#include "core/fragment.h"

#include "base/vec.h"
#include "base/sort.h"

#include <math.h>

enum { SLOTS = 4 * BL_FRAGMENT_CLASSES_MAX, TABLE_MAX = 1024 };

/* What makes two requests the same. */
struct request {
    uint64_t type_mask;
    int64_t gpu_mem_bytes;
    int64_t cpu_milli;
    int64_t mem_bytes;
    int32_t pool;
    int32_t gpus;
    bool one_node;
};

struct request_class {
    struct request request;
    int64_t held; /* submissions in the window, those of the open hour included */
};

/* Classes that the same nodes can host, by rising GPU count, with what a look at one node needs. */
struct row {
    int32_t class_index;
    int32_t gpus; /* of one node's share */
    int64_t cpu_milli;
    int64_t mem_bytes;
    int64_t most_cpu_milli; /* over this and the rows before it */
    int64_t most_mem_bytes;
};

struct group {
    const struct request *like;
    size_t first, count;             /* rows */
    size_t table_first, table_count; /* by free GPUs: the first row that needs more */
};

struct node {
    int32_t type, pool, gpus;
    int64_t gpu_mem_bytes;
    struct bl_resources free;
    int64_t stranded; /* free GPUs x weight of the requests that cannot use them */
    bool dirty;
};

struct bl_fragment {
    struct request_class class[BL_FRAGMENT_CLASSES_MAX];
    int64_t weight_of[BL_FRAGMENT_CLASSES_MAX]; /* submissions in the mix */
    size_t class_count;
    uint16_t slot[SLOTS]; /* class index + 1 */
    uint16_t last_class;  /* the one found last: requests come in runs */
    bool full;            /* until the next hour */

    /* The window: classes of its submissions, oldest first, and how many each hour had. */
    BL_VEC(uint16_t) queue;
    size_t queue_head;
    int64_t hour_count[BL_FRAGMENT_HOURS];
    int64_t hour;       /* the open one, counted from the epoch */
    int64_t open_count; /* its submissions */
    bool begun;
    bool young; /* no hour has closed yet */

    BL_VEC(struct row) rows;
    BL_VEC(uint16_t) row_class;  /* beside the rows, for the walk of each hour */
    BL_VEC(int64_t) weight_from; /* beside the rows: of this and the later ones of its group */
    BL_VEC(uint16_t) tables;     /* of the groups */
    BL_VEC(struct group) groups;
    int64_t gpuless_weight;
    int64_t weight;
    bool order_stale, weights_stale;

    BL_VEC(struct node) nodes;
    BL_VEC(int32_t) dirty;
    int64_t stranded, free_gpus; /* sums over nodes */

    double integral; /* ratio x microseconds */
    bl_time duration;
};

struct bl_fragment *bl_fragment_create(void)
{
    return bl_alloc_zero(sizeof(struct bl_fragment));
}

void bl_fragment_destroy(struct bl_fragment *fragment)
{
    if (fragment) {
        BL_VEC_FINISH(&fragment->queue);
        BL_VEC_FINISH(&fragment->rows);
        BL_VEC_FINISH(&fragment->row_class);
        BL_VEC_FINISH(&fragment->weight_from);
        BL_VEC_FINISH(&fragment->tables);
        BL_VEC_FINISH(&fragment->groups);
        BL_VEC_FINISH(&fragment->nodes);
        BL_VEC_FINISH(&fragment->dirty);
        free(fragment);
    }
}

static bool is_same(const struct request *a, const struct request *b)
{
    return a->gpus == b->gpus && a->cpu_milli == b->cpu_milli && a->mem_bytes == b->mem_bytes &&
           a->type_mask == b->type_mask && a->pool == b->pool &&
           a->gpu_mem_bytes == b->gpu_mem_bytes && a->one_node == b->one_node;
}

static size_t hash_of(const struct request *request)
{
    uint64_t hash =
        (uint64_t)request->gpus * UINT64_C(0x9E3779B97F4A7C15) +
        (uint64_t)request->cpu_milli * UINT64_C(0xC2B2AE3D27D4EB4F) +
        (uint64_t)request->mem_bytes * UINT64_C(0x165667B19E3779F9) +
        request->type_mask * UINT64_C(0xD6E8FEB86659FD93) +
        ((uint64_t)request->pool + (uint64_t)request->gpu_mem_bytes + request->one_node) *
            UINT64_C(0xFF51AFD7ED558CCD);

    return (size_t)(hash >> 40) & (SLOTS - 1);
}

/* The slot of this request, or the free one where it would go. */
static size_t find_slot(const struct bl_fragment *fragment, const struct request *request)
{
    size_t slot = hash_of(request);

    while (fragment->slot[slot] &&
           !is_same(&fragment->class[fragment->slot[slot] - 1].request, request)) {
        slot = (slot + 1) & (SLOTS - 1);
    }
    return slot;
}

/* Drops the classes that left the window; the indices in the queue follow. */
static void drop_empty_classes(struct bl_fragment *fragment)
{
    uint16_t moved[BL_FRAGMENT_CLASSES_MAX];
    size_t kept = 0;

    memset(fragment->slot, 0, sizeof fragment->slot);
    for (size_t i = 0; i < fragment->class_count; i++) {
        if (fragment->class[i].held) {
            moved[i] = (uint16_t)kept;
            fragment->class[kept] = fragment->class[i];
            fragment->weight_of[kept] = fragment->weight_of[i];
            fragment->slot[find_slot(fragment, &fragment->class[kept].request)] =
                (uint16_t)(kept + 1);
            kept++;
        }
    }
    fragment->class_count = kept;
    fragment->last_class = 0;
    fragment->order_stale = true;
    for (size_t i = fragment->queue_head; i < fragment->queue.count; i++) {
        fragment->queue.at[i] = moved[fragment->queue.at[i]];
    }
}

/* The class of this request, made when it is new; -1 when the table is full. */
static int find_class(struct bl_fragment *fragment, const struct request *request)
{
    size_t slot;

    if (fragment->last_class < fragment->class_count &&
        is_same(&fragment->class[fragment->last_class].request, request)) {
        return fragment->last_class;
    }
    slot = find_slot(fragment, request);
    if (!fragment->slot[slot]) {
        if (fragment->class_count == BL_FRAGMENT_CLASSES_MAX && !fragment->full) {
            drop_empty_classes(fragment);
            fragment->full = fragment->class_count == BL_FRAGMENT_CLASSES_MAX;
            slot = find_slot(fragment, request);
        }
        if (fragment->class_count == BL_FRAGMENT_CLASSES_MAX) {
            return -1;
        }
        fragment->class[fragment->class_count] = (struct request_class){.request = *request};
        fragment->weight_of[fragment->class_count] = 0;
        fragment->slot[slot] = (uint16_t)++fragment->class_count;
        fragment->order_stale = true;
    }
    fragment->last_class = (uint16_t)(fragment->slot[slot] - 1);
    return fragment->last_class;
}

static void change_weight(struct bl_fragment *fragment, uint16_t index, int64_t by)
{
    fragment->weight_of[index] += by;
    fragment->weight += by;
    fragment->gpuless_weight += fragment->class[index].request.gpus == 0 ? by : 0;
    fragment->weights_stale = true;
}

void bl_fragment_note_request(struct bl_fragment *fragment, bl_time now, const struct bl_job *job)
{
    struct bl_resources need = bl_job_need(&job->spec, job->spec.gpus_want);
    struct request request = {
        .type_mask = job->type_mask,
        .gpu_mem_bytes = job->spec.gpu_mem_bytes,
        .cpu_milli = need.amount[BL_RESOURCE_CPU],
        .mem_bytes = need.amount[BL_RESOURCE_MEM],
        .pool = job->pool,
        .gpus = job->spec.gpus_want,
        .one_node = job->spec.nodes_max == 1,
    };
    int index;

    if (!fragment->begun) {
        fragment->begun = true;
        fragment->young = true;
        fragment->hour = now / BL_HOUR;
    }
    index = find_class(fragment, &request);
    if (index < 0) {
        return;
    }
    fragment->class[index].held++;
    fragment->open_count++;
    BL_VEC_PUSH(&fragment->queue, (uint16_t)index);
    if (fragment->young) {
        change_weight(fragment, (uint16_t)index, 1);
    }
}

static void copy_node(struct bl_fragment *fragment, const struct bl_cluster *cluster, size_t index)
{
    const struct bl_node *from = &cluster->node[index];
    struct node *to = &fragment->nodes.at[index];

    to->free = from->state == BL_NODE_UP ? from->free : (struct bl_resources){{0}};
    if (!to->dirty) {
        to->dirty = true;
        BL_VEC_PUSH(&fragment->dirty, (int32_t)index);
    }
}

/* From the first that may have changed; when nodes came, those before them are as they were. */
static void copy_nodes(struct bl_fragment *fragment, const struct bl_cluster *cluster)
{
    size_t first = fragment->nodes.count < cluster->node_count ? fragment->nodes.count : 0;

    BL_VEC_RESERVE(&fragment->nodes, cluster->node_count);
    fragment->nodes.count = cluster->node_count;
    fragment->order_stale = true;
    if (first == 0) {
        fragment->dirty.count = 0;
    }
    for (size_t i = first; i < cluster->node_count; i++) {
        const struct bl_node *node = &cluster->node[i];

        fragment->nodes.at[i] = (struct node){.type = node->type,
                                              .pool = node->pool,
                                              .gpus = node->spec.gpus,
                                              .gpu_mem_bytes = node->spec.gpu_mem_bytes};
        copy_node(fragment, cluster, i);
    }
}

/* A node enters the sums when it is looked at, with what it has then: its old part is known from
 * `stranded` and the copy, so both leave before the copy is overwritten. */
static void leave_sums(struct bl_fragment *fragment, const struct bl_alloc_part *part)
{
    struct node *node = &fragment->nodes.at[part->node];

    if (!node->dirty) {
        fragment->stranded -= node->stranded;
        fragment->free_gpus -= node->free.amount[BL_RESOURCE_GPU];
    }
}

void bl_fragment_note_books(struct bl_fragment *fragment, const struct bl_cluster *cluster,
                            const struct bl_alloc *changed)
{
    if (!changed || cluster->node_count != fragment->nodes.count) {
        copy_nodes(fragment, cluster);
        return;
    }
    for (uint32_t i = 0; i < changed->part_count; i++) {
        const struct bl_alloc_part *part = &bl_alloc_parts(changed)[i];

        leave_sums(fragment, part);
        copy_node(fragment, cluster, (size_t)part->node);
    }
}

static bool suits(const struct node *node, const struct request *request)
{
    return (request->pool < 0 || request->pool == node->pool) &&
           (request->type_mask == 0 || (node->type >= 0 && request->type_mask >> node->type & 1)) &&
           request->gpu_mem_bytes <= node->gpu_mem_bytes;
}

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_groups(const struct request *a, const struct request *b)
{
    int order = ORDER(a->type_mask, b->type_mask);

    order = order ? order : ORDER(a->pool, b->pool);
    order = order ? order : ORDER(a->gpu_mem_bytes, b->gpu_mem_bytes);
    return order ? order : ORDER(a->one_node, b->one_node);
}

static int compare_classes(const void *left, const void *right)
{
    const struct request *a = &((const struct request_class *)left)->request;
    const struct request *b = &((const struct request_class *)right)->request;
    int order = compare_groups(a, b);

    order = order ? order : ORDER(a->gpus, b->gpus);
    order = order ? order : ORDER(a->cpu_milli, b->cpu_milli);
    return order ? order : ORDER(a->mem_bytes, b->mem_bytes);
}

static int compare_rows(const void *left, const void *right)
{
    const struct row *a = left;
    const struct row *b = right;
    int order = ORDER(a->gpus, b->gpus);

    return order ? order : ORDER(a->class_index, b->class_index);
}

static int32_t largest_node(const struct bl_fragment *fragment, const struct request *request)
{
    int32_t most = 0;

    for (size_t i = 0; i < fragment->nodes.count; i++) {
        const struct node *node = &fragment->nodes.at[i];

        if (node->gpus > most && suits(node, request)) {
            most = node->gpus;
        }
    }
    return most;
}

/* One node's share: a request larger than any node is spread evenly over the fewest nodes. */
static struct row share_of(const struct request *request, int32_t largest)
{
    struct row row = {
        .gpus = request->gpus, .cpu_milli = request->cpu_milli, .mem_bytes = request->mem_bytes};

    if (largest > 0 && request->gpus > largest && !request->one_node) {
        int32_t nodes = (request->gpus + largest - 1) / largest;

        row.gpus = (request->gpus + nodes - 1) / nodes;
        row.cpu_milli = request->cpu_milli / nodes;
        row.mem_bytes = request->mem_bytes / nodes;
    }
    return row;
}

static void build_table(struct bl_fragment *fragment, struct group *group)
{
    const struct row *row = fragment->rows.at + group->first;
    size_t above = 0;

    group->table_first = fragment->tables.count;
    for (int32_t gpus = 0; gpus < TABLE_MAX && above < group->count; gpus++) {
        while (above < group->count && row[above].gpus <= gpus) {
            above++;
        }
        BL_VEC_PUSH(&fragment->tables, (uint16_t)above);
    }
    group->table_count = fragment->tables.count - group->table_first;
}

static void close_group(struct bl_fragment *fragment, struct group *group)
{
    struct row *row = fragment->rows.at + group->first;
    int64_t cpu = 0;
    int64_t mem = 0;

    group->count = fragment->rows.count - group->first;
    bl_sort(row, group->count, sizeof *row, compare_rows);
    for (size_t i = 0; i < group->count; i++) {
        cpu = row[i].cpu_milli > cpu ? row[i].cpu_milli : cpu;
        mem = row[i].mem_bytes > mem ? row[i].mem_bytes : mem;
        row[i].most_cpu_milli = cpu;
        row[i].most_mem_bytes = mem;
        BL_VEC_PUSH(&fragment->row_class, (uint16_t)row[i].class_index);
        BL_VEC_PUSH(&fragment->weight_from, 0);
    }
    build_table(fragment, group);
}

/* Sorts the classes into groups. Moving the classes would move the queue's indices, so that a
 * sorted copy leads the way. */
static void rebuild_groups(struct bl_fragment *fragment)
{
    BL_AUTO_FREE struct request_class *sorted =
        bl_realloc_array(NULL, fragment->class_count + 1, sizeof *sorted);
    struct group *group = NULL;
    int32_t largest = 0;

    memcpy(sorted, fragment->class, fragment->class_count * sizeof *sorted);
    bl_sort(sorted, fragment->class_count, sizeof *sorted, compare_classes);
    fragment->rows.count = 0;
    fragment->row_class.count = 0;
    fragment->weight_from.count = 0;
    fragment->tables.count = 0;
    fragment->groups.count = 0;
    for (size_t i = 0; i < fragment->class_count; i++) {
        int32_t index = fragment->slot[find_slot(fragment, &sorted[i].request)] - 1;
        const struct request *request = &fragment->class[index].request;
        struct row row;

        if (request->gpus == 0) {
            continue;
        }
        if (!group || compare_groups(group->like, request) != 0) {
            if (group) {
                close_group(fragment, group);
            }
            BL_VEC_PUSH(&fragment->groups,
                        (struct group){.like = request, .first = fragment->rows.count});
            group = &fragment->groups.at[fragment->groups.count - 1];
            largest = largest_node(fragment, request);
        }
        row = share_of(request, largest);
        row.class_index = index;
        BL_VEC_PUSH(&fragment->rows, row);
    }
    if (group) {
        close_group(fragment, group);
    }
}

static void refresh_rows(struct bl_fragment *fragment)
{
    for (size_t g = 0; g < fragment->groups.count; g++) {
        const struct group *group = &fragment->groups.at[g];
        const uint16_t *class_index = fragment->row_class.at + group->first;
        int64_t *weight_from = fragment->weight_from.at + group->first;
        int64_t sum = 0;

        for (size_t i = group->count; i-- > 0;) {
            sum += fragment->weight_of[class_index[i]];
            weight_from[i] = sum;
        }
    }
}

/* The first row of the group that needs more than so many GPUs. */
static size_t first_above(const struct bl_fragment *fragment, const struct group *group,
                          int64_t free_gpus)
{
    const struct row *row = fragment->rows.at + group->first;
    size_t low = 0;
    size_t high = group->count;

    if (free_gpus < (int64_t)group->table_count) {
        return fragment->tables.at[group->table_first + (size_t)free_gpus];
    }
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (row[middle].gpus > free_gpus) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Weight of the requests of one group that this node could not host now. */
static int64_t barred_weight(const struct bl_fragment *fragment, const struct group *group,
                             const struct node *node)
{
    const struct row *row = fragment->rows.at + group->first;
    const int64_t *weight_from = fragment->weight_from.at + group->first;
    int64_t free_cpu = node->free.amount[BL_RESOURCE_CPU];
    int64_t free_mem = node->free.amount[BL_RESOURCE_MEM];
    int64_t barred;
    size_t above;

    if (!suits(node, group->like)) {
        return weight_from[0];
    }
    above = first_above(fragment, group, node->free.amount[BL_RESOURCE_GPU]);
    barred = above < group->count ? weight_from[above] : 0;
    if (above == 0 ||
        (row[above - 1].most_cpu_milli <= free_cpu && row[above - 1].most_mem_bytes <= free_mem)) {
        return barred;
    }
    for (size_t i = 0; i < above; i++) {
        if (row[i].cpu_milli > free_cpu || row[i].mem_bytes > free_mem) {
            barred += fragment->weight_of[row[i].class_index];
        }
    }
    return barred;
}

static void enter_sums(struct bl_fragment *fragment, struct node *node)
{
    int64_t free_gpus = node->free.amount[BL_RESOURCE_GPU];
    int64_t barred = fragment->gpuless_weight;

    node->dirty = false;
    node->stranded = 0;
    if (free_gpus > 0) {
        for (size_t g = 0; g < fragment->groups.count; g++) {
            barred += barred_weight(fragment, &fragment->groups.at[g], node);
        }
        node->stranded = barred * free_gpus;
    }
    fragment->stranded += node->stranded;
    fragment->free_gpus += free_gpus;
}

/* Brings the sums up to date. */
static void settle(struct bl_fragment *fragment)
{
    if (fragment->order_stale || fragment->weights_stale) {
        if (fragment->order_stale) {
            rebuild_groups(fragment);
        }
        refresh_rows(fragment);
        fragment->order_stale = false;
        fragment->weights_stale = false;
        fragment->stranded = 0;
        fragment->free_gpus = 0;
        for (size_t i = 0; i < fragment->nodes.count; i++) {
            enter_sums(fragment, &fragment->nodes.at[i]);
        }
    } else {
        for (size_t i = 0; i < fragment->dirty.count; i++) {
            enter_sums(fragment, &fragment->nodes.at[fragment->dirty.at[i]]);
        }
    }
    fragment->dirty.count = 0;
}

double bl_fragment_ratio(struct bl_fragment *fragment)
{
    settle(fragment);
    if (fragment->weight == 0 || fragment->free_gpus == 0) {
        return 0;
    }
    return (double)fragment->stranded / ((double)fragment->weight * (double)fragment->free_gpus);
}

/* Gives the memory of what left the window back once it is the larger part. */
static void trim_queue(struct bl_fragment *fragment)
{
    if (fragment->queue_head > 4096 && fragment->queue_head > fragment->queue.count / 2) {
        fragment->queue.count -= fragment->queue_head;
        memmove(fragment->queue.at, fragment->queue.at + fragment->queue_head,
                fragment->queue.count * sizeof *fragment->queue.at);
        fragment->queue_head = 0;
    }
}

/* The open hour closes and the oldest one leaves. */
static void next_hour(struct bl_fragment *fragment)
{
    int64_t *place = &fragment->hour_count[fragment->hour % BL_FRAGMENT_HOURS];

    for (int64_t i = 0; i < *place; i++) {
        uint16_t old = fragment->queue.at[fragment->queue_head++];

        change_weight(fragment, old, -1);
        fragment->class[old].held--;
    }
    for (size_t i = fragment->queue.count - (size_t)fragment->open_count;
         !fragment->young && i < fragment->queue.count; i++) {
        change_weight(fragment, fragment->queue.at[i], 1);
    }
    trim_queue(fragment);
    *place = fragment->open_count;
    fragment->open_count = 0;
    fragment->young = false;
    fragment->full = false;
    fragment->hour++;
}

void bl_fragment_advance(struct bl_fragment *fragment, bl_time from, bl_time to)
{
    while (fragment->begun && from < to) {
        bl_time border = (fragment->hour + 1) * BL_HOUR;
        bl_time end = border < to ? border : to;
        double ratio;

        if (fragment->queue_head == fragment->queue.count) {
            fragment->hour = to / BL_HOUR; /* a week without requests: hours need no closing */
            return;
        }
        ratio = bl_fragment_ratio(fragment);
        if (fragment->weight > 0) {
            fragment->integral += ratio * (double)(end - from);
            fragment->duration += end - from;
        }
        if (end == border) {
            next_hour(fragment);
        }
        from = end;
    }
}

double bl_fragment_mean(const struct bl_fragment *fragment)
{
    return fragment->duration > 0 ? fragment->integral / (double)fragment->duration : NAN;
}
