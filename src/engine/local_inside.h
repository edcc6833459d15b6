/* The parts of the local engine, seen from inside: local.c is what others call, local_take_up.c
 * starts attempts and takes over those of an earlier daemon, local_follow.c learns what becomes of
 * them, and local_report.c tells it to the host. */
#ifndef BL_ENGINE_LOCAL_INSIDE_H
#define BL_ENGINE_LOCAL_INSIDE_H

#include "base/map.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "engine/local_attempt.h"
#include "engine/local_files.h"
#include "engine/local_health.h"
#include "engine/local_site.h"
#include "os/nursery.h"

/* Between a supervisor's letting go of its file and its end. */
#define BL_LOCAL_EXIT_SLACK (2 * BL_SECOND)

struct bl_local {
    struct bl_loop *loop;
    struct bl_engine_host host;
    struct bl_local_site site;
    int inotify;
    struct bl_watch *inotify_watch;
    struct bl_watch *timer;
    struct bl_watch *idle;
    struct bl_map attempts; /* job id -> struct bl_attempt *, owned */
    struct bl_map watched;  /* inotify watch -> struct bl_attempt * */
    struct bl_nursery *nursery;
    struct bl_local_health *health;
    BL_VEC(struct bl_event) reports;
    bl_time progress_at; /* monotonic: the next look at the jobs' progress */
};

/* ---- reports: kept until the loop turns, for an engine reports from inside no call ---- */

void bl_local_report_started(struct bl_local *local, const struct bl_attempt *attempt);
void bl_local_report_failed(struct bl_local *local, const struct bl_attempt *attempt,
                            enum bl_start_stage stage, int error_number);
void bl_local_report_ended(struct bl_local *local, const struct bl_attempt *attempt,
                           enum bl_end_cause cause, int code);
/* How the records say that it ended. */
void bl_local_report_end_of(struct bl_local *local, const struct bl_attempt *attempt);
/* What its job said of its progress since it was asked last. */
void bl_local_report_progress(struct bl_local *local, struct bl_attempt *attempt,
                              const struct bl_local_paths *paths);
/* Of all that run, now and then. */
void bl_local_report_all_progress(struct bl_local *local, bl_time now);
/* Hands over what was kept. Only from the event loop. */
void bl_local_flush_reports(struct bl_local *local);

/* ---- what becomes of attempts ---- */

void bl_local_open_watches(struct bl_local *local);
struct bl_attempt *bl_local_find_attempt(const struct bl_local *local, bl_job_id job,
                                         int32_t number);
/* Learns of what is written to its file, where inotify has room. */
void bl_local_watch(struct bl_local *local, struct bl_attempt *attempt,
                    const struct bl_local_paths *paths);
void bl_local_unwatch(struct bl_local *local, struct bl_attempt *attempt);
/* Nothing more is to be told of it. */
void bl_local_drop(struct bl_local *local, struct bl_attempt *attempt);
/* Reads the records and reports what is new. True when the attempt is over and dropped. */
bool bl_local_read_records(struct bl_local *local, struct bl_attempt *attempt,
                           const struct bl_local_paths *paths);
/* It never lived, and never will. */
void bl_local_end_unstarted(struct bl_local *local, struct bl_attempt *attempt);
/* The supervisor is gone without a word about the job's end. */
void bl_local_follow_dead(struct bl_local *local, struct bl_attempt *attempt,
                          const struct bl_local_paths *paths);

/* ---- processes to be adopted ---- */

int bl_local_examine(struct bl_local *local, const struct bl_engine_asker *asker,
                     const struct bl_sight *seen, struct bl_arena *arena,
                     struct bl_engine_process *out, struct bl_error *err);

/* ---- starts ---- */

/* 0 or an errno. The supervisor inherits the attempt file, which stays the caller's to close. */
int bl_local_spawn(struct bl_local *local, const struct bl_local_paths *paths,
                   enum bl_spawn_mode mode, int attempt_fd);
/* Starts an attempt, or goes on with what its file tells of it. */
void bl_local_take_up(struct bl_local *local, const struct bl_engine_job *job);

#endif
