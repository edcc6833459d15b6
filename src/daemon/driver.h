/* Feeds the core with real events. Each is journaled first; once it is on disk it is applied,
 * whoever asked is answered, and a round follows when one is due. Actions go to the engine, and
 * what the engine reports comes back as events the same way. */
#ifndef BL_DAEMON_DRIVER_H
#define BL_DAEMON_DRIVER_H

#include "daemon/keeper.h"
#include "daemon/ledger.h"
#include "engine/engine.h"

#include <stdbool.h>

struct bl_loop;
struct bl_driver;

struct bl_driver_options {
    struct bl_loop *loop;
    const char *state_dir; /* absolute */
    const struct bl_engine *engine;
    const struct bl_clusterspec *declared; /* NULL = find GPUs */
    const struct bl_policy_choice *policy;
    const char *supervisor; /* see struct bl_engine_config */
    bool no_cgroup;
    const struct bl_config_local *rules; /* see struct bl_engine_config */
    bl_time debounce;                    /* between two rounds at the least */
    bl_time period; /* between two rounds at the most, while jobs wait; 0 = any */
    struct bl_keeper_rules keep;
    struct bl_forecaster_rules forecasts;
};

/* Opens the journal, replays it, compares the machine with the books and takes over what runs. */
int bl_driver_create(const struct bl_driver_options *options, struct bl_driver **out,
                     struct bl_error *err);
/* Jobs run on. */
void bl_driver_destroy(struct bl_driver *driver);

/* Decides nothing more and waits until what was appended is on disk and answered, or cannot be. */
void bl_driver_settle(struct bl_driver *driver);

const struct bl_ledger *bl_driver_ledger(const struct bl_driver *driver);
/* It stops when the driver settles. */
struct bl_forecaster *bl_driver_forecaster(const struct bl_driver *driver);
const char *bl_driver_engine_name(const struct bl_driver *driver);
/* The identity of a GPU of this machine; NULL where there is none to measure. */
const char *bl_driver_gpu_uuid(const struct bl_driver *driver, const char *node, int32_t gpu);
/* Now, on the clock of the events. */
bl_time bl_driver_now(struct bl_driver *driver);

/* BL_OK, or why the journal cannot be written. */
int bl_driver_check(const struct bl_driver *driver, struct bl_error *err);

/* Called once: when the event is on disk and applied, or was given up (nothing was accepted). */
struct bl_completion {
    void *self;
    void (*call)(void *self, bool is_accepted);
};

/* The id that the next job gets; an array takes one more for each of its elements. */
bl_job_id bl_driver_next_id(const struct bl_driver *driver);

/* A job, checked, its environment included ("NAME=VALUE"). */
struct bl_submission {
    bl_job_id id; /* counted on from bl_driver_next_id */
    const struct bl_job_spec *spec;
    const struct bl_launch *launch;
    const char *const *env; /* NULL-terminated; NULL = of a process that is adopted: none is kept */
    bool hold;
};
/* All of them or none. When it fails nothing was appended and `done` is not called. */
int bl_driver_submit(struct bl_driver *driver, const struct bl_submission *submission, size_t count,
                     struct bl_completion done, struct bl_error *err);

/* Whether the engine could make a job of a process. */
int bl_driver_check_adopts(const struct bl_driver *driver, struct bl_error *err);
/* What it says of one that is to become a job (struct bl_engine); after the above. */
int bl_driver_examine(const struct bl_driver *driver, const struct bl_engine_asker *asker,
                      const struct bl_sight *seen, struct bl_arena *arena,
                      struct bl_engine_process *out, struct bl_error *err);

/* An event that somebody asked for; `at` is set here. Check with bl_driver_check before. */
void bl_driver_ask(struct bl_driver *driver, struct bl_event *event, struct bl_completion done);

/* The uid that a job belongs to, whether it is in the books or still on its way to the disk; false
 * when there is no such job. */
bool bl_driver_find_owner(const struct bl_driver *driver, bl_job_id job, int64_t *uid);

/* How long its own work took since it was started, by bl_bounds_of_work. */
struct bl_driver_times {
    struct bl_histogram rounds;
    struct bl_histogram commits; /* see bl_journal_commits */
};
void bl_driver_times(const struct bl_driver *driver, struct bl_driver_times *out);

/* Told after each record that changed something a reader can see. */
struct bl_listener {
    void *self;
    void (*changed)(void *self, const struct bl_ledger *ledger);
};
void bl_driver_listen(struct bl_driver *driver, struct bl_listener listener);

#endif
