/* submit: job files, pipelines and scripts. */
#include "cli/cli.h"

#include "cli/booking.h"
#include "cli/job_source.h"
#include "cli/jobs.h"
#include "cli/queued.h"
#include "cli/when.h"
#include "form/tree_out.h"
#include "os/clock.h"

#include <string.h>

enum { KEY_WAIT = BL_KEY_OWN, KEY_PARSABLE, KEY_EXPORT };

struct submit {
    struct bl_queued how;
    bool export;
    struct bl_job_flags job;
};

static const struct bl_flag flags[] = {
    BL_FLAGS_JOB,
    {"export", 0, BL_TAKES_VALUE, KEY_EXPORT, "yaml", BL_SAY_FLAG_SUBMIT_EXPORT},
    {"wait", 'w', BL_TAKES_NOTHING, KEY_WAIT, NULL, BL_SAY_FLAG_WAIT},
    {"parsable", 0, BL_TAKES_NOTHING, KEY_PARSABLE, NULL, BL_SAY_FLAG_PARSABLE},
    BL_FLAGS_COMMON,
};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct submit *submit = self;

    switch (key) {
    case KEY_WAIT:
        submit->how.wait = true;
        return BL_OK;
    case KEY_PARSABLE:
        submit->how.parsable = true;
        return BL_OK;
    case KEY_EXPORT:
        submit->export = true;
        return strcmp(value, "yaml") == 0
                   ? BL_OK
                   : BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_YAML, BL_T(value));
    default:
        return bl_job_flags_set(&submit->job, key, value, err);
    }
}

static void finish(void *self)
{
    bl_job_flags_finish(&((struct submit *)self)->job);
}

/* --- requests -------------------------------------------------------------------------------- */

static void tell_warnings(const struct bl_document *document)
{
    for (size_t i = 0; i < document->warning_count; i++) {
        bl_cli_warn(document->warning[i], NULL);
    }
}

static void print_yaml(const struct bl_document *document)
{
    BL_AUTO_BUF out = {0};

    bl_tree_print_yaml(&out, document->tree);
    bl_cli_flush(&out);
}

/* A file that books: days are named in its zone, or the local one. */
static int send_reservation(struct bl_cli *cli, const struct submit *submit,
                            const struct bl_document *document, struct bl_arena *arena,
                            struct bl_error *err)
{
    static const char *const instants[] = {"from", "until_at", "until"};
    const struct bl_booking_request request = {
        "/api/v1/reservations", BL_BOOKING_POST, document->reservation, arena, 0, false};
    const char *zone = bl_field_text(document->reservation, "zone", NULL);
    int status = BL_OK;

    if (bl_job_flags_any(&submit->job)) {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_FLAGS_AND_RESERVATION, NULL);
        return bl_say_hint(err, BL_SAY_H_WRITE_INTO_FILE, NULL);
    }
    if (submit->export) {
        print_yaml(document);
        return BL_OK;
    }
    status = zone ? bl_when_choose_zone(zone, err) : BL_OK;
    for (size_t i = 0; !status && i < sizeof instants / sizeof instants[0]; i++) {
        const char *text = bl_field_text(document->reservation, instants[i], NULL);

        if (text) {
            bl_booking_put(&request, instants[i], text);
        }
    }
    bl_booking_put_zone(&request);
    return status ? status : bl_booking_ask(cli, &request, err);
}

static int send_document(struct bl_cli *cli, struct submit *submit,
                         const struct bl_document *document, struct bl_arena *arena,
                         struct bl_error *err)
{
    BL_AUTO_BUF body = {0};

    if (document->reservation) {
        return send_reservation(cli, submit, document, arena, err);
    }
    tell_warnings(document);
    if (submit->export) {
        print_yaml(document);
        return BL_OK;
    }
    if (document->test_only) {
        BL_AUTO_BUF text = {0};

        bl_say(&text, BL_SAY_TEST_ONLY);
        bl_cli_warn(bl_buf_text(&text), NULL);
        return BL_OK;
    }
    bl_job_source_fix_times(document, arena);
    submit->how.wait = submit->how.wait || document->wait;
    submit->how.parsable = submit->how.parsable || document->parsable;
    bl_queued_tell_left_out(bl_job_source_write(&body, document));
    return bl_queued_post(cli, &submit->how, bl_buf_text(&body), err);
}

static int run_submit(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct submit *submit = self;
    struct bl_document document = {0};
    struct bl_arena arena = {0};
    struct bl_job_source from = {
        .flags = &submit->job, .without_daemon = submit->export, .arena = &arena};
    int status;

    if (argc == 0) {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_WHICH_FILE, NULL);
        return bl_say_hint(err, BL_SAY_H_USAGE_SUBMIT, NULL);
    }
    from.name = argv[0];
    from.argument = (const char *const *)argv + 1;
    status = bl_job_source_read(cli, &from, &document, err);
    status = status ? status : send_document(cli, submit, &document, &arena, err);
    bl_arena_finish(&arena);
    return status;
}

const struct bl_verb bl_verb_submit = {
    .name = "submit",
    .usage = "submit [flags] FILE [ARGUMENT…]",
    .summary = BL_SAY_HELP_SUBMIT,
    .about = BL_SAY_ABOUT_SUBMIT,
    .flag = flags,
    .order = BL_FLAGS_IN_FRONT,
    .set = set_flag,
    .self_size = sizeof(struct submit),
    .finish = finish,
    .run = run_submit,
};
