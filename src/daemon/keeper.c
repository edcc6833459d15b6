#include "daemon/keeper.h"

#include "base/units.h"
#include "base/sort.h"
#include "form/record.h"

#include <assert.h>
#include <stdlib.h>

/* Rows of the state at large stand before those of jobs; a job has two places. */
#define FIRST_PLACE (-(INT64_C(1) << 40))

/* --- rules ----------------------------------------------------------------------------------- */

static int read_span(const char *name, bl_time *out, struct bl_error *err)
{
    const char *text = getenv(name);

    return !text || bl_span_parse(text, out, err) == BL_OK ? BL_OK : bl_wrap(err, "%s", name);
}

static int read_count(const char *name, int64_t *out, struct bl_error *err)
{
    const char *text = getenv(name);

    return !text || bl_int_parse(text, 1, INT32_MAX, out, err) == BL_OK ? BL_OK
                                                                        : bl_wrap(err, "%s", name);
}

int bl_keeper_read_rules(const struct bl_config_retention *retention, struct bl_keeper_rules *out,
                         struct bl_error *err)
{
    struct bl_keeper_rules rules = {
        .records = 20000,
        .time = BL_HOUR,
        .history = 90 * BL_DAY,
        .ended = retention->keep,
        .ended_max = retention->jobs,
    };

    if (read_count("BALEEN_SNAPSHOT_RECORDS", &rules.records, err) != BL_OK ||
        read_span("BALEEN_SNAPSHOT_TIME", &rules.time, err) != BL_OK ||
        read_span("BALEEN_HISTORY", &rules.history, err) != BL_OK) {
        return (int)err->status;
    }
    *out = rules;
    return BL_OK;
}

/* Timers that no longer matter are no obstacle. */
static bool can_export(struct bl_core *core)
{
    bl_core_next_wake(core);
    return bl_core_can_export(core);
}

bool bl_keeper_is_due(const struct bl_keeper *keeper, const struct bl_ledger *ledger)
{
    int64_t records = ledger->seq - keeper->seq;
    bl_time passed = bl_core_now(ledger->core) - keeper->at;

    return !keeper->is_busy && records > 0 &&
           (records >= keeper->rules.records || passed >= keeper->rules.time) &&
           can_export(ledger->core);
}

/* --- making ---------------------------------------------------------------------------------- */

struct making {
    struct bl_keeper *keeper;
    struct bl_ledger *ledger;
};

static void add(const struct making *making, int64_t place, bool is_final,
                const struct bl_event *event, const struct bl_launch *launch)
{
    struct bl_buf record = {.ceiling = SIZE_MAX / 4};
    size_t length;

    bl_record_write(&record, event, launch);
    length = record.length;
    bl_snapshot_add(making->keeper->making, place, is_final, bl_buf_take(&record), length);
}

/* The core knows no pids: one that was reported comes back as the report, which changes nothing
 * else. */
static void add_pid(const struct making *making, const struct bl_event *restored, int64_t pid,
                    bool is_final)
{
    struct bl_event started = {.kind = BL_EVENT_JOB_STARTED,
                               .at = restored->at,
                               .job = restored->job,
                               .attempt = restored->attempt,
                               .u.started.pid = pid};

    add(making, 2 * restored->job + 1, is_final, &started, NULL);
}

/* Of a job that holds nothing any more, where it ran last is kept for those who ask. */
static void add_job(const struct making *making, const struct bl_event *event)
{
    struct bl_ledger_job *entry = bl_map_find(&making->ledger->jobs, event->job);
    struct bl_job_past past = *event->u.restored;
    struct bl_event whole = *event;
    bool is_final = bl_job_state_is_ended(past.state);

    assert(entry);
    if (entry->kept_at) {
        return;
    }
    if (!past.alloc && entry->alloc.part_count) {
        past.alloc = &entry->alloc;
    }
    whole.u.restored = &past;
    add(making, 2 * event->job, is_final, &whole, past.array_job ? NULL : &entry->launch);
    if (entry->pid) {
        add_pid(making, event, entry->pid, is_final);
    }
    entry->kept_at = is_final ? making->ledger->seq : 0;
}

static void add_event(void *self, const struct bl_event *event)
{
    struct making *making = self;

    if (event->kind == BL_EVENT_JOB_RESTORED) {
        add_job(making, event);
    } else {
        add(making, making->keeper->next_place++, false, event, NULL);
    }
}

static void begin(struct bl_keeper *keeper, const struct bl_ledger *ledger)
{
    struct bl_snapshot *snapshot = bl_alloc_zero(sizeof *snapshot);

    snapshot->seq = ledger->seq;
    snapshot->at = bl_core_now(ledger->core);
    snapshot->history_from = snapshot->at - keeper->rules.history;
    snapshot->last_job = ledger->last_id;
    for (size_t i = 0; i < ledger->gone.count; i++) {
        BL_VEC_PUSH(&snapshot->gone, 2 * ledger->gone.at[i]);
        BL_VEC_PUSH(&snapshot->gone, 2 * ledger->gone.at[i] + 1);
    }
    keeper->making = snapshot;
    keeper->cursor = 0;
    keeper->next_place = FIRST_PLACE;
    keeper->is_busy = true;
    keeper->gone_sent = ledger->gone.count;
    keeper->seq = snapshot->seq;
    keeper->at = snapshot->at;
}

struct bl_snapshot *bl_keeper_make(struct bl_keeper *keeper, struct bl_ledger *ledger, size_t jobs)
{
    struct making making = {keeper, ledger};

    if (!keeper->making) {
        begin(keeper, ledger);
    }
    assert(keeper->seq == ledger->seq);
    if (bl_core_export(ledger->core, &keeper->cursor, jobs, add_event, &making)) {
        return NULL;
    }
    return BL_TAKE(keeper->making);
}

void bl_keeper_finish(struct bl_keeper *keeper)
{
    bl_snapshot_destroy(BL_TAKE(keeper->making));
}

static void write_again(struct bl_ledger *ledger, int64_t seq)
{
    struct bl_ledger_job *entry;
    size_t cursor = 0;

    while ((entry = bl_map_next(&ledger->jobs, &cursor))) {
        entry->kept_at = entry->kept_at == seq ? 0 : entry->kept_at;
    }
}

void bl_keeper_done(struct bl_keeper *keeper, struct bl_ledger *ledger, int status)
{
    size_t left = ledger->gone.count - keeper->gone_sent;

    keeper->is_busy = false;
    if (status != BL_OK) {
        write_again(ledger, keeper->seq);
        return;
    }
    if (left > 0) {
        memmove(ledger->gone.at, ledger->gone.at + keeper->gone_sent,
                left * sizeof *ledger->gone.at);
    }
    ledger->gone.count = left;
}

/* --- forgetting ------------------------------------------------------------------------------ */

static int compare_times(const void *a, const void *b)
{
    bl_time first = *(const bl_time *)a;
    bl_time second = *(const bl_time *)b;

    return (first > second) - (first < second);
}

bl_time bl_keeper_forget_before(const struct bl_keeper *keeper, const struct bl_ledger *ledger)
{
    BL_VEC(bl_time) ends = {0};
    bl_time before = bl_core_now(ledger->core) - keeper->rules.ended;
    size_t most = (size_t)keeper->rules.ended_max;
    const struct bl_job *job;
    size_t cursor = 0;

    while ((job = bl_core_next_job(ledger->core, &cursor))) {
        if (bl_job_state_is_ended(job->state)) {
            BL_VEC_PUSH(&ends, job->ended_at);
        }
    }
    if (ends.count > 0) {
        bl_sort(ends.at, ends.count, sizeof *ends.at, compare_times);
    }
    if (ends.count > most) {
        bl_time oldest_kept = most > 0 ? ends.at[ends.count - most] : ends.at[ends.count - 1] + 1;

        before = oldest_kept > before ? oldest_kept : before;
    }
    before = ends.count > 0 && ends.at[0] < before ? before : 0;
    BL_VEC_FINISH(&ends);
    return before;
}
