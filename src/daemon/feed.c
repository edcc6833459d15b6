#include "daemon/feed.h"

#include "base/own.h"
#include "calendar/ical.h"
#include "daemon/booking_series.h"
#include "daemon/timeline.h"

#include <string.h>

#define REFRESH (15 * BL_MINUTE)

/* iCalendar numbers changes with 31 bits. */
#define SEQUENCE_MASK INT64_C(0x7FFFFFFF)

struct feed {
    const struct bl_ledger *ledger;
    const struct bl_cluster *cluster;
    const struct bl_feed_wish *wish;
    struct bl_arena arena;
    BL_VEC(struct bl_tz *) zones;
    BL_VEC(struct bl_ical_event) events;
};

/* --- texts ----------------------------------------------------------------------------------- */

static const char *keep(struct feed *feed, const struct bl_buf *text)
{
    return bl_arena_copy_text(&feed->arena, bl_buf_text(text));
}

/* "n1:0,1,2", "n2": where it is. */
static const char *place(struct feed *feed, const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);
    BL_AUTO_BUF text = {0};

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        char between = ':';

        bl_buf_printf(&text, "%s%s", i ? " " : "", feed->cluster->node[part[i].node].spec.name);
        for (int gpu = 0; gpu < BL_NODE_NAMED_GPUS_MAX; gpu++) {
            if ((part[i].gpu_mask >> gpu) & 1) {
                bl_buf_printf(&text, "%c%d", between, gpu);
                between = ',';
            }
        }
    }
    return keep(feed, &text);
}

static const char *summary(struct feed *feed, const char *ref, const char *name, int32_t gpus)
{
    BL_AUTO_BUF text = {0};

    bl_buf_printf(&text, "%s%s%s (%d GPU%s)", ref, name ? " " : "", name ? name : "", gpus,
                  gpus == 1 ? "" : "s");
    return keep(feed, &text);
}

/* "state: user, project" */
static const char *description(struct feed *feed, const char *state, const char *user,
                               const char *project)
{
    BL_AUTO_BUF text = {0};

    bl_buf_printf(&text, "%s: %s%s%s", state, user ? user : "", project ? ", " : "",
                  project ? project : "");
    return keep(feed, &text);
}

static const char *uid(struct feed *feed, const char *ref)
{
    BL_AUTO_BUF text = {0};

    bl_buf_printf(&text, "%s@%s", ref, feed->wish->site);
    return keep(feed, &text);
}

static const char *const job_category[] = {"job"};
static const char *const booking_category[] = {"reservation"};

static void add(struct feed *feed, struct bl_ical_event event)
{
    if (feed->events.count < BL_FEED_EVENTS_MAX) {
        BL_VEC_PUSH(&feed->events, event);
    }
}

/* --- bookings -------------------------------------------------------------------------------- */

/* What all events of a booking share. `ref` is "r17", or "r17.3" of one of a series. */
static struct bl_ical_event event_of(struct feed *feed, const struct bl_booking *booking,
                                     const struct bl_occurrence *shown, const char *ref)
{
    const struct bl_booking_spec *spec = &booking->spec;

    return (struct bl_ical_event){
        .uid = uid(feed, ref),
        .sequence = booking->revision,
        .stamp = booking->made_at,
        .start = shown->start,
        .end = shown->end,
        .summary = summary(feed, ref, spec->name, bl_alloc_gpus(&shown->alloc)),
        .description =
            description(feed, bl_occurrence_state_name(shown->state), spec->user, spec->project),
        .location = place(feed, &shown->alloc),
        .category = booking_category,
        .category_count = 1,
    };
}

/* Those that are gone stay for a while, so that readers take them out. */
static bool is_gone(const struct bl_occurrence *occurrence)
{
    return occurrence->state == BL_OCCURRENCE_CANCELLED ||
           occurrence->state == BL_OCCURRENCE_RELEASED;
}

static void add_one(struct feed *feed, const struct bl_booking *booking,
                    const struct bl_occurrence *occurrence)
{
    BL_AUTO_BUF ref = {0};
    struct bl_ical_event event;

    if (occurrence->end <= feed->wish->now - BL_FEED_PAST) {
        return;
    }
    bl_buf_printf(&ref, "r%lld", (long long)booking->spec.id);
    if (booking->occurrence_count > 1 || booking->spec.rule) {
        bl_buf_printf(&ref, ".%d", occurrence->number);
    }
    event = event_of(feed, booking, occurrence, bl_buf_text(&ref));
    event.status = is_gone(occurrence) ? BL_ICAL_CANCELLED : BL_ICAL_CONFIRMED;
    add(feed, event);
}

static const struct bl_tz *zone_of(struct feed *feed, const char *name)
{
    struct bl_tz *tz = NULL;

    for (size_t i = 0; i < feed->zones.count; i++) {
        if (!strcmp(bl_tz_name(feed->zones.at[i]), name)) {
            return feed->zones.at[i];
        }
    }
    if (bl_tz_create(name, &tz, NULL) == BL_OK) {
        BL_VEC_PUSH(&feed->zones, tz);
    }
    return tz;
}

static const struct bl_occurrence *last_of(const struct bl_booking *booking)
{
    return &booking->occurrence[booking->occurrence_count - 1];
}

/* A series whose last occurrence is gone does not go on. */
static void end_where_it_ends(const struct bl_booking *booking, struct bl_series *series)
{
    if (!bl_occurrence_is_live(last_of(booking))) {
        series->rule.count = 0;
        series->rule.until = last_of(booking)->asked_start;
    }
}

static bool read_series(const struct bl_booking *booking, const struct bl_tz *tz,
                        struct bl_series *out)
{
    return tz && bl_series_read(booking->spec.rule, tz, out, NULL) == BL_OK;
}

/* The part of the booking that its rule tells, as a series; false where it has to be told one by
 * one.
 */
static bool make_series(struct feed *feed, const struct bl_booking *booking,
                        struct bl_ical_series *out, int32_t *shift)
{
    const struct bl_tz *tz = zone_of(feed, booking->spec.zone);
    struct bl_series *series = bl_arena_alloc(&feed->arena, sizeof *series);
    struct bl_ical_occurrence *kept =
        bl_arena_alloc(&feed->arena, booking->occurrence_count * sizeof *kept);
    BL_AUTO_SERIES_SLOTS slots = {0};

    *out = (struct bl_ical_series){.series = series, .tz = tz, .occurrence = kept};
    if (!read_series(booking, tz, series)) {
        return false;
    }
    end_where_it_ends(booking, series);
    out->window = (struct bl_series_window){bl_booking_series_from(booking, feed->wish->now),
                                            last_of(booking)->asked_start + BL_SECOND};
    if (bl_series_expand(series, tz, &out->window, &slots, NULL)) {
        return false;
    }
    *shift = bl_booking_series_shift(booking, &slots);
    for (size_t i = 0; *shift >= 0 && i < booking->occurrence_count; i++) {
        const struct bl_occurrence *one = &booking->occurrence[i];

        if (one->number > *shift && !is_gone(one)) {
            kept[out->count++] =
                (struct bl_ical_occurrence){one->number - *shift, one->start, one->end};
        }
    }
    return *shift >= 0;
}

static const struct bl_occurrence *next_of(const struct bl_booking *booking)
{
    size_t i = 0;

    while (i + 1 < booking->occurrence_count && !bl_occurrence_is_live(&booking->occurrence[i])) {
        i++;
    }
    return &booking->occurrence[i];
}

static void add_series(struct feed *feed, const struct bl_booking *booking)
{
    struct bl_ical_series *series = bl_arena_alloc(&feed->arena, sizeof *series);
    struct bl_ical_event event;
    BL_AUTO_BUF ref = {0};
    int32_t shift = 0;
    bool has_series = make_series(feed, booking, series, &shift);

    for (size_t i = 0; i < booking->occurrence_count; i++) {
        if (!has_series || booking->occurrence[i].number <= shift) {
            add_one(feed, booking, &booking->occurrence[i]);
        }
    }
    if (has_series && series->count) {
        bl_buf_printf(&ref, "r%lld", (long long)booking->spec.id);
        event = event_of(feed, booking, next_of(booking), bl_buf_text(&ref));
        event.series = series;
        add(feed, event);
    }
}

static void add_bookings(struct feed *feed)
{
    const struct bl_booking *booking;
    size_t cursor = 0;

    while ((booking = bl_core_next_booking(feed->ledger->core, &cursor))) {
        bool is_meant =
            feed->wish->reservations == BL_FEED_ALL || booking->spec.uid == feed->wish->uid;

        if (bl_promised_job(booking) || !is_meant ||
            last_of(booking)->end <= feed->wish->now - BL_FEED_PAST) {
            continue;
        }
        if (booking->spec.rule && booking->spec.zone) {
            add_series(feed, booking);
            continue;
        }
        for (size_t i = 0; i < booking->occurrence_count; i++) {
            add_one(feed, booking, &booking->occurrence[i]);
        }
    }
}

/* --- jobs ------------------------------------------------------------------------------------ */

static const char *job_ref(struct feed *feed, const struct bl_job *job)
{
    BL_AUTO_BUF ref = {0};

    if (job->array_job) {
        bl_buf_printf(&ref, "%lld_%d", (long long)job->array_job->id, bl_job_array_index(job));
    } else {
        bl_buf_printf(&ref, "%lld", (long long)job->id);
    }
    return keep(feed, &ref);
}

/* The end of one that has not ended is an estimate, and so is the start of one that waits. */
static void add_job(struct feed *feed, const struct bl_bar *bar)
{
    const struct bl_job *job = bar->job;
    const struct bl_ledger_job *entry = bl_map_find(&feed->ledger->jobs, job->id);
    bool has_ended = bl_job_state_is_ended(job->state);
    bool has_place = entry && (has_ended || bl_job_state_is_active(job->state));
    const char *ref = job_ref(feed, job);
    BL_AUTO_BUF name = {0};

    bl_buf_printf(&name, "job-%s", ref);
    add(feed, (struct bl_ical_event){
                  .uid = uid(feed, bl_buf_text(&name)),
                  .sequence = feed->ledger->seq & SEQUENCE_MASK,
                  .stamp = feed->wish->now,
                  .start = bar->start,
                  .end = bar->end == BL_TIME_NEVER ? bar->start : bar->end,
                  .status = has_ended ? BL_ICAL_CONFIRMED : BL_ICAL_TENTATIVE,
                  .summary = summary(feed, ref, job->spec.name, bar->gpus),
                  .description = description(feed, bl_job_state_name(job->state), job->spec.user,
                                             job->spec.project),
                  .location = has_place ? place(feed, &entry->alloc) : NULL,
                  .category = job_category,
                  .category_count = 1,
              });
}

static void add_jobs(struct feed *feed)
{
    const struct bl_feed_wish *wish = feed->wish;
    const struct bl_window window = {wish->now - BL_FEED_PAST, wish->now + BL_BOOKING_HORIZON,
                                     wish->now};
    struct bl_timeline timeline = bl_timeline_make(feed->ledger, &window, &feed->arena);

    for (size_t i = 0; i < timeline.bar_count; i++) {
        const struct bl_bar *bar = &timeline.bar[i];

        if (bar->kind == BL_BAR_JOB &&
            (wish->jobs == BL_FEED_ALL ||
             bl_ledger_launch(feed->ledger, bar->job)->uid == wish->uid)) {
            add_job(feed, bar);
        }
    }
}

/* --- all of it ------------------------------------------------------------------------------- */

static void finish(struct feed *feed)
{
    for (size_t i = 0; i < feed->zones.count; i++) {
        bl_tz_destroy(feed->zones.at[i]);
    }
    BL_VEC_FINISH(&feed->zones);
    BL_VEC_FINISH(&feed->events);
    bl_arena_finish(&feed->arena);
}

int bl_feed_write(const struct bl_ledger *ledger, const struct bl_feed_wish *wish,
                  struct bl_buf *out, struct bl_error *err)
{
    struct feed feed = {.ledger = ledger, .cluster = bl_core_cluster(ledger->core), .wish = wish};
    struct bl_ical_calendar calendar = {.name = "baleen", .refresh = REFRESH};
    int status;

    if (wish->reservations != BL_FEED_NONE) {
        add_bookings(&feed);
    }
    if (wish->jobs != BL_FEED_NONE) {
        add_jobs(&feed);
    }
    calendar.event = feed.events.at;
    calendar.count = feed.events.count;
    out->ceiling = BL_FEED_BYTES_MAX;
    status = bl_ical_write(out, &calendar, err);
    finish(&feed);
    return status;
}
