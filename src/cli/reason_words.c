/* Why a job is where it is, worded by code and numbers. */
#include "cli/jobs.h"

#include "cli/text.h"
#include "cli/when.h"
#include "os/clock.h"

#include <string.h>

/* Which number the sentence is about. */
enum about { ABOUT_NOTHING, ABOUT_JOB, ABOUT_NEED };

struct reason_row {
    const char *code;
    enum bl_message message;
    enum about about;
    void (*print)(struct bl_buf *out, const struct bl_job_view *job);
};

static void print_resources(struct bl_buf *out, const struct bl_job_view *job)
{
    int64_t need = job->numbers.need;
    int64_t have = job->numbers.have;

    if (need <= 0) {
        bl_say(out, BL_SAY_REASON_RESOURCES_OTHER);
    } else {
        BL_SAY(out, have >= need ? BL_SAY_REASON_RESOURCES_APART : BL_SAY_REASON_RESOURCES,
               BL_N(need), BL_N(have));
    }
}

static void print_priority(struct bl_buf *out, const struct bl_job_view *job)
{
    BL_SAY(out, job->numbers.need > 1 ? BL_SAY_REASON_PRIORITY_PLACE : BL_SAY_REASON_PRIORITY,
           BL_N(job->numbers.job), BL_N(job->numbers.need));
}

static void print_at(struct bl_buf *out, const struct bl_job_view *job, enum bl_message without,
                     enum bl_message with)
{
    BL_AUTO_BUF when = {0};

    if (job->numbers.at > 0) {
        bl_when_print(&when, job->numbers.at, bl_clock_wall());
    }
    if (with == BL_SAY_REASON_RETRY_AT) {
        BL_SAY(out, when.length ? with : without, BL_N(job->numbers.need),
               BL_T(bl_buf_text(&when)));
    } else {
        BL_SAY(out, when.length ? with : without, BL_T(bl_buf_text(&when)));
    }
}

static void print_not_before(struct bl_buf *out, const struct bl_job_view *job)
{
    print_at(out, job, BL_SAY_REASON_NOT_BEFORE, BL_SAY_REASON_NOT_BEFORE_AT);
}

static void print_retry(struct bl_buf *out, const struct bl_job_view *job)
{
    struct bl_job_view cause = *job;
    const struct bl_tree *tree = job->tree ? bl_tree_find(job->tree, "retry_cause") : NULL;

    if (tree && tree->kind == BL_TREE_MAP) {
        bl_job_view_read_reason(tree, &cause);
        bl_job_print_reason(out, &cause);
        bl_say(out, BL_SAY_REASON_AND_THEN);
    }
    print_at(out, job, BL_SAY_REASON_RETRY, BL_SAY_REASON_RETRY_AT);
}

static void print_exit(struct bl_buf *out, const struct bl_job_view *job)
{
    const char *words = job->numbers.have > 0 ? strsignal((int)job->numbers.have) : NULL;

    if (words) {
        BL_SAY(out, BL_SAY_REASON_SIGNAL, BL_N(job->numbers.have), BL_T(words));
    } else {
        BL_SAY(out, BL_SAY_REASON_EXIT, BL_N(job->numbers.need));
    }
}

static void print_requeue(struct bl_buf *out, const struct bl_job_view *job)
{
    BL_SAY(out, job->numbers.need < 0 ? BL_SAY_REASON_REQUEUE_SELF : BL_SAY_REASON_REQUEUE,
           BL_N(job->numbers.need));
}

static void print_resized(struct bl_buf *out, const struct bl_job_view *job, enum bl_message how)
{
    BL_SAY(out, how, BL_N(job->numbers.need), BL_N(job->numbers.have), BL_N(job->numbers.job));
}

static void print_resized_plain(struct bl_buf *out, const struct bl_job_view *job)
{
    print_resized(out, job, BL_SAY_REASON_RESIZED);
}

static void print_shrunk_for(struct bl_buf *out, const struct bl_job_view *job)
{
    print_resized(out, job, BL_SAY_REASON_SHRUNK_FOR);
}

static void print_resize_wished(struct bl_buf *out, const struct bl_job_view *job)
{
    print_resized(out, job, BL_SAY_REASON_RESIZE_WISHED);
}

/* A promise is a reservation for one job: its number is that of the job, negated. */
static void print_of_booking(struct bl_buf *out, const struct bl_job_view *job,
                             enum bl_message reservation, enum bl_message promise)
{
    bool is_promise = job->numbers.job < 0;
    BL_AUTO_BUF when = {0};

    if (job->numbers.at > 0) {
        bl_when_print(&when, job->numbers.at, bl_clock_wall());
    }
    BL_SAY(out, is_promise ? promise : reservation,
           BL_N(is_promise ? -job->numbers.job : job->numbers.job), BL_T(bl_buf_text(&when)));
}

static void print_reserved(struct bl_buf *out, const struct bl_job_view *job)
{
    print_of_booking(out, job, BL_SAY_REASON_RESERVED, BL_SAY_REASON_RESERVED_PROMISE);
}

static void print_booked(struct bl_buf *out, const struct bl_job_view *job)
{
    print_of_booking(out, job, BL_SAY_REASON_BOOKED, BL_SAY_REASON_BOOKED_PROMISE);
}

static void print_for_reservation(struct bl_buf *out, const struct bl_job_view *job)
{
    print_of_booking(out, job, BL_SAY_REASON_FOR_RESERVATION, BL_SAY_REASON_FOR_RESERVATION);
}

static void print_in_reservation(struct bl_buf *out, const struct bl_job_view *job)
{
    print_resized(out, job, BL_SAY_REASON_IN_RESERVATION);
}

static void print_too_small(struct bl_buf *out, const struct bl_job_view *job)
{
    print_resized(out, job, BL_SAY_REASON_SLOT_TOO_SMALL);
}

static void print_spans(struct bl_buf *out, const struct bl_job_view *job, enum bl_message how)
{
    BL_AUTO_BUF need = {0};
    BL_AUTO_BUF have = {0};

    bl_text_span_words(&need, job->numbers.need * BL_SECOND);
    bl_text_span_words(&have, job->numbers.have * BL_SECOND);
    BL_SAY(out, how, BL_T(bl_buf_text(&need)), BL_T(bl_buf_text(&have)), BL_N(job->numbers.job));
}

static void print_too_short(struct bl_buf *out, const struct bl_job_view *job)
{
    print_spans(out, job, BL_SAY_REASON_SLOT_TOO_SHORT);
}

static void print_no_time(struct bl_buf *out, const struct bl_job_view *job)
{
    print_spans(out, job, BL_SAY_REASON_SLOT_NO_TIME);
}

static void print_cleared(struct bl_buf *out, const struct bl_job_view *job)
{
    struct bl_job_view of = *job;
    bool is_promise = job->numbers.job < 0;

    of.numbers.job = is_promise ? -job->numbers.job : job->numbers.job;
    print_resized(out, &of, is_promise ? BL_SAY_REASON_CLEARED_PROMISE : BL_SAY_REASON_CLEARED);
}

static void print_preempted(struct bl_buf *out, const struct bl_job_view *job)
{
    if (job->numbers.at > 0) {
        print_of_booking(out, job, BL_SAY_REASON_PREEMPTED_SLOT, BL_SAY_REASON_PREEMPTED_PROMISE);
        return;
    }
    BL_SAY(out, job->numbers.job > 0 ? BL_SAY_REASON_PREEMPTED_FOR : BL_SAY_REASON_PREEMPTED,
           BL_N(job->numbers.job));
}

static void print_crash_loop(struct bl_buf *out, const struct bl_job_view *job)
{
    BL_SAY(out, BL_SAY_REASON_CRASH_LOOP, BL_N(job->numbers.need), BL_N(job->numbers.have));
}

/* The daemon's sentence names the path or the command; its language is English. */
static void print_start_failed(struct bl_buf *out, const struct bl_job_view *job)
{
    static const enum bl_message stages[] = {
        BL_SAY_STAGE_SUPERVISOR, BL_SAY_STAGE_SPEC, BL_SAY_STAGE_CGROUP, BL_SAY_STAGE_USER,
        BL_SAY_STAGE_WORKDIR,    BL_SAY_STAGE_LOG,  BL_SAY_STAGE_EXEC,   BL_SAY_STAGE_ENGINE,
    };
    enum { STAGES = sizeof stages / sizeof stages[0] };
    int64_t stage = job->numbers.need;

    if (bl_language_now() == BL_LANGUAGE_EN && *job->reason_text) {
        bl_text_escape(out, job->reason_text);
        return;
    }
    bl_say(out, stage >= 0 && stage < STAGES ? stages[stage] : BL_SAY_STAGE_ENGINE);
    if (job->numbers.have > 0) {
        bl_say(out, BL_SAY_COLON);
        bl_text_escape(out, strerror((int)job->numbers.have));
    }
}

static const struct reason_row rows[] = {
    {"undecided", BL_SAY_REASON_UNDECIDED, ABOUT_NOTHING, NULL},
    {"dependency", BL_SAY_REASON_DEPENDENCY, ABOUT_JOB, NULL},
    {"held", BL_SAY_REASON_HELD, ABOUT_NOTHING, NULL},
    {"resources", BL_SAY_REASON_RESOURCES, ABOUT_NOTHING, print_resources},
    {"priority", BL_SAY_REASON_PRIORITY, ABOUT_NOTHING, print_priority},
    {"backfill", BL_SAY_REASON_BACKFILL, ABOUT_JOB, NULL},
    {"nodes_down", BL_SAY_REASON_NODES_DOWN, ABOUT_NOTHING, NULL},
    {"drain", BL_SAY_REASON_DRAIN, ABOUT_NOTHING, NULL},
    {"not_before", BL_SAY_REASON_NOT_BEFORE, ABOUT_NOTHING, print_not_before},
    {"retry", BL_SAY_REASON_RETRY, ABOUT_NOTHING, print_retry},
    {"planned", BL_SAY_REASON_PLANNED, ABOUT_NOTHING, NULL},
    {"outbid", BL_SAY_REASON_OUTBID, ABOUT_NEED, NULL},
    {"for_more", BL_SAY_REASON_FOR_MORE, ABOUT_NOTHING, NULL},
    {"reserved", BL_SAY_REASON_RESERVED, ABOUT_JOB, print_reserved},
    {"booked", BL_SAY_REASON_BOOKED, ABOUT_JOB, print_booked},
    {"for_reservation", BL_SAY_REASON_FOR_RESERVATION, ABOUT_JOB, print_for_reservation},
    {"in_reservation", BL_SAY_REASON_IN_RESERVATION, ABOUT_JOB, print_in_reservation},
    {"reservation_over", BL_SAY_REASON_RESERVATION_OVER, ABOUT_JOB, NULL},
    {"slot_too_small", BL_SAY_REASON_SLOT_TOO_SMALL, ABOUT_NOTHING, print_too_small},
    {"slot_too_short", BL_SAY_REASON_SLOT_TOO_SHORT, ABOUT_NOTHING, print_too_short},
    {"slot_no_time", BL_SAY_REASON_SLOT_NO_TIME, ABOUT_NOTHING, print_no_time},
    {"promise_broken", BL_SAY_REASON_PROMISE_BROKEN, ABOUT_NOTHING, NULL},
    {"in_slot", BL_SAY_REASON_IN_SLOT, ABOUT_JOB, NULL},
    {"promised", BL_SAY_REASON_PROMISED, ABOUT_NOTHING, NULL},
    {"adopted", BL_SAY_REASON_ADOPTED, ABOUT_NOTHING, NULL},
    {"cleared", BL_SAY_REASON_CLEARED, ABOUT_NOTHING, print_cleared},
    {"slot_over", BL_SAY_REASON_SLOT_OVER, ABOUT_JOB, NULL},
    {"joint", BL_SAY_REASON_JOINT, ABOUT_NEED, NULL},
    {"in_order", BL_SAY_REASON_IN_ORDER, ABOUT_NOTHING, NULL},
    {"before_shadow", BL_SAY_REASON_BEFORE_SHADOW, ABOUT_JOB, NULL},
    {"beside_head", BL_SAY_REASON_BESIDE_HEAD, ABOUT_JOB, NULL},
    {"resized", BL_SAY_REASON_RESIZED, ABOUT_NOTHING, print_resized_plain},
    {"shrunk_for", BL_SAY_REASON_SHRUNK_FOR, ABOUT_NOTHING, print_shrunk_for},
    {"resize_wished", BL_SAY_REASON_RESIZE_WISHED, ABOUT_NOTHING, print_resize_wished},
    {"preempted", BL_SAY_REASON_PREEMPTED, ABOUT_NOTHING, print_preempted},
    {"user", BL_SAY_REASON_USER, ABOUT_NEED, NULL},
    {"time_limit", BL_SAY_REASON_TIME_LIMIT, ABOUT_NOTHING, NULL},
    {"dependency_failed", BL_SAY_REASON_DEPENDENCY_FAILED, ABOUT_JOB, NULL},
    {"start_failed", BL_SAY_STAGE_ENGINE, ABOUT_NOTHING, print_start_failed},
    {"exit", BL_SAY_REASON_EXIT, ABOUT_NOTHING, print_exit},
    {"gone", BL_SAY_REASON_GONE, ABOUT_NOTHING, NULL},
    {"lost", BL_SAY_REASON_LOST, ABOUT_NOTHING, NULL},
    {"gpu_lost", BL_SAY_REASON_GPU_LOST, ABOUT_NEED, NULL},
    {"requeue", BL_SAY_REASON_REQUEUE, ABOUT_NOTHING, print_requeue},
    {"crash_loop", BL_SAY_REASON_CRASH_LOOP, ABOUT_NOTHING, print_crash_loop},
};

bool bl_job_has_reason(const struct bl_job_view *job)
{
    return *job->reason || *job->reason_text;
}

void bl_job_print_reason(struct bl_buf *out, const struct bl_job_view *job)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct reason_row *row = &rows[i];

        if (strcmp(row->code, job->reason) != 0 || !job->has_numbers) {
            continue;
        }
        if (row->print) {
            row->print(out, job);
        } else {
            BL_SAY(out, row->message,
                   BL_N(row->about == ABOUT_NEED ? job->numbers.need : job->numbers.job));
        }
        return;
    }
    /* from a daemon that knows more reasons than this client */
    bl_text_escape(out, *job->reason_text ? job->reason_text : job->reason);
}
