/* Jobs: list and show. */
#include "base/own.h"
#include "base/units.h"
#include "base/sort.h"
#include "daemon/api.h"
#include "daemon/auth.h"
#include "daemon/job_json.h"

#include <string.h>

enum { LIST_STANDARD = 1000, LIST_MAX = 10000, LIST_IDS_MAX = 1000, WAIT_SECONDS_MAX = 60 };

/* --- list ------------------------------------------------------------------------------------ */

struct filter {
    unsigned states;            /* a bit each */
    const char *user, *project; /* the user "@" is whoever asks */
    const char *name;           /* a pattern */
    const int64_t *id;          /* the same, in order; NULL = any */
    size_t id_count;
    bl_job_id array; /* elements of this one alone; 0 = all jobs */
    bool expands;    /* pending elements as jobs of their own */
    bl_job_id after;
    int64_t limit;
    int64_t last; /* only so many, those with the greatest ids; 0 = all */
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

static int compare_ids(const void *left, const void *right)
{
    const int64_t *a = left;
    const int64_t *b = right;

    return *a < *b ? -1 : *a > *b;
}

/* "3,17": into `room`, which has LIST_IDS_MAX places. */
static bool read_ids(struct bl_request *request, int64_t *room, struct filter *out)
{
    const char *text = bl_request_query(request, "ids");
    BL_AUTO_FREE char *words = bl_copy_text(text ? text : "");
    char *rest = words;
    char *word;
    struct bl_error err;

    out->id = text ? room : NULL;
    out->id_count = 0;
    while (text && (word = strsep(&rest, ","))) {
        if (out->id_count == LIST_IDS_MAX ||
            bl_int_parse(word, 1, INT64_MAX, &room[out->id_count++], NULL) != BL_OK) {
            bl_fail(&err, BL_EINVAL, "ids: expected up to %d ids like 3,17, found '%s'",
                    LIST_IDS_MAX, word);
            bl_error_set_field(&err, "ids");
            bl_request_fail(request, BL_ANSWER_INVALID, &err);
            return false;
        }
    }
    bl_sort(room, out->id_count, sizeof *room, compare_ids);
    return true;
}

static bool read_filter(struct bl_request *request, int64_t *id_room, struct filter *out)
{
    static const struct bl_api_range limits = {1, LIST_MAX, LIST_STANDARD};
    static const struct bl_api_range ids = {0, INT64_MAX, 0};
    static const struct bl_api_range flag = {0, 1, 0};
    static const struct bl_api_range last = {0, LIST_MAX, 0};
    int64_t expands = 0;
    bool is_good;

    out->user = bl_request_query(request, "user");
    out->project = bl_request_query(request, "project");
    out->name = bl_request_query(request, "name");
    is_good = read_states(request, &out->states) && read_ids(request, id_room, out) &&
              bl_api_query_int(request, "array", ids, &out->array) &&
              bl_api_query_int(request, "expand", flag, &expands) &&
              bl_api_query_int(request, "limit", limits, &out->limit) &&
              bl_api_query_int(request, "after", ids, &out->after) &&
              bl_api_query_int(request, "last", last, &out->last);
    out->expands = expands != 0;
    return is_good;
}

/* '*' and '?'. The library's function may take time without end for many stars; here a later star
 * makes all before it settled, so that the work is at most the product of the lengths. */
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL;  /* behind the last one */
    const char *taken = NULL; /* where what follows it was last tried */

    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            taken = text;
        } else if (*pattern && (*pattern == '?' || *pattern == *text)) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++taken;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return *pattern == '\0';
}

static bool is_text(const char *wanted, const char *found)
{
    return !wanted || (found && strcmp(wanted, found) == 0);
}

static bool is_listed(const struct filter *filter, bl_job_id id)
{
    return !filter->id ||
           bsearch(&id, filter->id, filter->id_count, sizeof *filter->id, compare_ids);
}

static bool is_wanted(const struct filter *filter, const struct bl_job *job)
{
    return job->id > filter->after && ((filter->states >> bl_job_shown_state(job)) & 1) &&
           is_listed(filter, job->id) && is_text(filter->user, job->spec.user) &&
           is_text(filter->project, job->spec.project) &&
           (!filter->name || matches(filter->name, job->spec.name ? job->spec.name : ""));
}

/* A list on its way into the answer. */
struct page {
    struct bl_json *json; /* NULL: the jobs are counted */
    const struct bl_ledger *ledger;
    const struct filter *filter;
    int64_t skip; /* so many are left out first */
    int64_t count;
    bl_job_id last;
    bool is_full; /* and there is more */
};

static void offer(struct page *page, const struct bl_job *job)
{
    if (page->is_full || !is_wanted(page->filter, job)) {
        return;
    }
    if (page->skip > 0) {
        page->skip--;
        return;
    }
    if (page->json && page->count == page->filter->limit) {
        page->is_full = true;
        return;
    }
    if (page->json) {
        bl_job_json_write(page->json, page->ledger, job);
    }
    page->last = job->id;
    page->count++;
}

/* An array's elements follow it in order of id, whenever they started. */
static void offer_elements(struct page *page, const struct bl_job *array_job)
{
    const struct bl_array *array = array_job->array;
    bl_job_id first = array_job->id + 1;
    int32_t position = 0;
    int32_t end = page->filter->expands || array->waits_each ? array->count : array->next;

    if (page->filter->after > array_job->id) {
        int64_t skipped = page->filter->after - array_job->id;

        position = skipped < end ? (int32_t)skipped : end;
    }
    for (; position < end && !page->is_full; position++) {
        const struct bl_job *job = bl_core_find_job(page->ledger->core, first + position);
        struct bl_job pending;

        if (job) {
            offer(page, job);
        } else if (page->filter->expands && array->outcome[position] == BL_OUTCOME_NONE) {
            pending = bl_job_pending_element(array_job, position);
            offer(page, &pending);
        }
    }
}

/* Jobs stand in order of id, which is that of submission, but for elements: they come when they
 * start. */
static void offer_all(struct page *page)
{
    const struct bl_job *job;
    size_t cursor = 0;

    while (!page->is_full && (job = bl_core_next_job(page->ledger->core, &cursor))) {
        if (!job->array_job) {
            offer(page, job);
        }
        if (job->array) {
            offer_elements(page, job);
        }
    }
}

/* What is no array has no elements. */
static void offer_wanted(struct page *page)
{
    const struct bl_job *array_job = NULL;

    if (!page->filter->array) {
        offer_all(page);
        return;
    }
    array_job = bl_core_find_job(page->ledger->core, page->filter->array);
    if (array_job && array_job->array) {
        offer_elements(page, array_job);
    }
}

static int64_t count_all(const struct bl_ledger *ledger, const struct filter *filter)
{
    struct page page = {.ledger = ledger, .filter = filter};

    offer_wanted(&page);
    return page.count;
}

static bl_job_id write_page(struct bl_json *json, const struct bl_ledger *ledger,
                            const struct filter *filter)
{
    struct page page = {.json = json, .ledger = ledger, .filter = filter};

    if (filter->last) {
        page.skip = count_all(ledger, filter) - filter->last;
    }
    bl_json_key(json, "jobs");
    bl_json_open_array(json);
    offer_wanted(&page);
    bl_json_close_array(json);
    return page.is_full ? page.last : 0;
}

void bl_api_list(void *self, struct bl_request *request)
{
    const struct bl_api *api = self;
    struct filter filter;
    int64_t id_room[LIST_IDS_MAX];
    BL_AUTO_BUF body = {0};
    BL_AUTO_BUF self_name = {0};
    struct bl_json json;
    bl_job_id next;

    if (!bl_api_admit(request) || !read_filter(request, id_room, &filter)) {
        return;
    }
    if (filter.user && strcmp(filter.user, "@") == 0) {
        bl_auth_print_user(&self_name, bl_request_peer(request)->uid);
        filter.user = bl_buf_text(&self_name);
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
    struct bl_api_target target;
    const struct bl_job *job;
    struct bl_job room;
    bl_time longest = 0;
    int until;

    if (!bl_api_find_target(api, request, &target) || !read_wait(request, &until, &longest)) {
        return;
    }
    job = bl_api_look_up(bl_driver_ledger(api->driver)->core, target.id, &room);
    if (!job) {
        bl_api_fail_no_job(request, bl_request_param(request));
    } else if (until < 0 || longest == 0 || bl_api_has_come(job, (enum bl_wait)until)) {
        bl_api_answer_job(api, request, 200, job);
    } else {
        bl_api_wait(api, request, target.id, (enum bl_wait)until, longest);
    }
}
