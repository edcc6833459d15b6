#include "cli/predict.h"

#include "cli/job_source.h"
#include "cli/jobs.h"
#include "cli/range.h"
#include "cli/text.h"
#include "cli/when.h"
#include "os/clock.h"

#include <string.h>
#include <sys/stat.h>

enum { LABEL_COLUMNS = 11, DELAYS_SHOWN = 10 };

/* --- the answer ------------------------------------------------------------------------------ */

static void begin(struct bl_buf *out, enum bl_message label)
{
    BL_AUTO_BUF text = {0};

    bl_say(&text, label);
    bl_buf_append_text(out, bl_buf_text(&text));
    for (size_t at = bl_text_width(bl_buf_text(&text)); at < LABEL_COLUMNS; at++) {
        bl_buf_append_char(out, ' ');
    }
}

static bl_time seconds_of(const struct bl_tree *map, const char *key)
{
    return (bl_time)(bl_field_double(map, key, 0) * BL_SECOND);
}

static void print_length(struct bl_buf *out, const struct bl_tree *length)
{
    BL_AUTO_BUF low = {0};
    BL_AUTO_BUF middle = {0};
    BL_AUTO_BUF high = {0};

    begin(out, BL_SAY_ASK_TAKES);
    if (!length || length->kind != BL_TREE_MAP) {
        bl_say(out, BL_SAY_ASK_LENGTH_UNKNOWN);
    } else {
        bl_text_span_short(&low, seconds_of(length, "p10"));
        bl_text_span_short(&middle, seconds_of(length, "p50"));
        bl_text_span_short(&high, seconds_of(length, "p90"));
        if (!strcmp(bl_field_text(length, "from", ""), "limits")) {
            BL_SAY(out, BL_SAY_ASK_LENGTH_LIMIT, BL_T(bl_buf_text(&high)));
        } else {
            BL_SAY(out, BL_SAY_ASK_LENGTH, BL_T(bl_buf_text(&middle)), BL_T(bl_buf_text(&low)),
                   BL_T(bl_buf_text(&high)));
        }
    }
    bl_buf_append_char(out, '\n');
}

static void print_range(struct bl_buf *out, const struct bl_predict_scene *scene, const char *key,
                        enum bl_message label)
{
    begin(out, label);
    if (!bl_range_print(out, bl_tree_find(scene->answer, key), scene->now)) {
        bl_say(out, BL_SAY_ASK_NOT_TOLD);
    }
    bl_buf_append_char(out, '\n');
}

static bool is_now(const struct bl_tree *answer)
{
    return !strcmp(bl_field_text(answer, "now", "false"), "true");
}

static void print_start(struct bl_buf *out, const struct bl_predict_scene *scene)
{
    const struct bl_tree *reason = bl_tree_find(scene->answer, "waits_for");
    struct bl_job_view view = {.tree = reason};

    if (is_now(scene->answer)) {
        begin(out, BL_SAY_ASK_STARTS);
        bl_say(out, BL_SAY_ASK_NOW);
        bl_buf_append_char(out, '\n');
        return;
    }
    print_range(out, scene, "start", BL_SAY_ASK_STARTS);
    if (reason && reason->kind == BL_TREE_MAP) {
        bl_job_view_read_reason(reason, &view);
        begin(out, BL_SAY_ASK_BECAUSE);
        bl_job_print_reason(out, &view);
        bl_buf_append_char(out, '\n');
    }
}

static void print_promise(struct bl_buf *out, const struct bl_predict_scene *scene)
{
    bl_time at = bl_field_time(scene->answer, "promised_at");
    BL_AUTO_BUF when = {0};

    if (at > 0) {
        bl_when_print(&when, at, scene->now);
        begin(out, BL_SAY_ASK_PROMISE);
        BL_SAY(out, BL_SAY_ASK_PROMISE_BY, BL_T(bl_buf_text(&when)));
        bl_buf_append_char(out, '\n');
    }
}

static void print_delay(struct bl_buf *out, const struct bl_tree *delay)
{
    const char *name = bl_field_text(delay, "name", "–");
    const char *user = bl_field_text(delay, "user", "?");
    bl_time by = seconds_of(delay, "by_s");
    BL_AUTO_BUF span = {0};

    bl_text_span_short(&span, by);
    BL_SAY(out, bl_field_is_null(delay, "by_s") ? BL_SAY_ASK_DELAY_FOR_GOOD : BL_SAY_ASK_DELAY,
           BL_N(bl_field_int(delay, "id", 0)), BL_T(name), BL_T(user), BL_T(bl_buf_text(&span)));
    bl_buf_append_char(out, '\n');
}

static void print_delays(struct bl_buf *out, const struct bl_tree *answer)
{
    const struct bl_tree *delays = bl_field_list(answer, "delays");
    int64_t count = bl_field_int(answer, "delayed_count", 0);
    size_t shown = 0;

    for (size_t i = 0; delays && i < delays->child_count && shown < DELAYS_SHOWN; i++) {
        if (delays->child[i].kind == BL_TREE_MAP) {
            begin(out, shown ? BL_SAY_NOTHING : BL_SAY_ASK_DELAYS);
            print_delay(out, &delays->child[i]);
            shown++;
        }
    }
    if (count > (int64_t)shown || shown == 0) {
        begin(out, shown ? BL_SAY_NOTHING : BL_SAY_ASK_DELAYS);
        if (shown) {
            BL_SAY(out, BL_SAY_ASK_MORE, BL_N(count - (int64_t)shown));
        } else {
            bl_say(out, BL_SAY_ASK_NOBODY);
        }
        bl_buf_append_char(out, '\n');
    }
}

/* Where nothing is foreseen of anybody on the way, ranges are parts of limits. */
static void print_grounds(struct bl_buf *out, const struct bl_tree *answer)
{
    int64_t runs = bl_field_int(answer, "runs", 0);

    begin(out, BL_SAY_ASK_RESTS);
    if (!strcmp(bl_field_text(answer, "from", ""), "limits")) {
        bl_say(out, BL_SAY_ASK_LIMITS);
    } else if (runs > 1) {
        BL_SAY(out, BL_SAY_ASK_RUNS, BL_N(runs));
    } else {
        bl_say(out, BL_SAY_ASK_ONE_RUN);
    }
    bl_buf_append_char(out, '\n');
}

void bl_predict_print(struct bl_buf *out, const struct bl_predict_scene *scene)
{
    print_length(out, bl_tree_find(scene->answer, "duration"));
    print_start(out, scene);
    print_range(out, scene, "end", BL_SAY_ASK_ENDS);
    print_promise(out, scene);
    if (scene->about == BL_PREDICT_AND_OTHERS) {
        print_delays(out, scene->answer);
    }
    print_grounds(out, scene->answer);
}

/* --- the question ---------------------------------------------------------------------------- */

/* A name that looks like that of a job file is one, though it may not be there. */
static bool is_named_like_file(const char *word)
{
    static const char *const endings[] = {".yaml", ".yml", ".sh", ".sbatch", ".job"};
    const char *ending = strrchr(word, '.');

    for (size_t i = 0; ending && i < sizeof endings / sizeof endings[0]; i++) {
        if (!strcmp(ending, endings[i])) {
            return true;
        }
    }
    return !strcmp(word, "-");
}

/* The words as they came stand in one array: what is before the first of them is told by it. */
static bool is_file(char **words)
{
    struct stat info;

    return words[0] && strcmp(words[-1], "--") != 0 &&
           (is_named_like_file(words[0]) || (stat(words[0], &info) == 0 && S_ISREG(info.st_mode)));
}

static int write_file(struct bl_cli *cli, struct bl_job_flags *flags, char **words,
                      struct bl_buf *body, struct bl_error *err)
{
    struct bl_document document = {0};
    struct bl_arena arena = {0};
    const struct bl_job_source from = {.name = words[0],
                                       .argument = (const char *const *)words + 1,
                                       .flags = flags,
                                       .arena = &arena};
    int status = bl_job_source_read(cli, &from, &document, err);

    if (!status && document.reservation) {
        status = bl_say_fail(err, BL_EINVAL, BL_SAY_E_NO_JOB_IN_FILE, NULL);
    } else if (!status && document.is_pipeline) {
        status = bl_say_fail(err, BL_EINVAL, BL_SAY_E_ONE_JOB_OF_FILE, NULL);
    } else if (!status) {
        bl_job_source_fix_times(&document, &arena);
        bl_job_source_write(body, &document);
    }
    bl_arena_finish(&arena);
    return status;
}

static int write_body(struct bl_cli *cli, struct bl_job_flags *flags, char **words,
                      struct bl_buf *body, struct bl_error *err)
{
    if (!words[0] && !bl_job_flags_any(flags)) {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_WHICH_SPEC, NULL);
        return BL_HINT_SAYING(err, BL_SAY_USAGE, BL_T(cli->verb->usage));
    }
    return is_file(words)
               ? write_file(cli, flags, words, body, err)
               : bl_job_source_write_command(cli, flags, (const char *const *)words, body, err);
}

int bl_predict_ask(struct bl_cli *cli, struct bl_job_flags *flags, char **words,
                   enum bl_predict_about about, struct bl_error *err)
{
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_BUF body = {0};
    BL_AUTO_BUF out = {0};
    int status = write_body(cli, flags, words, &body, err);

    if (!status && !bl_cli_client(cli, err)) {
        status = (int)err->status;
    }
    if (status) {
        return status;
    }
    status = bl_client_post(cli->client, "/api/v1/plan", bl_buf_text(&body), &reply, err);
    if (status) {
        bl_job_flags_name(err);
    } else if (cli->json) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply.body));
    } else {
        const struct bl_predict_scene scene = {reply.tree, about, bl_clock_wall()};

        bl_predict_print(&out, &scene);
    }
    bl_cli_flush(&out);
    return status;
}
