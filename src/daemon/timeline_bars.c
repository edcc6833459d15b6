/* What a bar is beside others: whether it is in a window, over, or another than before. */
#include "daemon/timeline.h"

#include <assert.h>
#include <string.h>

bool bl_ids_have(const int64_t *ids, size_t count, int64_t id)
{
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (ids[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && ids[low] == id;
}

bool bl_bar_is_in(const struct bl_bar *bar, const struct bl_window *window)
{
    return bar->start < window->to && bar->end > window->from;
}

bool bl_bar_waits(const struct bl_bar *bar)
{
    return bar->kind == BL_BAR_JOB && !bar->attempt && !bl_job_state_is_active(bar->job->state) &&
           !bl_job_state_is_ended(bar->job->state);
}

bool bl_bar_is_over(const struct bl_bar *bar)
{
    if (bar->booking) {
        return !bl_occurrence_is_live(bar->occurrence);
    }
    return bar->kind == BL_BAR_JOB && (bar->attempt || bl_job_state_is_ended(bar->job->state));
}

int32_t bl_bar_attempt(const struct bl_bar *bar)
{
    if (bar->attempt) {
        return bar->attempt->number;
    }
    return bar->kind == BL_BAR_JOB && !bl_bar_waits(bar) ? bar->job->attempt : 0;
}

/* --- windows --------------------------------------------------------------------------------- */

static void keep_seen(struct bl_timeline *timeline, const struct bl_window *window)
{
    size_t kept = 0;

    for (size_t i = 0; i < timeline->bar_count; i++) {
        if (bl_bar_is_in(&timeline->bar[i], window)) {
            timeline->bar[kept++] = timeline->bar[i];
        }
    }
    timeline->bar_count = kept;
}

static bool is_past_job(const struct bl_bar *bar)
{
    return bar->kind == BL_BAR_JOB && bl_bar_is_over(bar);
}

void bl_timeline_narrow(struct bl_timeline *timeline, const struct bl_window *window)
{
    size_t over;
    size_t kept = 0;

    keep_seen(timeline, window);
    over =
        timeline->bar_count > BL_TIMELINE_BARS_MAX ? timeline->bar_count - BL_TIMELINE_BARS_MAX : 0;
    timeline->left_out = over;
    for (size_t i = 0; i < timeline->bar_count && kept < BL_TIMELINE_BARS_MAX; i++) {
        if (over > 0 && is_past_job(&timeline->bar[i])) {
            over--;
        } else {
            timeline->bar[kept++] = timeline->bar[i];
        }
    }
    timeline->bar_count = kept;
}

/* --- telling bars apart ---------------------------------------------------------------------- */

enum { KIND_BITS = 2, NUMBER_BITS = 21 };

static_assert(BL_BAR_CLEARING < 1 << KIND_BITS, "kinds fit their bits");
static_assert(BL_OCCURRENCE_NUMBER_MAX < 1 << NUMBER_BITS, "numbers fit their bits");

static int64_t rank_of(const struct bl_bar *bar)
{
    if (bar->booking) {
        return bar->booking->spec.id;
    }
    return bar->kind == BL_BAR_JOB ? bar->job->id : bar->node + (int64_t)BL_NODES_MAX * bar->gpu;
}

/* Among bars of one rank. The few attempts that are kept follow one another: they differ also where
 * their numbers do not fit. 0 is the present one. */
static int64_t number_of(const struct bl_bar *bar)
{
    if (bar->booking) {
        return bar->occurrence->number;
    }
    return bar->attempt ? bar->attempt->number % ((1 << NUMBER_BITS) - 1) + 1 : 0;
}

int64_t bl_bar_key(const struct bl_bar *bar)
{
    int64_t rank = rank_of(bar);

    if (bar->booking || bar->kind == BL_BAR_JOB) {
        rank = rank * (1 << NUMBER_BITS) + number_of(bar);
    }
    return rank * (1 << KIND_BITS) + (int64_t)bar->kind;
}

/* FNV-1a. */
static void mix(uint64_t *hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < length; i++) {
        *hash = (*hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
}

static void mix_int(uint64_t *hash, int64_t value)
{
    mix(hash, &value, sizeof value);
}

static void mix_text(uint64_t *hash, const char *text)
{
    mix_int(hash, text != NULL);
    if (text) {
        mix(hash, text, strlen(text) + 1);
    }
}

static bool start_drifts(const struct bl_bar *bar, bl_time now)
{
    return bar->start <= now && (bar->kind == BL_BAR_CLEARING || bl_bar_waits(bar));
}

static bool end_drifts(const struct bl_bar *bar, bl_time now)
{
    return bar->end <= now + 1 && !bl_bar_is_over(bar);
}

bool bl_bar_drifts(const struct bl_bar *bar, bl_time now)
{
    return start_drifts(bar, now) || end_drifts(bar, now);
}

static void mix_what(uint64_t *hash, const struct bl_bar *bar)
{
    if (bar->booking) {
        mix_int(hash, bar->occurrence->state);
        mix_int(hash, bar->booking->occurrence_count > 1 || bar->booking->spec.rule);
        mix_text(hash, bar->booking->spec.name);
        mix_text(hash, bar->booking->spec.user);
        mix_text(hash, bar->booking->spec.project);
    } else if (bar->kind == BL_BAR_JOB) {
        mix_int(hash, bar->attempt ? (int64_t)bl_attempt_outcome(bar->attempt)
                                   : (int64_t)bar->job->state);
        mix_int(hash, bl_bar_attempt(bar));
        mix_int(hash, bar->job->spec.job_class);
        mix_int(hash, bar->job->spec.kind);
        mix_text(hash, bar->job->spec.name);
        mix_text(hash, bar->job->spec.project);
    }
}

uint64_t bl_bar_hash(const struct bl_bar *bar, bl_time now)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    mix_int(&hash, start_drifts(bar, now) ? 0 : bar->start);
    mix_int(&hash, end_drifts(bar, now) ? 0 : bar->end);
    mix_int(&hash, bar->end_p90 <= now + 1 && !bl_bar_is_over(bar) ? 0 : bar->end_p90);
    mix_int(&hash, bar->gpus);
    mix_int(&hash, bar->node_state);
    mix_what(&hash, bar);
    for (size_t i = 0; i < bar->lane_count; i++) {
        mix_int(&hash, bar->lane[i]);
    }
    return hash;
}
