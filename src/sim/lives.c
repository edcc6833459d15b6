#include "sim/lives.h"

/* A job: its lives that ended, and the one that goes on. */
struct history {
    BL_VEC(struct bl_sim_life) ended;
    struct bl_sim_life now;
    struct bl_sim_stretch held; /* by the attempt that runs: since it began */
};

struct bl_sim_lives {
    struct bl_map histories;
    /* Of the job whose attempt is about to end. */
    bool is_ending;
    bool goes_on; /* it makes room, and will come back to its work */
    bl_time run;
};

struct bl_sim_lives *bl_sim_lives_create(void)
{
    return bl_alloc_zero(sizeof(struct bl_sim_lives));
}

static void destroy_history(struct history *history)
{
    for (size_t i = 0; i < history->ended.count; i++) {
        BL_VEC_FINISH(&history->ended.at[i].stretches);
    }
    BL_VEC_FINISH(&history->ended);
    BL_VEC_FINISH(&history->now.stretches);
    free(history);
}

void bl_sim_lives_destroy(struct bl_sim_lives *lives)
{
    size_t cursor = 0;
    struct history *history;

    while ((history = bl_map_next(&lives->histories, &cursor))) {
        destroy_history(history);
    }
    bl_map_finish(&lives->histories);
    free(lives);
}

struct bl_sim_stretch bl_sim_stretch_on(const struct bl_cluster *cluster,
                                        const struct bl_alloc *alloc)
{
    struct bl_sim_stretch stretch = {.type = -1};
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        stretch.gpus += part[i].gpus;
        stretch.nodes += part[i].gpus > 0;
        stretch.type = part[i].gpus > 0 ? cluster->node[part[i].node].type : stretch.type;
    }
    return stretch;
}

void bl_sim_lives_before(struct bl_sim_lives *lives, const struct bl_core *core,
                         const struct bl_event *event)
{
    const struct bl_job *job = bl_core_find_job(core, event->job);

    lives->is_ending = event->kind == BL_EVENT_JOB_ENDED && job && job->attempt == event->attempt &&
                       bl_job_state_is_active(job->state);
    if (lives->is_ending) {
        lives->run = event->at - job->started_at;
        lives->goes_on = job->state == BL_JOB_RESIZING ||
                         (job->state == BL_JOB_STOPPING && job->stop_as == BL_JOB_QUEUED);
    }
}

static struct history *open_history(struct bl_sim_lives *lives, bl_job_id id)
{
    struct history *history = bl_map_find(&lives->histories, id);

    if (!history) {
        history = bl_alloc_zero(sizeof *history);
        bl_map_insert(&lives->histories, id, history);
    }
    return history;
}

static void close_life(struct history *history, const struct bl_event *event,
                       const struct bl_job *job)
{
    struct bl_sim_life life = history->now;

    life.cause = event->u.ended.cause;
    life.code = event->u.ended.code;
    life.is_cancelled = job && job->state == BL_JOB_CANCELLED;
    BL_VEC_PUSH(&history->ended, life);
    history->now = (struct bl_sim_life){0};
}

static void end_attempt(struct bl_sim_lives *lives, const struct bl_core *core,
                        const struct bl_event *event)
{
    struct history *history = open_history(lives, event->job);
    struct bl_sim_stretch stretch = history->held;

    stretch.run = lives->run;
    BL_VEC_PUSH(&history->now.stretches, stretch);
    if (!lives->goes_on) {
        close_life(history, event, bl_core_find_job(core, event->job));
    }
}

/* What is held is known best when it begins: while it is resized, old and new GPUs are one. */
static void begin_attempt(struct bl_sim_lives *lives, const struct bl_core *core, bl_job_id id)
{
    const struct bl_job *job = bl_core_find_job(core, id);

    if (job && bl_job_state_is_active(job->state)) {
        open_history(lives, id)->held = bl_sim_stretch_on(bl_core_cluster(core), &job->alloc);
    }
}

void bl_sim_lives_after(struct bl_sim_lives *lives, const struct bl_core *core,
                        const struct bl_event *event)
{
    if (lives->is_ending) {
        end_attempt(lives, core, event);
    } else if (event->kind == BL_EVENT_JOB_STARTED || event->kind == BL_EVENT_JOB_RESTORED) {
        begin_attempt(lives, core, event->job);
    }
    lives->is_ending = false;
}

const struct bl_sim_life *bl_sim_lives_find(const struct bl_sim_lives *lives, bl_job_id job,
                                            size_t which)
{
    const struct history *history = bl_map_find(&lives->histories, job);
    size_t count = history ? history->ended.count : 0;

    if (count == 0) {
        return NULL;
    }
    return &history->ended.at[which < count ? which : count - 1];
}
