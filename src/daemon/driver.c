#include "daemon/driver.h"

#include "base/own.h"
#include "daemon/orders.h"
#include "daemon/pending.h"
#include "daemon/recover.h"
#include "daemon/timekeeper.h"
#include "engine/launch_env.h"
#include "form/record.h"
#include "os/clock.h"
#include "os/log.h"
#include "os/loop.h"
#include "store/journal.h"

#include <assert.h>
#include <poll.h>
#include <sys/epoll.h>

enum { SETTLE_MS = 30000, SNAPSHOT_JOBS_AT_ONCE = 1000 };

struct bl_driver {
    char *state_dir;
    struct bl_journal *journal;
    struct bl_ledger *ledger;
    struct bl_forecaster *forecaster;
    struct bl_orders orders; /* with the engine */
    struct bl_timekeeper clock;
    struct bl_keeper keeper;
    struct bl_watch *committed, *wake, *part;
    int64_t committed_seq; /* the last that is on disk; those up to it may wait for a snapshot */
    struct bl_pending_ring pending;
    bl_job_id next_id;
    struct bl_launch_env_last last_env;
    int64_t round_seq;  /* of the ROUND that is on its way; 0 = none */
    bool is_settling;   /* no more rounds */
    bool has_told_gpus; /* a report of lost GPUs is in the journal, or on its way */
    bl_time debounce, period;
    struct bl_histogram rounds; /* how long they took */
    bl_time round_at;           /* the last one; on the monotonic clock */
    struct bl_error failure;    /* of the last commit */
    struct bl_listener listener;
};

/* --- on the way to the disk ------------------------------------------------------------------ */

static struct bl_pending *append(struct bl_driver *driver, struct bl_event *event,
                                 const struct bl_launch *launch)
{
    struct bl_buf record = {0};
    size_t length;
    char *bytes;

    bl_record_write(&record, event, launch);
    length = record.length;
    bytes = bl_buf_take(&record);
    return bl_pending_push(&driver->pending, bl_journal_append(driver->journal, bytes, length),
                           bytes, length);
}

static struct bl_clocks read_clocks(void)
{
    return (struct bl_clocks){.wall = bl_clock_wall(), .monotonic = bl_clock_monotonic()};
}

bl_time bl_driver_now(struct bl_driver *driver)
{
    return bl_timekeeper_now(&driver->clock, read_clocks());
}

/* The instant of what is appended next. A clock that was set is told first. */
static bl_time stamp(struct bl_driver *driver)
{
    bl_time now = bl_driver_now(driver);

    if (driver->clock.jump) {
        struct bl_event jumped = {
            .kind = BL_EVENT_CLOCK_JUMPED, .at = now, .u.jumped.by = driver->clock.jump};

        bl_log(BL_LOG_WARNING, "the clock was set by %lld s",
               (long long)(driver->clock.jump / BL_SECOND));
        driver->clock.jump = 0;
        append(driver, &jumped, NULL);
    }
    return now;
}

static struct bl_pending *post(struct bl_driver *driver, struct bl_event *event)
{
    event->at = stamp(driver);
    return append(driver, event, NULL);
}

static void post_event(void *self, struct bl_event *event)
{
    post(self, event);
}

/* The first words of an engine about its GPUs are mostly what the books know. */
static bool is_no_news(struct bl_driver *driver, const struct bl_event *event)
{
    if (event->kind == BL_EVENT_GPU_STATE && !driver->has_told_gpus) {
        driver->has_told_gpus = !bl_ledger_knows_gpus(driver->ledger, event);
        return !driver->has_told_gpus;
    }
    return false;
}

static void on_report(void *self, const struct bl_event *event)
{
    struct bl_event dated = *event;

    if (!is_no_news(self, event)) {
        post(self, &dated);
    }
}

/* --- on disk --------------------------------------------------------------------------------- */

static void after_round(struct bl_driver *driver)
{
    BL_AUTO_BUF lines = {0};

    driver->round_seq = 0;
    bl_ledger_print_actions(driver->ledger, &lines);
    bl_orders_carry_out(&driver->orders);
    if (lines.length > 0) {
        bl_journal_append_actions(driver->journal, driver->ledger->seq, bl_buf_text(&lines),
                                  lines.length);
    }
}

/* What was written can be read, or this program is broken: then nothing it does can be trusted. */
static void apply(struct bl_driver *driver, struct bl_pending *item)
{
    bl_time begun = bl_clock_monotonic();
    struct bl_error err;
    int status = bl_ledger_apply(driver->ledger, item->seq, item->bytes, item->length, &err);

    if (status != BL_OK) {
        bl_log(BL_LOG_ERROR, "a record of this daemon's own cannot be read: %s", err.text);
    }
    assert(status == BL_OK);
    if (driver->ledger->kind == BL_EVENT_ROUND) {
        bl_histogram_note(&driver->rounds, &bl_bounds_of_work, bl_clock_monotonic() - begun);
        after_round(driver);
    }
    bl_orders_forget_changed(&driver->orders);
    if (driver->listener.changed) {
        driver->listener.changed(driver->listener.self, driver->ledger);
    }
}

static void post_round(struct bl_driver *driver)
{
    struct bl_event round = {.kind = BL_EVENT_ROUND};

    driver->round_seq = post(driver, &round)->seq;
    driver->round_at = bl_clock_monotonic();
}

static bl_time sooner(bl_time a, bl_time b)
{
    return a < b ? a : b;
}

/* How long to wait for the next round; 0 when it is due, BL_TIME_NEVER when none is. */
static bl_time time_to_round(struct bl_driver *driver)
{
    bl_time since = bl_clock_monotonic() - driver->round_at;
    bl_time wake = bl_core_next_wake(driver->ledger->core);
    bl_time left = BL_TIME_NEVER;

    if (bl_core_wants_round(driver->ledger->core)) {
        left = driver->debounce - since;
    }
    if (wake != BL_TIME_NEVER) {
        left = sooner(left, wake - bl_driver_now(driver));
    }
    if (driver->period > 0 && bl_ledger_needs_looks(driver->ledger)) {
        left = sooner(left, driver->period - since);
    }
    return left > 0 ? left : 0;
}

/* A round when one is due and none is on its way; else the timer for the next. Events that come
 * soon after a round share the next one. */
static void plan_round(struct bl_driver *driver)
{
    bl_time left;

    if (driver->round_seq || driver->is_settling || driver->keeper.making) {
        return;
    }
    left = time_to_round(driver);
    if (left == 0) {
        post_round(driver);
    } else if (left == BL_TIME_NEVER) {
        bl_watch_disarm(driver->wake);
    } else {
        bl_watch_arm(driver->wake, left);
    }
}

static void on_wake(void *self)
{
    struct bl_driver *driver = self;

    if (!driver->round_seq && !driver->is_settling) {
        post_round(driver);
    }
}

static void give_up_group(struct bl_driver *driver, struct bl_pending *last)
{
    for (size_t left = last->group; left > 0; left--) {
        struct bl_pending *before = last->previous;

        if (last->submitted) {
            bl_launch_env_remove(driver->state_dir, last->submitted);
        }
        bl_pending_remove(&driver->pending, last);
        bl_pending_finish(last, false);
        last = before;
    }
}

/* Requests that wait are given up; what the engine reported stays in the queue. From the newest
 * back, so that no job is kept whose dependency was given up. */
static void give_up_requests(struct bl_driver *driver)
{
    struct bl_pending *item = driver->pending.head.previous;

    while (item != &driver->pending.head) {
        struct bl_pending *before = item->previous;
        int64_t first = item->seq + 1 - (int64_t)item->group;

        for (size_t i = 1; i < item->group; i++) {
            before = before->previous;
        }
        if (item->group && bl_journal_withdraw_group(driver->journal, first, item->group)) {
            give_up_group(driver, item);
        }
        item = before;
    }
}

static void note_failure(struct bl_driver *driver, const struct bl_error *err)
{
    if (driver->failure.status == BL_OK) {
        bl_log(BL_LOG_ERROR, "%s; requests are refused and reports wait until it can be written",
               err->text);
    }
    driver->failure = *err;
}

/* What is forgotten is so in the next snapshot. */
static void go_on_with_snapshot(struct bl_driver *driver)
{
    struct bl_event forget = {.kind = BL_EVENT_JOBS_FORGOTTEN};
    struct bl_snapshot *snapshot =
        bl_keeper_make(&driver->keeper, driver->ledger, SNAPSHOT_JOBS_AT_ONCE);

    if (!snapshot) {
        return;
    }
    bl_journal_take_snapshot(driver->journal, snapshot);
    forget.u.forgotten.before = bl_keeper_forget_before(&driver->keeper, driver->ledger);
    if (forget.u.forgotten.before) {
        post(driver, &forget);
    }
}

/* What takes more than one part goes on between other work: lists and streams are served, and what
 * is on disk meanwhile is applied, and answered, when the snapshot is whole. */
static void take_snapshot(struct bl_driver *driver)
{
    if (driver->is_settling || !bl_keeper_is_due(&driver->keeper, driver->ledger)) {
        return;
    }
    go_on_with_snapshot(driver);
    if (driver->keeper.making && driver->part) {
        bl_watch_arm(driver->part, 0);
    }
}

static void end_snapshot(struct bl_driver *driver)
{
    struct bl_error err = {0};

    if (!bl_journal_end_snapshot(driver->journal, &err)) {
        return;
    }
    if (err.status != BL_OK) {
        bl_log(BL_LOG_WARNING, "no snapshot was made, the journal goes on without: %s", err.text);
    }
    bl_keeper_done(&driver->keeper, driver->ledger, (int)err.status);
    take_snapshot(driver); /* what came meanwhile may be enough for the next */
}

static void apply_committed(struct bl_driver *driver)
{
    struct bl_pending *item;

    while (!driver->keeper.making && (item = bl_pending_first(&driver->pending)) &&
           /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): what was freed is no longer in the ring */
           item->seq <= driver->committed_seq) {
        bl_pending_remove(&driver->pending, item);
        apply(driver, item);
        bl_pending_finish(item, true);
        take_snapshot(driver);
    }
}

static void collect(struct bl_driver *driver)
{
    struct bl_error err = {0};
    int status = bl_journal_collect(driver->journal, &driver->committed_seq, &err);

    end_snapshot(driver);
    apply_committed(driver);
    if (status != BL_OK) {
        note_failure(driver, &err);
        give_up_requests(driver);
    } else if (driver->failure.status != BL_OK) {
        bl_log(BL_LOG_INFO, "the journal can be written again");
        driver->failure = (struct bl_error){0};
    }
}

static void on_part(void *self)
{
    struct bl_driver *driver = self;

    if (!driver->keeper.making) {
        return; /* it was hurried */
    }
    go_on_with_snapshot(driver);
    if (driver->keeper.making) {
        bl_watch_arm(driver->part, 0);
        return;
    }
    apply_committed(driver);
    plan_round(driver);
}

static void on_committed(void *self, uint32_t events)
{
    struct bl_driver *driver = self;

    (void)events;
    collect(driver);
    plan_round(driver);
}

static void hurry_snapshot(struct bl_driver *driver)
{
    while (driver->keeper.making) {
        go_on_with_snapshot(driver);
        apply_committed(driver);
    }
}

/* Without the loop: at start and at the end. */
static void wait_for_disk(struct bl_driver *driver)
{
    struct pollfd ready = {.fd = bl_journal_ready_fd(driver->journal), .events = POLLIN};

    hurry_snapshot(driver);
    while (bl_pending_first(&driver->pending) && driver->failure.status == BL_OK &&
           poll(&ready, 1, SETTLE_MS) > 0) {
        collect(driver);
        hurry_snapshot(driver);
    }
}

void bl_driver_settle(struct bl_driver *driver)
{
    driver->is_settling = true;
    bl_forecaster_stop(driver->forecaster);
    wait_for_disk(driver);
    give_up_requests(driver);
}

/* --- start and end --------------------------------------------------------------------------- */

static int align(struct bl_driver *driver, const struct bl_policy_choice *policy,
                 struct bl_error *err)
{
    struct bl_recover_host host = {.self = driver, .post = post_event};
    struct bl_clusterspec found = {0};
    int status = driver->orders.engine->discover(driver->orders.self, &found, err);

    if (status == BL_OK) {
        status = bl_recover_align(driver->ledger->core, &found, policy, host, err);
    }
    wait_for_disk(driver);
    if (status == BL_OK && driver->failure.status != BL_OK) {
        *err = driver->failure;
        status = (int)err->status;
    } else if (status == BL_OK && bl_pending_first(&driver->pending)) {
        status = bl_fail(err, BL_ESYSTEM, "the disk under %s does not answer", driver->state_dir);
    }
    return status == BL_OK ? bl_recover_check(driver->ledger->core, &found, err) : status;
}

static int start_engine(struct bl_driver *driver, const struct bl_driver_options *options,
                        struct bl_error *err)
{
    struct bl_engine_config config = {
        .loop = options->loop,
        .state_dir = driver->state_dir,
        .supervisor = options->supervisor,
        .declared = options->declared,
        .no_cgroup = options->no_cgroup,
        .rules = options->rules,
    };
    struct bl_engine_host host = {.self = driver, .report = on_report};

    return driver->orders.engine->create(&config, host, &driver->orders.self, err);
}

/* Before the past is replayed: it is to have that as well. */
static int start_forecaster(struct bl_driver *driver, const struct bl_driver_options *options,
                            struct bl_error *err)
{
    int status = bl_forecaster_create(options->loop, &options->forecasts, &driver->forecaster, err);

    if (status == BL_OK) {
        driver->ledger->tap = (struct bl_ledger_tap){driver->forecaster, bl_forecaster_take};
        bl_outlook_attach(driver->ledger->outlook, driver->forecaster);
    }
    return status;
}

static int start(struct bl_driver *driver, const struct bl_driver_options *options,
                 struct bl_error *err)
{
    int status = bl_journal_open(options->state_dir, &driver->journal, err);

    status = status == BL_OK ? start_forecaster(driver, options, err) : status;
    status = status == BL_OK ? bl_recover_replay(driver->journal, driver->ledger, err) : status;
    if (status != BL_OK) {
        return status;
    }
    bl_timekeeper_init(&driver->clock, read_clocks(), bl_core_now(driver->ledger->core));
    driver->next_id = driver->ledger->last_id + 1;
    driver->keeper = (struct bl_keeper){.rules = options->keep,
                                        .seq = bl_journal_head(driver->journal).seq,
                                        .at = driver->clock.last};
    status = start_engine(driver, options, err);
    status = status == BL_OK ? align(driver, options->policy, err) : status;
    if (status != BL_OK) {
        return status;
    }
    driver->committed = bl_loop_watch_fd(options->loop, bl_journal_ready_fd(driver->journal),
                                         EPOLLIN, on_committed, driver);
    driver->wake = bl_loop_watch_timer(options->loop, on_wake, driver);
    driver->part = bl_loop_watch_idle(options->loop, on_part, driver);
    bl_orders_hand_over(&driver->orders);
    plan_round(driver);
    return BL_OK;
}

int bl_driver_create(const struct bl_driver_options *options, struct bl_driver **out,
                     struct bl_error *err)
{
    struct bl_driver *driver = bl_alloc_zero(sizeof *driver);
    int status;

    driver->state_dir = bl_copy_text(options->state_dir);
    driver->debounce = options->debounce;
    driver->period = options->period;
    driver->round_at = bl_clock_monotonic() - options->debounce;
    driver->ledger = bl_ledger_create();
    driver->orders = (struct bl_orders){.ledger = driver->ledger, .engine = options->engine};
    bl_pending_init(&driver->pending);
    status = start(driver, options, err);
    if (status != BL_OK) {
        bl_driver_destroy(driver);
        return status;
    }
    *out = driver;
    return BL_OK;
}

void bl_driver_destroy(struct bl_driver *driver)
{
    struct bl_pending *item;

    if (!driver) {
        return;
    }
    if (driver->orders.self) {
        driver->orders.engine->destroy(driver->orders.self);
    }
    bl_watch_destroy(driver->committed);
    bl_watch_destroy(driver->wake);
    bl_watch_destroy(driver->part);
    bl_keeper_finish(&driver->keeper);
    bl_forecaster_destroy(driver->forecaster);
    bl_journal_close(driver->journal);
    while ((item = bl_pending_first(&driver->pending))) {
        bl_pending_remove(&driver->pending, item);
        bl_pending_finish(item, false);
    }
    bl_pending_finish_ring(&driver->pending);
    bl_launch_env_last_finish(&driver->last_env);
    bl_ledger_destroy(driver->ledger);
    free(driver->state_dir);
    free(driver);
}

/* --- requests -------------------------------------------------------------------------------- */

bl_job_id bl_driver_next_id(const struct bl_driver *driver)
{
    return driver->next_id;
}

static int write_environments(struct bl_driver *driver, const struct bl_submission *submission,
                              size_t count, struct bl_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (submission[i].env &&
            bl_launch_env_write_next(driver->state_dir, &driver->last_env, submission[i].id,
                                     submission[i].env, err)) {
            while (i > 0) {
                bl_launch_env_remove(driver->state_dir, submission[--i].id);
            }
            return (int)err->status;
        }
    }
    return BL_OK;
}

/* One job: its submission, and that it is held. */
static struct bl_pending *append_submission(struct bl_driver *driver,
                                            const struct bl_submission *submission, bl_time now)
{
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED,
                             .at = now,
                             .job = submission->id,
                             .u.submitted = *submission->spec};
    struct bl_event held = {.kind = BL_EVENT_JOB_HELD,
                            .at = now,
                            .job = submission->id,
                            .u.cancelled.uid = submission->launch->uid};
    struct bl_pending *item = append(driver, &event, submission->launch);

    bl_pending_set_submitted(&driver->pending, item, submission->id, submission->launch->uid);
    driver->next_id = submission->id + 1 + bl_array_count(submission->spec);
    return submission->hold ? append(driver, &held, NULL) : item;
}

int bl_driver_submit(struct bl_driver *driver, const struct bl_submission *submission, size_t count,
                     struct bl_completion done, struct bl_error *err)
{
    struct bl_pending *last = NULL;
    const struct bl_pending *first;
    bl_time now;

    assert(count > 0 && submission[0].id == driver->next_id);
    if (bl_driver_check(driver, err) != BL_OK ||
        write_environments(driver, submission, count, err) != BL_OK) {
        return (int)err->status;
    }
    now = stamp(driver);
    bl_journal_begin_group(driver->journal);
    for (size_t i = 0; i < count; i++) {
        last = append_submission(driver, &submission[i], now);
    }
    bl_journal_end_group(driver->journal);
    first = bl_pending_find(&driver->pending, submission[0].id);
    last->done = done;
    last->group = (size_t)(last->seq - first->seq + 1);
    return BL_OK;
}

int bl_driver_check_adopts(const struct bl_driver *driver, struct bl_error *err)
{
    const struct bl_orders *orders = &driver->orders;

    if (!orders->engine->examine) {
        bl_fail(err, BL_EREFUSED, "the engine %s does not run jobs itself: it cannot adopt one",
                orders->engine->name);
        return bl_error_set_hint(err, "a process is adopted where the daemon's engine is local");
    }
    return BL_OK;
}

int bl_driver_examine(const struct bl_driver *driver, const struct bl_engine_asker *asker,
                      const struct bl_sight *seen, struct bl_arena *arena,
                      struct bl_engine_process *out, struct bl_error *err)
{
    const struct bl_orders *orders = &driver->orders;

    return orders->engine->examine(orders->self, asker, seen, arena, out, err);
}

void bl_driver_ask(struct bl_driver *driver, struct bl_event *event, struct bl_completion done)
{
    struct bl_pending *item = post(driver, event);

    item->done = done;
    item->group = 1;
}

bool bl_driver_find_owner(const struct bl_driver *driver, bl_job_id job, int64_t *uid)
{
    const struct bl_pending *item = bl_pending_find(&driver->pending, job);
    const struct bl_job *known = bl_core_find_job(driver->ledger->core, job);

    if (!item && !known) {
        return false;
    }
    *uid = item ? item->owner : bl_ledger_launch(driver->ledger, known)->uid;
    return true;
}

/* --- views ----------------------------------------------------------------------------------- */

const struct bl_ledger *bl_driver_ledger(const struct bl_driver *driver)
{
    return driver->ledger;
}

void bl_driver_times(const struct bl_driver *driver, struct bl_driver_times *out)
{
    *out = (struct bl_driver_times){driver->rounds, bl_journal_commits(driver->journal)};
}

struct bl_forecaster *bl_driver_forecaster(const struct bl_driver *driver)
{
    return driver->forecaster;
}

const char *bl_driver_engine_name(const struct bl_driver *driver)
{
    return driver->orders.engine->name;
}

const char *bl_driver_gpu_uuid(const struct bl_driver *driver, const char *node, int32_t gpu)
{
    const struct bl_orders *orders = &driver->orders;

    return orders->engine->gpu_uuid ? orders->engine->gpu_uuid(orders->self, node, gpu) : NULL;
}

int bl_driver_check(const struct bl_driver *driver, struct bl_error *err)
{
    if (driver->failure.status != BL_OK && err) {
        *err = driver->failure;
    }
    return (int)driver->failure.status;
}

void bl_driver_listen(struct bl_driver *driver, struct bl_listener listener)
{
    driver->listener = listener;
}
