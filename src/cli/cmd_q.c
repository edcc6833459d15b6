#include "cli/cli.h"

#include "cli/jobs.h"
#include "cli/live.h"
#include "cli/pages.h"
#include "cli/queue.h"
#include "os/clock.h"

#include <inttypes.h>
#include <string.h>

enum { KEY_ALL = BL_KEY_OWN, KEY_USER, KEY_STATE, KEY_WATCH, KEY_NO_HEADER, KEY_FIELDS };

struct q {
    bool all;
    bool no_header;
    const char *user;
    struct bl_buf states; /* "" means: not given */
    bl_time watch;        /* 0: once */
    const char *fields_text;
    struct bl_queue_fields fields;
};

static const struct bl_flag flags[] = {
    {"all", 'a', BL_TAKES_NOTHING, KEY_ALL, NULL, BL_SAY_FLAG_Q_ALL},
    {"user", 'u', BL_TAKES_VALUE, KEY_USER, "USER", BL_SAY_FLAG_Q_USER},
    {"state", 's', BL_TAKES_VALUE, KEY_STATE, "S,…", BL_SAY_FLAG_Q_STATE},
    {"watch", 'w', BL_TAKES_NUMBER_MAYBE, KEY_WATCH, "SECONDS", BL_SAY_FLAG_Q_WATCH},
    {"format", 'o', BL_TAKES_VALUE, KEY_FIELDS, "FIELD,…", BL_SAY_FLAG_Q_FORMAT},
    {"no-header", 0, BL_TAKES_NOTHING, KEY_NO_HEADER, NULL, BL_SAY_FLAG_Q_NO_HEADER},
    BL_FLAGS_COMMON,
};

static int add_states(struct q *q, const char *value, struct bl_error *err)
{
    while (value) {
        size_t length = strcspn(value, ",");
        char word[32] = "";
        const char *states;

        memcpy(word, value, length < sizeof word ? length : sizeof word - 1);
        states = bl_job_states_of(word);
        if (!states) {
            BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_NO_STATE, BL_T(word));
            return bl_say_hint(err, BL_SAY_H_STATES, NULL);
        }
        bl_buf_printf(&q->states, "%s%s", q->states.length ? "," : "", states);
        value = value[length] ? value + length + 1 : NULL;
    }
    return BL_OK;
}

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct q *q = self;

    switch (key) {
    case KEY_ALL:
        q->all = true;
        return BL_OK;
    case KEY_NO_HEADER:
        q->no_header = true;
        return BL_OK;
    case KEY_USER:
        q->user = value;
        return BL_OK;
    case KEY_STATE:
        return add_states(q, value, err);
    case KEY_WATCH:
        return bl_live_parse(value, &q->watch, err);
    default:
        q->fields_text = value;
        return bl_queue_fields_parse(value, &q->fields, err);
    }
}

static void finish(void *self)
{
    bl_buf_finish(&((struct q *)self)->states);
}

static int fetch(struct bl_cli *cli, const struct q *q, struct bl_job_list *list,
                 struct bl_error *err)
{
    BL_AUTO_BUF query = {0};
    const char *states = q->states.length ? bl_buf_text(&q->states) : q->all ? "all" : "active";

    bl_buf_printf(&query, "state=%s", states);
    if (q->user) {
        bl_buf_append_text(&query, "&user=");
        bl_client_escape(&query, q->user);
    }
    return bl_job_list_fetch(cli->client, bl_buf_text(&query), list, err);
}

static bool is_filtered(const struct q *q)
{
    return q->user || q->states.length > 0;
}

static void print_empty(struct bl_buf *out, const struct q *q)
{
    bl_say(out, is_filtered(q) ? BL_SAY_NO_SUCH_JOBS
                : q->all       ? BL_SAY_NO_JOBS_YET
                               : BL_SAY_QUEUE_EMPTY);
    bl_buf_append_char(out, '\n');
}

/* Reservations have no state of a job to be filtered by. */
static int fetch_reservations(struct bl_cli *cli, const struct q *q, bl_time now,
                              struct bl_reply *reply, struct bl_error *err)
{
    BL_AUTO_BUF path = {0};

    if (q->states.length > 0) {
        return BL_OK;
    }
    bl_buf_printf(&path, "/api/v1/reservations?to=%" PRId64, (now + BL_DAY) / BL_SECOND);
    if (q->user) {
        bl_buf_append_text(&path, "&user=");
        bl_client_escape(&path, q->user);
    }
    return bl_client_get(cli->client, bl_buf_text(&path), reply, err);
}

/* The table and, where people read it, the line below. */
static int print_queue(struct bl_cli *cli, const struct q *q, struct bl_job_list *list,
                       struct bl_buf *out, struct bl_error *err)
{
    BL_AUTO_REPLY nodes = {0};
    BL_AUTO_REPLY reservations = {0};
    struct bl_table table = {0};
    struct bl_table_look look = bl_cli_look(cli);
    struct bl_queue_scene scene = {.now = bl_clock_wall()};
    const struct bl_tree *node_list;
    int status = bl_client_get(cli->client, "/api/v1/nodes", &nodes, err);

    status = status ? status : fetch_reservations(cli, q, scene.now, &reservations, err);
    if (status) {
        return status;
    }
    bl_queue_add_reservations(list, reservations.tree, scene.now);
    node_list = bl_field_list(nodes.tree, "nodes");
    scene.has_one_node = node_list && node_list->child_count == 1;
    look.no_header = q->no_header;
    bl_queue_sort(list->at, list->count);
    bl_queue_fill(&table, &q->fields, list, &scene);
    if (list->count > 0) {
        bl_table_print(out, &table, &look);
    } else if (!q->no_header) {
        print_empty(out, q);
    }
    if (!q->no_header && !is_filtered(q)) {
        bl_queue_print_summary(out, nodes.tree, list);
    }
    bl_table_finish(&table);
    return BL_OK;
}

static int print_once(struct bl_cli *cli, const struct q *q, struct bl_buf *out,
                      struct bl_error *err)
{
    struct bl_job_list list = {0};
    int status = fetch(cli, q, &list, err);

    if (!status && cli->json) {
        bl_job_list_print_json(out, &list);
    } else if (!status) {
        status = print_queue(cli, q, &list, out, err);
    }
    bl_job_list_finish(&list);
    return status;
}

int bl_queue_print(struct bl_cli *cli, struct bl_buf *out, struct bl_error *err)
{
    struct q q = {0};

    bl_queue_fields_parse(NULL, &q.fields, NULL);
    return print_once(cli, &q, out, err);
}

static int print_page(struct bl_cli *cli, const void *self, struct bl_buf *out,
                      struct bl_error *err)
{
    return print_once(cli, self, out, err);
}

static int run_q(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct q *q = self;
    BL_AUTO_BUF out = {0};
    int status = bl_cli_refuse_words(cli, argc, argv, err);

    if (status) {
        return status;
    }
    if (!q->fields_text) {
        bl_queue_fields_parse(NULL, &q->fields, NULL);
    }
    if (!bl_cli_client(cli, err)) {
        return err->status;
    }
    if (q->watch) {
        const struct bl_live live = {q->watch, print_page, q};

        return bl_live_run(cli, &live, err);
    }
    status = print_once(cli, q, &out, err);
    bl_cli_flush(&out);
    return status;
}

const struct bl_verb bl_verb_q = {
    .name = "q",
    .other_name = "ls",
    .usage = "q [flags]",
    .summary = BL_SAY_HELP_Q,
    .about = BL_SAY_ABOUT_Q,
    .flag = flags,
    .set = set_flag,
    .self_size = sizeof(struct q),
    .finish = finish,
    .run = run_q,
};
