/* set and move: change jobs that were queued. */
#include "cli/control.h"

#include "cli/change.h"
#include "cli/jobs.h"
#include "cli/say.h"
#include "os/clock.h"

#include <string.h>

enum { KEY_BEFORE = BL_KEY_OWN };

struct move {
    const char *before;
};

static const struct bl_flag set_flags[] = {BL_FLAGS_COMMON};

static const struct bl_flag move_flags[] = {
    {"before", 'b', BL_TAKES_VALUE, KEY_BEFORE, "ID", BL_SAY_FLAG_MOVE_BEFORE},
    BL_FLAGS_COMMON,
};

static void tell_set(struct bl_buf *out, const char *id, const struct bl_tree *answer)
{
    struct bl_job_view job;
    BL_AUTO_BUF standing = {0};
    BL_AUTO_BUF said = {0};

    bl_job_view_read(answer, &job);
    bl_job_print_standing(&standing, &job);
    BL_SAY(&said, BL_SAY_SET_DONE, BL_T(bl_buf_text(&standing)));
    bl_control_answer(out, id, bl_buf_text(&said));
}

/* Ids stand in front, what is set behind: the first word with a '=' parts them. */
static int run_set(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct bl_control control = {"baleen set 7 time=4h priority=5", NULL, NULL, tell_set};
    struct bl_words words = {0, argv, control.example};
    BL_AUTO_BUF body = {0};
    struct bl_changes changes;
    int status;

    (void)self;
    while (words.count < argc && !strchr(argv[words.count], '=')) {
        words.count++;
    }
    if (words.count == argc) {
        bl_say_fail(err, BL_EINVAL, argc ? BL_SAY_E_WHAT_TO_SET : BL_SAY_E_WHICH_JOB, NULL);
        return BL_HINT_SAYING(err, BL_SAY_H_USAGE_EXAMPLE, BL_T(cli->verb->usage),
                              BL_T(control.example));
    }
    changes = (struct bl_changes){(const char *const *)argv + words.count, argc - words.count,
                                  bl_clock_wall()};
    status = bl_change_write(&body, &changes, err);
    control.body = bl_buf_text(&body);
    return status ? status : bl_control_run(cli, &control, &words, err);
}

static int set_move_flag(void *self, int key, const char *value, struct bl_error *err)
{
    (void)key;
    (void)err;
    ((struct move *)self)->before = value;
    return BL_OK;
}

static int run_move(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    const struct move *move = self;
    struct bl_job_ref before = {0, -1};
    struct bl_job_ref ref = {0, -1};
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF body = {0};
    BL_AUTO_BUF id = {0};
    BL_AUTO_BUF out = {0};
    BL_AUTO_REPLY reply = {0};
    int status;

    if (argc != 1 || !move->before) {
        bl_say_fail(err, BL_EINVAL, argc == 1 ? BL_SAY_E_BEFORE_WHICH : BL_SAY_E_WHICH_JOB, NULL);
        return bl_say_hint(err, BL_SAY_H_USAGE_MOVE, NULL);
    }
    status = bl_cli_one_ref(cli, argv[0], &ref, err);
    status = status ? status : bl_cli_one_ref(cli, move->before, &before, err);
    if (status) {
        return status;
    }
    if (!bl_cli_client(cli, err)) {
        return err->status;
    }
    bl_ref_print(&id, ref);
    bl_buf_printf(&path, "/api/v1/jobs/%s/move", bl_buf_text(&id));
    bl_buf_printf(&body, "{\"before\": %lld}", (long long)before.id);
    status = bl_client_post(cli->client, bl_buf_text(&path), bl_buf_text(&body), &reply, err);
    if (!status && cli->json) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply.body));
    } else if (!status) {
        BL_SAY(&out, BL_SAY_MOVED, BL_T(bl_buf_text(&id)), BL_N(before.id));
        bl_buf_append_char(&out, '\n');
    }
    bl_cli_flush(&out);
    return status;
}

const struct bl_verb bl_verb_set = {
    .name = "set",
    .usage = "set ID… KEY=VALUE…",
    .summary = BL_SAY_HELP_SET,
    .about = BL_SAY_ABOUT_SET,
    .flag = set_flags,
    .run = run_set,
};

const struct bl_verb bl_verb_move = {
    .name = "move",
    .usage = "move ID --before ID",
    .summary = BL_SAY_HELP_MOVE,
    .about = BL_SAY_ABOUT_MOVE,
    .flag = move_flags,
    .set = set_move_flag,
    .self_size = sizeof(struct move),
    .run = run_move,
};
