#include "core/hesrpt.h"

#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

enum { PRIORITY_DOUBLES = 4, PRIORITY_MOST = 20 };

/* Exponents below the mean elasticity served mixed loads best. A change must pay for itself within
 * HORIZON_ENDS times as long as until somebody is expected to end, HORIZON_STARTS starts, or
 * HORIZON_S. */
static const double elasticity_off = 0.2;
static const double horizon_s = 300;
static const double horizon_ends = 2;
static const double horizon_starts = 6;
static const double other_type_starts = 2;
static const double least_factor = 0.02;
static const double most_factor = 0.98;

struct rated {
    double size; /* left work in units of what an equal share does */
    double unit;
    double weight;
    size_t member;
};

struct rating {
    const struct bl_crew *crew;
    double scale[BL_CREW_BUCKETS_MAX]; /* a GPU of the bucket in GPUs of the slowest type */
    double share;                      /* GPUs of the slowest type that each would get */
    double lasts_s;                    /* how long what is decided now is expected to last */
    struct rated *job;
    double power;
};

/* Geometric means over the jobs of how much faster each bucket is than the job's slowest; 0 where
 * nobody may go. */
static void compare_buckets(struct rating *rating)
{
    const struct bl_crew *crew = rating->crew;
    double sum[BL_CREW_BUCKETS_MAX] = {0};
    double count[BL_CREW_BUCKETS_MAX] = {0};

    for (size_t i = 0; i < crew->count; i++) {
        const struct bl_crew_member *member = &crew->member[i];
        const struct bl_crew_option *option = &crew->option[member->first];
        double slowest = HUGE_VAL;

        for (size_t k = 0; k < member->count; k++) {
            slowest = option[k].gpus == option[0].gpus ? fmin(slowest, option[k].speed) : slowest;
        }
        for (size_t k = 0; k < member->count; k++) {
            if (option[k].gpus == option[0].gpus) {
                sum[option[k].bucket] += log(option[k].speed / slowest);
                count[option[k].bucket]++;
            }
        }
    }
    for (int32_t b = 0; b < crew->bucket_count; b++) {
        rating->scale[b] = count[b] > 0 ? exp(sum[b] / count[b]) : 0;
    }
}

static double gpus_of(const struct rating *rating, const struct bl_crew_option *option)
{
    return option->gpus * rating->scale[option->bucket];
}

/* The fastest option within an equal share; the smallest when none is. */
static const struct bl_crew_option *fair_option(const struct rating *rating,
                                                const struct bl_crew_member *member)
{
    const struct bl_crew_option *option = &rating->crew->option[member->first];
    const struct bl_crew_option *chosen = NULL;
    const struct bl_crew_option *smallest = option;

    for (size_t k = 0; k < member->count; k++) {
        double gpus = gpus_of(rating, &option[k]);

        if (gpus <= 1.01 * rating->share && (!chosen || option[k].speed > chosen->speed)) {
            chosen = &option[k];
        }
        smallest = gpus < gpus_of(rating, smallest) ? &option[k] : smallest;
    }
    return chosen ? chosen : smallest;
}

/* Of the options of its bucket within a factor of two, the one furthest to this side: learnt speeds
 * waver from one count to the next. */
static const struct bl_crew_option *neighbour(const struct rating *rating,
                                              const struct bl_crew_member *member,
                                              const struct bl_crew_option *at, int side)
{
    const struct bl_crew_option *all = rating->crew->option;
    ptrdiff_t end =
        side > 0 ? (ptrdiff_t)(member->first + member->count) : (ptrdiff_t)member->first - 1;
    ptrdiff_t next = at - all + side;

    while (next != end && all[next].bucket == at->bucket &&
           (all + (next - side) == at ||
            (all[next].gpus <= 2 * at->gpus && 2 * all[next].gpus >= at->gpus))) {
        next += side;
    }
    return all + (next - side);
}

/* How the speed follows the GPUs near this option: d log speed / d log GPUs, in [0, 1]; -1 where
 * there is only one count. */
static double elasticity(const struct rating *rating, const struct bl_crew_member *member,
                         const struct bl_crew_option *at)
{
    const struct bl_crew_option *low = neighbour(rating, member, at, -1);
    const struct bl_crew_option *high = neighbour(rating, member, at, 1);

    if (gpus_of(rating, at) > 1.01 * rating->share) {
        return 1;
    }
    if (low->gpus == high->gpus) {
        return -1;
    }
    return fmin(
        1, fmax(0, log(high->speed / low->speed) / log((double)high->gpus / (double)low->gpus)));
}

/* The exponent: how the speeds of those that could have more or less follow their GPUs. */
static double find_power(const struct rating *rating)
{
    const struct bl_crew *crew = rating->crew;
    double sum = 0;
    double count = 0;

    for (size_t i = 0; i < crew->count; i++) {
        const struct bl_crew_member *member = &crew->member[i];
        double found =
            member->count > 0 ? elasticity(rating, member, fair_option(rating, member)) : -1;

        sum += found >= 0 ? found : 0;
        count += found >= 0;
    }
    return count > 0 ? fmin(0.95, fmax(0.1, sum / count - elasticity_off)) : 0.5;
}

static size_t rate_jobs(struct rating *rating)
{
    const struct bl_crew *crew = rating->crew;
    size_t count = 0;

    for (size_t i = 0; i < crew->count; i++) {
        const struct bl_crew_member *member = &crew->member[i];

        if (member->count > 0) {
            const struct bl_crew_option *fair = fair_option(rating, member);
            double unit = fair->speed / pow(gpus_of(rating, fair), rating->power);

            rating->job[count++] =
                (struct rated){.member = i, .unit = unit, .size = member->left_s / unit};
        }
    }
    return count;
}

static int compare_rated(const void *left, const void *right)
{
    const struct rated *a = left;
    const struct rated *b = right;

    if (a->size > b->size || a->size < b->size) {
        return a->size > b->size ? -1 : 1;
    }
    return a->member < b->member ? -1 : a->member > b->member;
}

/* What people and waiting add: interactive jobs count four times, every PRIORITY_DOUBLES points of
 * priority double a job's weight. */
static double importance(const struct bl_crew_member *member, double patience_s)
{
    double priority = fmax(-PRIORITY_MOST, fmin(PRIORITY_MOST, member->job->spec.priority));
    double age = patience_s > 0 ? member->waited_s / patience_s : 0;

    return exp2(priority / PRIORITY_DOUBLES) * (1 + age) *
           (member->job->spec.job_class == BL_CLASS_INTERACTIVE ? 4 : 1);
}

/* Until somebody ends, if all ended independently at the pace of an equal share. */
static double next_end_s(const struct rating *rating, size_t count)
{
    double pace = pow(rating->share, rating->power);
    double ends = 0;

    for (size_t i = 0; i < count; i++) {
        ends += 1 / fmax(rating->job[i].size / pace, 1);
    }
    return ends > 0 ? 1 / ends : 0;
}

/* The largest job first. */
static void weigh(struct rating *rating, size_t count, double patience_s)
{
    double q = 1 / (1 - rating->power);

    bl_sort(rating->job, count, sizeof *rating->job, compare_rated);
    for (size_t i = 0; i < count; i++) {
        double high = pow((double)(i + 1) / (double)count, q);
        double low = pow((double)i / (double)count, q);

        rating->job[i].weight =
            pow(high - low, 1 - rating->power) / rating->job[i].unit *
            importance(&rating->crew->member[rating->job[i].member], patience_s);
    }
}

/* The part of its life that a job has not spent restarting, after one restart more: who was changed
 * often is left alone for a while (Jayaram Subramanya et al., "Sia", SOSP'23). */
static double useful_share(const struct bl_crew_member *member)
{
    double cost_s = member->restart_s;

    return member->age_s < cost_s || cost_s <= 0
               ? 1
               : fmax(0, member->age_s - member->job->restarts * cost_s) / (member->age_s + cost_s);
}

/* On another type a job has to learn anew which batch is best there, and warms up anew. */
static double cost_of_change(const struct rating *rating, const struct bl_crew_member *member,
                             const struct bl_crew_option *option)
{
    const struct bl_bucket *bucket = rating->crew->bucket;
    bool is_same_type = member->bucket != BL_CREW_NONE &&
                        bucket[option->bucket].type == bucket[member->bucket].type;

    return member->restart_s * (is_same_type ? 1 : other_type_starts);
}

/* What is left of an option's worth when the job must be changed for it. Even a change that costs
 * nothing must bring something. */
static double change_factor(const struct rating *rating, const struct bl_crew_member *member,
                            const struct bl_crew_option *option)
{
    double cost_s = cost_of_change(rating, member, option);
    double rest_s = member->left_s / option->speed + cost_s;
    double horizon = fmin(fmax(rating->lasts_s, horizon_starts * cost_s), rest_s);

    if (!member->is_running || (option->bucket == member->bucket && option->gpus == member->gpus)) {
        return 1;
    }
    return fmax(least_factor, fmin(most_factor, fmin(1 - cost_s / horizon, useful_share(member))));
}

/* The speed, but beyond an equal share no more than the model has it: a job that is faster on many
 * GPUs than others would be must not keep those from them. */
static double modest_speed(const struct rating *rating, const struct rated *job,
                           const struct bl_crew_option *option)
{
    double gpus = gpus_of(rating, option);

    return gpus > rating->share ? fmin(option->speed, job->unit * pow(gpus, rating->power))
                                : option->speed;
}

void bl_hesrpt(const struct bl_crew *crew, double patience_s, double *value)
{
    struct rating rating = {.crew = crew};
    size_t count;
    double gpus = 0;

    rating.job = bl_arena_alloc(crew->view->scratch, (crew->count + 1) * sizeof *rating.job);
    compare_buckets(&rating);
    for (int32_t b = 0; b < crew->bucket_count; b++) {
        gpus += rating.scale[b] * (double)crew->bucket[b].room;
    }
    rating.share = crew->count > 0 ? gpus / (double)crew->count : 0;
    rating.power = find_power(&rating);
    count = rate_jobs(&rating);
    rating.lasts_s = fmax(horizon_s, horizon_ends * next_end_s(&rating, count));
    weigh(&rating, count, patience_s);
    for (size_t i = 0; i < count; i++) {
        const struct bl_crew_member *member = &crew->member[rating.job[i].member];

        for (size_t k = member->first; k < member->first + member->count; k++) {
            value[k] = rating.job[i].weight *
                       modest_speed(&rating, &rating.job[i], &crew->option[k]) *
                       change_factor(&rating, member, &crew->option[k]);
        }
    }
}
