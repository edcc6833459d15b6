#include "core/instead_list.h"

#include "base/sort.h"
#include "core/hold.h"
#include "core/place.h"

enum {
    COUNTS_MAX = 12, /* numbers of GPUs that are tried; of more they are spread evenly */
    TYPES_MAX = 6,
    BOOKINGS_MAX = 3,
    LIMITS_MAX = BOOKINGS_MAX + 2
};

#define LIMIT_LEAST (10 * BL_SECOND)
/* Between the question and the change passes some time: a limit to fit before an instant leaves it.
 */
#define LEAVE (2 * BL_MINUTE)

struct lister {
    const struct bl_core *core;
    const struct bl_job *job;
    bl_time now;
    struct bl_candidates *out;
};

static void add(struct lister *lister, const struct bl_candidate *candidate)
{
    struct bl_job_spec changed = bl_job_changed_shape(&lister->job->spec, &candidate->change);

    if (lister->out->count < BL_CANDIDATES_MAX &&
        bl_place_check(bl_core_cluster(lister->core), &changed).kind == BL_MISFIT_NONE) {
        lister->out->at[lister->out->count++] = *candidate;
    }
}

/* A job that was spread over some nodes may be spread over more; one that was on one node may not:
 * it would have to know how. */
static void add_nodes(struct lister *lister)
{
    struct bl_candidate candidate = {.kind = BL_CANDIDATE_NODES, .change.set_nodes = true};

    if (lister->job->spec.nodes_max > 1) {
        add(lister, &candidate);
    }
}

static void add_types(struct lister *lister)
{
    const struct bl_cluster *cluster = bl_core_cluster(lister->core);
    uint64_t mask = lister->job->type_mask;
    size_t before = lister->out->count;

    for (size_t type = 0; mask != 0 && type < cluster->type_count; type++) {
        struct bl_candidate candidate = {.kind = BL_CANDIDATE_TYPE,
                                         .change = {.set_gpu_types = true,
                                                    .gpu_type = {cluster->type_name[type]},
                                                    .gpu_type_count = 1}};

        if (!(mask >> type & 1) && lister->out->count - before < TYPES_MAX) {
            add(lister, &candidate);
        }
    }
}

/* --- limits ---------------------------------------------------------------------------------- */

struct limits {
    struct {
        bl_time limit;
        int64_t before;
    } at[LIMITS_MAX];
    size_t count;
};

/* Down to what one would write. */
static bl_time round_limit(bl_time span)
{
    static const bl_time steps[][2] = {
        {8 * BL_HOUR, BL_HOUR},     {2 * BL_HOUR, 15 * BL_MINUTE}, {30 * BL_MINUTE, 5 * BL_MINUTE},
        {4 * BL_MINUTE, BL_MINUTE}, {BL_MINUTE, 10 * BL_SECOND},   {0, BL_SECOND}};
    size_t i = 0;

    while (span < steps[i][0]) {
        i++;
    }
    return span / steps[i][1] * steps[i][1];
}

/* No limit under which the job would be cut off more often than not. */
static bl_time least_limit(const struct bl_job *job)
{
    const struct bl_dist *dist = &job->foresight.dist;
    bl_time least = bl_dist_is_known(dist) ? bl_dist_quantile(dist, .5) : job->spec.limit / 10;

    least = least > job->spec.warning.lead ? least : job->spec.warning.lead + 1;
    return least > LIMIT_LEAST ? least : LIMIT_LEAST;
}

static void note_limit(const struct lister *lister, struct limits *limits, bl_time span,
                       int64_t before)
{
    const struct bl_job *job = lister->job;
    bl_time limit = round_limit(span > 0 ? span : 0);

    if (limit < least_limit(job) || (job->spec.limit > 0 && limit >= job->spec.limit)) {
        return;
    }
    for (size_t i = 0; i < limits->count; i++) {
        if (limits->at[i].limit == limit) {
            return;
        }
    }
    limits->at[limits->count].limit = limit;
    limits->at[limits->count++].before = before;
}

static bl_time until(const struct lister *lister, bl_time at)
{
    bl_time span = at > lister->now ? at - lister->now : 0;

    return span - (span / 4 < LEAVE ? span / 4 : LEAVE);
}

/* What is held ahead, in order of time. */
static void note_holds(const struct lister *lister, struct limits *limits)
{
    const struct bl_cluster *cluster = bl_core_cluster(lister->core);
    bl_time from = lister->now + 1;

    for (int i = 0; cluster->holds && i < BOOKINGS_MAX; i++) {
        const struct bl_hold *hold = bl_hold_in_the_way(cluster, lister->job, from);

        if (!hold) {
            return;
        }
        note_limit(lister, limits, until(lister, hold->start), hold->booking);
        from = hold->start + 1;
    }
}

/* A job in the way that is sure to start, or nodes that are to be drained. */
static void note_reason(const struct lister *lister, struct limits *limits)
{
    struct bl_reason reason;

    bl_core_explain(lister->core, lister->job, &reason);
    if ((reason.code == BL_REASON_BACKFILL || reason.code == BL_REASON_DRAIN) &&
        reason.at != BL_TIME_NEVER) {
        note_limit(lister, limits, until(lister, reason.at), 0);
    }
}

/* What nine of ten such jobs took, and a fifth more: gaps in the plan are found by the limit. */
static void note_foreseen(const struct lister *lister, struct limits *limits)
{
    const struct bl_dist *dist = &lister->job->foresight.dist;

    if (bl_dist_is_known(dist)) {
        bl_time long_run = bl_dist_quantile(dist, .9);

        note_limit(lister, limits, long_run + long_run / 5 + BL_MINUTE, 0);
    }
}

static int compare_limits(const void *left, const void *right)
{
    bl_time a = *(const bl_time *)left;
    bl_time b = *(const bl_time *)right;

    return (a < b) - (a > b);
}

static void add_limits(struct lister *lister)
{
    struct limits limits = {.count = 0};

    note_holds(lister, &limits);
    note_reason(lister, &limits);
    note_foreseen(lister, &limits);
    bl_sort(limits.at, limits.count, sizeof limits.at[0], compare_limits);
    for (size_t i = 0; i < limits.count; i++) {
        struct bl_candidate candidate = {.kind = BL_CANDIDATE_LIMIT,
                                         .change = {.set_limit = true, .limit = limits.at[i].limit},
                                         .before = limits.at[i].before};

        add(lister, &candidate);
    }
}

/* --- numbers of GPUs ------------------------------------------------------------------------- */

/* What a job lists or ranges over is legal for it; one that names a number may name a smaller one.
 */
static bool is_legal(const struct bl_job *job, int32_t gpus)
{
    return job->spec.gpus_min == job->spec.gpus_max || bl_job_is_legal_count(&job->spec, gpus);
}

static void add_count(struct lister *lister, int32_t gpus)
{
    struct bl_candidate candidate = {
        .kind = BL_CANDIDATE_GPUS,
        .change = {.set_gpus = true, .gpus_min = gpus, .gpus_want = gpus, .gpus_max = gpus}};

    if (is_legal(lister->job, gpus)) {
        add(lister, &candidate);
    }
}

/* From one less than it wants down to the least. */
static void add_counts(struct lister *lister)
{
    const struct bl_job *job = lister->job;
    int32_t wanted = bl_job_gpus_wanted(job);
    int32_t least = job->spec.gpus_min < job->spec.gpus_max ? job->spec.gpus_min : 1;
    int32_t span = wanted - least;
    int32_t last = wanted;

    for (int32_t i = 1; i <= COUNTS_MAX && span > 0; i++) {
        int32_t gpus =
            span <= COUNTS_MAX ? wanted - i : wanted - (int32_t)((int64_t)span * i / COUNTS_MAX);

        if (gpus < last && gpus >= least) {
            add_count(lister, gpus);
            last = gpus;
        }
    }
}

/* --- class ----------------------------------------------------------------------------------- */

/* Only one that saves its work when it is told loses nothing by giving way. */
static void add_class(struct lister *lister)
{
    const struct bl_job_spec *spec = &lister->job->spec;
    struct bl_candidate candidate = {
        .kind = BL_CANDIDATE_CLASS,
        .change = {.set_class = true, .job_class = BL_CLASS_PREEMPTIBLE}};

    if (spec->warning.signal != 0 && spec->reservation == 0 && !bl_job_gives_way(spec)) {
        add(lister, &candidate);
    }
}

void bl_candidates_list(const struct bl_core *core, const struct bl_job *job, bl_time at,
                        struct bl_candidates *out)
{
    bl_time now = bl_core_now(core);
    struct lister lister = {core, job, at > now ? at : now, out};

    out->count = 0;
    add_nodes(&lister);
    add_types(&lister);
    add_limits(&lister);
    add_counts(&lister);
    add_class(&lister);
}
