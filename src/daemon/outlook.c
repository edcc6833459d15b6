#include "daemon/outlook.h"

#include "base/own.h"
#include "os/clock.h"

/* Of all time, one part goes into forecasts; into those for jobs that came since the last, more:
 * who has just submitted one wants to know. */
enum { SHARE = 20, SHARE_NEW = 5 };

#define STALE_AFTER_CHANGE (500 * BL_MILLISECOND)
#define STALE              BL_SECOND /* the present moves on even where nothing happens */

struct bl_outlook {
    struct bl_arena arena;
    struct bl_forecast forecast;
    int64_t seq;     /* -1 before the first */
    bl_time made_at; /* on the monotonic clock, as is what it took */
    bl_time took;
    bl_time made_on; /* in the core's time */
};

struct bl_outlook *bl_outlook_create(void)
{
    struct bl_outlook *outlook = bl_alloc_zero(sizeof *outlook);

    outlook->seq = -1;
    return outlook;
}

void bl_outlook_destroy(struct bl_outlook *outlook)
{
    if (outlook) {
        bl_arena_finish(&outlook->arena);
        free(outlook);
    }
}

static bool is_good(const struct bl_outlook *outlook, int64_t seq, bl_time now, bl_job_id job)
{
    bool is_new = outlook->seq != seq && !bl_forecast_find(&outlook->forecast, job);
    bl_time age = now - outlook->made_at;
    bl_time pause = outlook->took * (is_new ? SHARE_NEW : SHARE);

    if (outlook->seq == seq) {
        return age < STALE;
    }
    return outlook->seq >= 0 && age < (pause < STALE_AFTER_CHANGE ? pause : STALE_AFTER_CHANGE);
}

const struct bl_forecast_row *
bl_outlook_find(struct bl_outlook *outlook, const struct bl_core *core, int64_t seq, bl_job_id job)
{
    bl_time now = bl_clock_monotonic();

    if (!is_good(outlook, seq, now, job)) {
        bl_arena_reset(&outlook->arena);
        outlook->forecast = bl_forecast_make(core, &outlook->arena);
        outlook->seq = seq;
        outlook->made_on = bl_core_now(core);
        outlook->made_at = bl_clock_monotonic();
        outlook->took = outlook->made_at - now;
    }
    return bl_forecast_find(&outlook->forecast, job);
}

const struct bl_forecast_row *bl_outlook_last(const struct bl_outlook *outlook, bl_job_id job,
                                              bl_time *made_on)
{
    *made_on = outlook->made_on;
    return outlook->seq >= 0 ? bl_forecast_find(&outlook->forecast, job) : NULL;
}
