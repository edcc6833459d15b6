/* Reservations: booked, looked at, changed, cancelled. Whether a booking can be is decided where
 * its event is applied; a request is checked before, so that nothing hopeless is written down, and
 * looks afterwards what became of it. */
#include "base/own.h"
#include "base/sort.h"
#include "base/units.h"
#include "calendar/zone.h"
#include "daemon/api.h"
#include "daemon/auth.h"
#include "daemon/booking_json.h"
#include "daemon/booking_make.h"
#include "form/bookingspec.h"

#include <string.h>

enum { LIST_MAX = 10000, STRANDED_MAX = 1000 };

/* One request on its way to the disk. */
struct demand {
    struct bl_api *api;
    struct bl_request *request;
    struct bl_arena arena;
    struct bl_bookingspec asked;
    struct bl_booking_spec spec;
    struct bl_booking_wish wish;
    int64_t id;
    int32_t occurrence;
    int status; /* of the answer where all went well */
};

static const struct bl_ledger *ledger_of(const struct bl_api *api)
{
    return bl_driver_ledger(api->driver);
}

static void destroy(struct demand *demand)
{
    bl_arena_finish(&demand->arena);
    free(demand);
}

static void fail(struct demand *demand, enum bl_answer kind, const struct bl_error *err)
{
    bl_request_fail(demand->request, kind, err);
    destroy(demand);
}

/* --- answers --------------------------------------------------------------------------------- */

/* Jobs that wait for it and could run in no slot of it, as it is now. */
static void write_stranded(struct bl_json *json, const struct bl_core *core, int64_t booking)
{
    const struct bl_job *job;
    size_t cursor = 0;
    size_t count = 0;

    bl_json_key(json, "stranded");
    bl_json_open_array(json);
    while (count < STRANDED_MAX && (job = bl_core_next_job(core, &cursor))) {
        bool waits = job->spec.reservation == booking && !bl_job_state_is_ended(job->state) &&
                     !bl_job_state_is_active(job->state);

        if (waits && bl_slot_misfit(core, job).code != BL_REASON_NONE) {
            bl_json_int(json, job->id);
            count++;
        }
    }
    bl_json_close_array(json);
}

/* Jobs of its user that were on its GPUs before. */
static void write_inside(struct bl_json *json, const struct bl_core *core, int64_t booking)
{
    const struct bl_job *job;
    size_t cursor = 0;

    bl_json_key(json, "inside");
    bl_json_open_array(json);
    while ((job = bl_core_next_job(core, &cursor))) {
        if (bl_job_is_inside(core, job, booking)) {
            bl_json_int(json, job->id);
        }
    }
    bl_json_close_array(json);
}

static void answer_booking(const struct bl_api *api, struct bl_request *request, int status,
                           const struct bl_booking *booking)
{
    struct bl_members_list members = {0};
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    bl_booking_json_write_whole(&json, bl_core_cluster(ledger_of(api)->core), booking);
    bl_booking_json_write_checked(&json, booking, &members);
    write_inside(&json, ledger_of(api)->core, booking->spec.id);
    write_stranded(&json, ledger_of(api)->core, booking->spec.id);
    bl_json_close_object(&json);
    bl_members_finish(&members);
    bl_request_answer(request, status, &body);
}

/* Answers when something is in the way of the wish. The core's present is that of the last event:
 * how far ahead a slot may lie was checked where it was made. */
static bool is_refused(const struct demand *demand)
{
    const struct bl_core *core = ledger_of(demand->api)->core;
    struct bl_arena arena = {0};
    struct bl_openings openings = {0};
    struct bl_booking_wish wish = demand->wish;
    const struct bl_booking_refusal refusal = {core, &wish, &openings};
    struct bl_error err = {0};

    wish.now = bl_driver_now(demand->api->driver);
    bl_openings_find(core, &wish, &arena, &openings);
    if (openings.fault == BL_BOOKING_TOO_FAR) {
        openings.fault = BL_BOOKING_FINE;
    }
    if (openings.fault != BL_BOOKING_FINE) {
        int status = bl_answer_status(bl_booking_refusal_say(&refusal, &err));
        BL_AUTO_BUF body = {0};

        bl_booking_refusal_print(&body, &refusal);
        bl_request_answer(demand->request, status, &body);
    }
    bl_arena_finish(&arena);
    return openings.fault != BL_BOOKING_FINE;
}

/* Somebody was faster, by the blink between the check and the disk. */
static void answer_lost(const struct demand *demand)
{
    struct bl_error err;

    if (!is_refused(demand)) {
        bl_fail(&err, BL_EREFUSED, "the booking was changed by somebody else at the same time");
        bl_error_set_hint(&err, "look at it and try again");
        bl_request_fail(demand->request, BL_ANSWER_CONFLICT, &err);
    }
}

static void on_done(void *self, bool is_accepted)
{
    struct demand *demand = self;
    const struct bl_ledger *ledger = ledger_of(demand->api);
    const struct bl_booking *booking = bl_core_find_booking(ledger->core, demand->id);

    if (!is_accepted) {
        bl_api_fail_unavailable(demand->api, demand->request);
    } else if (booking && bl_booking_watch_has(&ledger->bookings, demand->id)) {
        answer_booking(demand->api, demand->request, demand->status, booking);
    } else {
        answer_lost(demand);
    }
    destroy(demand);
}

static void post(struct demand *demand, struct bl_event *event)
{
    struct bl_error err;

    if (bl_driver_check(demand->api->driver, &err) != BL_OK) {
        fail(demand, BL_ANSWER_UNAVAILABLE, &err);
        return;
    }
    bl_driver_ask(demand->api->driver, event,
                  (struct bl_completion){.self = demand, .call = on_done});
}

/* --- reading --------------------------------------------------------------------------------- */

static int read_body(struct demand *demand, enum bl_bookingspec_use use, struct bl_error *err)
{
    const struct bl_buf *body = bl_request_body(demand->request);
    struct bl_tree_source source = {"request body", bl_buf_text(body), body->length};
    struct bl_tree *tree = NULL;

    if (bl_json_read(&source, &demand->arena, &tree, err) != BL_OK) {
        return (int)err->status;
    }
    return bl_bookingspec_read(&source, tree, use, &demand->arena, &demand->asked, err);
}

static struct demand *new_demand(struct bl_api *api, struct bl_request *request, int status)
{
    struct demand *demand = bl_alloc_zero(sizeof *demand);

    demand->api = api;
    demand->request = request;
    demand->status = status;
    return demand;
}

static struct bl_booking_maker maker_of(struct demand *demand, struct bl_error *err)
{
    BL_AUTO_BUF zone = {0};

    bl_tz_local_name(&zone);
    return (struct bl_booking_maker){
        .core = ledger_of(demand->api)->core,
        .now = bl_driver_now(demand->api->driver),
        .zone = bl_arena_copy_text(&demand->arena, bl_buf_text(&zone)),
        .release_after = demand->api->config->reservations.release_after,
        .arena = &demand->arena,
        .err = err,
    };
}

/* For whom it is: whoever asks, or somebody whom only those may name who run the daemon. */
static int take_user(struct demand *demand, struct bl_error *err, enum bl_answer *kind)
{
    const struct bl_peer *peer = bl_request_peer(demand->request);
    const char *wanted = demand->asked.user;
    struct bl_owner owner = {.uid = peer->uid};
    BL_AUTO_BUF name = {0};

    *kind = BL_ANSWER_INVALID;
    if (wanted && !bl_auth_find_user(wanted, &owner)) {
        bl_fail(err, BL_EINVAL, "user: this machine knows no user '%s'", wanted);
        return bl_error_set_field(err, "user");
    }
    if (owner.uid != peer->uid && bl_auth_check_manager(peer, "booking for another user", err)) {
        *kind = BL_ANSWER_FORBIDDEN;
        return bl_error_set_field(err, "user");
    }
    bl_auth_print_user(&name, owner.uid);
    demand->spec.uid = owner.uid;
    demand->spec.user = bl_arena_copy_text(&demand->arena, bl_buf_text(&name));
    return BL_OK;
}

/* --- book ------------------------------------------------------------------------------------ */

static int64_t next_id(struct bl_api *api)
{
    int64_t last = bl_core_last_booking(ledger_of(api)->core);

    api->last_booking = (last > api->last_booking ? last : api->last_booking) + 1;
    return api->last_booking;
}

/* Whoever books for a project opens it to that project's jobs, and must be in it. */
static int check_project(const struct demand *demand, struct bl_error *err, enum bl_answer *kind)
{
    const struct bl_peer *peer = bl_request_peer(demand->request);
    const char *project = demand->asked.project;

    if (!project || bl_auth_is_manager(peer) ||
        bl_members_find(peer->uid, project) != BL_STRANGER) {
        return BL_OK;
    }
    *kind = BL_ANSWER_FORBIDDEN;
    bl_auth_fail_stranger(peer->uid, project, err);
    return bl_error_set_field(err, bl_booking_key_name(BL_BOOKING_KEY_PROJECT));
}

static int take_in(struct demand *demand, struct bl_error *err, enum bl_answer *kind)
{
    struct bl_booking_maker maker;

    *kind = BL_ANSWER_INVALID;
    if (read_body(demand, BL_BOOKINGSPEC_NEW, err) != BL_OK) {
        return (int)err->status;
    }
    maker = maker_of(demand, err);
    if (bl_booking_make(&maker, &demand->asked, &demand->spec) != BL_OK ||
        check_project(demand, err, kind) != BL_OK) {
        return (int)err->status;
    }
    return take_user(demand, err, kind);
}

/* It could be booked as it stands, and is not. */
static void answer_fits(struct bl_request *request)
{
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    bl_json_put_bool(&json, "fits", true);
    bl_json_close_object(&json);
    bl_request_answer(request, 200, &body);
}

void bl_api_reserve(void *self, struct bl_request *request)
{
    static const struct bl_api_range flag = {0, 1, 0};
    struct demand *demand;
    struct bl_event event = {.kind = BL_EVENT_RESERVED};
    struct bl_error err = {0};
    enum bl_answer kind;
    int64_t only_tries = 0;

    if (!bl_api_admit(request) || !bl_api_query_int(request, "try", flag, &only_tries)) {
        return;
    }
    demand = new_demand(self, request, 201);
    if (take_in(demand, &err, &kind) != BL_OK) {
        fail(demand, kind, &err);
        return;
    }
    demand->wish = (struct bl_booking_wish){.spec = &demand->spec};
    demand->spec.id = INT64_MAX; /* none has it */
    if (is_refused(demand)) {
        destroy(demand);
        return;
    }
    if (only_tries) {
        answer_fits(request);
        destroy(demand);
        return;
    }
    demand->id = demand->spec.id = next_id(self);
    event.u.reserved = &demand->spec;
    post(demand, &event);
}

/* --- one of them ----------------------------------------------------------------------------- */

/* The booking that the path names, and its occurrence; NULL when it has been answered. */
static const struct bl_booking *find(const struct bl_api *api, struct bl_request *request,
                                     int32_t *occurrence)
{
    const char *text = bl_request_param(request);
    const struct bl_booking *booking = NULL;
    struct bl_error err;
    int64_t id = 0;

    if (!bl_api_admit(request)) {
        return NULL;
    }
    if (bl_booking_id_parse(text, &id, occurrence)) {
        booking = bl_core_find_booking(ledger_of(api)->core, id);
    }
    if (!booking) {
        bl_fail(&err, BL_ENOTFOUND, "there is no reservation %s", text);
        bl_error_set_hint(&err, "baleen res ls lists them; ids are like r17, or r17.3 for one of "
                                "a series");
        bl_request_fail(request, BL_ANSWER_NOT_FOUND, &err);
    }
    return booking;
}

static bool may_change(struct bl_request *request, const struct bl_booking *booking)
{
    const struct bl_peer *peer = bl_request_peer(request);
    struct bl_error err;

    if (bl_auth_is_manager(peer) || (int64_t)peer->uid == booking->spec.uid) {
        return true;
    }
    bl_fail(&err, BL_EREFUSED, "r%lld belongs to %s", (long long)booking->spec.id,
            booking->spec.user ? booking->spec.user : "another user");
    bl_request_fail(request, BL_ANSWER_FORBIDDEN, &err);
    return false;
}

void bl_api_reservation(void *self, struct bl_request *request)
{
    int32_t occurrence = 0;
    const struct bl_booking *booking = find(self, request, &occurrence);

    if (booking) {
        answer_booking(self, request, 200, booking);
    }
}

/* --- change ---------------------------------------------------------------------------------- */

static int take_edit(struct demand *demand, const struct bl_booking *booking, struct bl_error *err,
                     enum bl_answer *kind)
{
    struct bl_booking_maker maker;

    *kind = BL_ANSWER_INVALID;
    if (read_body(demand, BL_BOOKINGSPEC_EDIT, err) != BL_OK) {
        return (int)err->status;
    }
    if (demand->asked.has[BL_BOOKING_KEY_USER]) {
        bl_fail(err, BL_EINVAL, "user: a booking stays with whoever it was made for");
        return bl_error_set_field(err, "user");
    }
    if (demand->occurrence && demand->asked.occurrence &&
        demand->occurrence != demand->asked.occurrence) {
        bl_fail(err, BL_EINVAL, "occurrence: the path names another one");
        return bl_error_set_field(err, "occurrence");
    }
    if (check_project(demand, err, kind) != BL_OK) {
        return (int)err->status;
    }
    demand->asked.occurrence = demand->occurrence ? demand->occurrence : demand->asked.occurrence;
    maker = maker_of(demand, err);
    if (bl_booking_edit(&maker, booking, &demand->asked, &demand->spec, &demand->wish) != BL_OK) {
        *kind = err->status == BL_EREFUSED ? BL_ANSWER_REFUSED : BL_ANSWER_INVALID;
        return (int)err->status;
    }
    return BL_OK;
}

void bl_api_change_reservation(void *self, struct bl_request *request)
{
    int32_t occurrence = 0;
    const struct bl_booking *booking = find(self, request, &occurrence);
    struct bl_event event = {.kind = BL_EVENT_RESERVATION_CHANGED};
    struct bl_error err = {0};
    enum bl_answer kind;
    struct demand *demand;

    if (!booking || !may_change(request, booking)) {
        return;
    }
    demand = new_demand(self, request, 200);
    demand->id = booking->spec.id;
    demand->occurrence = occurrence;
    if (take_edit(demand, booking, &err, &kind) != BL_OK) {
        fail(demand, kind, &err);
        return;
    }
    if (is_refused(demand)) {
        destroy(demand);
        return;
    }
    event.u.rebooked = demand->wish;
    post(demand, &event);
}

/* --- cancel ---------------------------------------------------------------------------------- */

struct cut {
    int64_t occurrence, following;
};

static bool is_any_live(const struct bl_booking *booking, const struct cut *cut)
{
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        int32_t number = booking->occurrence[i].number;
        bool is_meant = cut->occurrence == 0 || number == cut->occurrence ||
                        (cut->following && number > cut->occurrence);

        if (is_meant && bl_occurrence_is_live(&booking->occurrence[i])) {
            return true;
        }
    }
    return false;
}

static bool has_occurrence(const struct bl_booking *booking, int64_t number)
{
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        if (booking->occurrence[i].number == number) {
            return true;
        }
    }
    return false;
}

static bool read_cut(struct bl_request *request, const struct bl_booking *booking,
                     int32_t occurrence, struct cut *out)
{
    static const struct bl_api_range flag = {0, 1, 0};
    const struct bl_api_range numbers = {occurrence ? occurrence : 1,
                                         occurrence ? occurrence : BL_OCCURRENCE_NUMBER_MAX,
                                         occurrence};
    struct bl_error err;

    if (!bl_api_query_int(request, "occurrence", numbers, &out->occurrence) ||
        !bl_api_query_int(request, "following", flag, &out->following)) {
        return false;
    }
    if (out->occurrence && !has_occurrence(booking, out->occurrence)) {
        bl_fail(&err, BL_ENOTFOUND, "r%lld has no occurrence %lld", (long long)booking->spec.id,
                (long long)out->occurrence);
        bl_error_set_field(&err, "occurrence");
        bl_request_fail(request, BL_ANSWER_NOT_FOUND, &err);
        return false;
    }
    return true;
}

/* Twice is once. */
void bl_api_cancel_reservation(void *self, struct bl_request *request)
{
    int32_t occurrence = 0;
    const struct bl_booking *booking = find(self, request, &occurrence);
    struct bl_event event = {.kind = BL_EVENT_RESERVATION_CANCELLED};
    struct demand *demand;
    struct cut cut = {0};

    if (!booking || !may_change(request, booking) ||
        !read_cut(request, booking, occurrence, &cut)) {
        return;
    }
    if (!is_any_live(booking, &cut)) {
        answer_booking(self, request, 200, booking);
        return;
    }
    demand = new_demand(self, request, 200);
    demand->id = booking->spec.id;
    event.u.unreserved.id = booking->spec.id;
    event.u.unreserved.occurrence = (int32_t)cut.occurrence;
    event.u.unreserved.following = cut.following != 0;
    event.u.unreserved.uid = bl_request_peer(request)->uid;
    post(demand, &event);
}

/* --- list ------------------------------------------------------------------------------------ */

struct row {
    const struct bl_booking *booking;
    const struct bl_occurrence *occurrence;
};

struct list {
    const char *user; /* NULL = anybody's */
    bool all;         /* those that were cancelled or given up as well */
    BL_VEC(struct row) rows;
};

static void see(void *self, const struct bl_booking *booking,
                const struct bl_occurrence *occurrence)
{
    struct list *list = self;
    bool is_void =
        occurrence->state == BL_OCCURRENCE_CANCELLED || occurrence->state == BL_OCCURRENCE_RELEASED;
    bool is_theirs =
        !list->user || (booking->spec.user && strcmp(list->user, booking->spec.user) == 0);

    if (!bl_promised_job(booking) && is_theirs && (list->all || !is_void)) {
        BL_VEC_PUSH(&list->rows, (struct row){booking, occurrence});
    }
}

static int compare_rows(const void *left, const void *right)
{
    const struct row *a = left;
    const struct row *b = right;

    if (a->occurrence->start != b->occurrence->start) {
        return a->occurrence->start < b->occurrence->start ? -1 : 1;
    }
    if (a->booking->spec.id != b->booking->spec.id) {
        return a->booking->spec.id < b->booking->spec.id ? -1 : 1;
    }
    return (a->occurrence->number > b->occurrence->number) -
           (a->occurrence->number < b->occurrence->number);
}

/* Whoever has bookings is known, though the machine may have forgotten them. */
static bool is_user_known(const struct list *list)
{
    struct bl_owner owner;

    return !list->user || list->rows.count > 0 || bl_auth_find_user(list->user, &owner);
}

static void write_list(struct bl_buf *body, const struct bl_core *core, const struct list *list)
{
    struct bl_members_list members = {0};
    size_t count = list->rows.count < LIST_MAX ? list->rows.count : LIST_MAX;
    struct bl_json json;

    bl_api_open_list(&json, body, "reservations");
    for (size_t i = 0; i < count; i++) {
        bl_json_open_object(&json);
        bl_booking_json_write_keys(&json, bl_core_cluster(core), list->rows.at[i].booking,
                                   list->rows.at[i].occurrence);
        bl_booking_json_write_checked(&json, list->rows.at[i].booking, &members);
        bl_json_close_object(&json);
    }
    bl_json_close_array(&json);
    bl_json_put_int(&json, "left_out", (int64_t)(list->rows.count - count));
    bl_json_put_bool(&json, "user_known", is_user_known(list));
    bl_json_close_object(&json);
    bl_members_finish(&members);
}

void bl_api_reservations(void *self, struct bl_request *request)
{
    const struct bl_api *api = self;
    const struct bl_core *core = ledger_of(api)->core;
    static const struct bl_api_range flag = {0, 1, 0};
    struct list list = {.user = bl_request_query(request, "user")};
    BL_AUTO_BUF own = {0};
    BL_AUTO_BUF body = {0};
    struct bl_window window;
    int64_t all = 0;

    if (!bl_api_admit(request) ||
        !bl_api_read_window(api, request, (struct bl_api_reach){0, BL_BOOKING_HORIZON}, &window) ||
        !bl_api_query_int(request, "all", flag, &all)) {
        return;
    }
    if (list.user && strcmp(list.user, "@") == 0) {
        bl_auth_print_user(&own, bl_request_peer(request)->uid);
        list.user = bl_buf_text(&own);
    }
    list.all = all != 0;
    bl_core_each_occurrence(core, window.from, window.to, see, &list);
    bl_sort(list.rows.at, list.rows.count, sizeof *list.rows.at, compare_rows);
    write_list(&body, core, &list);
    BL_VEC_FINISH(&list.rows);
    bl_request_answer(request, 200, &body);
}
