#include "cli/jobs.h"

#include "cli/eta.h"
#include "cli/text.h"
#include "cli/when.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Nothing is booked further ahead. */
#define PROMISED_LIMIT_MAX (400 * BL_DAY)

/* Where a job stands, in the API's word and in Slurm's letters. */
struct state_row {
    const char *state;
    const char *letters;
    enum bl_message message;
    enum bl_tint tint;
    bool is_ended;
    bool is_placed;
    bool has_process;
};

static const struct state_row states[] = {
    {"held", "PD", BL_SAY_STATE_HELD, BL_TINT_DIM, false, false, false},
    {"waiting", "PD", BL_SAY_STATE_WAITING, BL_TINT_DIM, false, false, false},
    {"queued", "PD", BL_SAY_STATE_QUEUED, BL_TINT_WAIT, false, false, false},
    {"starting", "CF", BL_SAY_STATE_STARTING, BL_TINT_GOOD, false, true, false},
    {"running", "R", BL_SAY_STATE_RUNNING, BL_TINT_GOOD, false, true, true},
    {"resizing", "R", BL_SAY_STATE_RESIZING, BL_TINT_GOOD, false, true, true},
    {"stopping", "CG", BL_SAY_STATE_STOPPING, BL_TINT_WAIT, false, true, true},
    {"completed", "CD", BL_SAY_STATE_COMPLETED, BL_TINT_NONE, true, false, false},
    {"failed", "F", BL_SAY_STATE_FAILED, BL_TINT_BAD, true, false, false},
    {"cancelled", "CA", BL_SAY_STATE_CANCELLED, BL_TINT_DIM, true, false, false},
    {"timeout", "TO", BL_SAY_STATE_TIMEOUT, BL_TINT_BAD, true, false, false},
    {"lost", "NF", BL_SAY_STATE_LOST, BL_TINT_BAD, true, false, false},
};

enum { STATE_COUNT = sizeof states / sizeof states[0] };

static const struct state_row *find_state(const char *state)
{
    static const struct state_row unknown = {"",    "?",  BL_SAY_STATE_HELD, BL_TINT_NONE, false,
                                             false, false};

    for (size_t i = 0; i < STATE_COUNT; i++) {
        if (!strcmp(states[i].state, state)) {
            return &states[i];
        }
    }
    return &unknown;
}

const char *bl_job_letters(const char *state)
{
    return find_state(state)->letters;
}

enum bl_tint bl_job_tint(const char *state)
{
    return find_state(state)->tint;
}

bool bl_job_is_ended(const struct bl_job_view *job)
{
    return find_state(job->state)->is_ended;
}

bool bl_job_has_process(const struct bl_job_view *job)
{
    return find_state(job->state)->has_process;
}

bool bl_job_is_placed(const struct bl_job_view *job)
{
    return find_state(job->state)->is_placed;
}

bool bl_job_gave_up(const struct bl_job_view *job)
{
    return !strcmp(job->state, "held") &&
           (!strcmp(job->reason, "start_failed") || !strcmp(job->reason, "crash_loop"));
}

const char *bl_job_states_of(const char *word)
{
    static const char *const groups[][2] = {
        {"PD", "held,waiting,queued"},
        {"pending", "held,waiting,queued"},
        {"CF", "starting"},
        {"R", "running,resizing"},
        {"CG", "stopping"},
        {"CD", "completed"},
        {"F", "failed"},
        {"CA", "cancelled"},
        {"TO", "timeout"},
        {"NF", "lost"},
        {"canceled", "cancelled"},
        {"done", "completed"},
        {"active", "active"},
        {"ended", "ended"},
        {"all", "all"},
    };

    for (size_t i = 0; i < STATE_COUNT; i++) {
        if (!strcasecmp(states[i].state, word)) {
            return states[i].state;
        }
    }
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        if (!strcasecmp(groups[i][0], word)) {
            return groups[i][1];
        }
    }
    return NULL;
}

void bl_job_print_gpu_set(struct bl_buf *out, const struct bl_tree *gpus)
{
    size_t i = 0;

    while (gpus && gpus->kind == BL_TREE_LIST && i < gpus->child_count) {
        int64_t first = strtoll(bl_item_text(gpus, i), NULL, 10);
        int64_t last = first;
        const char *comma = i ? "," : "";

        for (i++; i < gpus->child_count && strtoll(bl_item_text(gpus, i), NULL, 10) == last + 1;
             i++) {
            last++;
        }
        if (last > first) {
            bl_buf_printf(out, "%s%lld-%lld", comma, (long long)first, (long long)last);
        } else {
            bl_buf_printf(out, "%s%lld", comma, (long long)first);
        }
    }
}

void bl_job_print_where(struct bl_buf *out, const struct bl_job_view *job,
                        enum bl_where_style style)
{
    static const char *const between[] = {" gpu", ":", "gpu"};
    static const char *const after[] = {", ", " ", " "};
    const struct bl_tree *where = bl_field_list(job->tree, "where");

    for (size_t i = 0; where && i < where->child_count; i++) {
        const struct bl_tree *gpus = bl_field_list(&where->child[i], "gpus");
        bool has_gpus = gpus && gpus->child_count > 0;

        bl_buf_append_text(out, i ? after[style] : "");
        if (style != BL_WHERE_ONE_NODE || !has_gpus) {
            bl_buf_append_text(out, bl_field_text(&where->child[i], "node", "?"));
        }
        if (has_gpus) {
            bl_buf_append_text(out, between[style]);
            bl_job_print_gpu_set(out, gpus);
        }
    }
}

void bl_job_print_gpus(struct bl_buf *out, const struct bl_job_view *job)
{
    int64_t shown = bl_job_is_placed(job) && job->gpus_now > 0 ? job->gpus_now : job->gpus_min;

    if (job->gpus_max <= job->gpus_min) {
        bl_buf_printf(out, "%lld", (long long)shown);
    } else if (bl_job_is_placed(job)) {
        bl_buf_printf(out, "%lld (%lld-%lld)", (long long)shown, (long long)job->gpus_min,
                      (long long)job->gpus_max);
    } else {
        bl_buf_printf(out, "%lld-%lld", (long long)job->gpus_min, (long long)job->gpus_max);
    }
}

void bl_job_print_id(struct bl_buf *out, const struct bl_job_view *job)
{
    if (job->array_id > 0) {
        bl_buf_printf(out, "%lld_%lld", (long long)job->array_id, (long long)job->array_index);
    } else {
        bl_buf_printf(out, "%lld", (long long)job->id);
    }
}

void bl_job_print_title(struct bl_buf *out, const struct bl_job_view *job)
{
    BL_AUTO_BUF id = {0};

    bl_job_print_id(&id, job);
    BL_SAY(out, *job->name ? BL_SAY_JOB_NAMED : BL_SAY_JOB, BL_T(bl_buf_text(&id)),
           BL_T(job->name));
}

void bl_job_print_state(struct bl_buf *out, const char *state)
{
    const struct state_row *row = find_state(state);

    if (*row->state) {
        bl_say(out, row->message);
    } else {
        bl_text_escape(out, state);
    }
}

void bl_job_print_counts(struct bl_buf *out, const struct bl_job_view *job)
{
    const struct bl_array_counts *array = &job->array;

    if (array->elements == 0) {
        return;
    }
    BL_SAY(out, BL_SAY_ELEMENTS, BL_N(array->elements), BL_N(array->pending), BL_N(array->running),
           BL_N(array->done));
    if (array->failed > 0) {
        BL_SAY(out, BL_SAY_ELEMENTS_FAILED, BL_N(array->failed));
    }
    if (array->running_max > 0) {
        BL_SAY(out, BL_SAY_ELEMENTS_MOST, BL_N(array->running_max));
    }
}

static void print_ending(struct bl_buf *out, const struct bl_job_view *job)
{
    bl_job_print_state(out, job->state);
    if (job->has_exit_code && (job->exit_code != 0 || !strcmp(job->state, "failed"))) {
        BL_SAY(out, BL_SAY_EXIT_CODE, BL_N(job->exit_code));
    }
    if (job->started_at > 0 && job->ended_at >= job->started_at) {
        BL_AUTO_BUF span = {0};

        bl_text_span_words(&span, job->ended_at - job->started_at);
        BL_SAY(out, BL_SAY_AFTER_SPAN, BL_T(bl_buf_text(&span)));
    }
    /* the exit code has been said */
    if (bl_job_has_reason(job) && strcmp(job->reason, "exit") != 0) {
        bl_say(out, BL_SAY_COLON);
        bl_job_print_reason(out, job);
    }
}

void bl_job_print_standing(struct bl_buf *out, const struct bl_job_view *job)
{
    if (bl_job_is_ended(job)) {
        print_ending(out, job);
        return;
    }
    bl_job_print_state(out, job->state);
    if (bl_job_is_placed(job)) {
        BL_AUTO_BUF where = {0};

        bl_job_print_where(&where, job, BL_WHERE_WORDS);
        if (where.length) {
            BL_SAY(out, BL_SAY_ON, BL_T(bl_buf_text(&where)));
        }
    } else if (bl_job_has_reason(job) && strcmp(job->reason, "held") != 0) {
        bl_say(out, BL_SAY_BETWEEN);
        bl_job_print_reason(out, job);
    }
}

static void print_sure_end(struct bl_buf *out, const struct bl_job_view *job, bl_time now)
{
    bl_time end = bl_eta_sure_end(job);
    BL_AUTO_BUF when = {0};

    if (end > 0) {
        bl_when_print(&when, end, now);
        BL_SAY(out, BL_SAY_DONE_BY, BL_T(bl_buf_text(&when)));
    }
}

static void print_forecast(struct bl_buf *out, const struct bl_job_view *job, bl_time now)
{
    BL_AUTO_BUF starts = {0};
    BL_AUTO_BUF ends = {0};

    if (bl_job_is_placed(job)) {
        print_sure_end(out, job, now);
        return;
    }
    bl_eta_print_start(&starts, job, now);
    bl_eta_print_end(&ends, job, now);
    if (starts.length > 0 && !bl_job_is_ended(job)) {
        BL_SAY(out, ends.length ? BL_SAY_STARTS_AND_ENDS : BL_SAY_STARTS,
               BL_T(bl_buf_text(&starts)), BL_T(bl_buf_text(&ends)));
        bl_eta_print_source(out, job);
    }
}

/* Why it is promised nothing. */
static enum bl_message why_no_promise(const struct bl_job_view *job)
{
    return !strcmp(job->state, "held")          ? BL_SAY_NOT_PROMISED_HELD
           : job->attempt > 0                   ? BL_SAY_NOT_PROMISED_AGAIN
           : job->limit > PROMISED_LIMIT_MAX    ? BL_SAY_NOT_PROMISED_LONG
           : !strcmp(job->reason, "dependency") ? BL_SAY_NOT_PROMISED_AFTER
                                                : BL_SAY_NOT_PROMISED;
}

void bl_job_print_promise(struct bl_buf *out, const struct bl_job_view *job, bl_time now)
{
    bl_time promised = bl_field_time(job->tree, "promised_at");
    bool is_asked = !strcmp(bl_field_text(job->tree, "promise", ""), "true");
    BL_AUTO_BUF when = {0};

    if (!is_asked || bl_job_is_placed(job) || bl_job_is_ended(job)) {
        return;
    }
    if (promised > 0) {
        bl_when_print(&when, promised, now);
        BL_SAY(out, BL_SAY_PROMISED_BY, BL_T(bl_buf_text(&when)));
    } else {
        bl_say(out, why_no_promise(job));
    }
}

void bl_job_add_promise(struct bl_buf *out, const struct bl_job_view *job, bl_time now)
{
    BL_AUTO_BUF promise = {0};

    bl_job_print_promise(&promise, job, now);
    if (promise.length) {
        bl_say(out, BL_SAY_SENTENCE_ENDS);
        bl_buf_append_text(out, bl_buf_text(&promise));
    }
}

void bl_job_print_welcome(struct bl_buf *out, const struct bl_job_view *job, bl_time now)
{
    bl_job_print_title(out, job);
    bl_say(out, BL_SAY_COLON);
    bl_job_print_standing(out, job);
    if (job->limit > 0) {
        BL_AUTO_BUF limit = {0};

        bl_text_span_words(&limit, job->limit);
        BL_SAY(out, BL_SAY_LIMIT_IS, BL_T(bl_buf_text(&limit)));
    }
    print_forecast(out, job, now);
    bl_job_add_promise(out, job, now);
    if (!strcmp(bl_field_text(job->tree, "reservation_as", ""), "claim")) {
        BL_SAY(out, BL_SAY_JOB_CLAIMS, BL_T(bl_field_text(job->tree, "reservation", "")),
               BL_T(job->project));
    }
    bl_buf_append_char(out, '\n');
}
