#include "core/ahead_parts.h"

struct listing {
    const struct bl_ahead_problem *problem;
    uint32_t mask;
    bool is_first;
    bool is_free; /* starting costs nothing */
    int32_t room[BL_AHEAD_NODES_MAX];
    struct bl_ahead_plan plan;
    struct bl_ahead_plans *out;
    int64_t work, budget;
};

static const struct bl_ahead_config *config_of(const struct listing *listing,
                                               const struct bl_ahead_plan *plan, int32_t job)
{
    return plan->config[job] < 0 ? NULL : &listing->problem->job[job].config[plan->config[job]];
}

static double speed_of(const struct listing *listing, const struct bl_ahead_plan *plan, int32_t job)
{
    const struct bl_ahead_config *config = config_of(listing, plan, job);

    return config ? config->speed : 0;
}

static bool is_bound(const struct listing *listing, int32_t job)
{
    const struct bl_ahead_job *of = &listing->problem->job[job];

    return of->current >= 0 &&
           (of->hold == BL_AHEAD_TO_THE_END || (of->hold == BL_AHEAD_FIRST && listing->is_first));
}

/* Whether the job could be faster with what nobody has. */
static bool could_have_more(const struct listing *listing, int32_t job)
{
    const struct bl_ahead_job *of = &listing->problem->job[job];
    const struct bl_ahead_config *now = config_of(listing, &listing->plan, job);
    double speed = now ? now->speed : 0;

    for (int32_t c = 0; c < of->config_count && !is_bound(listing, job); c++) {
        const struct bl_ahead_config *other = &of->config[c];
        int32_t room =
            listing->room[other->node] + (now && now->node == other->node ? now->gpus : 0);

        if (other->speed > speed && other->gpus <= room) {
            return true;
        }
    }
    return false;
}

static int8_t count_changes(const struct listing *listing)
{
    int8_t changes = 0;

    for (int32_t j = 0; j < listing->problem->jobs; j++) {
        changes = (int8_t)(changes + ((listing->mask >> j & 1) != 0 &&
                                      listing->plan.config[j] != listing->problem->job[j].current));
    }
    return changes;
}

/* Whether `a` is for every job as good as `b`. */
static bool is_as_good(const struct listing *listing, const struct bl_ahead_plan *a,
                       const struct bl_ahead_plan *b)
{
    for (int32_t j = 0; j < listing->problem->jobs; j++) {
        if ((listing->mask >> j & 1) && speed_of(listing, a, j) < speed_of(listing, b, j)) {
            return false;
        }
    }
    return true;
}

/* Where starts are free: in, unless another plan is as good; then those that it beats go. */
static void add_if_best(struct listing *listing)
{
    struct bl_ahead_plans *out = listing->out;
    struct bl_ahead_plan *plan = &listing->plan;
    size_t kept = 0;

    for (size_t i = 0; i < out->list.count; i++) {
        struct bl_ahead_plan *other = &out->list.at[i];

        if (is_as_good(listing, other, plan)) {
            if (plan->changes < other->changes && is_as_good(listing, plan, other)) {
                *other = *plan;
            }
            return;
        }
    }
    for (size_t i = 0; i < out->list.count; i++) {
        if (!is_as_good(listing, plan, &out->list.at[i])) {
            out->list.at[kept++] = out->list.at[i];
        }
    }
    listing->work += (int64_t)out->list.count / 4;
    out->list.count = kept;
    BL_VEC_PUSH(&out->list, *plan);
}

static void add_plan(struct listing *listing)
{
    bool is_current;

    listing->plan.changes = count_changes(listing);
    is_current = listing->plan.changes == 0 && !listing->is_free;
    for (int32_t j = 0; j < listing->problem->jobs && !is_current; j++) {
        if ((listing->mask >> j & 1) && could_have_more(listing, j)) {
            return;
        }
    }
    if (listing->is_free) {
        add_if_best(listing);
    } else {
        BL_VEC_PUSH(&listing->out->list, listing->plan);
    }
}

/* All plans for the jobs from this one on; as deep as there are jobs. */
static void choose(struct listing *listing, int32_t job)
{
    const struct bl_ahead_job *of = &listing->problem->job[job];

    if (listing->work++ > listing->budget) {
        return;
    }
    if (job == listing->problem->jobs) {
        add_plan(listing);
        return;
    }
    for (int32_t c = 0; c < of->config_count && (listing->mask >> job & 1); c++) {
        const struct bl_ahead_config *config = &of->config[c];

        if (config->gpus <= listing->room[config->node] &&
            (!is_bound(listing, job) || c == of->current)) {
            listing->room[config->node] -= config->gpus;
            listing->plan.config[job] = (int8_t)c;
            choose(listing, job + 1);
            listing->room[config->node] += config->gpus;
        }
    }
    listing->plan.config[job] = BL_AHEAD_NONE;
    if (!(listing->mask >> job & 1) || !is_bound(listing, job)) {
        choose(listing, job + 1);
    }
}

bool bl_ahead_list(const struct bl_ahead_scope *scope, int64_t budget, int64_t *work,
                   struct bl_ahead_plans *out)
{
    const struct bl_ahead_problem *problem = scope->problem;
    struct listing listing = {.problem = problem,
                              .mask = scope->mask,
                              .is_first = scope->is_first,
                              .is_free = true,
                              .out = out,
                              .work = *work,
                              .budget = budget};

    for (int32_t n = 0; n < problem->nodes; n++) {
        listing.room[n] = problem->room[n];
    }
    for (int32_t j = 0; j < problem->jobs; j++) {
        listing.is_free = listing.is_free && problem->job[j].restart_s <= 0;
    }
    choose(&listing, 0);
    *work = listing.work;
    out->is_made = true;
    return listing.work <= budget;
}
