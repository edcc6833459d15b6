#include "form/reason_text.h"

#include <string.h>

static long long number(int64_t value)
{
    return (long long)value;
}

static void print_resources(struct bl_buf *out, const struct bl_reason *reason)
{
    if (reason->need <= 0) {
        bl_buf_append_text(out, "needs more CPUs or memory than is free");
    } else if (reason->have >= reason->need) {
        bl_buf_printf(out,
                      "needs %lld GPUs together with their CPUs and memory; %lld suitable GPUs are "
                      "free, but not so",
                      number(reason->need), number(reason->have));
    } else {
        bl_buf_printf(out, "needs %lld GPU%s, %lld of the suitable ones %s free",
                      number(reason->need), reason->need == 1 ? "" : "s", number(reason->have),
                      reason->have == 1 ? "is" : "are");
    }
}

static void print_priority(struct bl_buf *out, const struct bl_reason *reason)
{
    bl_buf_printf(out, "behind job %lld", number(reason->job));
    if (reason->need > 1) {
        bl_buf_printf(out, ", %lld are ahead", number(reason->need));
    }
}

static void print_exit(struct bl_buf *out, const struct bl_reason *reason)
{
    const char *words = reason->have > 0 ? strsignal((int)reason->have) : NULL;

    if (words) {
        bl_buf_printf(out, "ended by signal %lld (%s)", number(reason->have), words);
    } else {
        bl_buf_printf(out, "ended with exit code %lld", number(reason->need));
    }
}

enum { NAMED_MAX = 160 };

/* What a person gave, which may be of any length: a sentence names no more than its beginning. */
static void print_named(struct bl_buf *out, const char *before, const char *text)
{
    size_t length = strlen(text);

    bl_buf_append_text(out, before);
    if (length <= NAMED_MAX) {
        bl_buf_append(out, text, length);
        return;
    }
    length = NAMED_MAX;
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) {
        length--; /* within a character of UTF-8 */
    }
    bl_buf_append(out, text, length);
    bl_buf_append_text(out, "…");
}

/* What was tried when the start broke off, with the path or command where the stage has one. */
static void print_stage(struct bl_buf *out, enum bl_start_stage stage,
                        const struct bl_launch *launch)
{
    const char *workdir = launch ? launch->workdir : NULL;
    const char *command = launch && launch->argv ? launch->argv[0] : NULL;

    switch (stage) {
    case BL_STAGE_SUPERVISOR:
        bl_buf_append_text(out, "cannot start the job's supervisor");
        return;
    case BL_STAGE_SPEC:
        bl_buf_append_text(out, "cannot pass the job on to its supervisor");
        return;
    case BL_STAGE_CGROUP:
        bl_buf_append_text(out, "cannot make the job's control group");
        return;
    case BL_STAGE_USER:
        bl_buf_append_text(out, "cannot become the submitting user");
        if (launch) {
            bl_buf_printf(out, " (uid %lld, gid %lld)", number(launch->uid), number(launch->gid));
        }
        return;
    case BL_STAGE_WORKDIR:
        bl_buf_append_text(out, "cannot enter the working directory");
        if (workdir) {
            print_named(out, " ", workdir);
        }
        return;
    case BL_STAGE_LOG:
        bl_buf_append_text(out, "cannot open the log");
        if (launch && launch->log_pattern) {
            print_named(out, " ", launch->log_pattern);
        }
        return;
    case BL_STAGE_EXEC:
        print_named(out, "cannot execute ", command ? command : "the command");
        return;
    case BL_STAGE_ENGINE:
    case BL_STAGE_COUNT:
        break;
    }
    bl_buf_append_text(out, "the engine cannot start it");
}

static void print_start_failed(struct bl_buf *out, const struct bl_reason *reason,
                               const struct bl_launch *launch)
{
    print_stage(out, (enum bl_start_stage)reason->need, launch);
    if (reason->have > 0) {
        bl_buf_printf(out, ": %s", strerror((int)reason->have));
    }
}

static void print_user(struct bl_buf *out, const struct bl_reason *reason)
{
    bl_buf_printf(out, "cancelled by the user with uid %lld", number(reason->need));
}

static void print_requeue(struct bl_buf *out, const struct bl_reason *reason)
{
    if (reason->need < 0) {
        bl_buf_append_text(out, "asked to be put back");
    } else {
        bl_buf_printf(out, "put back by the user with uid %lld", number(reason->need));
    }
}

static void print_retry(struct bl_buf *out, const struct bl_reason *reason)
{
    bl_buf_printf(out, "failed %lld time%s, will be tried again", number(reason->need),
                  reason->need == 1 ? "" : "s");
}

static void print_crash_loop(struct bl_buf *out, const struct bl_reason *reason)
{
    bl_buf_printf(out, "failed %lld times in a row, last with exit code %lld", number(reason->need),
                  number(reason->have));
}

static void print_resized(struct bl_buf *out, const struct bl_reason *reason)
{
    bl_buf_printf(out, "resized from %lld to %lld GPUs", number(reason->have),
                  number(reason->need));
}

static void print_shrunk_for(struct bl_buf *out, const struct bl_reason *reason)
{
    bl_buf_printf(out, "resized from %lld to %lld GPUs to make room for job %lld",
                  number(reason->have), number(reason->need), number(reason->job));
}

static void print_resize_wished(struct bl_buf *out, const struct bl_reason *reason)
{
    bl_buf_printf(out, "resized from %lld to %lld GPUs as somebody asked", number(reason->have),
                  number(reason->need));
}

/* A promise is a reservation for one job. */
static void print_booking(struct bl_buf *out, const struct bl_reason *reason)
{
    if (reason->job < 0) {
        bl_buf_printf(out, "the GPUs promised to job %lld", number(-reason->job));
    } else {
        bl_buf_printf(out, "reservation r%lld", number(reason->job));
    }
}

static void print_reserved(struct bl_buf *out, const struct bl_reason *reason)
{
    bl_buf_append_text(out, "would not be sure to end before ");
    print_booking(out, reason);
    bl_buf_append_text(out, reason->job < 0 ? " are due" : " begins on the GPUs that suit it");
}

static void print_booked(struct bl_buf *out, const struct bl_reason *reason)
{
    if (reason->job < 0) {
        bl_buf_printf(out, "the GPUs that suit it are kept for job %lld, as was promised",
                      number(-reason->job));
    } else {
        bl_buf_printf(out, "the GPUs that suit it are those of reservation r%lld, which goes on",
                      number(reason->job));
    }
}

static void print_in_reservation(struct bl_buf *out, const struct bl_reason *reason)
{
    bl_buf_printf(out, "needs %lld GPU%s of reservation r%lld, %lld %s free", number(reason->need),
                  reason->need == 1 ? "" : "s", number(reason->job), number(reason->have),
                  reason->have == 1 ? "is" : "are");
}

static void print_gpu_lost(struct bl_buf *out, const struct bl_reason *reason)
{
    bl_buf_printf(out, "its GPU %lld was lost", number(reason->need));
}

static void print_too_small(struct bl_buf *out, const struct bl_reason *reason)
{
    bl_buf_printf(out, "needs %lld GPU%s; its reservation r%lld has %lld that suit%s it",
                  number(reason->need), reason->need == 1 ? "" : "s", number(reason->job),
                  number(reason->have), reason->have == 1 ? "s" : "");
}

static void print_too_short(struct bl_buf *out, const struct bl_reason *reason)
{
    bool is_limit = reason->code == BL_REASON_SLOT_TOO_SHORT;

    bl_buf_append_text(out, is_limit ? "its limit of " : "it is asked to stop ");
    bl_span_print(out, reason->need * BL_SECOND);
    bl_buf_printf(out, "%s; a slot of its reservation r%lld is ",
                  is_limit ? " is too long" : " before the end", number(reason->job));
    bl_span_print(out, reason->have * BL_SECOND);
}

static void print_cleared(struct bl_buf *out, const struct bl_reason *reason)
{
    print_resized(out, reason);
    bl_buf_append_text(out, " to clear ");
    print_booking(out, reason);
}

static void print_preempted(struct bl_buf *out, const struct bl_reason *reason)
{
    if (reason->at > 0) {
        bl_buf_append_text(out, "put back to clear ");
        print_booking(out, reason);
        return;
    }
    bl_buf_append_text(out, "put back to make room for ");
    if (reason->job > 0) {
        bl_buf_printf(out, "job %lld", number(reason->job));
    } else {
        bl_buf_append_text(out, "others");
    }
}

static void print_outbid(struct bl_buf *out, const struct bl_reason *reason)
{
    bl_buf_printf(out, "needs %lld GPU%s; others do more with them", number(reason->need),
                  reason->need == 1 ? "" : "s");
}

static void print_joint(struct bl_buf *out, const struct bl_reason *reason)
{
    bl_buf_printf(out, "part of the best choice for %lld job%s together", number(reason->need),
                  reason->need == 1 ? "" : "s");
}

/* A sentence is words around the number of a job, or made by a function of its own. */
struct sentence {
    const char *before;
    const char *behind; /* the job's number stands between; NULL when there is none */
    void (*print)(struct bl_buf *out, const struct bl_reason *reason);
};

static const struct sentence sentences[BL_REASON_COUNT] = {
    [BL_REASON_UNDECIDED] = {"the scheduler has not looked at it yet", NULL, NULL},
    [BL_REASON_DEPENDENCY] = {"waits for job ", "", NULL},
    [BL_REASON_HELD] = {"held", NULL, NULL},
    [BL_REASON_RESOURCES] = {NULL, NULL, print_resources},
    [BL_REASON_PRIORITY] = {NULL, NULL, print_priority},
    [BL_REASON_BACKFILL] = {"would fit now, but would delay job ", "", NULL},
    [BL_REASON_NODES_DOWN] = {"only nodes that are down or drained could hold it", NULL, NULL},
    [BL_REASON_DRAIN] = {"would not be sure to end before the nodes that suit it are drained", NULL,
                         NULL},
    [BL_REASON_NOT_BEFORE] = {"was asked not to start yet", NULL, NULL},
    [BL_REASON_RETRY] = {NULL, NULL, print_retry},
    [BL_REASON_PLANNED] = {"has its place in the plan", NULL, NULL},
    [BL_REASON_OUTBID] = {NULL, NULL, print_outbid},
    [BL_REASON_FOR_MORE] = {"waits for more GPUs; a start on fewer now would not pay", NULL, NULL},
    [BL_REASON_RESERVED] = {NULL, NULL, print_reserved},
    [BL_REASON_BOOKED] = {NULL, NULL, print_booked},
    [BL_REASON_FOR_RESERVATION] = {"waits for the start of its reservation r", "", NULL},
    [BL_REASON_IN_RESERVATION] = {NULL, NULL, print_in_reservation},
    [BL_REASON_PROMISE_BROKEN] = {"the GPUs that were promised to it are lost", NULL, NULL},
    [BL_REASON_RESERVATION_OVER] = {"its reservation r", " is over", NULL},
    [BL_REASON_SLOT_TOO_SMALL] = {NULL, NULL, print_too_small},
    [BL_REASON_SLOT_TOO_SHORT] = {NULL, NULL, print_too_short},
    [BL_REASON_SLOT_NO_TIME] = {NULL, NULL, print_too_short},
    [BL_REASON_IN_SLOT] = {"its reservation r", " goes on", NULL},
    [BL_REASON_PROMISED] = {"was promised to start by now", NULL, NULL},
    [BL_REASON_ADOPTED] = {"ran already when it was adopted", NULL, NULL},
    [BL_REASON_CLEARED] = {NULL, NULL, print_cleared},
    [BL_REASON_SLOT_OVER] = {"its reservation r", " has ended", NULL},
    [BL_REASON_JOINT] = {NULL, NULL, print_joint},
    [BL_REASON_IN_ORDER] = {"was first in line and fits", NULL, NULL},
    [BL_REASON_BEFORE_SHADOW] = {"went ahead: it ends before job ", " can start", NULL},
    [BL_REASON_BESIDE_HEAD] = {"went ahead: it uses what job ", " will not need", NULL},
    [BL_REASON_RESIZED] = {NULL, NULL, print_resized},
    [BL_REASON_SHRUNK_FOR] = {NULL, NULL, print_shrunk_for},
    [BL_REASON_RESIZE_WISHED] = {NULL, NULL, print_resize_wished},
    [BL_REASON_PREEMPTED] = {NULL, NULL, print_preempted},
    [BL_REASON_USER] = {NULL, NULL, print_user},
    [BL_REASON_TIME_LIMIT] = {"reached its time limit", NULL, NULL},
    [BL_REASON_DEPENDENCY_FAILED] = {"job ", " ended in a way that it cannot follow", NULL},
    [BL_REASON_EXIT] = {NULL, NULL, print_exit},
    [BL_REASON_GONE] = {"ended, with an exit code that nobody could learn: it was adopted", NULL,
                        NULL},
    [BL_REASON_LOST] = {"its supervisor or node vanished", NULL, NULL},
    [BL_REASON_GPU_LOST] = {NULL, NULL, print_gpu_lost},
    [BL_REASON_REQUEUE] = {NULL, NULL, print_requeue},
    [BL_REASON_CRASH_LOOP] = {NULL, NULL, print_crash_loop},
};

void bl_reason_print(struct bl_buf *out, const struct bl_reason *reason,
                     const struct bl_launch *launch)
{
    const struct sentence *sentence = &sentences[reason->code];

    if (reason->code == BL_REASON_START_FAILED) {
        print_start_failed(out, reason, launch);
    } else if (sentence->print) {
        sentence->print(out, reason);
    } else if (sentence->before) {
        bl_buf_append_text(out, sentence->before);
        if (sentence->behind) {
            bl_buf_printf(out, "%lld%s", number(reason->job), sentence->behind);
        }
    }
}
