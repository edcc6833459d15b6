#include "sim/journal.h"

#include "core/core.h"
#include "form/policyspec.h"
#include "form/record.h"
#include "os/clock.h"
#include "sim/story.h"
#include "sim/walk.h"

#include "base/vec.h"

#include <stdio.h>

/* The actions of one round as they were noted. */
struct noted {
    int64_t seq;
    char *text;
    size_t length;
};

struct replay {
    const struct bl_sim_journal *setup;
    struct bl_sim_journal_result *out;
    struct bl_core *core;
    struct bl_actions actions;
    struct bl_buf decided;      /* of one round */
    BL_VEC(struct noted) noted; /* by seq */
    size_t next_noted;
    bool stopped;
    BL_VEC(bl_time) round_times;
};

/* Ends the walk early; no status of bl_status. */
enum { STOP = -1 };

static int keep_noted(void *self, int64_t seq, const char *bytes, size_t length,
                      struct bl_error *err)
{
    struct replay *replay = self;
    struct noted noted = {seq, bl_realloc_array(NULL, length + 1, 1), length};

    (void)err;
    memcpy(noted.text, bytes, length);
    BL_VEC_PUSH(&replay->noted, noted);
    return BL_OK;
}

static void note_difference(struct replay *replay, int64_t seq, const struct noted *noted)
{
    struct bl_sim_journal_result *out = replay->out;

    if (out->different++ == 0) {
        out->first_different = seq;
        if (noted) {
            bl_buf_append(&out->noted, noted->text, noted->length);
        }
        bl_buf_append(&out->decided, bl_buf_text(&replay->decided), replay->decided.length);
    }
    replay->stopped = replay->setup->stop_at_difference;
}

/* What was noted for this record, NULL when nothing was. Rows of records before it that were no
 * rounds are differences as well. */
static const struct noted *find_noted(struct replay *replay, int64_t seq)
{
    while (replay->next_noted < replay->noted.count) {
        const struct noted *noted = &replay->noted.at[replay->next_noted];

        if (noted->seq > seq) {
            return NULL;
        }
        replay->next_noted++;
        if (noted->seq == seq) {
            return noted;
        }
        bl_buf_clear(&replay->decided);
        note_difference(replay, noted->seq, noted);
    }
    return NULL;
}

/* A daemon that died may have left its last rounds without their actions noted. */
static void compare(struct replay *replay, int64_t seq)
{
    const struct noted *noted = find_noted(replay, seq);
    bool is_behind_all = replay->next_noted == replay->noted.count;

    if (noted) {
        replay->out->compared++;
        if (noted->length != replay->decided.length ||
            memcmp(noted->text, bl_buf_text(&replay->decided), noted->length) != 0) {
            note_difference(replay, seq, noted);
        }
    } else if (replay->decided.length > 0 && is_behind_all) {
        replay->out->unnoted++;
    } else if (replay->decided.length > 0) {
        note_difference(replay, seq, NULL);
    }
}

static void print_actions(struct replay *replay)
{
    bl_buf_clear(&replay->decided);
    for (size_t i = 0; i < replay->actions.list.count; i++) {
        bl_record_write_action(&replay->decided, bl_core_now(replay->core),
                               &replay->actions.list.at[i], bl_core_cluster(replay->core));
    }
}

static void decide(struct replay *replay, int64_t seq, const struct bl_event *event)
{
    bl_time began = bl_clock_monotonic();

    bl_core_step(replay->core, event, &replay->actions);
    BL_VEC_PUSH(&replay->round_times, bl_clock_monotonic() - began);
    print_actions(replay);
    if (replay->setup->log && replay->decided.length > 0) {
        bl_buf_append(&replay->setup->log->text, replay->decided.text, replay->decided.length);
        bl_sim_output_flush_full(replay->setup->log);
    }
    if (replay->setup->story && replay->actions.list.count > 0) {
        bl_sim_tell_round(replay->setup->story, replay->core, bl_core_now(replay->core),
                          &replay->actions);
    }
    compare(replay, seq);
}

static int replay_record(void *self, int64_t seq, const struct bl_event *event)
{
    struct replay *replay = self;

    if (event->kind == BL_EVENT_ROUND) {
        decide(replay, seq, event);
    } else {
        replay->out->result.events++;
        bl_core_step(replay->core, event, NULL);
    }
    return replay->stopped ? STOP : BL_OK;
}

static int restore_row(void *self, const struct bl_event *event)
{
    struct replay *replay = self;

    bl_core_step(replay->core, event, NULL);
    return BL_OK;
}

static int walk_all(struct replay *replay, struct bl_journal *journal, struct bl_error *err)
{
    struct bl_sim_walk walk = {replay, restore_row, replay_record};
    int status = bl_journal_replay_actions_after(journal, bl_sim_walk_begin(journal), keep_noted,
                                                 replay, err);

    return status == BL_OK ? bl_sim_walk(journal, &walk, err) : status;
}

static void fill_result(struct replay *replay)
{
    struct bl_sim_result *result = &replay->out->result;
    const struct bl_policy_choice *choice = bl_core_policy(replay->core);

    bl_metrics_figures(bl_core_metrics(replay->core), &result->figures);
    result->round_p50 = bl_sim_percentile(replay->round_times.at, replay->round_times.count, 50);
    result->round_p99 = bl_sim_percentile(replay->round_times.at, replay->round_times.count, 99);
    if (choice->policy) {
        bl_policyspec_print(&replay->out->policy, choice);
    }
}

static int walk(struct replay *replay, struct bl_error *err)
{
    struct bl_journal *journal = NULL;
    int status = bl_journal_open_reader(replay->setup->state_dir, &journal, err);

    if (status != BL_OK) {
        return status;
    }
    status = walk_all(replay, journal, err);
    bl_journal_close(journal);
    if (status == BL_OK) {
        find_noted(replay, INT64_MAX); /* rows behind the last record */
    }
    return status == STOP ? BL_OK : status;
}

static void replay_finish(struct replay *replay)
{
    for (size_t i = 0; i < replay->noted.count; i++) {
        free(replay->noted.at[i].text);
    }
    BL_VEC_FINISH(&replay->noted);
    BL_VEC_FINISH(&replay->round_times);
    bl_actions_finish(&replay->actions);
    bl_buf_finish(&replay->decided);
    bl_core_destroy(replay->core);
}

int bl_sim_replay_journal(const struct bl_sim_journal *setup, struct bl_sim_journal_result *out,
                          struct bl_error *err)
{
    struct replay replay = {.setup = setup, .out = out};
    bl_time wall = bl_clock_monotonic();
    bl_time cpu = bl_clock_process_cpu();
    int status;

    *out = (struct bl_sim_journal_result){0};
    replay.core = bl_core_create(BL_KEEP_ENDED);
    status = walk(&replay, err);
    if (status == BL_OK) {
        fill_result(&replay);
        out->result.wall = bl_clock_monotonic() - wall;
        out->result.cpu = bl_clock_process_cpu() - cpu;
    }
    replay_finish(&replay);
    return status;
}

void bl_sim_journal_result_finish(struct bl_sim_journal_result *result)
{
    bl_buf_finish(&result->policy);
    bl_buf_finish(&result->noted);
    bl_buf_finish(&result->decided);
}
