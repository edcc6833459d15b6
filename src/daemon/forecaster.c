#include "daemon/forecaster.h"

#include "base/own.h"
#include "os/clock.h"
#include "os/loop.h"
#include "os/thread.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum {
    RUNS_IN_A_ROW = 8,             /* ranges are not begun anew before they rest on so many */
    BACKLOG_MAX = 4 * 1024 * 1024, /* bytes of records that wait before a look is given up */
    QUICK_PAUSE = 2,               /* times what a quick look takes pass before the next */
    REFRESH_PAUSE = 20             /* times what ranges took pass where nothing changes */
};

#define PATIENCE      (20 * BL_SECOND) /* of a question, for a core that can be forked; */
#define PATIENCE_IDLE (2 * BL_SECOND)  /* where no policy is set */
#define BEFORE_LASTS                                                                               \
    (10 * BL_SECOND)                   /* where nothing happens: questions that follow one another \
                                        */
#define PAUSE_MOST    (10 * BL_SECOND) /* before ranges begin anew after a change */
#define REFRESH_LEAST BL_MINUTE        /* the present moves on even where nothing happens */

struct record {
    struct record *next;
    int64_t seq;
    size_t length;
    char bytes[];
};

struct question {
    struct question *next;
    struct bl_forecaster_question asked;
    bl_time at; /* on the monotonic clock */
    bool is_answered;
};

struct questions {
    struct question *first, **end;
    size_t count;
};

struct bl_forecaster {
    struct bl_watch *ready;
    int ready_fd;
    bool has_thread;
    pthread_t thread;
    struct bl_foretelling *told; /* the loop's */

    atomic_bool is_stopping;
    atomic_bool is_asked;  /* a question waits */
    atomic_bool has_news;  /* records wait, */
    atomic_bool is_behind; /* too many records wait */

    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t wake;
    struct record *first, **end;
    size_t backlog; /* bytes */
    struct questions waiting, answered;
    struct bl_foretelling *fresh; /* not yet seen by the loop */

    /* The thread's own. Instants are on the monotonic clock. */
    struct record *mine; /* taken and not yet applied */
    bool is_hungry;      /* a look or an answer waits for a core that can be forked, */
    bool is_fed;         /* and here it is: it comes before further records */
    struct bl_replica replica;
    struct bl_sampler sampler;
    int niceness, niceness_back;             /* while somebody waits, and else */
    struct bl_whatif_before before;          /* what questions compare with, */
    int64_t before_seq;                      /* and the state */
    bl_time before_at;                       /* and present of that */
    bl_time changed_at;                      /* when the replica's version last grew */
    int64_t beats, quick_beats, range_beats; /* refreshes since, and those seen */
    bl_time quick_ended, quick_took;
    bl_time range_ended, range_took;
};

/* --- queues ---------------------------------------------------------------------------------- */

static void push_question(struct questions *list, struct question *question)
{
    question->next = NULL;
    *list->end = question;
    list->end = &question->next;
    list->count++;
}

static struct question *pop_question(struct questions *list)
{
    struct question *question = list->first;

    if (question) {
        list->first = question->next;
        list->end = list->first ? list->end : &list->first;
        list->count--;
    }
    return question;
}

static void free_records(struct record *record)
{
    while (record) {
        struct record *next = record->next;

        free(record);
        record = next;
    }
}

/* --- the thread ------------------------------------------------------------------------------ */

static void announce(const struct bl_forecaster *f)
{
    const uint64_t one = 1;

    /* fails only when the counter is full: then it is readable anyway */
    if (write(f->ready_fd, &one, sizeof one) < 0) {
        assert(errno == EAGAIN);
    }
}

static bool must_stop(void *self)
{
    struct bl_forecaster *f = self;

    return atomic_load(&f->is_stopping) || atomic_load(&f->is_behind);
}

/* Questions go first, and what has happened once there are enough runs: one is soon made again. */
static bool must_make_way(void *self)
{
    struct bl_forecaster *f = self;
    bool is_enough = f->sampler.count >= RUNS_IN_A_ROW;

    return must_stop(f) || atomic_load(&f->is_asked) || (is_enough && atomic_load(&f->has_news));
}

static void tell(struct bl_forecaster *f)
{
    struct bl_foretelling *told = bl_sampler_tell(&f->sampler);

    pthread_mutex_lock(&f->mutex);
    bl_foretelling_destroy(f->fresh);
    f->fresh = told;
    pthread_mutex_unlock(&f->mutex);
    announce(f);
}

static struct record *take_records(struct bl_forecaster *f)
{
    struct record *first;

    pthread_mutex_lock(&f->mutex);
    first = f->first;
    f->first = NULL;
    f->end = &f->first;
    f->backlog = 0;
    atomic_store(&f->has_news, false);
    atomic_store(&f->is_behind, false);
    pthread_mutex_unlock(&f->mutex);
    return first;
}

static void note_change(struct bl_forecaster *f, int64_t version)
{
    if (f->replica.version != version) {
        f->changed_at = bl_clock_monotonic();
        f->beats = f->quick_beats = f->range_beats = 0;
    }
}

/* Where many records come there may never be an end at which the core can be forked: who waits for
 * that takes the first moment that offers itself. */
static void apply_records(struct bl_forecaster *f)
{
    int64_t version = f->replica.version;

    while (f->mine && !f->is_fed && !atomic_load(&f->is_stopping)) {
        struct record *record = f->mine;

        f->mine = record->next;
        bl_replica_apply(&f->replica, record->seq, record->bytes, record->length);
        free(record);
        f->is_fed = f->is_hungry && bl_replica_can_fork(&f->replica);
    }
    note_change(f, version);
}

static bl_time refresh_after(const struct bl_forecaster *f)
{
    bl_time pause = f->range_took * REFRESH_PAUSE;

    return pause > REFRESH_LEAST ? pause : REFRESH_LEAST;
}

/* The instant that looks begin at: that of the last change, and later only where nothing has
 * changed for long, so that the same records give the same forecasts. */
static bl_time present(const struct bl_forecaster *f)
{
    return f->replica.now + f->beats * refresh_after(f);
}

static bool wants_quick(const struct bl_forecaster *f)
{
    return f->sampler.quick_version != f->replica.version || f->quick_beats != f->beats;
}

static bool wants_new_ranges(const struct bl_forecaster *f)
{
    return f->sampler.version != f->replica.version || f->range_beats != f->beats;
}

static bool wants_run(const struct bl_forecaster *f)
{
    size_t most = wants_new_ranges(f) ? RUNS_IN_A_ROW : BL_SAMPLER_RUNS_MAX;

    return f->sampler.base && f->sampler.count < most;
}

static void look_quickly(struct bl_forecaster *f)
{
    bl_time began = bl_clock_monotonic();

    if (bl_sampler_glance(&f->sampler, &f->replica, present(f),
                          (struct bl_sampler_stop){must_stop, f})) {
        f->quick_ended = bl_clock_monotonic();
        f->quick_took = f->quick_ended - began;
        f->quick_beats = f->beats;
        tell(f);
    }
}

static void begin_ranges(struct bl_forecaster *f)
{
    bl_sampler_begin(&f->sampler, &f->replica, present(f));
    f->range_beats = f->beats;
    f->range_took = 0;
}

/* Told when ranges become twice as good. */
static void look_again(struct bl_forecaster *f)
{
    bl_time began = bl_clock_monotonic();

    if (bl_sampler_run(&f->sampler, (struct bl_sampler_stop){must_make_way, f})) {
        size_t count = f->sampler.count;

        f->range_ended = bl_clock_monotonic();
        f->range_took += f->range_ended - began;
        if (count >= 4 && (count & (count - 1)) == 0) {
            tell(f);
        }
    }
}

static struct question *take_question(struct bl_forecaster *f)
{
    struct question *question;

    pthread_mutex_lock(&f->mutex);
    question = pop_question(&f->waiting);
    atomic_store(&f->is_asked, f->waiting.count > 0);
    pthread_mutex_unlock(&f->mutex);
    return question;
}

static void give_back(struct bl_forecaster *f, struct question *question)
{
    pthread_mutex_lock(&f->mutex);
    push_question(&f->answered, question);
    pthread_mutex_unlock(&f->mutex);
    announce(f);
}

/* A core that can be forked comes with the next round, which may be late on a busy machine. */
static bl_time patience(const struct bl_forecaster *f)
{
    return bl_core_policy(f->replica.core)->policy ? PATIENCE : PATIENCE_IDLE;
}

/* The first one's. */
static bl_time patience_left(struct bl_forecaster *f)
{
    bl_time asked_at;

    pthread_mutex_lock(&f->mutex);
    asked_at = f->waiting.first ? f->waiting.first->at : BL_TIME_NEVER;
    pthread_mutex_unlock(&f->mutex);
    return asked_at == BL_TIME_NEVER ? asked_at : asked_at + patience(f) - bl_clock_monotonic();
}

/* One present for questions that follow one another, so that they compare with the same looks. */
static struct bl_forecaster_scene set_scene(struct bl_forecaster *f, bl_time at)
{
    if (f->before_seq != f->replica.seq || at < f->before_at || at > f->before_at + BEFORE_LASTS) {
        bl_whatif_before_reset(&f->before);
        f->before_seq = f->replica.seq;
        f->before_at = at;
    }
    return (struct bl_forecaster_scene){
        .core = f->replica.core,
        .at = f->before_at,
        .before = &f->before,
        .of_late = f->sampler.without_arrivals ? NULL : bl_core_arrivals(f->replica.core)};
}

static void answer(struct bl_forecaster *f, bool can_fork)
{
    struct question *question = take_question(f);

    if (can_fork && question->asked.is_wanted(question->asked.self)) {
        const struct bl_forecaster_scene scene = set_scene(f, question->asked.at);

        bl_thread_set_niceness(f->niceness); /* somebody waits for it */
        question->asked.work(question->asked.self, &scene);
        bl_thread_set_niceness(f->niceness_back);
        question->is_answered = true;
    }
    give_back(f, question);
}

static bl_time sooner(bl_time a, bl_time b)
{
    return a < b ? a : b;
}

static bl_time pause_before_ranges(const struct bl_forecaster *f)
{
    return f->range_beats != f->beats ? 0 : sooner(f->range_took, PAUSE_MOST);
}

/* Does the next thing that is due; how long to wait where nothing is. */
static bl_time work(struct bl_forecaster *f)
{
    bool can_fork = bl_replica_can_fork(&f->replica);
    bl_time now = bl_clock_monotonic();
    bl_time quick = f->quick_ended + f->quick_took * QUICK_PAUSE - now;
    bl_time ranges = f->range_ended + pause_before_ranges(f) - now;
    bl_time refresh = f->changed_at + (f->beats + 1) * refresh_after(f) - now;

    f->is_fed = false;
    f->is_hungry = !can_fork && (atomic_load(&f->is_asked) || wants_quick(f));
    if (atomic_load(&f->is_asked) && (can_fork || patience_left(f) <= 0)) {
        answer(f, can_fork);
    } else if (can_fork && wants_quick(f) && quick <= 0) {
        look_quickly(f);
    } else if (wants_run(f)) {
        look_again(f);
    } else if (can_fork && wants_new_ranges(f) && f->sampler.quick_version && ranges <= 0) {
        begin_ranges(f);
    } else if (refresh <= 0 && can_fork) {
        f->beats++;
    } else {
        refresh = refresh > 0 ? refresh : BL_TIME_NEVER;
        quick = can_fork && wants_quick(f) ? quick : BL_TIME_NEVER;
        ranges = can_fork && wants_new_ranges(f) ? ranges : BL_TIME_NEVER;
        return sooner(sooner(sooner(quick, ranges), refresh), patience_left(f));
    }
    return 0;
}

/* Until something comes, at most. */
static void rest(struct bl_forecaster *f, bl_time most)
{
    struct timespec until;
    bl_time at = bl_clock_monotonic() + (most < BL_HOUR ? most : BL_HOUR);

    until.tv_sec = (time_t)(at / BL_SECOND);
    until.tv_nsec = (long)(at % BL_SECOND) * 1000;
    pthread_mutex_lock(&f->mutex);
    if (!f->first && !atomic_load(&f->is_stopping) && !atomic_load(&f->is_asked)) {
        pthread_cond_timedwait(&f->wake, &f->mutex, &until);
    }
    pthread_mutex_unlock(&f->mutex);
}

static void *run(void *self)
{
    struct bl_forecaster *f = self;

    f->niceness = bl_thread_niceness();
    bl_thread_step_back();
    f->niceness_back = bl_thread_niceness();
    while (!atomic_load(&f->is_stopping)) {
        bl_time pause = 0;

        f->mine = f->mine ? f->mine : take_records(f);
        if (f->mine && !f->is_fed) {
            apply_records(f);
        } else {
            pause = work(f);
        }
        if (pause > 0 && !f->mine) {
            rest(f, pause);
        }
    }
    return NULL;
}

/* --- the loop's side ------------------------------------------------------------------------- */

static void take_told(struct bl_forecaster *f)
{
    struct bl_foretelling *fresh;

    pthread_mutex_lock(&f->mutex);
    fresh = BL_TAKE(f->fresh);
    pthread_mutex_unlock(&f->mutex);
    if (fresh) {
        bl_foretelling_destroy(f->told);
        f->told = fresh;
    }
}

static void finish_question(struct question *question)
{
    question->asked.done(question->asked.self, question->is_answered);
    free(question);
}

static void hand_out_answers(struct bl_forecaster *f)
{
    struct question *question;

    do {
        pthread_mutex_lock(&f->mutex);
        question = pop_question(&f->answered);
        pthread_mutex_unlock(&f->mutex);
        if (question) {
            finish_question(question);
        }
    } while (question);
}

static void on_ready(void *self, uint32_t events)
{
    struct bl_forecaster *f = self;
    uint64_t count;

    (void)events;
    if (read(f->ready_fd, &count, sizeof count) < 0) {
        assert(errno == EAGAIN);
    }
    take_told(f);
    hand_out_answers(f);
}

int bl_forecaster_create(struct bl_loop *loop, const struct bl_forecaster_rules *rules,
                         struct bl_forecaster **out, struct bl_error *err)
{
    struct bl_forecaster *f = bl_alloc_zero(sizeof *f);

    pthread_mutex_init(&f->mutex, NULL);
    bl_thread_init_condition(&f->wake);
    f->end = &f->first;
    f->waiting.end = &f->waiting.first;
    f->answered.end = &f->answered.first;
    bl_replica_init(&f->replica);
    f->sampler.without_arrivals = rules->without_arrivals;
    f->changed_at = bl_clock_monotonic();
    f->ready_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (f->ready_fd < 0) {
        bl_fail_sys(err, "cannot make an eventfd");
        bl_forecaster_destroy(f);
        return BL_ESYSTEM;
    }
    if (bl_thread_start(&f->thread, run, f, "the forecaster's thread", err) != BL_OK) {
        bl_forecaster_destroy(f);
        return BL_ESYSTEM;
    }
    f->has_thread = true;
    f->ready = bl_loop_watch_fd(loop, f->ready_fd, EPOLLIN, on_ready, f);
    *out = f;
    return BL_OK;
}

void bl_forecaster_stop(struct bl_forecaster *f)
{
    struct question *question;

    if (!f || !f->has_thread) {
        return;
    }
    pthread_mutex_lock(&f->mutex);
    atomic_store(&f->is_stopping, true);
    pthread_cond_signal(&f->wake);
    pthread_mutex_unlock(&f->mutex);
    pthread_join(f->thread, NULL);
    f->has_thread = false;
    take_told(f);
    hand_out_answers(f);
    while ((question = pop_question(&f->waiting))) {
        finish_question(question);
    }
}

void bl_forecaster_destroy(struct bl_forecaster *f)
{
    if (!f) {
        return;
    }
    bl_forecaster_stop(f);
    bl_watch_destroy(f->ready);
    if (f->ready_fd >= 0) {
        close(f->ready_fd);
    }
    free_records(f->first);
    free_records(f->mine);
    bl_foretelling_destroy(f->told);
    bl_sampler_finish(&f->sampler);
    bl_whatif_before_finish(&f->before);
    bl_replica_finish(&f->replica);
    pthread_cond_destroy(&f->wake);
    pthread_mutex_destroy(&f->mutex);
    free(f);
}

void bl_forecaster_take(void *self, int64_t seq, const char *bytes, size_t length)
{
    struct bl_forecaster *f = self;
    struct record *record = bl_alloc_zero(sizeof *record + length);

    record->seq = seq;
    record->length = length;
    memcpy(record->bytes, bytes, length);
    pthread_mutex_lock(&f->mutex);
    *f->end = record;
    f->end = &record->next;
    f->backlog += sizeof *record + length;
    atomic_store(&f->has_news, true);
    if (f->backlog > BACKLOG_MAX) {
        atomic_store(&f->is_behind, true);
    }
    pthread_cond_signal(&f->wake);
    pthread_mutex_unlock(&f->mutex);
}

const struct bl_foretelling *bl_forecaster_told(const struct bl_forecaster *f)
{
    return f->told;
}

static size_t count_of_user(const struct questions *list, int64_t user)
{
    size_t count = 0;

    for (const struct question *q = list->first; q; q = q->next) {
        count += !q->asked.is_free && q->asked.user == user;
    }
    return count;
}

static int check_room(const struct bl_forecaster *f, const struct bl_forecaster_question *asked,
                      struct bl_error *err)
{
    if (f->waiting.count >= BL_FORECASTER_QUESTIONS_MAX || !f->has_thread) {
        return bl_fail(err, BL_EREFUSED, "%d questions about the future wait for an answer already",
                       BL_FORECASTER_QUESTIONS_MAX);
    }
    if (!asked->is_free &&
        count_of_user(&f->waiting, asked->user) >= BL_FORECASTER_QUESTIONS_USER) {
        return bl_fail(err, BL_EREFUSED,
                       "%d of your questions about the future wait for an answer already",
                       BL_FORECASTER_QUESTIONS_USER);
    }
    return BL_OK;
}

int bl_forecaster_ask(struct bl_forecaster *f, const struct bl_forecaster_question *asked,
                      struct bl_error *err)
{
    struct question *question;

    pthread_mutex_lock(&f->mutex);
    if (check_room(f, asked, err) != BL_OK) {
        pthread_mutex_unlock(&f->mutex);
        return BL_EREFUSED;
    }
    question = bl_alloc_zero(sizeof *question);
    question->asked = *asked;
    question->at = bl_clock_monotonic();
    push_question(&f->waiting, question);
    atomic_store(&f->is_asked, true);
    pthread_cond_signal(&f->wake);
    pthread_mutex_unlock(&f->mutex);
    return BL_OK;
}
