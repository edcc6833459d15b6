#include "core/metrics.h"

#include "core/fragment.h"
#include "core/tenants.h"

#include "base/vec.h"

#include <math.h>

/* Sums over jobs and time are integers of 128 bits: exact, and the same in any order. */
__extension__ typedef __int128 wide;

/* One bounded slowdown, as fixed-point. */
#define SLOWDOWN_ONE   4294967296.0 /* 2^32 */
#define SLOWDOWN_BOUND (10 * BL_SECOND)

struct sample {
    bl_time jct;
    bl_time wait;
};

struct node_cost {
    int64_t price_micros;
    int64_t per_hour; /* of what is booked there, millionths */
};

struct bl_metrics {
    bl_time now;
    bool begun; /* a job was submitted */
    bl_time first_submit, last_end;
    bool has_ended; /* a job did */
    int64_t jobs, events;
    struct bl_tally tally;

    BL_VEC(struct sample) ran;
    wide jct_sum, wait_sum, slowdown_sum;
    bl_time max_wait;
    double worst_stretch; /* JCT / run-alone time */

    int64_t used_gpus, capacity_gpus, free_gpus;
    wide used_integral, capacity_integral, cost_integral;
    int64_t held_idle_gpus;
    wide used_until_end, capacity_until_end; /* the integrals at the last end */
    bool arriving;                           /* a job was submitted at this very instant */
    int64_t arrival_free, arrival_capacity;

    BL_VEC(struct node_cost) costs;
    bool is_priced;
    int64_t cost_per_hour;

    struct bl_fragment *fragment;
    struct bl_tenants *tenants;
};

struct bl_metrics *bl_metrics_create(void)
{
    struct bl_metrics *metrics = bl_alloc_zero(sizeof *metrics);

    metrics->fragment = bl_fragment_create();
    metrics->tenants = bl_tenants_create();
    return metrics;
}

void bl_metrics_destroy(struct bl_metrics *metrics)
{
    if (metrics) {
        bl_fragment_destroy(metrics->fragment);
        bl_tenants_destroy(metrics->tenants);
        BL_VEC_FINISH(&metrics->ran);
        BL_VEC_FINISH(&metrics->costs);
        free(metrics);
    }
}

/* By halves: a call into the compiler's library would be an outside symbol of the core. */
static double wide_to_double(wide value)
{
    return (double)(int64_t)(value >> 64) * 18446744073709551616.0 + (double)(uint64_t)value;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

static double mean(wide sum, size_t count, double unit)
{
    return count ? wide_to_double(sum) / unit / (double)count : NAN;
}

static void tally_time(const struct bl_metrics *metrics, bl_time span, struct bl_tally *tally)
{
    int64_t idle = metrics->capacity_gpus - metrics->used_gpus;
    int64_t *count = tally->count;

    count[BL_COUNT_USED] += metrics->used_gpus * span;
    count[BL_COUNT_IDLE] += (idle > 0 ? idle : 0) * span;
    count[BL_COUNT_HELD_IDLE] += metrics->held_idle_gpus * span;
}

void bl_metrics_note_time(struct bl_metrics *metrics, bl_time now)
{
    bl_time span = now - metrics->now;

    if (span <= 0) {
        return;
    }
    tally_time(metrics, span, &metrics->tally);
    if (metrics->begun) {
        bl_fragment_advance(metrics->fragment, metrics->now, now);
        bl_tenants_advance(metrics->tenants, span);
        metrics->used_integral += (wide)metrics->used_gpus * span;
        metrics->capacity_integral += (wide)metrics->capacity_gpus * span;
        metrics->cost_integral += (wide)metrics->cost_per_hour * span;
    }
    if (metrics->arriving) {
        metrics->arriving = false;
        metrics->arrival_free = metrics->free_gpus;
        metrics->arrival_capacity = metrics->capacity_gpus;
    }
    metrics->now = now;
}

static void begin(struct bl_metrics *metrics, bl_time at)
{
    if (!metrics->begun) {
        metrics->begun = true;
        metrics->first_submit = at;
        metrics->last_end = at;
    }
}

void bl_metrics_note_submitted(struct bl_metrics *metrics, const struct bl_job *job)
{
    begin(metrics, job->submitted_at);
    metrics->arriving = true;
    metrics->jobs++;
    metrics->tally.count[BL_COUNT_SUBMITTED]++;
    metrics->events++;
    bl_fragment_note_request(metrics->fragment, metrics->now, job);
    bl_tenants_note_submitted(metrics->tenants, job);
}

/* A job pays for its part of a node: of the GPUs, or of the CPUs where there are none. */
static int64_t cost_per_hour(const struct bl_node *node, int64_t price_micros)
{
    enum bl_resource by = node->spec.gpus > 0 ? BL_RESOURCE_GPU : BL_RESOURCE_CPU;
    int64_t all = node->spec.gpus > 0 ? bl_node_sound_count(node) : node->spec.cpu_milli;

    return all > 0 ? (int64_t)((double)price_micros *
                               ((double)(all - node->free.amount[by]) / (double)all))
                   : 0;
}

/* As with fragments: when nodes came, those before them are as they were. */
static void note_node_costs(struct bl_metrics *metrics, const struct bl_cluster *cluster)
{
    size_t first = metrics->costs.count < cluster->node_count ? metrics->costs.count : 0;

    BL_VEC_RESERVE(&metrics->costs, cluster->node_count);
    metrics->costs.count = cluster->node_count;
    metrics->cost_per_hour = first == 0 ? 0 : metrics->cost_per_hour;
    for (size_t i = first; i < cluster->node_count; i++) {
        int64_t price = cluster->node[i].spec.price_micros;
        int64_t cost = cost_per_hour(&cluster->node[i], price);

        metrics->is_priced = metrics->is_priced || price > 0;
        metrics->costs.at[i] = (struct node_cost){price, cost};
        metrics->cost_per_hour += cost;
    }
}

static void note_costs(struct bl_metrics *metrics, const struct bl_cluster *cluster,
                       const struct bl_alloc *changed)
{
    for (uint32_t i = 0; i < changed->part_count; i++) {
        int32_t index = bl_alloc_parts(changed)[i].node;
        struct node_cost *cost = &metrics->costs.at[index];

        metrics->cost_per_hour -= cost->per_hour;
        cost->per_hour = cost_per_hour(&cluster->node[index], cost->price_micros);
        metrics->cost_per_hour += cost->per_hour;
    }
}

void bl_metrics_note_books(struct bl_metrics *metrics, const struct bl_cluster *cluster,
                           const struct bl_alloc *changed)
{
    metrics->free_gpus = cluster->free.amount[BL_RESOURCE_GPU];
    if (!changed || metrics->costs.count != cluster->node_count) {
        metrics->events++;
        metrics->capacity_gpus = cluster->capacity.amount[BL_RESOURCE_GPU];
        bl_tenants_note_capacity(metrics->tenants, &cluster->capacity);
        note_node_costs(metrics, cluster);
    } else if (metrics->is_priced) {
        note_costs(metrics, cluster, changed);
    }
    bl_fragment_note_books(metrics->fragment, cluster, changed);
}

void bl_metrics_note_restored(struct bl_metrics *metrics, const struct bl_job *job)
{
    begin(metrics, job->submitted_at);
    if (!job->array) {
        bl_tenants_note_submitted(metrics->tenants, job);
    }
    if (bl_job_state_is_active(job->state)) {
        metrics->used_gpus += bl_alloc_gpus(&job->alloc);
        bl_tenants_note_started(metrics->tenants, job);
    }
}

void bl_metrics_note_started(struct bl_metrics *metrics, const struct bl_job *job)
{
    int64_t *count = metrics->tally.count;

    metrics->events++;
    count[BL_COUNT_STARTS]++;
    count[BL_COUNT_RESTARTS] += job->attempt > 1;
    count[BL_COUNT_PROMISES] += job->guard.due != 0;
    count[BL_COUNT_PROMISES_BROKEN] += job->guard.due != 0 && job->started_at > job->guard.due;
    if (job->first_started_at == job->started_at) {
        bl_histogram_note(&metrics->tally.waits, &bl_bounds_of_waits,
                          job->started_at - job->submitted_at);
    }
    metrics->used_gpus += bl_alloc_gpus(&job->alloc);
    bl_tenants_note_started(metrics->tenants, job);
}

void bl_metrics_note_put_back(struct bl_metrics *metrics, const struct bl_job *job)
{
    metrics->events++;
    metrics->used_gpus -= bl_alloc_gpus(&job->alloc);
    bl_tenants_note_put_back(metrics->tenants, job);
}

void bl_metrics_note_held(struct bl_metrics *metrics, const struct bl_job *job,
                          const struct bl_resources *change)
{
    metrics->events++;
    metrics->used_gpus += change->amount[BL_RESOURCE_GPU];
    bl_tenants_note_held(metrics->tenants, job, change);
}

void bl_metrics_note_restarted(struct bl_metrics *metrics)
{
    metrics->tally.count[BL_COUNT_RESTARTS]++;
}

void bl_metrics_note_preempted(struct bl_metrics *metrics)
{
    metrics->tally.count[BL_COUNT_PREEMPTIONS]++;
}

double bl_job_slowdown(const struct bl_job *job)
{
    bl_time run = job->ran_before + job->ended_at - job->started_at;
    double slowdown = (double)(job->ended_at - job->submitted_at) /
                      (double)(run > SLOWDOWN_BOUND ? run : SLOWDOWN_BOUND);

    return slowdown > 1 ? slowdown : 1;
}

static void note_ran(struct bl_metrics *metrics, const struct bl_job *job)
{
    bl_time jct = job->ended_at - job->submitted_at;
    bl_time wait = job->first_started_at - job->submitted_at;
    bl_time run = job->ran_before + job->ended_at - job->started_at;
    bl_time alone = bl_job_run_time(&job->spec, job->spec.gpus_want);

    BL_VEC_PUSH(&metrics->ran, (struct sample){jct, wait});
    bl_histogram_note(&metrics->tally.runs, &bl_bounds_of_waits, run);
    metrics->jct_sum += jct;
    metrics->wait_sum += wait;
    metrics->max_wait = wait > metrics->max_wait ? wait : metrics->max_wait;
    metrics->slowdown_sum += llround(bl_job_slowdown(job) * SLOWDOWN_ONE);
    alone = alone > 0 ? alone : run;
    if (alone > 0 && (double)jct > metrics->worst_stretch * (double)alone) {
        metrics->worst_stretch = (double)jct / (double)alone;
    }
}

void bl_metrics_note_ended(struct bl_metrics *metrics, const struct bl_job *job)
{
    metrics->events++;
    metrics->last_end = job->ended_at;
    metrics->used_until_end = metrics->used_integral;
    metrics->capacity_until_end = metrics->capacity_integral;
    metrics->has_ended = true;
    metrics->tally.count[bl_count_of_end(job->state)]++;
    if (job->alloc.part_count > 0) {
        metrics->used_gpus -= bl_alloc_gpus(&job->alloc);
        if (job->reason.code != BL_REASON_START_FAILED) {
            note_ran(metrics, job);
        }
    }
    bl_tenants_note_ended(metrics->tenants, job);
}

void bl_metrics_note_held_idle(struct bl_metrics *metrics, int64_t gpus)
{
    metrics->held_idle_gpus = gpus;
}

void bl_metrics_note_forgotten(struct bl_metrics *metrics, bl_time before)
{
    int64_t *so_far = &metrics->tally.count[BL_COUNT_FORGOTTEN_BEFORE];

    *so_far = before > *so_far ? before : *so_far;
}

void bl_metrics_note_round(struct bl_metrics *metrics)
{
    metrics->tally.count[BL_COUNT_ROUNDS]++;
}

enum { DIGIT_BITS = 11, DIGITS = 6, DIGIT_VALUES = 1 << DIGIT_BITS };

enum measure { JCT, WAIT };

static bl_time value_of(const struct sample *sample, enum measure measure)
{
    return measure == WAIT ? sample->wait : sample->jct;
}

/* Keeps the values whose digit is the one that holds the k-th smallest; k becomes its rank among
 * them. */
static size_t keep_digit(uint64_t *value, size_t count, int shift, size_t *k)
{
    size_t of_digit[DIGIT_VALUES] = {0};
    uint64_t digit = 0;
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        of_digit[value[i] >> shift & (DIGIT_VALUES - 1)]++;
    }
    while (*k >= of_digit[digit]) {
        *k -= of_digit[digit++];
    }
    for (size_t i = 0; i < count; i++) {
        if ((value[i] >> shift & (DIGIT_VALUES - 1)) == digit) {
            value[kept++] = value[i];
        }
    }
    return kept;
}

/* The k-th smallest (from 0), digit by digit from the top: linear for any input. Values are
 * >= 0. */
static bl_time select_kth(const struct bl_metrics *metrics, enum measure measure, size_t k)
{
    size_t count = metrics->ran.count;
    BL_AUTO_FREE uint64_t *value = bl_realloc_array(NULL, count, sizeof *value);
    uint64_t bits = 0;

    for (size_t i = 0; i < count; i++) {
        value[i] = (uint64_t)value_of(&metrics->ran.at[i], measure);
        bits |= value[i];
    }
    for (int digit = DIGITS - 1; digit >= 0; digit--) {
        if (bits >> (digit * DIGIT_BITS) & (DIGIT_VALUES - 1)) {
            count = keep_digit(value, count, digit * DIGIT_BITS, &k);
        }
    }
    return (bl_time)value[0];
}

/* Nearest rank: the smallest value with at least this part of all values at or below it. */
static double percentile_s(const struct bl_metrics *metrics, enum measure measure, int64_t percent)
{
    int64_t rank = ((int64_t)metrics->ran.count * percent + 99) / 100;

    if (metrics->ran.count == 0) {
        return NAN;
    }
    return (double)select_kth(metrics, measure, rank > 0 ? (size_t)rank - 1 : 0) / BL_SECOND;
}

static void put_times(const struct bl_metrics *metrics, struct bl_figures *out)
{
    size_t ran = metrics->ran.count;

    out->avg_jct_s = mean(metrics->jct_sum, ran, BL_SECOND);
    out->p50_jct_s = percentile_s(metrics, JCT, 50);
    out->p99_jct_s = percentile_s(metrics, JCT, 99);
    out->avg_wait_s = mean(metrics->wait_sum, ran, BL_SECOND);
    out->p99_wait_s = percentile_s(metrics, WAIT, 99);
    out->max_wait_s = ran ? (double)metrics->max_wait / BL_SECOND : NAN;
    out->avg_bounded_slowdown = mean(metrics->slowdown_sum, ran, SLOWDOWN_ONE);
    out->makespan_s =
        metrics->has_ended ? (double)(metrics->last_end - metrics->first_submit) / BL_SECOND : NAN;
}

static void put_machine(const struct bl_metrics *metrics, struct bl_figures *out)
{
    int64_t free_gpus = metrics->arriving ? metrics->free_gpus : metrics->arrival_free;
    int64_t capacity = metrics->arriving ? metrics->capacity_gpus : metrics->arrival_capacity;

    out->gpu_utilization =
        ratio(wide_to_double(metrics->used_until_end), wide_to_double(metrics->capacity_until_end));
    out->fragmentation = bl_fragment_mean(metrics->fragment);
    out->unallocated_ratio = ratio((double)free_gpus, (double)capacity);
    out->reservation_idle_gpu_s = (double)metrics->tally.count[BL_COUNT_HELD_IDLE] / BL_SECOND;
    out->gpu_hours = wide_to_double(metrics->used_integral) / BL_HOUR;
    out->cost_micros = (int64_t)(wide_to_double(metrics->cost_integral) / BL_HOUR + 0.5);
}

void bl_metrics_figures(struct bl_metrics *metrics, struct bl_figures *out)
{
    double crowd = ratio((double)metrics->jobs, (double)metrics->capacity_gpus);
    const int64_t *count = metrics->tally.count;

    *out = (struct bl_figures){
        .jobs = count[BL_COUNT_SUBMITTED],
        .done = count[BL_COUNT_COMPLETED],
        .failed = count[BL_COUNT_FAILED] + count[BL_COUNT_TIMEOUT] + count[BL_COUNT_LOST],
        .cancelled = count[BL_COUNT_CANCELLED],
        .restarts = count[BL_COUNT_RESTARTS],
        .promises = count[BL_COUNT_PROMISES],
        .promises_broken = count[BL_COUNT_PROMISES_BROKEN],
        .preemptions = count[BL_COUNT_PREEMPTIONS],
        .rounds = count[BL_COUNT_ROUNDS],
        .events = metrics->events,
    };
    put_times(metrics, out);
    put_machine(metrics, out);
    out->throughput_jobs_h = ratio((double)count[BL_COUNT_COMPLETED] * 3600, out->makespan_s);
    out->fairness_drf_min_max = bl_tenants_min_max(metrics->tenants);
    out->fairness_jain = bl_tenants_jain(metrics->tenants);
    out->worst_ftf_rho =
        metrics->worst_stretch > 0 ? metrics->worst_stretch / (crowd > 1 ? crowd : 1) : NAN;
}

void bl_metrics_tally(const struct bl_metrics *metrics, bl_time at, struct bl_tally *out)
{
    bl_time span = at - metrics->now;

    *out = metrics->tally;
    tally_time(metrics, span > 0 ? span : 0, out);
}

void bl_metrics_take(struct bl_metrics *metrics, const struct bl_kept *kept)
{
    bl_tally_take(&metrics->tally, kept);
}

double bl_metrics_fragmentation(struct bl_metrics *metrics)
{
    return bl_fragment_ratio(metrics->fragment);
}
