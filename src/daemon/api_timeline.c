/* The timeline: what each GPU did, does and is planned to do. */
#include "base/own.h"
#include "base/units.h"
#include "calendar/zone.h"
#include "daemon/api.h"
#include "daemon/booking_json.h"
#include "daemon/picture.h"
#include "daemon/zone.h"
#include "os/clock.h"
#include "os/loop.h"

#include <string.h>

enum {
    DIGITS_MAX = 11, /* seconds since the epoch, up to the year 5138 */
    MESSAGES_MANY = 500,
    PAUSE_SHARE = 20 /* at most one part of all time goes into pictures */
};

#define PAUSE_LEAST (200 * BL_MILLISECOND)
#define PAUSE_MANY  (2 * BL_SECOND)
#define PAUSE_IDLE  (2 * BL_SECOND)

static const char *const kinds[] = {[BL_BAR_JOB] = "job",
                                    [BL_BAR_DOWN] = "down",
                                    [BL_BAR_RESERVATION] = "reservation",
                                    [BL_BAR_CLEARING] = "clearing"};

/* --- the window ------------------------------------------------------------------------------ */

static bool is_seconds(const char *text)
{
    size_t length = strlen(text);

    return length > 0 && length <= DIGITS_MAX && strspn(text, "0123456789") == length;
}

static int read_instant(const char *text, bl_time now, bl_time *out, struct bl_error *err)
{
    struct bl_instant instant = {0};
    int64_t seconds = 0;

    if (is_seconds(text)) {
        bl_int_parse(text, 0, INT64_MAX / BL_SECOND, &seconds, NULL);
        *out = seconds * BL_SECOND;
        return BL_OK;
    }
    if (bl_instant_parse(text, &instant, err) != BL_OK) {
        return (int)err->status;
    }
    return bl_instant_resolve(&instant, now, &bl_zone_local, out, err);
}

bool bl_api_query_instant(struct bl_request *request, const char *key,
                          struct bl_api_instant instant, bl_time *out)
{
    const char *text = bl_request_query(request, key);
    struct bl_error err = {0};

    if (!text) {
        *out = instant.standard;
        return true;
    }
    if (read_instant(text, instant.now, out, &err) == BL_OK) {
        return true;
    }
    bl_wrap(&err, "%s", key);
    bl_error_set_field(&err, key);
    bl_request_fail(request, BL_ANSWER_INVALID, &err);
    return false;
}

bool bl_api_read_window(const struct bl_api *api, struct bl_request *request,
                        struct bl_api_reach reach, struct bl_window *out)
{
    struct bl_error err;

    *out = (struct bl_window){.now = bl_driver_now(api->driver)};
    if (!bl_api_query_instant(request, "from",
                              (struct bl_api_instant){out->now, out->now - reach.back},
                              &out->from) ||
        !bl_api_query_instant(
            request, "to", (struct bl_api_instant){out->now, out->now + reach.ahead}, &out->to)) {
        return false;
    }
    if (out->to > out->from) {
        return true;
    }
    bl_fail(&err, BL_EINVAL, "to: expected an instant after 'from'");
    bl_error_set_field(&err, "to");
    bl_request_fail(request, BL_ANSWER_INVALID, &err);
    return false;
}

/* --- as JSON --------------------------------------------------------------------------------- */

static void put_lane_name(struct bl_json *json, const struct bl_cluster *cluster,
                          const struct bl_lane *lane)
{
    BL_AUTO_BUF name = {0};

    bl_lane_print(&name, cluster, lane);
    bl_json_text(json, bl_buf_text(&name));
}

static void write_lane(struct bl_json *json, const struct bl_cluster *cluster,
                       const struct bl_lane *lane)
{
    const struct bl_node_spec *spec = &cluster->node[lane->node].spec;

    bl_json_open_object(json);
    bl_json_key(json, "id");
    put_lane_name(json, cluster, lane);
    bl_json_put_text(json, "node", spec->name);
    bl_json_put_text(json, "pool", spec->pool ? spec->pool : "default");
    if (lane->gpu >= 0) {
        bl_json_put_int(json, "gpu", lane->gpu);
    } else {
        bl_json_put_null(json, "gpu");
    }
    bl_json_put_int(json, "gpus", lane->gpus);
    bl_json_put_text(json, "type", spec->gpu_type);
    bl_json_put_int(json, "mem_bytes", spec->gpu_mem_bytes);
    bl_json_close_object(json);
}

static void put_ref(struct bl_json *json, const struct bl_job *job)
{
    BL_AUTO_BUF ref = {0};

    if (job->array_job) {
        bl_buf_printf(&ref, "%lld_%d", (long long)job->array_job->id, bl_job_array_index(job));
    } else {
        bl_buf_printf(&ref, "%lld", (long long)job->id);
    }
    bl_json_put_text(json, "ref", bl_buf_text(&ref));
}

/* "n1", "n1:0": what is down. */
static void print_place(struct bl_buf *out, const struct bl_cluster *cluster,
                        const struct bl_bar *bar)
{
    bl_buf_append_text(out, cluster->node[bar->node].spec.name);
    if (bar->gpu) {
        bl_buf_printf(out, ":%d", (int)bar->gpu - 1);
    }
}

void bl_api_print_bar_id(struct bl_buf *out, const struct bl_cluster *cluster,
                         const struct bl_bar *bar)
{
    bl_buf_printf(out, "%s-", kinds[bar->kind]);
    if (bar->booking) {
        bl_booking_ref_print(out, bar->booking, bar->occurrence);
    } else if (bar->kind == BL_BAR_JOB) {
        bl_buf_printf(out, "%lld", (long long)bar->job->id);
        if (bar->attempt) {
            bl_buf_printf(out, ".%d", bar->attempt->number);
        }
    } else {
        print_place(out, cluster, bar);
    }
}

/* Of an earlier attempt one of the states of jobs too, so that whoever knows those draws it right.
 */
static enum bl_job_state state_of(const struct bl_bar *bar)
{
    static const enum bl_job_state states[BL_ATTEMPT_OUTCOME_COUNT] = {
        [BL_ATTEMPT_PREEMPTED] = BL_JOB_CANCELLED, [BL_ATTEMPT_RESIZED] = BL_JOB_CANCELLED,
        [BL_ATTEMPT_REQUEUED] = BL_JOB_CANCELLED,  [BL_ATTEMPT_LOST] = BL_JOB_LOST,
        [BL_ATTEMPT_START_FAILED] = BL_JOB_FAILED, [BL_ATTEMPT_FAILED] = BL_JOB_FAILED,
    };

    return bar->attempt ? states[bl_attempt_outcome(bar->attempt)] : bar->job->state;
}

static void write_job_keys(struct bl_json *json, const struct bl_bar *bar)
{
    const struct bl_job *job = bar->job;

    put_ref(json, job);
    bl_json_put_text(json, "state", bl_job_state_name(state_of(bar)));
    bl_json_put_text(json, "user", job->spec.user);
    bl_json_put_text(json, "project", job->spec.project);
    bl_json_put_text(json, "label", job->spec.name);
}

/* How the attempt ended that the bar is of; NULL while it goes on, or before. */
static const char *outcome_of(const struct bl_bar *bar)
{
    if (!bl_bar_is_over(bar)) {
        return NULL;
    }
    return bar->attempt ? bl_attempt_outcome_name(bl_attempt_outcome(bar->attempt))
                        : bl_job_state_name(bar->job->state);
}

/* Keys that every bar has, and only jobs fill. */
static void write_job_traits(struct bl_json *json, const struct bl_bar *bar)
{
    bool is_job = bar->kind == BL_BAR_JOB;
    int32_t attempt = bl_bar_attempt(bar);

    bl_json_put_text(json, "class", is_job ? bl_job_class_name(bar->job->spec.job_class) : NULL);
    bl_json_put_text(json, "job_kind", is_job ? bl_job_kind_name(bar->job->spec.kind) : NULL);
    if (attempt > 0) {
        bl_json_put_int(json, "attempt", attempt);
    } else {
        bl_json_put_null(json, "attempt");
    }
    bl_json_put_text(json, "outcome", is_job ? outcome_of(bar) : NULL);
}

/* A node that is up has a bar where it will be drained; one of a single GPU bears its name. */
static void write_node_keys(struct bl_json *json, const struct bl_cluster *cluster,
                            const struct bl_bar *bar)
{
    enum bl_node_state state = bar->gpu ? BL_NODE_DOWN : cluster->node[bar->node].state;
    BL_AUTO_BUF name = {0};

    print_place(&name, cluster, bar);
    bl_json_put_text(json, "ref", bl_buf_text(&name));
    bl_json_put_text(json, "state",
                     bl_node_state_name(state == BL_NODE_UP ? BL_NODE_DRAINED : state));
    bl_json_put_null(json, "user");
    bl_json_put_null(json, "project");
    bl_json_put_text(json, "label", bl_buf_text(&name));
}

static void write_booking_keys(struct bl_json *json, const struct bl_bar *bar)
{
    const struct bl_booking_spec *spec = &bar->booking->spec;
    BL_AUTO_BUF ref = {0};

    bl_booking_ref_print(&ref, bar->booking, bar->occurrence);
    bl_json_put_text(json, "ref", bl_buf_text(&ref));
    bl_json_put_text(json, "state", bl_occurrence_state_name(bar->occurrence->state));
    bl_json_put_text(json, "user", spec->user);
    bl_json_put_text(json, "project", spec->project);
    bl_json_put_text(json, "label", spec->name);
}

void bl_api_write_bar(struct bl_json *json, const struct bl_cluster *cluster,
                      const struct bl_timeline *timeline, const struct bl_bar *bar)
{
    BL_AUTO_BUF id = {0};

    bl_api_print_bar_id(&id, cluster, bar);
    bl_json_open_object(json);
    bl_json_put_text(json, "kind", kinds[bar->kind]);
    bl_json_put_text(json, "id", bl_buf_text(&id));
    if (bar->kind == BL_BAR_JOB) {
        write_job_keys(json, bar);
    } else if (bar->booking) {
        write_booking_keys(json, bar);
    } else {
        write_node_keys(json, cluster, bar);
    }
    write_job_traits(json, bar);
    bl_json_put_int(json, "gpus", bar->gpus);
    bl_json_key(json, "lanes");
    bl_json_open_array(json);
    for (size_t i = 0; i < bar->lane_count; i++) {
        put_lane_name(json, cluster, &timeline->lane[bar->lane[i]]);
    }
    bl_json_close_array(json);
    bl_json_put_instant(json, "start_at", bar->start);
    bl_json_put_instant(json, "end_at", bar->end);
    bl_json_put_instant(json, "end_p90_at", bar->end_p90);
    bl_json_close_object(json);
}

static void write_zone(struct bl_json *json)
{
    BL_AUTO_BUF zone = {0};

    bl_tz_local_name(&zone);
    bl_json_put_text(json, "zone", bl_buf_text(&zone));
}

static void write_lanes(struct bl_json *json, const struct bl_picture_now *now)
{
    bl_json_key(json, "lanes");
    bl_json_open_array(json);
    for (size_t i = 0; i < now->timeline->lane_count; i++) {
        write_lane(json, bl_core_cluster(now->ledger->core), &now->timeline->lane[i]);
    }
    bl_json_close_array(json);
}

static void write_timeline(struct bl_json *json, struct bl_picture *picture,
                           const struct bl_picture_now *now)
{
    bl_json_open_object(json);
    bl_json_put_int(json, "seq", now->ledger->seq);
    write_zone(json);
    write_lanes(json, now);
    bl_json_key(json, "bars");
    bl_json_open_array(json);
    for (size_t i = 0; i < now->timeline->bar_count; i++) {
        bl_picture_write(picture, json, now, &now->timeline->bar[i]);
    }
    bl_json_close_array(json);
    bl_json_put_int(json, "left_out", (int64_t)now->timeline->left_out);
    bl_json_close_object(json);
}

/* --- what readers of events see -------------------------------------------------------------- */

static void push(void *self, const char *event, const struct bl_buf *data)
{
    const struct bl_api *api = self;

    if (bl_sse_has_readers(api->sse)) {
        bl_sse_push(api->sse, bl_driver_ledger(api->driver)->seq, event, data);
    }
}

/* Whatever an answer tells, readers have been told as well: what comes to them later begins there.
 */
static size_t draw(struct bl_api *api, const struct bl_window *window, struct bl_arena *arena,
                   struct bl_timeline *out)
{
    const struct bl_ledger *ledger = bl_driver_ledger(api->driver);
    const struct bl_timeline_also also = bl_picture_also(api->picture);
    const struct bl_picture_sink sink = {api, push};
    struct bl_picture_now now = {ledger, out, window->now};

    *out = bl_timeline_make_whole(ledger, window, &also, arena);
    return bl_picture_compare(api->picture, &now, &sink);
}

/* When the next picture is due: five a second at most, fewer where they take long or tell much. */
static bl_time pause_after(bl_time took, size_t messages)
{
    bl_time pause = took * PAUSE_SHARE;

    pause = messages > MESSAGES_MANY && pause < PAUSE_MANY ? PAUSE_MANY : pause;
    return pause > PAUSE_LEAST ? pause : PAUSE_LEAST;
}

/* Also where nothing happens the forecast moves with the present. */
void bl_api_draw(void *self)
{
    struct bl_api *api = self;
    bl_time began = bl_clock_monotonic();
    bl_time wall = bl_driver_now(api->driver);
    struct bl_window window = {wall, wall, wall};
    struct bl_arena arena = {0};
    struct bl_timeline timeline;
    size_t messages;

    api->is_drawing_due = false;
    if (!bl_sse_has_readers(api->sse)) {
        return;
    }
    messages = draw(api, &window, &arena, &timeline);
    bl_arena_finish(&arena);
    api->next_drawing = bl_clock_monotonic();
    api->next_drawing += pause_after(api->next_drawing - began, messages);
    bl_watch_arm(api->drawing, PAUSE_IDLE);
}

void bl_api_draw_soon(struct bl_api *api)
{
    bl_time wait = api->next_drawing - bl_clock_monotonic();

    if (!api->is_drawing_due) {
        api->is_drawing_due = true;
        bl_watch_arm(api->drawing, wait > 0 ? wait : 0);
    }
}

void bl_api_timeline(void *self, struct bl_request *request)
{
    static const struct bl_api_reach usual = {BL_DAY, 7 * BL_DAY};
    struct bl_api *api = self;
    struct bl_arena arena = {0};
    struct bl_timeline timeline;
    struct bl_window window;
    struct bl_picture_now now = {bl_driver_ledger(api->driver), &timeline, 0};
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    if (!bl_api_admit(request) || !bl_api_read_window(api, request, usual, &window)) {
        return;
    }
    now.now = window.now;
    draw(api, &window, &arena, &timeline);
    bl_timeline_narrow(&timeline, &window);
    bl_json_init(&json, &body);
    write_timeline(&json, api->picture, &now);
    bl_arena_finish(&arena);
    bl_request_answer(request, 200, &body);
}
