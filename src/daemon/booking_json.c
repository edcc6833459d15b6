#include "daemon/booking_json.h"

#include "calendar/series.h"
#include "daemon/booking_notes.h"
#include "daemon/job_json.h"
#include "form/bookingspec.h"

#include <assert.h>
#include <string.h>

void bl_booking_ref_print(struct bl_buf *out, const struct bl_booking *booking,
                          const struct bl_occurrence *occurrence)
{
    bl_buf_printf(out, "r%lld", (long long)booking->spec.id);
    if (booking->occurrence_count > 1 || booking->spec.rule) {
        bl_buf_printf(out, ".%d", occurrence->number);
    }
}

/* --- a booking ------------------------------------------------------------------------------- */

static const char *type_of(const struct bl_cluster *cluster, const struct bl_alloc *alloc)
{
    return alloc->part_count ? cluster->node[bl_alloc_parts(alloc)->node].spec.gpu_type : NULL;
}

/* The rule behind the first start and the duration that are kept with it. */
static const char *rule_of(const struct bl_booking *booking)
{
    const char *blank = booking->spec.rule ? strrchr(booking->spec.rule, ' ') : NULL;

    return blank ? blank + 1 : NULL;
}

static void write_slot_keys(struct bl_json *json, const struct bl_cluster *cluster,
                            const struct bl_occurrence *occurrence)
{
    bl_json_put_int(json, "occurrence", occurrence->number);
    bl_json_put_text(json, "state", bl_occurrence_state_name(occurrence->state));
    bl_json_put_instant(json, "start_at", occurrence->start);
    bl_json_put_instant(json, "end_at", occurrence->end);
    bl_json_put_instant(json, "ended_at", occurrence->ended_at);
    bl_json_put_int(json, "gpus", bl_alloc_gpus(&occurrence->alloc));
    bl_json_put_text(json, "gpu_type", type_of(cluster, &occurrence->alloc));
    bl_where_json_write(json, cluster, &occurrence->alloc);
    bl_json_put_bool(json, "degraded", occurrence->is_degraded);
    bl_json_put_bool(json, "moved", occurrence->is_moved);
}

/* What the clocks of its zone show. */
static void put_local(struct bl_json *json, const char *key, const struct bl_tz *tz, bl_time at)
{
    BL_AUTO_BUF text = {0};

    if (tz) {
        bl_tz_print_offset(&text, tz, at);
    }
    bl_json_put_text(json, key, tz ? bl_buf_text(&text) : NULL);
}

static void write_local_keys(struct bl_json *json, const struct bl_tz *tz,
                             const struct bl_occurrence *occurrence)
{
    put_local(json, "start_local", tz, occurrence->start);
    put_local(json, "end_local", tz, occurrence->end);
}

static int64_t count_live(const struct bl_booking *booking)
{
    int64_t count = 0;

    for (size_t i = 0; i < booking->occurrence_count; i++) {
        count += bl_occurrence_is_live(&booking->occurrence[i]);
    }
    return count;
}

void bl_booking_json_write_keys(struct bl_json *json, const struct bl_cluster *cluster,
                                const struct bl_booking *booking,
                                const struct bl_occurrence *occurrence)
{
    const struct bl_booking_spec *spec = &booking->spec;
    BL_AUTO_BUF id = {0};
    BL_AUTO_BUF ref = {0};

    bl_buf_printf(&id, "r%lld", (long long)spec->id);
    bl_booking_ref_print(&ref, booking, occurrence);
    bl_json_put_text(json, "id", bl_buf_text(&id));
    bl_json_put_text(json, "ref", bl_buf_text(&ref));
    bl_json_put_text(json, "name", spec->name);
    bl_json_put_text(json, "user", spec->user);
    bl_json_put_text(json, "project", spec->project);
    write_slot_keys(json, cluster, occurrence);
    bl_json_put_text(json, "zone", spec->zone);
    bl_json_put_text(json, "rule", rule_of(booking));
    bl_json_put_seconds(json, "flex_s", spec->flex);
    bl_json_put_seconds(json, "release_after_s", spec->release_after);
    bl_json_put_int(json, "occurrences", count_live(booking));
    bl_json_put_int(json, "revision", booking->revision);
    bl_json_put_instant(json, "made_at", booking->made_at);
}

static const struct bl_occurrence *next_of(const struct bl_booking *booking)
{
    size_t i = 0;

    assert(booking->occurrence_count > 0);
    while (i + 1 < booking->occurrence_count && !bl_occurrence_is_live(&booking->occurrence[i])) {
        i++;
    }
    return &booking->occurrence[i];
}

void bl_booking_json_write_checked(struct bl_json *json, const struct bl_booking *booking,
                                   struct bl_members_list *members)
{
    const bool *is_known = bl_members_ask(members, booking->spec.project);

    if (is_known) {
        bl_json_put_bool(json, "project_checked", *is_known);
    } else {
        bl_json_put_null(json, "project_checked");
    }
}

void bl_booking_json_write_whole(struct bl_json *json, const struct bl_cluster *cluster,
                                 const struct bl_booking *booking)
{
    BL_AUTO_TZ *tz = NULL;

    if (booking->spec.zone && bl_tz_create(booking->spec.zone, &tz, NULL) != BL_OK) {
        tz = NULL; /* its name has left the database */
    }
    bl_booking_json_write_keys(json, cluster, booking, next_of(booking));
    write_local_keys(json, tz, next_of(booking));
    bl_json_key(json, "slots");
    bl_json_open_array(json);
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        bl_json_open_object(json);
        write_slot_keys(json, cluster, &booking->occurrence[i]);
        write_local_keys(json, tz, &booking->occurrence[i]);
        bl_json_close_object(json);
    }
    bl_json_close_array(json);
    bl_booking_notes_write(json, booking);
}

/* --- a refusal ------------------------------------------------------------------------------- */

/* How each fault is answered; a sentence with %d takes what there is at most. */
static const struct fault {
    enum bl_answer answer;
    enum bl_booking_key key;
    const char *text, *hint;
} faults[BL_BOOKING_FAULT_COUNT] = {
    [BL_BOOKING_NO_SUCH] = {BL_ANSWER_CONFLICT, BL_BOOKING_KEY_OCCURRENCE,
                            "it has changed meanwhile, or is over", "look at it again"},
    [BL_BOOKING_SLOTS] = {BL_ANSWER_INVALID, BL_BOOKING_KEY_EVERY,
                          "expected 1 to 1000 occurrences, one after the other", ""},
    [BL_BOOKING_REVERSED] = {BL_ANSWER_INVALID, BL_BOOKING_KEY_FOR,
                             "expected an end after the start", ""},
    [BL_BOOKING_PAST] = {BL_ANSWER_INVALID, BL_BOOKING_KEY_FROM, "expected an instant to come",
                         "'now' begins at once"},
    [BL_BOOKING_TOO_FAR] = {BL_ANSWER_INVALID, BL_BOOKING_KEY_FROM,
                            "expected an end within 400 days", ""},
    [BL_BOOKING_FLEX] = {BL_ANSWER_INVALID, BL_BOOKING_KEY_FLEX, "expected 0 to 400 days", ""},
    [BL_BOOKING_GPUS] = {BL_ANSWER_INVALID, BL_BOOKING_KEY_GPUS, "expected 1 or more", ""},
    [BL_BOOKING_NODE] = {BL_ANSWER_INVALID, BL_BOOKING_KEY_ON,
                         "expected nodes that have GPUs, each once, and GPUs that they have",
                         "baleen gpus lists them"},
    [BL_BOOKING_GPU_TYPE] = {BL_ANSWER_INVALID, BL_BOOKING_KEY_GPU_TYPE,
                             "expected a type of GPU that is here, and that of all GPUs named",
                             "baleen gpus lists them"},
    [BL_BOOKING_POOL] = {BL_ANSWER_INVALID, BL_BOOKING_KEY_POOL,
                         "expected a pool that is here, and that of all nodes named",
                         "baleen nodes lists them"},
    [BL_BOOKING_TOO_LARGE] = {BL_ANSWER_CONFLICT, BL_BOOKING_KEY_GPUS,
                              "no more than %d such GPUs can be booked", "ask for fewer"},
    [BL_BOOKING_TAKEN] = {BL_ANSWER_CONFLICT, BL_BOOKING_KEY_FROM, "", ""},
    [BL_BOOKING_GOES_ON] = {BL_ANSWER_CONFLICT, BL_BOOKING_KEY_GPUS,
                            "what has begun keeps the GPUs that it has",
                            "book others beside it, or change one that is to come"},
    [BL_BOOKING_FULL] = {BL_ANSWER_CONFLICT, BL_BOOKING_KEY_EVERY,
                         "there are as many bookings as this daemon keeps",
                         "cancel some, or book fewer occurrences"},
};

static const char *const kinds[BL_OPENING_KIND_COUNT] = {
    [BL_OPENING_LATER] = "later",           [BL_OPENING_EARLIER] = "earlier",
    [BL_OPENING_FEWER] = "fewer",           [BL_OPENING_ELSEWHERE] = "elsewhere",
    [BL_OPENING_OTHER_TYPE] = "other_type",
};

static void print_time(struct bl_buf *out, const struct bl_tz *tz, bl_time at)
{
    if (at == BL_TIME_NEVER) {
        bl_buf_append_text(out, "an end that is not known");
    } else {
        bl_tz_print(out, tz, at);
    }
}

static void print_holder(struct bl_buf *out, const struct bl_core *core,
                         const struct bl_conflict *conflict)
{
    const struct bl_booking *booking = bl_core_find_booking(core, conflict->booking);
    const struct bl_job *job = bl_core_find_job(core, conflict->job);
    const char *user =
        conflict->job ? (job ? job->spec.user : NULL) : (booking ? booking->spec.user : NULL);

    if (conflict->job) {
        bl_buf_printf(out, "job %lld", (long long)conflict->job);
    } else {
        bl_buf_printf(out, "r%lld", (long long)conflict->booking);
    }
    bl_buf_printf(out, " (%s)", user ? user : "?");
}

/* "2 of 4 GPUs are taken by r9 (u104) 2026-12-01 09:00 to 2026-12-01 12:00". */
static void print_taken(struct bl_buf *out, const struct bl_booking_refusal *refusal)
{
    const struct bl_openings *openings = refusal->openings;
    const char *zone = refusal->wish->spec->zone;
    BL_AUTO_TZ *tz = NULL;
    int32_t missing = openings->gpus - openings->most;

    bl_buf_printf(out, "%d of %d GPU%s not free", missing > 0 ? missing : openings->gpus,
                  openings->gpus, openings->gpus == 1 ? " is" : "s are");
    if (openings->conflict_count == 0) {
        bl_buf_append_text(out, ": there are no more of them that are up");
        return;
    }
    if (!zone || bl_tz_create(zone, &tz, NULL) != BL_OK) {
        return;
    }
    bl_buf_append_text(out, ": ");
    print_holder(out, refusal->core, &openings->conflict[0]);
    bl_buf_append_text(out, " has them from ");
    print_time(out, tz, openings->conflict[0].start);
    bl_buf_append_text(out, " to ");
    print_time(out, tz, openings->conflict[0].end);
    if (openings->conflict_count > 1) {
        bl_buf_printf(out, ", and %zu more", openings->conflict_count - 1);
    }
}

/* Texts of the table are formats that the compiler cannot see: the number is put in by hand. */
static void print_fault(struct bl_buf *out, const char *text, int32_t most)
{
    const char *mark = strstr(text, "%d");

    if (!mark) {
        bl_buf_append_text(out, text);
        return;
    }
    bl_buf_append(out, text, (size_t)(mark - text));
    bl_buf_printf(out, "%d%s", most, mark + 2);
}

enum bl_answer bl_booking_refusal_say(const struct bl_booking_refusal *refusal,
                                      struct bl_error *err)
{
    const struct fault *fault = &faults[refusal->openings->fault];
    BL_AUTO_BUF text = {0};

    if (refusal->openings->fault == BL_BOOKING_FINE) {
        bl_fail(err, BL_EREFUSED, "somebody else changed it at the same time");
        bl_error_set_hint(err, "try again");
        return BL_ANSWER_CONFLICT;
    }
    if (refusal->openings->fault == BL_BOOKING_TAKEN) {
        print_taken(&text, refusal);
    } else {
        print_fault(&text, fault->text, refusal->openings->most);
    }
    bl_fail(err, fault->answer == BL_ANSWER_INVALID ? BL_EINVAL : BL_EREFUSED, "%s: %s",
            bl_booking_key_name(fault->key), bl_buf_text(&text));
    bl_error_set_field(err, bl_booking_key_name(fault->key));
    bl_error_set_hint(err, "%s", fault->hint);
    return fault->answer;
}

static void put_id_or_null(struct bl_json *json, const char *key, int64_t id)
{
    if (id > 0) {
        bl_json_put_int(json, key, id);
    } else {
        bl_json_put_null(json, key);
    }
}

static void write_conflict(struct bl_json *json, const struct bl_core *core,
                           const struct bl_conflict *conflict)
{
    const struct bl_booking *booking = bl_core_find_booking(core, conflict->booking);
    const struct bl_job *job = bl_core_find_job(core, conflict->job);
    bool is_booking = conflict->job == 0 && booking;
    BL_AUTO_BUF id = {0};

    bl_buf_printf(&id, "r%lld", (long long)conflict->booking);
    bl_json_open_object(json);
    bl_json_put_text(json, "reservation", is_booking ? bl_buf_text(&id) : NULL);
    put_id_or_null(json, "occurrence", is_booking ? conflict->occurrence : 0);
    put_id_or_null(json, "job", conflict->job);
    bl_json_put_text(json, "name", is_booking ? booking->spec.name : job ? job->spec.name : NULL);
    bl_json_put_text(json, "user", is_booking ? booking->spec.user : job ? job->spec.user : NULL);
    bl_json_put_instant(json, "start_at", conflict->start);
    bl_json_put_instant(json, "end_at", conflict->end);
    bl_json_put_int(json, "gpus", conflict->gpus);
    bl_json_close_object(json);
}

static void write_opening(struct bl_json *json, const struct bl_booking_refusal *refusal,
                          const struct bl_opening *opening)
{
    bl_time from = refusal->wish->spec->slot[0].start + opening->shift;

    /* requests name whole seconds */
    if (opening->kind == BL_OPENING_LATER) {
        from += BL_SECOND - 1;
    }
    bl_json_open_object(json);
    bl_json_put_text(json, "kind", kinds[opening->kind]);
    bl_json_put_instant(json, "start_at", opening->start);
    bl_json_put_instant(json, "end_at", opening->end);
    bl_json_put_double(json, "shift_s", (double)opening->shift / BL_SECOND);
    bl_json_put_instant(json, "from_at", from - from % BL_SECOND);
    bl_json_put_int(json, "gpus", opening->gpus);
    bl_json_put_text(json, "gpu_type", opening->gpu_type);
    bl_where_json_write(json, bl_core_cluster(refusal->core), &opening->alloc);
    bl_json_close_object(json);
}

void bl_booking_refusal_print(struct bl_buf *out, const struct bl_booking_refusal *refusal)
{
    const struct bl_openings *openings = refusal->openings;
    struct bl_error err = {0};
    struct bl_json json;
    enum bl_answer kind = bl_booking_refusal_say(refusal, &err);

    bl_json_init(&json, out);
    bl_json_open_object(&json);
    bl_answer_write(&json, kind, &err);
    bl_json_key(&json, "conflicts");
    bl_json_open_array(&json);
    for (size_t i = 0; i < openings->conflict_count; i++) {
        write_conflict(&json, refusal->core, &openings->conflict[i]);
    }
    bl_json_close_array(&json);
    bl_json_key(&json, "openings");
    bl_json_open_array(&json);
    for (size_t i = 0; i < openings->opening_count; i++) {
        write_opening(&json, refusal, &openings->opening[i]);
    }
    bl_json_close_array(&json);
    bl_json_put_int(&json, "slot", (int64_t)openings->slot + 1);
    bl_json_put_int(&json, "gpus", openings->gpus);
    bl_json_put_int(&json, "gpus_free", openings->most);
    bl_json_close_object(&json);
}
