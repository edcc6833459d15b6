#include "daemon/gauges.h"

#include "core/reservation.h"

#include <string.h>

/* --- jobs ------------------------------------------------------------------------------------ */

static void put_jobs(struct bl_exposition *to, const struct bl_ledger *ledger)
{
    bl_exposition_family(to, "baleen_jobs", BL_FAMILY_GAUGE,
                         "Jobs that have not ended, by state and class. An element of an array "
                         "that has not started counts with its array.");
    for (int state = 0; state < BL_JOB_STATE_COUNT; state++) {
        for (int of = 0; of < BL_CLASS_COUNT && !bl_job_state_is_ended(state); of++) {
            const struct bl_label labels[] = {{"state", bl_job_state_name(state)},
                                              {"class", bl_job_class_name(of)},
                                              {NULL, NULL}};

            bl_exposition_int(to, labels, ledger->population[of][state]);
        }
    }
}

static const struct {
    const char *name;
    enum bl_count count;
    const char *help;
} counters[] = {
    {"baleen_job_submissions_total", BL_COUNT_SUBMITTED,
     "Jobs that were submitted; an element of an array counts when it starts."},
    {"baleen_job_starts_total", BL_COUNT_STARTS, "Starts of jobs from the queue."},
    {"baleen_job_restarts_total", BL_COUNT_RESTARTS,
     "Starts of jobs that had run before, on other GPUs or after they were put back."},
    {"baleen_job_preemptions_total", BL_COUNT_PREEMPTIONS,
     "Running jobs that were asked to save their work and go back to the queue."},
    {"baleen_rounds_total", BL_COUNT_ROUNDS, "Rounds of decisions."},
    {"baleen_promises_total", BL_COUNT_PROMISES,
     "Jobs with a latest start, given by a policy with a safeguard, that have started."},
    {"baleen_promises_broken_total", BL_COUNT_PROMISES_BROKEN,
     "Those of them that started later than that."},
};

static void put_ends(struct bl_exposition *to, const struct bl_tally *tally)
{
    bl_exposition_family(to, "baleen_job_ends_total", BL_FAMILY_COUNTER,
                         "Jobs that ended, by what they ended as.");
    for (int state = 0; state < BL_JOB_STATE_COUNT; state++) {
        const struct bl_label labels[] = {{"cause", bl_job_state_name(state)}, {NULL, NULL}};

        if (bl_job_state_is_ended(state)) {
            bl_exposition_int(to, labels, tally->count[bl_count_of_end(state)]);
        }
    }
}

static void put_tally(struct bl_exposition *to, const struct bl_tally *tally)
{
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        bl_exposition_family(to, counters[i].name, BL_FAMILY_COUNTER, counters[i].help);
        bl_exposition_int(to, NULL, tally->count[counters[i].count]);
    }
    put_ends(to, tally);
    bl_exposition_family(to, "baleen_job_wait_seconds", BL_FAMILY_HISTOGRAM,
                         "From submission to the first start, of jobs that have started.");
    bl_exposition_histogram(to, &bl_bounds_of_waits, &tally->waits);
    bl_exposition_family(to, "baleen_job_run_seconds", BL_FAMILY_HISTOGRAM,
                         "How long jobs ran since they last left the queue, of those that ended.");
    bl_exposition_histogram(to, &bl_bounds_of_waits, &tally->runs);
}

/* --- GPUs ------------------------------------------------------------------------------------ */

enum gpu_state { GPU_ALLOCATED, GPU_FREE, GPU_DRAINED, GPU_DOWN, GPU_STATES };

static const char *const gpu_words[GPU_STATES] = {"allocated", "free", "drained", "down"};

struct shelf {
    const char *pool, *type;
    int64_t gpus[GPU_STATES];
};

static const char *pool_of(const struct bl_node *node)
{
    return node->spec.pool ? node->spec.pool : "default";
}

static const char *type_of(const struct bl_node *node)
{
    return node->spec.gpu_type ? node->spec.gpu_type : "";
}

static struct shelf *find_shelf(struct shelf *shelf, size_t *count, const struct bl_node *node)
{
    size_t i = 0;

    while (i < *count && (strcmp(shelf[i].pool, pool_of(node)) != 0 ||
                          strcmp(shelf[i].type, type_of(node)) != 0)) {
        i++;
    }
    if (i == *count) {
        shelf[(*count)++] = (struct shelf){.pool = pool_of(node), .type = type_of(node)};
    }
    return &shelf[i];
}

static void count_gpus(struct shelf *shelf, const struct bl_node *node)
{
    static const enum gpu_state idle_as[] = {
        [BL_NODE_UP] = GPU_FREE, [BL_NODE_DRAINED] = GPU_DRAINED, [BL_NODE_DOWN] = GPU_DOWN};
    int64_t idle = node->free.amount[BL_RESOURCE_GPU];

    int64_t lost = __builtin_popcountll(node->lost_idle);

    shelf->gpus[idle_as[node->state]] += idle;
    shelf->gpus[GPU_DOWN] += lost;
    shelf->gpus[GPU_ALLOCATED] += node->spec.gpus - idle - lost;
}

static void put_shelf(struct bl_exposition *to, const struct shelf *shelf)
{
    for (int state = 0; state < GPU_STATES; state++) {
        const struct bl_label labels[] = {{"pool", shelf->pool},
                                          {"type", shelf->type},
                                          {"state", gpu_words[state]},
                                          {NULL, NULL}};

        bl_exposition_int(to, labels, shelf->gpus[state]);
    }
}

static void put_gpus(struct bl_exposition *to, const struct bl_cluster *cluster)
{
    BL_AUTO_FREE struct shelf *shelf = bl_alloc_zero((cluster->node_count + 1) * sizeof *shelf);
    size_t count = 0;

    for (size_t i = 0; i < cluster->node_count; i++) {
        if (cluster->node[i].spec.gpus > 0) {
            count_gpus(find_shelf(shelf, &count, &cluster->node[i]), &cluster->node[i]);
        }
    }
    bl_exposition_family(to, "baleen_gpus", BL_FAMILY_GAUGE,
                         "GPUs by pool, type and state: allocated to jobs, or free, or idle on a "
                         "node that is drained or down.");
    for (size_t i = 0; i < count; i++) {
        put_shelf(to, &shelf[i]);
    }
}

static void put_gpu_time(struct bl_exposition *to, const struct bl_tally *tally)
{
    const struct bl_label allocated[] = {{"state", "allocated"}, {NULL, NULL}};
    const struct bl_label idle[] = {{"state", "idle"}, {NULL, NULL}};

    bl_exposition_family(to, "baleen_gpu_seconds_total", BL_FAMILY_COUNTER,
                         "GPU-seconds of GPUs that jobs held, and of those on nodes that were up "
                         "and that nobody held.");
    bl_exposition_seconds(to, allocated, tally->count[BL_COUNT_USED]);
    bl_exposition_seconds(to, idle, tally->count[BL_COUNT_IDLE]);
}

/* --- reservations ---------------------------------------------------------------------------- */

struct slots {
    int64_t count[BL_OCCURRENCE_ACTIVE + 1];
    int64_t held, idle; /* GPUs of those that go on: all, and those that nobody is on */
};

static int64_t idle_of(const struct bl_cluster *cluster, const struct bl_alloc_part *part)
{
    const struct bl_node *node = &cluster->node[part->node];
    int64_t free_gpus = node->free.amount[BL_RESOURCE_GPU];

    if (!node->spec.counted) {
        return __builtin_popcountll(node->free_gpu_mask & part->gpu_mask);
    }
    return free_gpus < part->gpus ? free_gpus : part->gpus;
}

static void count_slots(const struct bl_cluster *cluster, const struct bl_booking *booking,
                        struct slots *slots)
{
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        const struct bl_occurrence *slot = &booking->occurrence[i];

        if (bl_occurrence_is_live(slot)) {
            slots->count[slot->state]++;
        }
        for (uint32_t p = 0; slot->state == BL_OCCURRENCE_ACTIVE && p < slot->alloc.part_count;
             p++) {
            slots->held += bl_alloc_parts(&slot->alloc)[p].gpus;
            slots->idle += idle_of(cluster, &bl_alloc_parts(&slot->alloc)[p]);
        }
    }
}

static void put_slots(struct bl_exposition *to, const struct slots *slots)
{
    const struct bl_label used[] = {{"state", "used"}, {NULL, NULL}};
    const struct bl_label idle[] = {{"state", "idle"}, {NULL, NULL}};

    bl_exposition_family(to, "baleen_reservations", BL_FAMILY_GAUGE,
                         "Occurrences of reservations that are not over, by state.");
    for (int state = 0; state <= BL_OCCURRENCE_ACTIVE; state++) {
        const struct bl_label labels[] = {{"state", bl_occurrence_state_name(state)}, {NULL, NULL}};

        bl_exposition_int(to, labels, slots->count[state]);
    }
    bl_exposition_family(to, "baleen_reservation_gpus", BL_FAMILY_GAUGE,
                         "GPUs of reservations that go on: with a job on them, and without.");
    bl_exposition_int(to, used, slots->held - slots->idle);
    bl_exposition_int(to, idle, slots->idle);
}

static void put_reservations(struct bl_exposition *to, const struct bl_core *core,
                             const struct bl_tally *tally)
{
    struct slots slots = {0};
    const struct bl_booking *booking;
    size_t cursor = 0;

    while ((booking = bl_core_next_booking(core, &cursor))) {
        if (!bl_promised_job(booking)) {
            count_slots(bl_core_cluster(core), booking, &slots);
        }
    }
    put_slots(to, &slots);
    bl_exposition_family(to, "baleen_reservation_idle_seconds_total", BL_FAMILY_COUNTER,
                         "GPU-seconds that were left idle before reservations while jobs queued "
                         "that could have used them.");
    bl_exposition_seconds(to, NULL, tally->count[BL_COUNT_HELD_IDLE]);
}

/* --- forecasts ------------------------------------------------------------------------------- */

enum eta { ETA_SCORED, ETA_COVERED, ETA_PINBALL, ETA_ERROR, ETA_BIAS, ETA_COUNT };

static const struct {
    const char *name;
    enum bl_family_kind kind;
    const char *help;
} etas[ETA_COUNT] = {
    [ETA_SCORED] = {"baleen_eta_scored_total", BL_FAMILY_COUNTER,
                    "Starts and ends of jobs that waited, scored against the first word, the first "
                    "range and the last word that was told of them."},
    [ETA_COVERED] = {"baleen_eta_covered_total", BL_FAMILY_COUNTER,
                     "Those of them that came between p10 and p90."},
    [ETA_PINBALL] = {"baleen_eta_pinball_seconds_total", BL_FAMILY_COUNTER,
                     "Sum of their pinball losses, each the mean over p10, p50 and p90."},
    [ETA_ERROR] = {"baleen_eta_error_seconds", BL_FAMILY_GAUGE,
                   "Median of how far p50 was off, of all that were ever scored."},
    [ETA_BIAS] = {"baleen_eta_bias_seconds", BL_FAMILY_GAUGE,
                  "Mean of p50 minus what came, of all that were ever scored."},
};

static void put_eta_value(struct bl_exposition *to, enum eta eta, const struct bl_label *labels,
                          const struct bl_score *score)
{
    switch (eta) {
    case ETA_SCORED:
        bl_exposition_int(to, labels, score->count);
        break;
    case ETA_COVERED:
        bl_exposition_int(to, labels, score->covered);
        break;
    case ETA_PINBALL:
        bl_exposition_seconds(to, labels, score->pinball_ms * BL_MILLISECOND);
        break;
    case ETA_ERROR:
        bl_exposition_double(to, labels, bl_score_median_error_s(score));
        break;
    case ETA_BIAS:
        bl_exposition_double(to, labels, (double)score->bias_ms / 1000 / (double)score->count);
        break;
    case ETA_COUNT:
        break;
    }
}

static void put_eta_of(struct bl_exposition *to, enum eta eta, const struct bl_score_group *group)
{
    for (int at = 0; at < BL_SCORE_WHEN_COUNT * BL_SCORE_WHAT_COUNT; at++) {
        int when = at / BL_SCORE_WHAT_COUNT;
        int what = at % BL_SCORE_WHAT_COUNT;
        struct bl_score sum = bl_score_sum(group, when, what);
        const struct bl_label labels[] = {{"policy", group->policy},
                                          {"basis", bl_told_basis_name(group->basis)},
                                          {"told", bl_score_when_name(when)},
                                          {"of", bl_score_what_name(what)},
                                          {NULL, NULL}};

        if (sum.count > 0) {
            put_eta_value(to, eta, labels, &sum);
        }
    }
}

static void put_etas(struct bl_exposition *to, const struct bl_scores *scores)
{
    const struct bl_score_group *const *group;
    size_t count = bl_scores_groups(scores, &group);

    for (int eta = 0; eta < ETA_COUNT; eta++) {
        bl_exposition_family(to, etas[eta].name, etas[eta].kind, etas[eta].help);
        for (size_t i = 0; i < count; i++) {
            put_eta_of(to, eta, group[i]);
        }
    }
    bl_exposition_family(to, "baleen_eta_untold_total", BL_FAMILY_COUNTER,
                         "Jobs that had waited for a second or more and started before anything "
                         "was told of them.");
    bl_exposition_int(to, NULL, bl_scores_untold(scores));
}

void bl_gauges_write(struct bl_exposition *to, const struct bl_ledger *ledger, bl_time now)
{
    struct bl_metrics *metrics = bl_core_metrics(ledger->core);
    struct bl_tally tally;

    bl_metrics_tally(metrics, now, &tally);
    put_jobs(to, ledger);
    put_tally(to, &tally);
    put_gpus(to, bl_core_cluster(ledger->core));
    put_gpu_time(to, &tally);
    bl_exposition_family(to, "baleen_fragmentation_ratio", BL_FAMILY_GAUGE,
                         "Part of the free GPUs that a typical request of the last seven days "
                         "could not use.");
    bl_exposition_double(to, NULL, bl_metrics_fragmentation(metrics));
    put_reservations(to, ledger->core, &tally);
    put_etas(to, bl_core_scores(ledger->core));
}
