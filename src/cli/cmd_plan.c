/* plan, calendar: what ran, runs and will, as a text Gantt. */
#include "cli/cli.h"

#include "base/units.h"
#include "cli/outlook.h"
#include "cli/plan.h"
#include "cli/predict.h"
#include "cli/when.h"
#include "os/clock.h"

#include <string.h>

enum {
    KEY_NEXT = BL_KEY_OWN,
    KEY_ASCII,
    KEY_FROM,
    KEY_TO,
    KEY_BY,
    KEY_ZONE,
    KEY_ICS,
    KEY_WITH,
    KEY_OUTLOOK
};

#define SPAN_MAX (366 * BL_DAY)

/* Instants are read when all flags are known: they depend on the zone. */
struct plan {
    bl_time span; /* 0: the usual */
    bool ascii, ics;
    const char *from, *to;
    const char *zone;
    enum bl_plan_by by;
    bool with, outlook;
    struct bl_job_flags job; /* of --with */
};

static const struct bl_flag plan_flags[] = {
    {"with", 0, BL_TAKES_NOTHING, KEY_WITH, NULL, BL_SAY_FLAG_PLAN_WITH},
    {"outlook", 0, BL_TAKES_NOTHING, KEY_OUTLOOK, NULL, BL_SAY_FLAG_PLAN_OUTLOOK},
    {"next", 'n', BL_TAKES_VALUE, KEY_NEXT, "TIME", BL_SAY_FLAG_PLAN_NEXT},
    {"by", 0, BL_TAKES_VALUE, KEY_BY, "WHAT", BL_SAY_FLAG_CALENDAR_BY},
    {"tz", 0, BL_TAKES_VALUE, KEY_ZONE, "ZONE", BL_SAY_FLAG_CALENDAR_ZONE},
    {"ascii", 0, BL_TAKES_NOTHING, KEY_ASCII, NULL, BL_SAY_FLAG_PLAN_ASCII},
    BL_FLAGS_JOB,
    BL_FLAGS_COMMON,
};

static const struct bl_flag calendar_flags[] = {
    {"from", 0, BL_TAKES_VALUE, KEY_FROM, "TIME", BL_SAY_FLAG_CALENDAR_FROM},
    {"to", 0, BL_TAKES_VALUE, KEY_TO, "TIME", BL_SAY_FLAG_CALENDAR_TO},
    {"by", 0, BL_TAKES_VALUE, KEY_BY, "WHAT", BL_SAY_FLAG_CALENDAR_BY},
    {"tz", 0, BL_TAKES_VALUE, KEY_ZONE, "ZONE", BL_SAY_FLAG_CALENDAR_ZONE},
    {"ascii", 0, BL_TAKES_NOTHING, KEY_ASCII, NULL, BL_SAY_FLAG_PLAN_ASCII},
    {"ics", 0, BL_TAKES_NOTHING, KEY_ICS, NULL, BL_SAY_FLAG_CALENDAR_ICS},
    BL_FLAGS_COMMON,
};

static int set_span(struct plan *plan, const char *value, struct bl_error *err)
{
    int status = bl_span_parse(value, &plan->span, err);

    if (!status && (plan->span < BL_MINUTE || plan->span > SPAN_MAX)) {
        status = BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_PLAN_SPAN, BL_T(value));
    }
    return status;
}

static int set_by(struct plan *plan, const char *value, struct bl_error *err)
{
    static const char *const words[] = {"gpu", "user", "project"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!strcmp(value, words[i])) {
            plan->by = (enum bl_plan_by)i;
            return BL_OK;
        }
    }
    return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_CALENDAR_BY, BL_T(value));
}

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct plan *plan = self;

    switch (key) {
    case KEY_ASCII:
        plan->ascii = true;
        return BL_OK;
    case KEY_ICS:
        plan->ics = true;
        return BL_OK;
    case KEY_FROM:
        plan->from = value;
        return BL_OK;
    case KEY_TO:
        plan->to = value;
        return BL_OK;
    case KEY_ZONE:
        plan->zone = value;
        return BL_OK;
    case KEY_BY:
        return set_by(plan, value, err);
    case KEY_WITH:
        plan->with = true;
        return BL_OK;
    case KEY_OUTLOOK:
        plan->outlook = true;
        return BL_OK;
    case KEY_NEXT:
        return set_span(plan, value, err);
    default:
        return bl_job_flags_set(&plan->job, key, value, err);
    }
}

static int read_instant(const char *text, bl_time now, bl_time standard, bl_time *out,
                        struct bl_error *err)
{
    *out = standard;
    return text ? bl_when_parse(text, now, out, err) : BL_OK;
}

/* A day back and a week ahead, as the daemon has it; with only one end named, a week from there. */
static int read_range(const struct plan *plan, struct bl_gantt_look *look, struct bl_error *err)
{
    bl_time from = look->now - BL_DAY;
    int status;

    if (!plan->from && plan->to) {
        status = bl_when_parse(plan->to, look->now, &look->to, err);
        from = look->to - 7 * BL_DAY;
    } else {
        status = read_instant(plan->from, look->now, from, &look->from, err);
        if (!status) {
            status = read_instant(plan->to, look->now,
                                  plan->from ? look->from + 7 * BL_DAY : look->now + 7 * BL_DAY,
                                  &look->to, err);
        }
        from = look->from;
    }
    look->from = from;
    if (!status && (look->to <= look->from || look->to - look->from > SPAN_MAX)) {
        status = bl_say_fail(err, BL_EINVAL, BL_SAY_E_CALENDAR_RANGE, NULL);
    }
    return status;
}

static int print_picture(struct bl_cli *cli, const struct plan *plan,
                         const struct bl_gantt_look *look, struct bl_error *err)
{
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_BUF out = {0};
    int status = bl_plan_fetch(cli->client, look->from, look->to, &reply, err);

    if (!status && cli->json) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply.body));
    } else if (!status) {
        const struct bl_plan_scene scene = {.timeline = reply.tree, .by = plan->by, .look = *look};

        bl_plan_print(&out, &scene);
    }
    bl_cli_flush(&out);
    return status;
}

static struct bl_gantt_look look_of(const struct bl_cli *cli, const struct plan *plan)
{
    enum { COLUMNS = 100 };
    struct bl_table_look look = bl_cli_look(cli);

    return (struct bl_gantt_look){.now = bl_clock_wall(),
                                  .columns = look.columns ? look.columns : COLUMNS,
                                  .colour = look.colour,
                                  .ascii = plan->ascii};
}

static int begin(struct bl_cli *cli, const struct plan *plan, int argc, char **argv,
                 struct bl_error *err)
{
    int status = bl_cli_refuse_words(cli, argc, argv, err);

    status = status || !plan->zone ? status : bl_when_choose_zone(plan->zone, err);
    if (!status && !bl_cli_client(cli, err)) {
        status = (int)err->status;
    }
    return status;
}

static void finish(void *self)
{
    bl_job_flags_finish(&((struct plan *)self)->job);
}

static int print_outlook(struct bl_cli *cli, const struct plan *plan, struct bl_error *err)
{
    bl_time span = plan->span ? plan->span : 7 * BL_DAY;
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF out = {0};
    int status;

    bl_buf_printf(&path, "/api/v1/outlook?days=%lld", (long long)((span + BL_DAY - 1) / BL_DAY));
    status = bl_client_get(cli->client, bl_buf_text(&path), &reply, err);
    if (!status && cli->json) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply.body));
    } else if (!status) {
        const struct bl_outlook_scene scene = {reply.tree, bl_clock_wall(), span, plan->ascii,
                                               bl_cli_look(cli)};

        bl_outlook_print(&out, &scene);
    }
    bl_cli_flush(&out);
    return status;
}

/* Whether the flags ask for one thing. */
static int check_questions(const struct bl_cli *cli, const struct plan *plan, struct bl_error *err)
{
    if (plan->with && plan->outlook) {
        return bl_say_fail(err, BL_EINVAL, BL_SAY_E_WITH_OR_OUTLOOK, NULL);
    }
    if (!plan->with && bl_job_flags_any(&plan->job)) {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_NEEDS_WITH, NULL);
        return BL_HINT_SAYING(err, BL_SAY_USAGE, BL_T(cli->verb->usage));
    }
    return BL_OK;
}

static int run_plan(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct plan *plan = self;
    struct bl_gantt_look look = look_of(cli, plan);
    int status = check_questions(cli, plan, err);

    if (!status && plan->with) {
        return bl_predict_ask(cli, &plan->job, argv, BL_PREDICT_AND_OTHERS, err);
    }
    status = status ? status : begin(cli, plan, argc, argv, err);
    if (!status && plan->outlook) {
        return print_outlook(cli, plan, err);
    }

    look.from = look.now;
    look.to = look.now + (plan->span ? plan->span : 8 * BL_HOUR);
    return status ? status : print_picture(cli, plan, &look, err);
}

/* As the address of a calendar gives it to other programs; the file's name does not count here. */
static int print_ics(struct bl_cli *cli, struct bl_error *err)
{
    BL_AUTO_REPLY reply = {0};
    int status = bl_client_get_bytes(cli->client, "/ical/baleen.ics", &reply, err);

    if (!status) {
        bl_cli_flush(&reply.body);
    }
    return status;
}

static int run_calendar(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    const struct plan *plan = self;
    struct bl_gantt_look look = look_of(cli, plan);
    int status = begin(cli, plan, argc, argv, err);

    if (!status && plan->ics) {
        return print_ics(cli, err);
    }
    status = status ? status : read_range(plan, &look, err);
    return status ? status : print_picture(cli, plan, &look, err);
}

const struct bl_verb bl_verb_plan = {
    .name = "plan",
    .usage = "plan [--next TIME] [--by gpu|user|project] [--tz ZONE] [--ascii] [--outlook] "
             "[--with [flags of run] [FILE | -- COMMAND…]]",
    .summary = BL_SAY_HELP_PLAN,
    .about = BL_SAY_ABOUT_PLAN,
    .flag = plan_flags,
    .order = BL_FLAGS_IN_FRONT,
    .set = set_flag,
    .self_size = sizeof(struct plan),
    .finish = finish,
    .run = run_plan,
};

const struct bl_verb bl_verb_calendar = {
    .name = "calendar",
    .usage =
        "calendar [--from TIME] [--to TIME] [--by gpu|user|project] [--tz ZONE] [--ascii] [--ics]",
    .summary = BL_SAY_HELP_CALENDAR,
    .about = BL_SAY_ABOUT_CALENDAR,
    .flag = calendar_flags,
    .set = set_flag,
    .self_size = sizeof(struct plan),
    .run = run_calendar,
};
