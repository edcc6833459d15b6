#include "cli/booking.h"

#include "base/own.h"
#include "base/units.h"
#include "calendar/rule.h"
#include "cli/jobs.h"
#include "cli/text.h"
#include "cli/when.h"
#include "form/json_out.h"
#include "form/tree_make.h"
#include "form/tree_out.h"
#include "os/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    ROUNDS_MAX = 8, /* openings that somebody tries in a row */
    IDS_SHOWN = 8   /* ids of jobs in one line */
};

/* --- the body -------------------------------------------------------------------------------- */

static bool is_instant(const char *key)
{
    return !strcmp(key, "from") || !strcmp(key, "until_at");
}

/* The last day of a series may be told by its distance. */
static void print_date(struct bl_buf *out, const char *value)
{
    bl_time at = 0;

    if (value[0] == '+' && bl_when_parse(value, bl_clock_wall(), &at, NULL) == BL_OK) {
        time_t seconds = (time_t)(at / BL_SECOND);
        struct tm local = {0};
        char date[32] = "";

        localtime_r(&seconds, &local);
        strftime(date, sizeof date, "%Y-%m-%d", &local);
        bl_buf_append_text(out, date);
    } else {
        bl_when_print_civil(out, value, bl_clock_wall());
    }
}

void bl_booking_put(const struct bl_booking_request *request, const char *key, const char *value)
{
    BL_AUTO_BUF text = {0};

    if (!strcmp(value, "none")) {
        bl_tree_put(request->arena, request->body, key,
                    &(struct bl_tree){.kind = BL_TREE_NULL, .key = key}, 0);
        return;
    }
    if (is_instant(key)) {
        bl_when_print_civil(&text, value, bl_clock_wall());
    } else if (!strcmp(key, "until")) {
        print_date(&text, value);
    } else {
        bl_buf_append_text(&text, value);
    }
    bl_tree_put_text(request->arena, request->body, key,
                     bl_arena_copy_text(request->arena, bl_buf_text(&text)), 0);
}

void bl_booking_put_zone(const struct bl_booking_request *request)
{
    BL_AUTO_BUF zone = {0};

    if (!bl_tree_find(request->body, "zone")) {
        bl_tz_local_name(&zone);
        bl_booking_put(request, "zone", bl_buf_text(&zone));
    }
}

/* --- words ----------------------------------------------------------------------------------- */

void bl_booking_print_range(struct bl_buf *out, bl_time start, bl_time end, bl_time now)
{
    bl_when_print(out, start, now);
    bl_buf_append_text(out, "–");
    if (end == 0) {
        bl_say(out, BL_SAY_BOOKING_NO_END);
    } else { /* the day is said once */
        bl_when_print(out, end, bl_when_is_same_day(start, end) ? end : now);
    }
}

static void print_where(struct bl_buf *out, const struct bl_tree *item)
{
    const struct bl_job_view view = {.tree = item};

    bl_job_print_where(out, &view, BL_WHERE_WORDS);
}

void bl_booking_print_rule(struct bl_buf *out, const struct bl_tree *booking)
{
    const char *text = bl_field_text(booking, "rule", NULL);
    BL_AUTO_TZ *tz = NULL;
    struct bl_rule rule;

    if (!text || bl_tz_create(bl_field_text(booking, "zone", "UTC"), &tz, NULL) != BL_OK ||
        bl_rule_read(text, tz, &rule, NULL) != BL_OK) {
        bl_text_escape(out, text ? text : "");
        return;
    }
    bl_rule_words(out, &rule, tz,
                  bl_language_now() == BL_LANGUAGE_ZH ? BL_RULE_CHINESE : BL_RULE_ENGLISH);
}

/* What the clocks change: a line each. */
static void print_notes(struct bl_buf *out, const struct bl_tree *booking, bl_time now)
{
    const struct bl_tree *notes = bl_field_list(booking, "notes");

    for (size_t i = 0; notes && i < notes->child_count; i++) {
        const struct bl_tree *note = &notes->child[i];
        bool is_skipped = !strcmp(bl_field_text(note, "kind", ""), "skipped");
        BL_AUTO_BUF at = {0};

        bl_when_print(&at, bl_field_time(note, is_skipped ? "start_at" : "end_at"), now);
        bl_buf_append_char(out, '\n');
        BL_SAY(out, is_skipped ? BL_SAY_BOOKING_SKIPPED : BL_SAY_BOOKING_SHORTENED,
               BL_N(bl_field_int(note, "occurrence", 0)), BL_T(bl_buf_text(&at)));
    }
}

/* The times by the clocks of the booking's zone, where that is not the one here. */
static void print_times(struct bl_buf *out, const struct bl_tree *booking,
                        const struct bl_tree *slot, bl_time now)
{
    const char *zone = bl_field_text(booking, "zone", NULL);
    bl_time start = bl_field_time(slot, "start_at");
    bl_time end = bl_field_time(slot, "end_at");
    bool is_chosen = bl_when_chosen_zone() != NULL;
    BL_AUTO_BUF own = {0};
    BL_AUTO_BUF here = {0};
    BL_AUTO_BUF there = {0};

    bl_when_leave_zone();
    bl_tz_local_name(&own);
    bl_booking_print_range(&here, start, end, now);
    if (!zone || (!is_chosen && !strcmp(zone, bl_buf_text(&own))) ||
        bl_when_choose_zone(zone, NULL)) {
        bl_buf_append_text(out, bl_buf_text(&here));
        return;
    }
    bl_booking_print_range(&there, start, end, now);
    if (!is_chosen) {
        bl_when_leave_zone();
    }
    BL_SAY(out,
           strcmp(bl_buf_text(&here), bl_buf_text(&there)) ? BL_SAY_BOOKING_TIMES_THERE
                                                           : BL_SAY_BOOKING_TIMES_IN,
           BL_T(bl_buf_text(&there)), BL_T(zone), BL_T(bl_buf_text(&here)));
}

/* A line on jobs by their ids, where the list has any. */
static void print_jobs(struct bl_buf *out, const struct bl_tree *jobs, enum bl_message message)
{
    size_t count = jobs ? jobs->child_count : 0;
    BL_AUTO_BUF ids = {0};

    for (size_t i = 0; i < count && i < IDS_SHOWN; i++) {
        bl_say(&ids, i ? BL_SAY_BETWEEN : BL_SAY_NOTHING);
        bl_text_escape(&ids, jobs->child[i].text ? jobs->child[i].text : "?");
    }
    if (count > IDS_SHOWN) {
        bl_say(&ids, BL_SAY_BETWEEN);
        bl_buf_append_text(&ids, "…");
    }
    if (count) {
        bl_buf_append_char(out, '\n');
        BL_SAY(out, message, BL_N((int64_t)count), BL_T(bl_buf_text(&ids)));
    }
}

/* Jobs that are on its GPUs already, and such as wait for it and no longer fit in. */
static void print_affected(struct bl_buf *out, const struct bl_tree *booking)
{
    print_jobs(out, bl_field_list(booking, "inside"), BL_SAY_BOOKING_INSIDE);
    print_jobs(out, bl_field_list(booking, "stranded"), BL_SAY_BOOKING_STRANDED);
}

bool bl_booking_is_claimed(const struct bl_tree *booking)
{
    return !strcmp(bl_field_text(booking, "project_checked", ""), "false");
}

/* Where and when `slot` is, of the booking, or that it is over: then it is false. */
static bool print_slot(struct bl_buf *out, const struct bl_tree *booking,
                       const struct bl_tree *slot, bl_time now)
{
    const char *name = bl_field_text(booking, "name", "");
    const char *state = bl_field_text(slot, "state", "");
    BL_AUTO_BUF title = {0};
    BL_AUTO_BUF where = {0};
    BL_AUTO_BUF range = {0};

    bl_buf_append_text(&title, bl_field_text(booking, "id", "?"));
    if (slot != booking) {
        bl_buf_printf(&title, ".%" PRId64, bl_field_int(slot, "occurrence", 0));
    }
    bl_buf_printf(&title, "%s%s", name[0] ? " " : "", name);
    if (!strcmp(state, "cancelled") || !strcmp(state, "released") || !strcmp(state, "ended")) {
        BL_SAY(out, BL_SAY_BOOKING_OVER, BL_T(bl_buf_text(&title)));
        bl_say(out, state[0] == 'c'   ? BL_SAY_BOOKING_CANCELLED
                    : state[0] == 'r' ? BL_SAY_BOOKING_RELEASED
                                      : BL_SAY_BOOKING_ENDED);
        return false;
    }
    print_where(&where, slot);
    print_times(&range, booking, slot, now);
    BL_SAY(out, BL_SAY_BOOKING_IS, BL_T(bl_buf_text(&title)), BL_N(bl_field_int(slot, "gpus", 0)),
           BL_T(bl_buf_text(&where)), BL_T(bl_buf_text(&range)));
    return true;
}

void bl_booking_print(struct bl_buf *out, const struct bl_tree *booking, bl_time now)
{
    BL_AUTO_BUF rule = {0};

    if (!print_slot(out, booking, booking, now)) {
        print_affected(out, booking);
        return;
    }
    bl_booking_print_rule(&rule, booking);
    if (rule.length) {
        BL_SAY(out, BL_SAY_BOOKING_SERIES, BL_T(bl_buf_text(&rule)),
               BL_N(bl_field_int(booking, "occurrences", 0)));
    }
    print_notes(out, booking, now);
    if (bl_booking_is_claimed(booking)) {
        bl_buf_append_char(out, '\n');
        BL_SAY(out, BL_SAY_BOOKING_CLAIMED, BL_T(bl_field_text(booking, "project", "")));
    }
    print_affected(out, booking);
}

void bl_booking_print_one(struct bl_buf *out, const struct bl_tree *booking, int32_t occurrence,
                          bl_time now)
{
    const struct bl_tree *slots = bl_field_list(booking, "slots");

    for (size_t i = 0; slots && slots->child_count > 1 && i < slots->child_count; i++) {
        if (bl_field_int(&slots->child[i], "occurrence", 0) == occurrence) {
            print_slot(out, booking, &slots->child[i], now);
            print_affected(out, booking);
            return;
        }
    }
    bl_booking_print(out, booking, now);
}

/* --- a refusal ------------------------------------------------------------------------------- */

/* "r9 (u104) 09:00–12:00". */
static void print_conflict(struct bl_buf *out, const struct bl_tree *conflict, bl_time now)
{
    BL_AUTO_BUF range = {0};
    BL_AUTO_BUF who = {0};
    int64_t job = bl_field_int(conflict, "job", 0);

    if (job > 0) {
        bl_buf_printf(&who, "%" PRId64, job);
    } else {
        bl_buf_append_text(&who, bl_field_text(conflict, "reservation", "?"));
    }
    bl_booking_print_range(&range, bl_field_time(conflict, "start_at"),
                           bl_field_time(conflict, "end_at"), now);
    BL_SAY(out, job > 0 ? BL_SAY_BOOKING_JOB : BL_SAY_BOOKING_OTHER, BL_T(bl_buf_text(&who)),
           BL_T(bl_field_text(conflict, "user", "?")), BL_T(bl_buf_text(&range)));
}

static void print_opening(struct bl_buf *out, const struct bl_tree *opening, size_t number,
                          bl_time now)
{
    BL_AUTO_BUF range = {0};
    BL_AUTO_BUF where = {0};

    bl_booking_print_range(&range, bl_field_time(opening, "start_at"),
                           bl_field_time(opening, "end_at"), now);
    print_where(&where, opening);
    BL_SAY(out, BL_SAY_BOOKING_OPENING, BL_N((int64_t)number), BL_T(bl_buf_text(&range)),
           BL_N(bl_field_int(opening, "gpus", 0)), BL_T(bl_field_text(opening, "gpu_type", "")),
           BL_T(bl_buf_text(&where)));
    bl_buf_append_char(out, '\n');
}

static bool has_items(const struct bl_tree *map, const char *key)
{
    const struct bl_tree *list = bl_field_list(map, key);

    return list && list->child_count > 0;
}

void bl_booking_print_refusal(struct bl_buf *out, const struct bl_tree *answer, bl_time now)
{
    const struct bl_tree *conflicts = bl_field_list(answer, "conflicts");
    const struct bl_tree *openings = bl_field_list(answer, "openings");
    int64_t gpus = bl_field_int(answer, "gpus", 0);
    int64_t missing = gpus - bl_field_int(answer, "gpus_free", 0);
    size_t count = conflicts ? conflicts->child_count : 0;

    BL_SAY(out, count > 0 ? BL_SAY_BOOKING_REFUSED : BL_SAY_BOOKING_MISSING,
           BL_N(missing > 0 ? missing : gpus), BL_N(gpus));
    for (size_t i = 0; i < count && i < 3; i++) {
        bl_say(out, i ? BL_SAY_BETWEEN : BL_SAY_NOTHING);
        print_conflict(out, &conflicts->child[i], now);
    }
    if (count > 3) {
        bl_buf_append_char(out, ' ');
        BL_SAY(out, BL_SAY_WHY_MORE, BL_N((int64_t)count - 3));
    }
    if (!has_items(answer, "openings")) {
        bl_say(out, BL_SAY_BOOKING_NOTHING_FITS);
        bl_buf_append_char(out, '\n');
        return;
    }
    if (bl_when_chosen_zone()) {
        BL_SAY(out, BL_SAY_BOOKING_IT_FITS_IN, BL_T(bl_when_chosen_zone()));
    } else {
        bl_say(out, BL_SAY_BOOKING_IT_FITS);
    }
    bl_buf_append_char(out, '\n');
    for (size_t i = 0; i < openings->child_count; i++) {
        print_opening(out, &openings->child[i], i + 1, now);
    }
}

void bl_booking_tell(const struct bl_cli *cli, const struct bl_reply *reply, int32_t occurrence,
                     struct bl_buf *out)
{
    if (cli->json) {
        bl_buf_append_text(out, bl_buf_text(&reply->body));
    } else {
        bl_booking_print_one(out, reply->tree, occurrence, bl_clock_wall());
    }
    bl_buf_append_char(out, '\n');
}

/* --- sending --------------------------------------------------------------------------------- */

/* The word for a field that an error is about: the flag, or the key as it is written. */
static void name_field(const struct bl_booking_request *request, struct bl_error *err)
{
    const char *field = strcmp(err->field, "until_at") ? err->field : "to";
    BL_AUTO_BUF word = {0};

    if (!err->field[0]) {
        return;
    }
    bl_buf_append_text(&word, request->is_of_flags ? "--" : "");
    for (const char *c = field; *c; c++) {
        bl_buf_append_char(&word, *c == '_' ? '-' : *c);
    }
    bl_client_name_field(err, bl_buf_text(&word));
}

static int post(struct bl_cli *cli, const struct bl_booking_request *request,
                struct bl_reply *reply, struct bl_error *err)
{
    BL_AUTO_BUF body = {0};
    struct bl_json json;
    int status;

    bl_json_init(&json, &body);
    bl_tree_put_json(&json, request->body);
    status = request->method == BL_BOOKING_POST
                 ? bl_client_post(cli->client, request->path, bl_buf_text(&body), reply, err)
                 : bl_client_patch(cli->client, request->path, bl_buf_text(&body), reply, err);
    if (status) {
        name_field(request, err);
    }
    return status;
}

/* The answer of a refusal that has a list of openings; NULL for any other failure. */
static const struct bl_tree *read_refusal(struct bl_reply *reply)
{
    const struct bl_tree_source source = {"answer", bl_buf_text(&reply->body), reply->body.length};
    struct bl_tree *tree = NULL;

    if (reply->status != 409 || bl_json_read(&source, &reply->arena, &tree, NULL) != BL_OK ||
        tree->kind != BL_TREE_MAP || !bl_field_list(tree, "openings")) {
        return NULL;
    }
    return tree;
}

/* The number that somebody types; 0 for none of them. */
static size_t ask_which(size_t count)
{
    BL_AUTO_BUF question = {0};
    BL_AUTO_BUF numbers = {0};
    char line[64];
    int64_t number = 0;

    for (size_t i = 0; i < count; i++) {
        bl_buf_printf(&numbers, "%zu/", i + 1);
    }
    BL_SAY(&question, BL_SAY_BOOKING_WHICH, BL_T(bl_buf_text(&numbers)));
    fprintf(stderr, "%s ", bl_buf_text(&question));
    fflush(stderr);
    if (!fgets(line, sizeof line, stdin)) {
        return 0;
    }
    line[strcspn(line, " \r\n")] = '\0';
    return bl_int_parse(line, 1, (int64_t)count, &number, NULL) == BL_OK ? (size_t)number : 0;
}

/* The body becomes what the opening says. */
static void take_opening(const struct bl_booking_request *request, const struct bl_tree *opening)
{
    BL_AUTO_BUF from = {0};
    BL_AUTO_BUF gpus = {0};
    const char *type = bl_field_text(opening, "gpu_type", NULL);
    const char *kind = bl_field_text(opening, "kind", "");
    bl_time length = bl_field_time(opening, "end_at") - bl_field_time(opening, "start_at");
    BL_AUTO_BUF span = {0};
    bool names_gpus = bl_tree_find(request->body, "on") || bl_tree_find(request->body, "nodes");

    bl_when_print_iso(&from, bl_field_time(opening, "from_at"));
    bl_buf_printf(&span, "%" PRId64 "s", length / BL_SECOND);
    bl_booking_put(request, "from", bl_buf_text(&from));
    bl_booking_put(request, "for", bl_buf_text(&span));
    bl_booking_put(request, "until_at", "none");
    if (!names_gpus || (strcmp(kind, "later") != 0 && strcmp(kind, "earlier") != 0)) {
        bl_buf_printf(&gpus, "%" PRId64, bl_field_int(opening, "gpus", 1));
        bl_booking_put(request, "gpus", bl_buf_text(&gpus));
        bl_booking_put(request, "on", "none");
        bl_booking_put(request, "nodes", "none");
    }
    if (type && !strcmp(kind, "other_type")) {
        bl_booking_put(request, "gpu_type", type);
    }
}

/* Whether another one is to be sent. */
static bool choose(const struct bl_cli *cli, const struct bl_booking_request *request,
                   const struct bl_tree *refusal)
{
    const struct bl_tree *openings = bl_field_list(refusal, "openings");
    bool may_ask = cli->is_terminal && isatty(STDIN_FILENO) && !cli->json;
    BL_AUTO_BUF text = {0};
    size_t chosen;

    bl_booking_print_refusal(&text, refusal, bl_clock_wall());
    fputs(bl_buf_text(&text), stderr);
    chosen = may_ask && has_items(refusal, "openings") ? ask_which(openings->child_count) : 0;
    if (chosen > 0) {
        take_opening(request, &openings->child[chosen - 1]);
    }
    return chosen > 0;
}

int bl_booking_send(struct bl_cli *cli, const struct bl_booking_request *request,
                    struct bl_reply *reply, struct bl_error *err)
{
    int status = post(cli, request, reply, err);
    const struct bl_tree *refusal;

    for (int round = 0; status == BL_EREFUSED && (refusal = read_refusal(reply)); round++) {
        if (cli->json) {
            bl_buf_append_char(&reply->body, '\n');
            bl_cli_flush(&reply->body);
            return status;
        }
        if (!has_items(refusal, "openings") && !has_items(refusal, "conflicts")) {
            return status; /* its sentence says what is wrong */
        }
        if (round == ROUNDS_MAX || !choose(cli, request, refusal)) {
            cli->exit_code = BL_EXIT_REFUSED;
            reply->tree = NULL;
            return BL_OK;
        }
        status = post(cli, request, reply, err);
    }
    return status;
}

int bl_booking_ask(struct bl_cli *cli, const struct bl_booking_request *request,
                   struct bl_error *err)
{
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_BUF out = {0};
    int status = bl_booking_send(cli, request, &reply, err);

    if (!status && reply.tree) {
        bl_booking_tell(cli, &reply, request->occurrence, &out);
    }
    bl_cli_flush(&out);
    return status;
}
