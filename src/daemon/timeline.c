#include "daemon/timeline.h"

#include "base/sort.h"

/* The forecast plans no more of them one by one. */
enum { SKETCHED_MAX = 2000 };

/* GPUs of a lane that are taken until some instant. */
struct load {
    bl_time until;
    int32_t gpus;
};

/* GPUs of a lane that a booking holds. */
struct hold {
    bl_time start, end;
    int32_t gpus;
    int64_t booking;
};

/* What is known of a lane while waiting jobs are sketched, in order of their starts. */
struct sketch_lane {
    BL_VEC(struct load) loads;
    BL_VEC(struct hold) holds;
};

/* Of the time ahead, and at the least: what a sketched bar may overlap another by. */
enum { SLACK_SHARE = 3 };
#define SLACK_LEAST BL_SECOND

struct maker {
    const struct bl_ledger *ledger;
    const struct bl_cluster *cluster;
    const struct bl_window *window;
    const struct bl_timeline_also *also;
    struct bl_arena *arena;
    struct bl_timeline out;
    int32_t *first_lane; /* of each node, and one more for the end */
    struct sketch_lane *sketch;
    bl_time slack; /* by which bars may overlap */
    BL_VEC(struct bl_bar) bars;
};

/* --- lanes ----------------------------------------------------------------------------------- */

static int32_t lanes_of(const struct bl_node_spec *spec)
{
    return spec->counted ? spec->gpus > 0 : spec->gpus;
}

static void make_lanes(struct maker *maker)
{
    const struct bl_cluster *cluster = maker->cluster;
    size_t count = 0;

    maker->first_lane =
        bl_arena_alloc(maker->arena, (cluster->node_count + 1) * sizeof *maker->first_lane);
    for (size_t n = 0; n < cluster->node_count; n++) {
        maker->first_lane[n] = (int32_t)count;
        count += (size_t)lanes_of(&cluster->node[n].spec);
    }
    maker->first_lane[cluster->node_count] = (int32_t)count;
    maker->out.lane = bl_arena_alloc(maker->arena, (count + 1) * sizeof *maker->out.lane);
    for (size_t n = 0; n < cluster->node_count; n++) {
        const struct bl_node_spec *spec = &cluster->node[n].spec;

        for (int32_t g = 0; g < lanes_of(spec); g++) {
            maker->out.lane[maker->out.lane_count++] =
                (struct bl_lane){.node = (int32_t)n,
                                 .gpu = spec->counted ? -1 : g,
                                 .gpus = spec->counted ? spec->gpus : 1};
        }
    }
    maker->sketch = bl_alloc_zero((count + 1) * sizeof *maker->sketch);
}

void bl_lane_print(struct bl_buf *out, const struct bl_cluster *cluster, const struct bl_lane *lane)
{
    bl_buf_append_text(out, cluster->node[lane->node].spec.name);
    if (lane->gpu >= 0) {
        bl_buf_printf(out, ":%d", lane->gpu);
    }
}

/* --- what was and is ------------------------------------------------------------------------- */

/* How many GPUs of a lane of its node belong to the part. */
static int32_t gpus_of_lane(const struct maker *maker, int32_t lane,
                            const struct bl_alloc_part *part)
{
    int32_t gpu = maker->out.lane[lane].gpu;

    return gpu < 0 ? part->gpus : (int32_t)((part->gpu_mask >> gpu) & 1);
}

/* A node may have another shape than when the job ran: GPUs that it lost have no lane. */
static void add_part_lanes(const struct maker *maker, const struct bl_alloc_part *part,
                           struct bl_bar *bar)
{
    int32_t first = maker->first_lane[part->node];
    int32_t end = maker->first_lane[part->node + 1];

    for (int32_t lane = first; lane < end; lane++) {
        if (gpus_of_lane(maker, lane, part) > 0) {
            bar->lane[bar->lane_count++] = lane;
        }
    }
}

static void add_lanes(const struct maker *maker, const struct bl_alloc *alloc, struct bl_bar *bar)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    bar->gpus = bl_alloc_gpus(alloc);
    bar->lane =
        bl_arena_alloc(maker->arena, ((size_t)bar->gpus + alloc->part_count) * sizeof *bar->lane);
    for (uint32_t i = 0; i < alloc->part_count; i++) {
        add_part_lanes(maker, &part[i], bar);
    }
}

static void load_part_lanes(struct maker *maker, const struct bl_alloc_part *part, bl_time until)
{
    for (int32_t lane = maker->first_lane[part->node]; lane < maker->first_lane[part->node + 1];
         lane++) {
        int32_t gpus = gpus_of_lane(maker, lane, part);

        if (gpus > 0) {
            BL_VEC_PUSH(&maker->sketch[lane].loads, (struct load){until, gpus});
        }
    }
}

static void load_lanes(struct maker *maker, const struct bl_alloc *alloc, bl_time until)
{
    for (uint32_t i = 0; i < alloc->part_count; i++) {
        load_part_lanes(maker, &bl_alloc_parts(alloc)[i], until);
    }
}

static const struct bl_foretold_row *row_of(const struct maker *maker, const struct bl_job *job)
{
    return bl_outlook_find(maker->ledger->outlook, maker->ledger->core, maker->ledger->seq,
                           job->id);
}

static bl_time not_before(bl_time instant, bl_time least)
{
    return instant > least ? instant : least;
}

/* One that is overdue is expected to end any moment. */
static void set_end_of_active(const struct maker *maker, struct bl_bar *bar)
{
    const struct bl_foretold_row *row = row_of(maker, bar->job);
    bl_time soonest = maker->window->now + 1;

    bar->end = not_before(row ? row->end.p50 : BL_TIME_NEVER, soonest);
    bar->end_p90 = not_before(row ? row->end.p90 : BL_TIME_NEVER, bar->end);
}

static void add_active(struct maker *maker, const struct bl_job *job)
{
    struct bl_bar bar = {
        .kind = BL_BAR_JOB,
        .job = job,
        .start = job->running_at ? job->running_at : job->started_at,
    };

    set_end_of_active(maker, &bar);
    load_lanes(maker, &job->alloc, bar.end);
    add_lanes(maker, &job->alloc, &bar);
    BL_VEC_PUSH(&maker->bars, bar);
}

/* What never had a process was nowhere. */
static void add_past(struct maker *maker, struct bl_bar *bar, const struct bl_alloc *alloc)
{
    if (bar->start > 0 && (bl_bar_is_in(bar, maker->window) ||
                           bl_ids_have(maker->also->job, maker->also->job_count, bar->job->id))) {
        add_lanes(maker, alloc, bar);
        BL_VEC_PUSH(&maker->bars, *bar);
    }
}

static void add_ended(struct maker *maker, const struct bl_job *job)
{
    const struct bl_ledger_job *entry = bl_map_find(&maker->ledger->jobs, job->id);
    struct bl_bar bar = {
        .kind = BL_BAR_JOB, .job = job, .start = job->running_at, .end = job->ended_at};

    if (entry) {
        add_past(maker, &bar, &entry->alloc);
    }
}

static void add_earlier(struct maker *maker, const struct bl_job *job)
{
    const struct bl_job_attempt *attempt = NULL;
    size_t count = bl_job_earlier_attempts(job, &attempt);

    for (; count > 0; count--, attempt++) {
        struct bl_bar bar = {.kind = BL_BAR_JOB,
                             .job = job,
                             .attempt = attempt,
                             .start = attempt->running_at,
                             .end = attempt->ended_at};

        add_past(maker, &bar, &attempt->alloc);
    }
}

/* Single GPUs that are lost, until they are back. */
static void add_lost(struct maker *maker, int32_t index)
{
    const struct bl_node *node = &maker->cluster->node[index];

    for (int32_t lane = maker->first_lane[index]; lane < maker->first_lane[index + 1]; lane++) {
        int32_t gpu = maker->out.lane[lane].gpu;
        struct bl_bar bar = {.kind = BL_BAR_DOWN,
                             .node = index,
                             .node_state = BL_NODE_DOWN,
                             .gpu = gpu + 1,
                             .start = node->lost_since,
                             .end = BL_TIME_NEVER,
                             .gpus = 1};

        if (gpu < 0 || !(node->lost >> gpu & 1)) {
            continue;
        }
        BL_VEC_PUSH(&maker->sketch[lane].loads, (struct load){BL_TIME_NEVER, 1});
        bar.lane = bl_arena_alloc(maker->arena, sizeof *bar.lane);
        bar.lane[bar.lane_count++] = lane;
        BL_VEC_PUSH(&maker->bars, bar);
    }
}

static void add_nodes(struct maker *maker)
{
    for (size_t n = 0; n < maker->cluster->node_count; n++) {
        const struct bl_node *node = &maker->cluster->node[n];
        struct bl_bar bar = {.kind = BL_BAR_DOWN, .node = (int32_t)n, .end = BL_TIME_NEVER};

        add_lost(maker, (int32_t)n);
        bar.node_state = node->state;
        bar.start =
            node->state == BL_NODE_UP ? node->drain_at : bl_ledger_away_since(maker->ledger, n);
        if (bar.start == BL_TIME_NEVER) {
            continue;
        }
        bar.gpus = node->spec.gpus;
        bar.lane = bl_arena_alloc(maker->arena, ((size_t)bar.gpus + 1) * sizeof *bar.lane);
        for (int32_t lane = maker->first_lane[n]; lane < maker->first_lane[n + 1]; lane++) {
            bar.lane[bar.lane_count++] = lane;
        }
        BL_VEC_PUSH(&maker->bars, bar);
    }
}

/* --- reservations ---------------------------------------------------------------------------- */

/* One that was given up or cancelled ended then; before its start it never was. */
static bl_time end_of_occurrence(const struct bl_occurrence *occurrence)
{
    return occurrence->ended_at && occurrence->ended_at < occurrence->end ? occurrence->ended_at
                                                                          : occurrence->end;
}

static bool is_told(const struct maker *maker, const struct bl_bar *bar)
{
    return bl_bar_is_in(bar, maker->window) ||
           bl_ids_have(maker->also->booking, maker->also->booking_count, bar->booking->spec.id);
}

static void add_occurrence_bar(struct maker *maker, struct bl_bar *bar)
{
    if (bar->end > bar->start && (!bl_bar_is_over(bar) || is_told(maker, bar))) {
        add_lanes(maker, &bar->occurrence->alloc, bar);
        BL_VEC_PUSH(&maker->bars, *bar);
    }
}

static void hold_part_lanes(struct maker *maker, const struct bl_alloc_part *part, struct hold hold)
{
    for (int32_t lane = maker->first_lane[part->node]; lane < maker->first_lane[part->node + 1];
         lane++) {
        hold.gpus = gpus_of_lane(maker, lane, part);
        if (hold.gpus > 0) {
            BL_VEC_PUSH(&maker->sketch[lane].holds, hold);
        }
    }
}

static void hold_lanes(struct maker *maker, const struct bl_bar *bar)
{
    const struct bl_alloc *alloc = &bar->occurrence->alloc;
    struct hold hold = {bar->start, bar->end, 0, bar->booking->spec.id};

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        hold_part_lanes(maker, &bl_alloc_parts(alloc)[i], hold);
    }
}

/* A promise is shown as the job that it was given to. */
static void add_occurrence(void *self, const struct bl_booking *booking,
                           const struct bl_occurrence *occurrence)
{
    struct maker *maker = self;
    struct bl_bar bar = {.kind = BL_BAR_RESERVATION,
                         .booking = booking,
                         .occurrence = occurrence,
                         .start = occurrence->start,
                         .end = end_of_occurrence(occurrence)};
    struct bl_bar clearing = bar;

    if (bl_promised_job(booking)) {
        return;
    }
    if (bl_occurrence_is_live(occurrence)) {
        hold_lanes(maker, &bar);
    }
    add_occurrence_bar(maker, &bar);
    if (occurrence->state == BL_OCCURRENCE_CLEARING) {
        clearing.kind = BL_BAR_CLEARING;
        clearing.start = maker->window->now;
        clearing.end = occurrence->start;
        add_occurrence_bar(maker, &clearing);
    }
}

static int compare_holds(const void *left, const void *right)
{
    const struct hold *a = left;
    const struct hold *b = right;

    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return a->booking < b->booking ? -1 : a->booking > b->booking;
}

static bl_time walk_start(const struct bl_window *window)
{
    return window->from < window->now ? window->from : window->now;
}

/* Those of `also` that the walk has not met. */
static void add_past_occurrences(struct maker *maker)
{
    for (size_t i = 0; i < maker->also->booking_count; i++) {
        const struct bl_booking *booking =
            bl_core_find_booking(maker->ledger->core, maker->also->booking[i]);

        for (size_t k = 0; booking && k < booking->occurrence_count; k++) {
            if (booking->occurrence[k].end <= walk_start(maker->window)) {
                add_occurrence(maker, booking, &booking->occurrence[k]);
            }
        }
    }
}

/* Also those behind the window: what waits is sketched around them. */
static void add_occurrences(struct maker *maker)
{
    bl_core_each_occurrence(maker->ledger->core, walk_start(maker->window), BL_TIME_NEVER,
                            add_occurrence, maker);
    add_past_occurrences(maker);
    for (size_t i = 0; i < maker->out.lane_count; i++) {
        bl_sort(maker->sketch[i].holds.at, maker->sketch[i].holds.count,
                sizeof *maker->sketch[i].holds.at, compare_holds);
    }
}

/* --- what waits ------------------------------------------------------------------------------ */

/* How many of the holds, which are in order of their starts, begin before `at`. */
static size_t holds_before(const struct sketch_lane *sketch, bl_time at)
{
    size_t low = 0;
    size_t high = sketch->holds.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (sketch->holds.at[middle].start < at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Those of one GPU do not overlap: behind the first that is over all are. */
static int32_t held_then(const struct maker *maker, int32_t lane, const struct bl_bar *bar)
{
    const struct sketch_lane *sketch = &maker->sketch[lane];
    bool is_gpu = maker->out.lane[lane].gpu >= 0;
    int32_t gpus = 0;

    for (size_t i = holds_before(sketch, bar->end); i > 0; i--) {
        const struct hold *hold = &sketch->holds.at[i - 1];

        if (hold->end <= bar->start) {
            if (is_gpu) {
                break;
            }
        } else if (hold->booking != bar->job->spec.reservation) {
            gpus += hold->gpus;
        }
    }
    return gpus;
}

bool bl_node_suits(const struct bl_node *node, const struct bl_job *job)
{
    if (job->pool >= 0 && node->pool != job->pool) {
        return false;
    }
    if (job->spec.gpus_max == 0) {
        return true;
    }
    return node->spec.gpus > 0 && node->spec.gpu_mem_bytes >= job->spec.gpu_mem_bytes &&
           (job->type_mask == 0 || (node->type >= 0 && ((job->type_mask >> node->type) & 1)));
}

/* It must be over before the node is drained. */
static bool suits(const struct maker *maker, const struct bl_bar *bar, int32_t index)
{
    const struct bl_node *node = &maker->cluster->node[index];

    return node->state == BL_NODE_UP && bar->end <= node->drain_at && bl_node_suits(node, bar->job);
}

/* GPUs of the lane that are free for the bar, as far as is known; later starts ask later. */
static int32_t free_for(struct maker *maker, int32_t lane, const struct bl_bar *bar)
{
    struct sketch_lane *sketch = &maker->sketch[lane];
    int32_t gpus = maker->out.lane[lane].gpus - held_then(maker, lane, bar);
    size_t kept = 0;

    for (size_t i = 0; i < sketch->loads.count; i++) {
        if (sketch->loads.at[i].until > bar->start + maker->slack) {
            sketch->loads.at[kept++] = sketch->loads.at[i];
            gpus -= sketch->loads.at[kept - 1].gpus;
        }
    }
    sketch->loads.count = kept;
    return gpus > 0 ? gpus : 0;
}

static int32_t free_on_node(struct maker *maker, const struct bl_bar *bar, int32_t node)
{
    int32_t gpus = 0;

    if (!suits(maker, bar, node)) {
        return 0;
    }
    for (int32_t lane = maker->first_lane[node]; lane < maker->first_lane[node + 1]; lane++) {
        gpus += free_for(maker, lane, bar);
    }
    return gpus;
}

/* The nodes [first, end) that it is drawn on: one that holds it all, else all; none where it finds
 * no room. */
struct spread {
    int32_t first, end;
};

static struct spread find_room_now(struct maker *maker, const struct bl_bar *bar)
{
    int32_t nodes = (int32_t)maker->cluster->node_count;
    int64_t all = 0;

    for (int32_t n = 0; n < nodes; n++) {
        int32_t here = free_on_node(maker, bar, n);

        if (here >= bar->gpus) {
            return (struct spread){n, n + 1};
        }
        all += here;
    }
    return (struct spread){0, all >= bar->gpus && bar->job->spec.nodes_max != 1 ? nodes : 0};
}

/* Starts and ends are the middles of ranges and need not fit each other: where they do not, bars
 * may overlap by a part of the time ahead. */
static struct spread find_room(struct maker *maker, const struct bl_bar *bar)
{
    struct spread spread;

    maker->slack = 0;
    spread = find_room_now(maker, bar);
    if (spread.end == 0) {
        maker->slack = (bar->start - maker->window->now) / SLACK_SHARE + SLACK_LEAST;
        spread = find_room_now(maker, bar);
    }
    return spread;
}

/* The bar's GPUs from the free ones of a node. */
static int32_t draw_on(struct maker *maker, struct bl_bar *bar, int32_t node, int32_t left)
{
    if (!suits(maker, bar, node)) {
        return left;
    }
    for (int32_t lane = maker->first_lane[node]; lane < maker->first_lane[node + 1] && left > 0;
         lane++) {
        int32_t gpus = free_for(maker, lane, bar);

        gpus = gpus < left ? gpus : left;
        if (gpus > 0) {
            BL_VEC_PUSH(&maker->sketch[lane].loads, (struct load){bar->end, gpus});
            bar->lane[bar->lane_count++] = lane;
            left -= gpus;
        }
    }
    return left;
}

static void sketch(struct maker *maker, struct bl_bar *bar)
{
    struct spread spread;
    int32_t left = bar->gpus;

    if (bar->gpus == 0) {
        return;
    }
    spread = find_room(maker, bar);
    bar->lane = bl_arena_alloc(maker->arena, (size_t)bar->gpus * sizeof *bar->lane);
    for (int32_t n = spread.first; n < spread.end && left > 0; n++) {
        left = draw_on(maker, bar, n, left);
    }
}

static void add_waiting(struct maker *maker, const struct bl_job *job)
{
    const struct bl_foretold_row *row = row_of(maker, job);
    struct bl_bar bar = {.kind = BL_BAR_JOB, .job = job, .gpus = bl_job_gpus_wanted(job)};

    if (row && row->start.p50 != BL_TIME_NEVER) {
        bar.start = not_before(row->start.p50, maker->window->now);
        bar.end = row->end.p50;
        bar.end_p90 = row->end.p90;
        BL_VEC_PUSH(&maker->bars, bar);
    }
}

/* --- all of it ------------------------------------------------------------------------------- */

static void add_jobs(struct maker *maker)
{
    const struct bl_job *job;
    size_t cursor = 0;

    while ((job = bl_core_next_job(maker->ledger->core, &cursor))) {
        add_earlier(maker, job);
        if (bl_job_state_is_active(job->state)) {
            add_active(maker, job);
        } else if (bl_job_state_is_ended(job->state)) {
            add_ended(maker, job);
        } else {
            add_waiting(maker, job);
        }
    }
}

static int compare_bars(const void *left, const void *right)
{
    const struct bl_bar *a = left;
    const struct bl_bar *b = right;

    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    return (bl_bar_key(a) > bl_bar_key(b)) - (bl_bar_key(a) < bl_bar_key(b));
}

/* In order of their starts, as a lane knows only what is taken until when. */
static void sketch_all(struct maker *maker)
{
    int sketched = 0;

    for (size_t i = 0; i < maker->bars.count; i++) {
        if (bl_bar_waits(&maker->bars.at[i]) && sketched++ < SKETCHED_MAX) {
            sketch(maker, &maker->bars.at[i]);
        }
    }
}

static void take_bars(struct maker *maker)
{
    maker->out.bar = bl_arena_alloc(maker->arena, (maker->bars.count + 1) * sizeof *maker->out.bar);
    for (size_t i = 0; i < maker->bars.count; i++) {
        maker->out.bar[maker->out.bar_count++] = maker->bars.at[i];
    }
}

static void finish(struct maker *maker)
{
    for (size_t i = 0; i < maker->out.lane_count; i++) {
        BL_VEC_FINISH(&maker->sketch[i].loads);
        BL_VEC_FINISH(&maker->sketch[i].holds);
    }
    free(maker->sketch);
    BL_VEC_FINISH(&maker->bars);
}

struct bl_timeline bl_timeline_make_whole(const struct bl_ledger *ledger,
                                          const struct bl_window *window,
                                          const struct bl_timeline_also *also,
                                          struct bl_arena *arena)
{
    struct maker maker = {.ledger = ledger,
                          .cluster = bl_core_cluster(ledger->core),
                          .window = window,
                          .also = also,
                          .arena = arena};

    make_lanes(&maker);
    add_nodes(&maker);
    add_occurrences(&maker);
    add_jobs(&maker);
    bl_sort(maker.bars.at, maker.bars.count, sizeof *maker.bars.at, compare_bars);
    sketch_all(&maker);
    take_bars(&maker);
    finish(&maker);
    return maker.out;
}

struct bl_timeline bl_timeline_make(const struct bl_ledger *ledger, const struct bl_window *window,
                                    struct bl_arena *arena)
{
    static const struct bl_timeline_also nothing;
    struct bl_timeline timeline = bl_timeline_make_whole(ledger, window, &nothing, arena);

    bl_timeline_narrow(&timeline, window);
    return timeline;
}
