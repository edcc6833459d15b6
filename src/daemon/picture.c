#include "daemon/picture.h"

#include "base/own.h"
#include "base/sort.h"
#include "daemon/api.h"

#include <string.h>

/* A bar as it was told. */
struct told {
    int64_t key;
    uint64_t hash;
    uint64_t round; /* of the comparison that met it last */
    bool is_over;
    bl_job_id job; /* that it is of; 0 = of none */
    char *id, *text;
    size_t length;
};

struct bl_picture {
    struct bl_map told; /* key -> struct told, owned */
    size_t over_count;
    uint64_t round;
    int64_t seq;
    BL_VEC(bl_job_id) jobs;   /* that changed */
    BL_VEC(int64_t) bookings; /* likewise */
    BL_VEC(struct bl_forgotten_job) lost;
    BL_VEC(struct bl_booking_change) lost_bookings;
};

struct bl_picture *bl_picture_create(void)
{
    struct bl_picture *picture = bl_alloc_zero(sizeof *picture);

    picture->seq = -1;
    return picture;
}

static void free_told(struct told *told)
{
    free(told->id);
    free(told->text);
    free(told);
}

static void drop(struct bl_picture *picture, struct told *told)
{
    bl_map_remove(&picture->told, told->key);
    picture->over_count -= told->is_over;
    free_told(told);
}

static void drop_all(struct bl_picture *picture)
{
    struct told *told;
    size_t cursor = 0;

    while ((told = bl_map_next(&picture->told, &cursor))) {
        free_told(told);
    }
    bl_map_finish(&picture->told);
    picture->told = (struct bl_map){0};
    picture->over_count = 0;
}

static void drop_past(struct bl_picture *picture)
{
    struct told *told;
    size_t cursor = 0;

    while ((told = bl_map_next(&picture->told, &cursor))) {
        if (told->is_over) {
            drop(picture, told);
        }
    }
}

static void clear_notes(struct bl_picture *picture)
{
    picture->jobs.count = 0;
    picture->bookings.count = 0;
    picture->lost.count = 0;
    picture->lost_bookings.count = 0;
}

void bl_picture_reset(struct bl_picture *picture)
{
    drop_all(picture);
    clear_notes(picture);
    picture->seq = -1;
}

void bl_picture_destroy(struct bl_picture *picture)
{
    if (picture) {
        drop_all(picture);
        BL_VEC_FINISH(&picture->jobs);
        BL_VEC_FINISH(&picture->bookings);
        BL_VEC_FINISH(&picture->lost);
        BL_VEC_FINISH(&picture->lost_bookings);
        free(picture);
    }
}

int64_t bl_picture_seq(const struct bl_picture *picture)
{
    return picture->seq;
}

/* --- notes ----------------------------------------------------------------------------------- */

void bl_picture_note(struct bl_picture *picture, const struct bl_ledger *ledger)
{
    for (size_t i = 0; i < ledger->changed_jobs.count; i++) {
        BL_VEC_PUSH(&picture->jobs, ledger->changed_jobs.at[i]);
    }
    for (size_t i = 0; i < ledger->forgotten_jobs.count; i++) {
        BL_VEC_PUSH(&picture->lost, ledger->forgotten_jobs.at[i]);
    }
    for (size_t i = 0; i < ledger->bookings.changes.count; i++) {
        const struct bl_booking_change *change = &ledger->bookings.changes.at[i];

        if (change->is_gone) {
            BL_VEC_PUSH(&picture->lost_bookings, *change);
        } else {
            BL_VEC_PUSH(&picture->bookings, change->id);
        }
    }
}

static int compare_ids(const void *left, const void *right)
{
    const int64_t *a = left;
    const int64_t *b = right;

    return (*a > *b) - (*a < *b);
}

static void sort_ids(int64_t *ids, size_t count)
{
    if (count > 0) {
        bl_sort(ids, count, sizeof *ids, compare_ids);
    }
}

struct bl_timeline_also bl_picture_also(struct bl_picture *picture)
{
    sort_ids(picture->jobs.at, picture->jobs.count);
    sort_ids(picture->bookings.at, picture->bookings.count);
    return (struct bl_timeline_also){picture->jobs.at, picture->jobs.count, picture->bookings.at,
                                     picture->bookings.count};
}

static bool is_noted(const struct bl_picture *picture, const struct bl_bar *bar)
{
    return bar->booking
               ? bl_ids_have(picture->bookings.at, picture->bookings.count, bar->booking->spec.id)
               : bl_ids_have(picture->jobs.at, picture->jobs.count, bar->job->id);
}

/* --- one bar --------------------------------------------------------------------------------- */

static struct told *write_told(const struct bl_picture_now *now, const struct bl_bar *bar)
{
    const struct bl_cluster *cluster = bl_core_cluster(now->ledger->core);
    struct told *told = bl_alloc_zero(sizeof *told);
    BL_AUTO_BUF id = {0};
    BL_AUTO_BUF text = {0};
    struct bl_json json;

    bl_api_print_bar_id(&id, cluster, bar);
    bl_json_init(&json, &text);
    bl_api_write_bar(&json, cluster, now->timeline, bar);
    told->key = bl_bar_key(bar);
    told->hash = bl_bar_hash(bar, now->now);
    told->is_over = bl_bar_is_over(bar);
    told->job = bar->kind == BL_BAR_JOB ? bar->job->id : 0;
    told->length = text.length;
    told->id = bl_buf_take(&id);
    told->text = bl_buf_take(&text);
    return told;
}

static void keep(struct bl_picture *picture, struct told *told)
{
    struct told *before = bl_map_find(&picture->told, told->key);

    if (before) {
        drop(picture, before);
    }
    if (told->is_over && picture->over_count >= BL_PICTURE_PAST_MAX) {
        drop_past(picture);
    }
    told->round = picture->round;
    picture->over_count += told->is_over;
    bl_map_insert(&picture->told, told->key, told);
}

/* --- messages -------------------------------------------------------------------------------- */

/* The object with its type before its other keys. */
static void tell(const struct told *told, const struct bl_picture_sink *sink)
{
    BL_AUTO_BUF data = {0};

    bl_buf_append_text(&data, "{\"type\":\"bar\",");
    bl_buf_append(&data, told->text + 1, told->length - 1);
    sink->push(sink->self, "upsert", &data);
}

static void tell_gone(const char *id, const struct bl_picture_sink *sink)
{
    BL_AUTO_BUF data = {0};
    struct bl_json json;

    bl_json_init(&json, &data);
    bl_json_open_object(&json);
    bl_json_put_text(&json, "type", "bar");
    bl_json_put_text(&json, "id", id);
    bl_json_close_object(&json);
    sink->push(sink->self, "remove", &data);
}

static size_t drop_lost(struct bl_picture *picture, int64_t key, const char *id,
                        const struct bl_picture_sink *sink)
{
    struct told *told = bl_map_find(&picture->told, key);

    if (told) {
        drop(picture, told);
    }
    tell_gone(id, sink);
    return 1;
}

static size_t tell_lost_bar(struct bl_picture *picture, const struct bl_bar *bar,
                            const struct bl_picture_sink *sink)
{
    BL_AUTO_BUF id = {0};

    bl_api_print_bar_id(&id, NULL, bar);
    return drop_lost(picture, bl_bar_key(bar), bl_buf_text(&id), sink);
}

/* With all attempts before its last one that may be remembered. */
static size_t tell_lost_job(struct bl_picture *picture, const struct bl_forgotten_job *lost,
                            const struct bl_picture_sink *sink)
{
    const struct bl_job job = {.id = lost->id};
    struct bl_job_attempt attempt = {.number = lost->earlier};
    struct bl_bar bar = {.kind = BL_BAR_JOB, .job = &job};
    size_t count = tell_lost_bar(picture, &bar, sink);

    for (bar.attempt = &attempt;
         attempt.number > 0 && attempt.number > lost->earlier - BL_ATTEMPTS_MAX; attempt.number--) {
        count += tell_lost_bar(picture, &bar, sink);
    }
    return count;
}

/* Whether or not they had one: a reader may have got it from a list. */
static size_t tell_lost(struct bl_picture *picture, const struct bl_picture_sink *sink)
{
    size_t count = 0;
    BL_AUTO_BUF id = {0};

    for (size_t i = 0; i < picture->lost.count; i++) {
        count += tell_lost_job(picture, &picture->lost.at[i], sink);
    }
    for (size_t i = 0; i < picture->lost_bookings.count; i++) {
        const struct bl_booking_change *lost = &picture->lost_bookings.at[i];
        const struct bl_booking booking = {.spec.id = lost->id};
        const struct bl_occurrence occurrence = {.number = lost->number};
        const struct bl_bar bar = {
            .kind = BL_BAR_RESERVATION, .booking = &booking, .occurrence = &occurrence};

        /* whether it was one of a series is not known any more */
        bl_buf_clear(&id);
        bl_buf_printf(&id, "reservation-r%lld.%d", (long long)lost->id, lost->number);
        count += drop_lost(picture, bl_bar_key(&bar), bl_buf_text(&id), sink);
        if (lost->number == 1) {
            bl_buf_clear(&id);
            bl_buf_printf(&id, "reservation-r%lld", (long long)lost->id);
            count += drop_lost(picture, bl_bar_key(&bar), bl_buf_text(&id), sink);
        }
    }
    return count;
}

/* Of what is over, the comparison meets all bars of jobs that changed: one that it has not met is
 * an attempt that is remembered no more. */
static bool is_gone(const struct bl_picture *picture, const struct told *told)
{
    return told->round != picture->round &&
           (!told->is_over ||
            (told->job && bl_ids_have(picture->jobs.at, picture->jobs.count, told->job)));
}

/* Those that the comparison has not met. */
static size_t tell_missing(struct bl_picture *picture, const struct bl_picture_sink *sink)
{
    size_t cursor = 0;
    size_t count = 0;
    struct told *told;

    while ((told = bl_map_next(&picture->told, &cursor))) {
        if (is_gone(picture, told)) {
            tell_gone(told->id, sink);
            drop(picture, told);
            count++;
        }
    }
    return count;
}

/* --- comparing ------------------------------------------------------------------------------- */

static size_t compare_bar(struct bl_picture *picture, const struct bl_picture_now *now,
                          const struct bl_bar *bar, const struct bl_picture_sink *sink)
{
    struct told *before = bl_map_find(&picture->told, bl_bar_key(bar));
    struct told *told;
    size_t count = 1;

    if (bl_bar_is_over(bar) && (!before || before->is_over) && !is_noted(picture, bar)) {
        return 0;
    }
    if (before && before->hash == bl_bar_hash(bar, now->now)) {
        before->round = picture->round;
        return 0;
    }
    told = write_told(now, bar);
    if (before && strcmp(before->id, told->id) != 0) {
        tell_gone(before->id, sink);
        count++;
    }
    keep(picture, told);
    tell(told, sink);
    return count;
}

static void push_nothing(void *self, const char *event, const struct bl_buf *data)
{
    (void)self;
    (void)event;
    (void)data;
}

size_t bl_picture_compare(struct bl_picture *picture, const struct bl_picture_now *now,
                          const struct bl_picture_sink *sink)
{
    static const struct bl_picture_sink silent = {NULL, push_nothing};
    size_t count;

    sink = picture->seq < 0 ? &silent : sink;
    picture->round++;
    count = tell_lost(picture, sink);
    for (size_t i = 0; i < now->timeline->bar_count; i++) {
        count += compare_bar(picture, now, &now->timeline->bar[i], sink);
    }
    count += tell_missing(picture, sink);
    clear_notes(picture);
    picture->seq = now->ledger->seq;
    return count;
}

void bl_picture_write(struct bl_picture *picture, struct bl_json *json,
                      const struct bl_picture_now *now, const struct bl_bar *bar)
{
    struct told *told = bl_map_find(&picture->told, bl_bar_key(bar));

    if (bl_bar_drifts(bar, now->now)) {
        bl_api_write_bar(json, bl_core_cluster(now->ledger->core), now->timeline, bar);
        return;
    }
    if (!told || told->hash != bl_bar_hash(bar, now->now)) {
        told = write_told(now, bar);
        keep(picture, told);
    }
    bl_json_raw(json, told->text, told->length);
}
