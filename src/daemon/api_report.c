/* Who used what: GET /api/v1/report. */
#include "base/own.h"
#include "daemon/api.h"
#include "daemon/consumption.h"

#include <math.h>
#include <string.h>

#define SECONDS_OF_HOUR 3600.0

/* --- the query ------------------------------------------------------------------------------- */

/* Takes one word of the list. */
static bool take_by(const char *word, size_t length, bool by[BL_BY_COUNT])
{
    for (int i = 0; i < BL_BY_COUNT; i++) {
        if (strlen(bl_by_name(i)) == length && memcmp(bl_by_name(i), word, length) == 0) {
            by[i] = true;
            return true;
        }
    }
    return false;
}

static bool read_by(struct bl_request *request, bool by[BL_BY_COUNT])
{
    const char *list = bl_request_query(request, "by");
    struct bl_error err;

    for (list = list ? list : bl_by_name(BL_BY_USER);; list++) {
        size_t length = strcspn(list, ",");

        if (!take_by(list, length, by)) {
            bl_fail(&err, BL_EINVAL,
                    "by: expected some of user, project, kind, class, node-type, found '%.*s'",
                    (int)(length < 100 ? length : 100), list);
            bl_error_set_field(&err, "by");
            bl_request_fail(request, BL_ANSWER_INVALID, &err);
            return false;
        }
        list += length;
        if (!*list) {
            return true;
        }
    }
}

/* --- as JSON --------------------------------------------------------------------------------- */

static const char *const by_keys[BL_BY_COUNT] = {
    [BL_BY_USER] = "user",   [BL_BY_PROJECT] = "project",     [BL_BY_KIND] = "kind",
    [BL_BY_CLASS] = "class", [BL_BY_NODE_TYPE] = "node_type",
};

static void put_ends(struct bl_json *json, const struct bl_consumer *row)
{
    for (int state = 0; state < BL_JOB_STATE_COUNT; state++) {
        if (bl_job_state_is_ended(state)) {
            bl_json_put_int(json, bl_job_state_name(state), row->ended_as[state]);
        }
    }
}

/* Whose bookings are whose follows from users and projects alone. */
static void put_reserved(struct bl_json *json, const struct bl_consumption_wish *wish,
                         const struct bl_consumer *row)
{
    bool has_reserved = !wish->by[BL_BY_KIND] && !wish->by[BL_BY_CLASS];
    double idle = row->reserved_gpu_s - row->reserved_used_gpu_s;

    bl_json_put_double(json, "reserved_gpu_hours",
                       has_reserved ? row->reserved_gpu_s / SECONDS_OF_HOUR : (double)NAN);
    bl_json_put_double(json, "reserved_used_gpu_hours",
                       has_reserved ? row->reserved_used_gpu_s / SECONDS_OF_HOUR : (double)NAN);
    bl_json_put_double(json, "reserved_idle_gpu_hours",
                       has_reserved ? fmax(idle, 0) / SECONDS_OF_HOUR : (double)NAN);
}

static void put_row(struct bl_json *json, const struct bl_consumption_wish *wish,
                    const struct bl_consumer *row, const struct bl_consumer *total)
{
    bl_json_put_int(json, "jobs", row->jobs);
    bl_json_put_int(json, "submitted", row->submitted);
    bl_json_put_int(json, "started", row->started);
    put_ends(json, row);
    bl_json_put_int(json, "preemptions", row->preemptions);
    bl_json_put_double(json, "gpu_hours", row->gpu_s / SECONDS_OF_HOUR);
    bl_json_put_double(json, "share_ratio",
                       total->gpu_s > 0 ? row->gpu_s / total->gpu_s : (double)NAN);
    bl_json_put_double(json, "cost", row->cost);
    bl_json_put_double(json, "wait_mean_s", row->wait_mean_s);
    bl_json_put_double(json, "wait_p50_s", row->wait_p50_s);
    bl_json_put_double(json, "wait_p90_s", row->wait_p90_s);
    bl_json_put_double(json, "bounded_slowdown", row->slowdown);
    put_reserved(json, wish, row);
}

static void put_rows(struct bl_json *json, const struct bl_consumption_wish *wish,
                     const struct bl_consumption *all)
{
    bl_json_key(json, "rows");
    bl_json_open_array(json);
    for (size_t i = 0; i < all->count; i++) {
        bl_json_open_object(json);
        for (int by = 0; by < BL_BY_COUNT; by++) {
            if (wish->by[by]) {
                bl_json_put_text(json, by_keys[by], all->row[i].word[by]);
            }
        }
        put_row(json, wish, &all->row[i], &all->total);
        bl_json_close_object(json);
    }
    bl_json_close_array(json);
}

static void put_by(struct bl_json *json, const struct bl_consumption_wish *wish)
{
    bl_json_key(json, "by");
    bl_json_open_array(json);
    for (int by = 0; by < BL_BY_COUNT; by++) {
        if (wish->by[by]) {
            bl_json_text(json, by_keys[by]);
        }
    }
    bl_json_close_array(json);
}

static void write_report(struct bl_buf *out, const struct bl_consumption_wish *wish,
                         const struct bl_consumption *all)
{
    struct bl_json json;

    bl_json_init(&json, out);
    bl_json_open_object(&json);
    bl_json_put_instant(&json, "from", wish->from);
    bl_json_put_instant(&json, "to", wish->to);
    put_by(&json, wish);
    bl_json_put_bool(&json, "complete", all->whole_since <= wish->from);
    bl_json_put_instant(&json, "whole_since", all->whole_since);
    put_rows(&json, wish, all);
    bl_json_key(&json, "total");
    bl_json_open_object(&json);
    put_row(&json, wish, &all->total, &all->total);
    bl_json_close_object(&json);
    bl_json_close_object(&json);
}

void bl_api_report(void *self, struct bl_request *request)
{
    const struct bl_api *api = self;
    const struct bl_api_reach reach = {.back = 7 * BL_DAY, .ahead = 0};
    struct bl_consumption_wish wish = {0};
    struct bl_window window = {0};
    struct bl_arena arena = {0};
    struct bl_consumption all;
    BL_AUTO_BUF body = {0};

    if (!bl_api_admit(request) || !read_by(request, wish.by) ||
        !bl_api_read_window(api, request, reach, &window)) {
        return;
    }
    wish.from = window.from;
    wish.to = window.to;
    wish.now = window.now;
    all = bl_consumption_make(bl_driver_ledger(api->driver), &wish, &arena);
    write_report(&body, &wish, &all);
    bl_arena_finish(&arena);
    bl_request_answer(request, 200, &body);
}
