/* token: what opens the daemon's TCP port, made, listed and taken back. */
#include "cli/cli.h"

#include "base/units.h"
#include "cli/jobs.h"
#include "cli/say.h"
#include "cli/when.h"
#include "form/json_out.h"
#include "os/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { KEY_SCOPE = BL_KEY_OWN, KEY_USER, KEY_EXPIRES, KEY_NAME };

struct token_flags {
    const char *scope, *user, *expires, *name;
};

static const struct bl_flag flags[] = {
    {"scope", 0, BL_TAKES_VALUE, KEY_SCOPE, "SCOPE", BL_SAY_FLAG_TOKEN_SCOPE},
    {"user", 'u', BL_TAKES_VALUE, KEY_USER, "USER", BL_SAY_FLAG_TOKEN_USER},
    {"expires", 0, BL_TAKES_VALUE, KEY_EXPIRES, "TIME", BL_SAY_FLAG_TOKEN_EXPIRES},
    {"name", 0, BL_TAKES_VALUE, KEY_NAME, "NAME", BL_SAY_FLAG_TOKEN_NAME},
    BL_FLAGS_COMMON,
};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct token_flags *given = self;

    (void)err;
    switch (key) {
    case KEY_SCOPE:
        given->scope = value;
        break;
    case KEY_USER:
        given->user = value;
        break;
    case KEY_EXPIRES:
        given->expires = value;
        break;
    case KEY_NAME:
        given->name = value;
        break;
    default:
        break;
    }
    return BL_OK;
}

/* --- create ---------------------------------------------------------------------------------- */

static void put_given(struct bl_json *json, const char *key, const char *value)
{
    if (value) {
        bl_json_put_text(json, key, value);
    }
}

static void print_wish(struct bl_buf *out, const struct token_flags *given)
{
    struct bl_json json;

    bl_json_init(&json, out);
    bl_json_open_object(&json);
    put_given(&json, "scope", given->scope);
    put_given(&json, "user", given->user);
    put_given(&json, "expires", given->expires);
    put_given(&json, "name", given->name);
    bl_json_close_object(&json);
}

/* Beside the token, which alone goes to standard output. */
static void tell_made(const struct bl_tree *token)
{
    double expires = bl_field_double(token, "expires_at", 0);
    BL_AUTO_BUF text = {0};
    BL_AUTO_BUF until = {0};
    BL_AUTO_BUF when = {0};

    if (expires > 0) {
        bl_when_print(&when, (bl_time)(expires * (double)BL_SECOND), bl_clock_wall());
        BL_SAY(&until, BL_SAY_TOKEN_UNTIL, BL_T(bl_buf_text(&when)));
    }
    BL_SAY(&text, BL_SAY_TOKEN_MADE, BL_N(bl_field_int(token, "id", 0)),
           BL_T(bl_field_text(token, "scope", "?")), BL_T(bl_field_text(token, "user", "?")),
           BL_T(bl_buf_text(&until)));
    fprintf(stderr, "%s\n", bl_buf_text(&text));
}

static int create(struct bl_cli *cli, const struct token_flags *given, struct bl_buf *out,
                  struct bl_error *err)
{
    BL_AUTO_BUF body = {0};
    BL_AUTO_REPLY reply = {0};
    int status;

    if (!given->scope) {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_TOKEN_NO_SCOPE, NULL);
        return bl_say_hint(err, BL_SAY_H_TOKEN_NO_SCOPE, NULL);
    }
    print_wish(&body, given);
    status = bl_client_post(cli->client, "/api/v1/tokens", bl_buf_text(&body), &reply, err);
    if (!status && cli->json) {
        bl_buf_printf(out, "%s\n", bl_buf_text(&reply.body));
    } else if (!status) {
        bl_buf_printf(out, "%s\n", bl_field_text(reply.tree, "token", ""));
        tell_made(reply.tree);
    }
    return status;
}

/* --- list ------------------------------------------------------------------------------------ */

static void add_instant(struct bl_table *table, const struct bl_tree *token, const char *key)
{
    bl_time at = (bl_time)(bl_field_double(token, key, 0) * (double)BL_SECOND);
    bl_time now = bl_clock_wall();
    BL_AUTO_BUF text = {0};
    bool is_past = at > 0 && at <= now && strcmp(key, "expires_at") == 0;

    if (is_past) {
        bl_say(&text, BL_SAY_TOKEN_EXPIRED);
    } else {
        bl_when_print(&text, at, now);
    }
    bl_table_add(table, at > 0 ? bl_buf_text(&text) : NULL, is_past ? BL_TINT_BAD : BL_TINT_NONE);
}

static void add_token(struct bl_table *table, const struct bl_tree *token)
{
    bl_table_add(table, bl_field_text(token, "id", "?"), BL_TINT_NONE);
    bl_table_add(table, bl_field_text(token, "scope", "?"), BL_TINT_NONE);
    bl_table_add(table, bl_field_text(token, "user", "?"), BL_TINT_NONE);
    add_instant(table, token, "created_at");
    add_instant(table, token, "expires_at");
    bl_table_add(table, bl_field_text(token, "name", NULL), BL_TINT_NONE);
}

static int list(struct bl_cli *cli, struct bl_buf *out, struct bl_error *err)
{
    struct bl_table_look look = bl_cli_look(cli);
    struct bl_table table = {0};
    BL_AUTO_REPLY reply = {0};
    const struct bl_tree *tokens;
    int status = bl_client_get(cli->client, "/api/v1/tokens", &reply, err);

    if (status) {
        return status;
    }
    if (cli->json) {
        bl_buf_printf(out, "%s\n", bl_buf_text(&reply.body));
        return status;
    }
    bl_table_add_column(&table, "ID", BL_ALIGN_RIGHT);
    bl_table_add_column(&table, "SCOPE", BL_ALIGN_LEFT);
    bl_table_add_column(&table, "USER", BL_ALIGN_LEFT);
    bl_table_add_column(&table, "CREATED", BL_ALIGN_LEFT);
    bl_table_add_column(&table, "EXPIRES", BL_ALIGN_LEFT);
    bl_table_add_column(&table, "NAME", BL_ALIGN_LEFT);
    tokens = bl_field_list(reply.tree, "tokens");
    for (size_t i = 0; tokens && i < tokens->child_count; i++) {
        add_token(&table, &tokens->child[i]);
    }
    if (bl_table_rows(&table)) {
        bl_table_print(out, &table, &look);
    } else {
        bl_say(out, BL_SAY_TOKEN_NONE);
        bl_buf_append_char(out, '\n');
    }
    bl_table_finish(&table);
    return status;
}

/* --- revoke ---------------------------------------------------------------------------------- */

static int revoke_one(struct bl_cli *cli, const char *id, struct bl_buf *out, struct bl_error *err)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_REPLY reply = {0};
    int64_t number = 0;
    int status = bl_int_parse(id, 1, INT64_MAX, &number, err);

    if (status) {
        bl_wrap(err, "token revoke");
        return bl_say_hint(err, BL_SAY_H_TOKEN_NUMBER, NULL);
    }
    bl_buf_printf(&path, "/api/v1/tokens/%" PRId64 "/revoke", number);
    status = bl_client_post(cli->client, bl_buf_text(&path), "", &reply, err);
    if (!status && cli->json) {
        bl_buf_printf(out, "%s\n", bl_buf_text(&reply.body));
    } else if (!status) {
        BL_SAY(out, BL_SAY_TOKEN_REVOKED, BL_N(number));
        bl_buf_append_char(out, '\n');
    }
    return status;
}

/* --- the verb -------------------------------------------------------------------------------- */

static int fail_use(const struct bl_cli *cli, struct bl_error *err)
{
    bl_say_fail(err, BL_EINVAL, BL_SAY_E_TOKEN_USE, NULL);
    return BL_HINT_SAYING(err, BL_SAY_USAGE, BL_T(cli->verb->usage));
}

static bool has_flags(const struct token_flags *given)
{
    return given->scope || given->user || given->expires || given->name;
}

static int act(struct bl_cli *cli, const struct token_flags *given, const struct bl_words *words,
               struct bl_buf *out, struct bl_error *err)
{
    const char *what = words->count > 0 ? words->at[0] : "";
    bool is_revoke = !strcmp(what, "revoke") || !strcmp(what, "rm");
    int status = BL_OK;

    if (!strcmp(what, "create") && words->count == 1) {
        return create(cli, given, out, err);
    }
    if (has_flags(given)) {
        return bl_say_fail(err, BL_EINVAL, BL_SAY_E_TOKEN_FLAGS, NULL);
    }
    if ((!strcmp(what, "list") || !strcmp(what, "ls")) && words->count == 1) {
        return list(cli, out, err);
    }
    if (!is_revoke || words->count < 2) {
        return fail_use(cli, err);
    }
    for (int i = 1; !status && i < words->count; i++) {
        status = revoke_one(cli, words->at[i], out, err);
    }
    return status;
}

static int run_token(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    const struct bl_words words = {argc, argv, "baleen token list"};
    BL_AUTO_BUF out = {0};
    int status;

    if (!bl_cli_client(cli, err)) {
        return (int)err->status;
    }
    status = act(cli, self, &words, &out, err);
    bl_cli_flush(&out);
    return status;
}

const struct bl_verb bl_verb_token = {
    .name = "token",
    .usage = "token create --scope SCOPE | token list | token revoke NUMBER…",
    .summary = BL_SAY_HELP_TOKEN,
    .about = BL_SAY_ABOUT_TOKEN,
    .flag = flags,
    .set = set_flag,
    .self_size = sizeof(struct token_flags),
    .run = run_token,
};
