/* res: reservations listed, changed and cancelled. */
#include "cli/cli.h"

#include "base/map.h"
#include "base/own.h"
#include "cli/booking.h"
#include "cli/jobs.h"
#include "cli/text.h"
#include "cli/when.h"
#include "form/bookingspec.h"
#include "form/tree_make.h"
#include "os/clock.h"

#include <inttypes.h>
#include <string.h>

enum { KEY_ALL = BL_KEY_OWN, KEY_FOLLOWING, KEY_USER, KEY_FROM, KEY_TO, KEY_EACH };

struct res {
    bool all, following, each;
    const char *user, *from, *to;
};

static const struct bl_flag flags[] = {
    {"all", 'a', BL_TAKES_NOTHING, KEY_ALL, NULL, BL_SAY_FLAG_RES_ALL},
    {"each", 'e', BL_TAKES_NOTHING, KEY_EACH, NULL, BL_SAY_FLAG_RES_EACH},
    {"user", 'u', BL_TAKES_VALUE, KEY_USER, "USER", BL_SAY_FLAG_RES_USER},
    {"from", 0, BL_TAKES_VALUE, KEY_FROM, "TIME", BL_SAY_FLAG_RES_FROM},
    {"to", 0, BL_TAKES_VALUE, KEY_TO, "TIME", BL_SAY_FLAG_RES_TO},
    {"following", 'f', BL_TAKES_NOTHING, KEY_FOLLOWING, NULL, BL_SAY_FLAG_RES_FOLLOWING},
    BL_FLAGS_COMMON,
};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct res *res = self;

    (void)err;
    switch (key) {
    case KEY_ALL:
        res->all = true;
        break;
    case KEY_EACH:
        res->each = true;
        break;
    case KEY_FOLLOWING:
        res->following = true;
        break;
    case KEY_USER:
        res->user = value;
        break;
    case KEY_FROM:
        res->from = value;
        break;
    default: /* KEY_TO */
        res->to = value;
        break;
    }
    return BL_OK;
}

/* --- ls -------------------------------------------------------------------------------------- */

static int put_instant(struct bl_buf *path, const char *key, const char *text, struct bl_error *err)
{
    bl_time at = 0;
    int status = text ? bl_when_parse(text, bl_clock_wall(), &at, err) : BL_OK;

    if (text && !status) {
        bl_buf_printf(path, "&%s=%" PRId64, key, at / BL_SECOND);
    }
    return status;
}

static int print_path(struct bl_buf *path, const struct res *res, struct bl_error *err)
{
    int status;

    bl_buf_printf(path, "/api/v1/reservations?all=%d", res->all);
    if (res->user) {
        bl_buf_append_text(path, "&user=");
        bl_client_escape(path, res->user);
    }
    status = put_instant(path, "from", res->from, err);
    return status ? status : put_instant(path, "to", res->to, err);
}

static const struct {
    enum bl_message header;
    enum bl_align align;
} columns[] = {
    {BL_SAY_COLUMN_ID, BL_ALIGN_LEFT},     {BL_SAY_COLUMN_NAME, BL_ALIGN_LEFT},
    {BL_SAY_COLUMN_USER, BL_ALIGN_LEFT},   {BL_SAY_COLUMN_PROJECT, BL_ALIGN_LEFT},
    {BL_SAY_COLUMN_STATE, BL_ALIGN_LEFT},  {BL_SAY_COLUMN_GPUS, BL_ALIGN_RIGHT},
    {BL_SAY_COLUMN_WHERE, BL_ALIGN_LEFT},  {BL_SAY_COLUMN_TIME, BL_ALIGN_LEFT},
    {BL_SAY_COLUMN_SERIES, BL_ALIGN_LEFT},
};

static void add_text(struct bl_table *table, const struct bl_buf *text)
{
    bl_table_add(table, text->length ? bl_buf_text(text) : NULL, BL_TINT_NONE);
}

static void add_project(struct bl_table *table, const struct bl_tree *item)
{
    BL_AUTO_BUF text = {0};

    bl_buf_append_text(&text, bl_field_text(item, "project", ""));
    bl_buf_append_text(&text, bl_booking_is_claimed(item) ? " ?" : "");
    add_text(table, &text);
}

static void print_state(struct bl_buf *out, const char *state)
{
    static const struct {
        const char *state;
        enum bl_message message;
    } rows[] = {
        {"booked", BL_SAY_BOOKING_STATE_BOOKED},     {"clearing", BL_SAY_BOOKING_STATE_CLEARING},
        {"active", BL_SAY_BOOKING_STATE_ACTIVE},     {"ended", BL_SAY_BOOKING_STATE_ENDED},
        {"released", BL_SAY_BOOKING_STATE_RELEASED}, {"cancelled", BL_SAY_BOOKING_CANCELLED}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!strcmp(state, rows[i].state)) {
            bl_say(out, rows[i].message);
            return;
        }
    }
    bl_text_escape(out, state);
}

static void add_state(struct bl_table *table, const struct bl_tree *item)
{
    const char *state = bl_field_text(item, "state", "?");
    bool is_degraded = !strcmp(bl_field_text(item, "degraded", ""), "true");
    BL_AUTO_BUF text = {0};

    print_state(&text, state);
    if (is_degraded) {
        bl_say(&text, BL_SAY_BOOKING_DEGRADED);
    }
    bl_table_add(table, bl_buf_text(&text),
                 is_degraded                ? BL_TINT_BAD
                 : !strcmp(state, "active") ? BL_TINT_GOOD
                                            : BL_TINT_NONE);
}

static void add_row(struct bl_table *table, const struct bl_tree *item, const struct res *res)
{
    const struct bl_job_view view = {.tree = item};
    BL_AUTO_BUF where = {0};
    BL_AUTO_BUF range = {0};
    BL_AUTO_BUF rule = {0};

    bl_table_add(table, bl_field_text(item, res->each ? "ref" : "id", "?"), BL_TINT_NONE);
    bl_table_add(table, bl_field_text(item, "name", NULL), BL_TINT_NONE);
    bl_table_add(table, bl_field_text(item, "user", NULL), BL_TINT_NONE);
    add_project(table, item);
    add_state(table, item);
    bl_table_add(table, bl_field_text(item, "gpus", "?"), BL_TINT_NONE);
    bl_job_print_where(&where, &view, BL_WHERE_SHORT);
    add_text(table, &where);
    bl_booking_print_range(&range, bl_field_time(item, "start_at"), bl_field_time(item, "end_at"),
                           bl_clock_wall());
    add_text(table, &range);
    bl_booking_print_rule(&rule, item);
    add_text(table, &rule);
}

/* Whether an occurrence of the same booking stood before it: of a series the next one is told. */
static bool is_told(struct bl_map *told, const struct bl_tree *item)
{
    int32_t occurrence = 0;
    int64_t id = 0;

    if (!bl_booking_id_parse(bl_field_text(item, "id", ""), &id, &occurrence) ||
        bl_map_find(told, id)) {
        return id != 0;
    }
    bl_map_insert(told, id, told);
    return false;
}

static void print_list(const struct bl_cli *cli, const struct res *res, const struct bl_tree *list,
                       struct bl_buf *out)
{
    struct bl_table_look look = bl_cli_look(cli);
    struct bl_table table = {0};
    struct bl_map told = {0};
    bool has_claims = false;
    struct bl_buf header[sizeof columns / sizeof columns[0]] = {{0}};

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        bl_say(&header[i], columns[i].header);
        bl_table_add_column(&table, bl_buf_text(&header[i]), columns[i].align);
    }
    for (size_t i = 0; list && i < list->child_count; i++) {
        if (res->each || !is_told(&told, &list->child[i])) {
            add_row(&table, &list->child[i], res);
            has_claims = has_claims || bl_booking_is_claimed(&list->child[i]);
        }
    }
    if (bl_table_rows(&table)) {
        bl_table_print(out, &table, &look);
        if (has_claims) {
            bl_say(out, BL_SAY_BOOKINGS_CLAIMED);
            bl_buf_append_char(out, '\n');
        }
    } else {
        bl_say(out, BL_SAY_BOOKING_NONE);
        bl_buf_append_char(out, '\n');
    }
    bl_table_finish(&table);
    bl_map_finish(&told);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        bl_buf_finish(&header[i]);
    }
}

static int list(struct bl_cli *cli, const struct res *res, struct bl_error *err)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF out = {0};
    BL_AUTO_REPLY reply = {0};
    int status = print_path(&path, res, err);

    status = status ? status : bl_client_get(cli->client, bl_buf_text(&path), &reply, err);
    if (!status && !strcmp(bl_field_text(reply.tree, "user_known", ""), "false")) {
        return BL_FAIL_SAYING(err, BL_ENOTFOUND, BL_SAY_E_BOOKING_USER, BL_T(res->user));
    }
    if (!status && cli->json) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply.body));
    } else if (!status) {
        print_list(cli, res, bl_field_list(reply.tree, "reservations"), &out);
    }
    bl_cli_flush(&out);
    return status;
}

/* --- rm, set --------------------------------------------------------------------------------- */

static int check_id(const char *text, int32_t *occurrence, struct bl_error *err)
{
    int64_t id = 0;

    if (bl_booking_id_parse(text, &id, occurrence)) {
        return BL_OK;
    }
    BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_BOOKING_ID, BL_T(text));
    return bl_say_hint(err, BL_SAY_H_BOOKING_ID, NULL);
}

static int check_following(const struct res *res, int32_t occurrence, struct bl_error *err)
{
    return res->following && occurrence == 0
               ? bl_say_fail(err, BL_EINVAL, BL_SAY_E_BOOKING_FOLLOWING, NULL)
               : BL_OK;
}

static int remove_one(struct bl_cli *cli, const struct res *res, const char *id,
                      struct bl_error *err)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF out = {0};
    BL_AUTO_REPLY reply = {0};
    int32_t occurrence = 0;
    int status = check_id(id, &occurrence, err);

    status = status ? status : check_following(res, occurrence, err);
    if (!status) {
        bl_buf_printf(&path, "/api/v1/reservations/%s%s", id, res->following ? "?following=1" : "");
        status = bl_client_delete(cli->client, bl_buf_text(&path), &reply, err);
    }
    if (!status) {
        bl_booking_tell(cli, &reply, occurrence, &out);
    }
    bl_cli_flush(&out);
    return status;
}

/* "for=3h": the API's key for the word; NULL for an unknown one. */
static const char *key_of(const char *word, size_t length)
{
    static const char *const rows[][2] = {
        {"gpus", "gpus"},   {"gpu-type", "gpu_type"}, {"pool", "pool"},
        {"on", "on"},       {"from", "from"},         {"for", "for"},
        {"to", "until_at"}, {"every", "every"},       {"until", "until"},
        {"flex", "flex"},   {"zone", "zone"},         {"fold", "fold"},
        {"name", "name"},   {"project", "project"},   {"release-after", "release_after"}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strlen(rows[i][0]) == length && !strncmp(rows[i][0], word, length)) {
            return rows[i][1];
        }
    }
    return NULL;
}

static int put_changes(const struct bl_booking_request *request, int argc, char **argv,
                       struct bl_error *err)
{
    for (int i = 0; i < argc; i++) {
        const char *mark = strchr(argv[i], '=');
        const char *key = mark ? key_of(argv[i], (size_t)(mark - argv[i])) : NULL;

        if (!key) {
            BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_BOOKING_SET, BL_T(argv[i]));
            return bl_say_hint(err, BL_SAY_H_BOOKING_SET, NULL);
        }
        bl_booking_put(request, key, mark + 1);
    }
    return BL_OK;
}

static int change(struct bl_cli *cli, const struct res *res, int argc, char **argv,
                  struct bl_error *err)
{
    struct bl_arena arena = {0};
    BL_AUTO_BUF path = {0};
    struct bl_booking_request request = {
        NULL, BL_BOOKING_PATCH, bl_tree_create(&arena, BL_TREE_MAP), &arena, 0, false};
    int status = argc > 1 ? check_id(argv[0], &request.occurrence, err)
                          : bl_say_fail(err, BL_EINVAL, BL_SAY_E_WHAT_TO_SET, NULL);

    status = status ? status : check_following(res, request.occurrence, err);
    status = status ? status : put_changes(&request, argc - 1, argv + 1, err);
    if (!status) {
        if (res->following) {
            bl_booking_put(&request, "following", "true");
        }
        bl_buf_printf(&path, "/api/v1/reservations/%s", argv[0]);
        request.path = bl_buf_text(&path);
        status = bl_booking_ask(cli, &request, err);
    }
    bl_arena_finish(&arena);
    return status;
}

/* --- which ----------------------------------------------------------------------------------- */

static int fail_usage(const struct bl_cli *cli, enum bl_message what, struct bl_error *err)
{
    bl_say_fail(err, BL_EINVAL, what, NULL);
    return BL_HINT_SAYING(err, BL_SAY_H_USAGE_EXAMPLE, BL_T(cli->verb->usage),
                          BL_T("baleen res set r17 for=3h"));
}

static int run_res(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    const char *word = argc > 0 ? argv[0] : "ls";
    int status = BL_OK;

    if (!bl_cli_client(cli, err)) {
        return (int)err->status;
    }
    if (!strcmp(word, "ls")) {
        status = bl_cli_refuse_words(cli, argc > 1 ? argc - 1 : 0, argv + 1, err);
        return status ? status : list(cli, self, err);
    }
    if (!strcmp(word, "set")) {
        return change(cli, self, argc - 1, argv + 1, err);
    }
    if (strcmp(word, "rm") != 0 || argc == 1) {
        return fail_usage(cli, strcmp(word, "rm") ? BL_SAY_E_RES_WORD : BL_SAY_E_RES_WHICH, err);
    }
    for (int i = 1; !status && i < argc; i++) {
        status = remove_one(cli, self, argv[i], err);
    }
    return status;
}

const struct bl_verb bl_verb_res = {
    .name = "res",
    .usage = "res ls | rm ID… | set ID KEY=VALUE… [flags]",
    .summary = BL_SAY_HELP_RES,
    .about = BL_SAY_ABOUT_RES,
    .flag = flags,
    .set = set_flag,
    .self_size = sizeof(struct res),
    .run = run_res,
};
