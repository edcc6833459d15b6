/* Jobs: list, show, cancel. */
#include "base/own.h"
#include "daemon/api.h"
#include "daemon/auth.h"
#include "daemon/job_json.h"

#include <string.h>

enum { LIST_STANDARD = 1000, LIST_MAX = 10000, WAIT_SECONDS_MAX = 60 };

/* --- list ------------------------------------------------------------------------------------ */

struct filter {
    unsigned states; /* a bit each */
    const char *user;
    bl_job_id after;
    int64_t limit;
};

static unsigned states_of_word(const char *word)
{
    unsigned states = 0;
    int found = bl_job_state_find(word);

    for (int s = 0; s < BL_JOB_STATE_COUNT; s++) {
        bool is_ended = bl_job_state_is_ended((enum bl_job_state)s);

        if (s == found || !strcmp(word, "all") || (is_ended && !strcmp(word, "ended")) ||
            (!is_ended && !strcmp(word, "active"))) {
            states |= 1u << s;
        }
    }
    return states;
}

static bool read_states(struct bl_request *request, unsigned *out)
{
    const char *text = bl_request_query(request, "state");
    BL_AUTO_FREE char *words = bl_copy_text(text ? text : "all");
    char *rest = words;
    char *word;
    struct bl_error err;

    *out = 0;
    while ((word = strsep(&rest, ","))) {
        unsigned states = states_of_word(word);

        if (!states) {
            bl_fail(&err, BL_EINVAL, "state: expected active, ended, all or states, found '%s'",
                    word);
            bl_error_set_field(&err, "state");
            bl_request_fail(request, BL_ANSWER_INVALID, &err);
            return false;
        }
        *out |= states;
    }
    return true;
}

static bool read_filter(struct bl_request *request, struct filter *out)
{
    static const struct bl_api_range limits = {1, LIST_MAX, LIST_STANDARD};
    static const struct bl_api_range ids = {0, INT64_MAX, 0};

    out->user = bl_request_query(request, "user");
    return read_states(request, &out->states) &&
           bl_api_query_int(request, "limit", limits, &out->limit) &&
           bl_api_query_int(request, "after", ids, &out->after);
}

static bool is_wanted(const struct filter *filter, const struct bl_job *job)
{
    return job->id > filter->after && ((filter->states >> job->state) & 1) &&
           (!filter->user || (job->spec.user && !strcmp(job->spec.user, filter->user)));
}

/* Jobs stand in order of id, which is that of submission. */
static bl_job_id write_page(struct bl_json *json, const struct bl_ledger *ledger,
                            const struct filter *filter)
{
    const struct bl_job *job;
    size_t cursor = 0;
    int64_t count = 0;
    bl_job_id last = 0;

    bl_json_key(json, "jobs");
    bl_json_open_array(json);
    while ((job = bl_core_next_job(ledger->core, &cursor))) {
        if (!is_wanted(filter, job)) {
            continue;
        }
        if (count == filter->limit) {
            break;
        }
        bl_job_json_write(json, ledger, job);
        last = job->id;
        count++;
    }
    bl_json_close_array(json);
    return job ? last : 0;
}

void bl_api_list(void *self, struct bl_request *request)
{
    const struct bl_api *api = self;
    struct filter filter;
    BL_AUTO_BUF body = {0};
    struct bl_json json;
    bl_job_id next;

    if (!bl_api_admit(request) || !read_filter(request, &filter)) {
        return;
    }
    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    next = write_page(&json, bl_driver_ledger(api->driver), &filter);
    if (next) {
        bl_json_put_int(&json, "next", next);
    } else {
        bl_json_put_null(&json, "next");
    }
    bl_json_close_object(&json);
    bl_request_answer(request, 200, &body);
}

/* --- show ------------------------------------------------------------------------------------ */

/* False when it has been answered; *until is -1 when nobody waits. */
static bool read_wait(struct bl_request *request, int *until, bl_time *longest)
{
    static const struct bl_api_range seconds = {0, WAIT_SECONDS_MAX, WAIT_SECONDS_MAX};
    const char *word = bl_request_query(request, "wait");
    int64_t count = 0;
    struct bl_error err;

    *until = -1;
    if (!bl_api_query_int(request, "timeout", seconds, &count)) {
        return false;
    }
    *longest = count * BL_SECOND;
    if (!word) {
        return true;
    }
    if (!strcmp(word, "started")) {
        *until = BL_WAIT_STARTED;
    } else if (!strcmp(word, "ended")) {
        *until = BL_WAIT_ENDED;
    } else {
        bl_fail(&err, BL_EINVAL, "wait: expected started or ended, found '%s'", word);
        bl_error_set_field(&err, "wait");
        bl_request_fail(request, BL_ANSWER_INVALID, &err);
        return false;
    }
    return true;
}

void bl_api_show(void *self, struct bl_request *request)
{
    struct bl_api *api = self;
    const struct bl_job *job = bl_api_find_job(api, request);
    bl_time longest = 0;
    int until;

    if (!job || !read_wait(request, &until, &longest)) {
        return;
    }
    if (until < 0 || longest == 0 || bl_api_has_come(job, (enum bl_wait)until)) {
        bl_api_answer_job(api, request, 200, job);
    } else {
        bl_api_wait(api, request, job->id, (enum bl_wait)until, longest);
    }
}

/* --- cancel ---------------------------------------------------------------------------------- */

struct outcome {
    struct bl_api *api;
    struct bl_request *request;
    bl_job_id id;
};

static void answer_state(const struct bl_api *api, struct bl_request *request, bl_job_id id)
{
    const struct bl_job *job = bl_core_find_job(bl_driver_ledger(api->driver)->core, id);
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    bl_json_put_int(&json, "id", id);
    bl_json_put_text(&json, "state", bl_job_state_name(job->state));
    bl_json_close_object(&json);
    bl_request_answer(request, 200, &body);
}

static void on_cancelled(void *self, bool is_accepted)
{
    struct outcome *outcome = self;
    struct bl_error err;

    if (is_accepted) {
        answer_state(outcome->api, outcome->request, outcome->id);
    } else {
        if (bl_driver_check(outcome->api->driver, &err) == BL_OK) {
            bl_fail(&err, BL_EUNREACHABLE, "the daemon stops");
        }
        bl_request_fail(outcome->request, BL_ANSWER_UNAVAILABLE, &err);
    }
    free(outcome);
}

static void cancel(struct bl_api *api, struct bl_request *request, bl_job_id id)
{
    const struct bl_job *job = bl_core_find_job(bl_driver_ledger(api->driver)->core, id);
    struct outcome *outcome;
    struct bl_error err;

    if (job && bl_job_state_is_ended(job->state)) {
        answer_state(api, request, id);
        return;
    }
    if (bl_driver_check(api->driver, &err) != BL_OK) {
        bl_request_fail(request, BL_ANSWER_UNAVAILABLE, &err);
        return;
    }
    outcome = bl_alloc_zero(sizeof *outcome);
    *outcome = (struct outcome){.api = api, .request = request, .id = id};
    bl_driver_cancel(api->driver, id, bl_request_peer(request)->uid,
                     (struct bl_completion){.self = outcome, .call = on_cancelled});
}

void bl_api_cancel(void *self, struct bl_request *request)
{
    struct bl_api *api = self;
    bl_job_id id;
    int64_t owner;
    struct bl_error err;

    if (!bl_api_admit(request) || !bl_api_parse_job_id(request, &id)) {
        return;
    }
    if (!bl_driver_find_owner(api->driver, id, &owner)) {
        bl_api_fail_no_job(request, bl_request_param(request));
    } else if (bl_auth_check_owner(bl_request_peer(request), id, owner, &err) != BL_OK) {
        bl_request_fail(request, BL_ANSWER_FORBIDDEN, &err);
    } else {
        cancel(api, request, id);
    }
}
