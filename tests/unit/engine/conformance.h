/* What every engine must do alike, as named cases over a kit. An engine takes part with a fixture
 * (fixture_NAME.c, kit_fixture_NAME), found by its word in src/engine/meson.build. What it cannot
 * do stands, with the reason, in conformance_skips.c and nowhere else. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include "bl_test.h"
#include "engine_kit.h"

/* What a case asks of an engine besides starting, stopping and telling. */
enum conformance_need {
    NEEDS_PROCESSES = 1 << 0, /* a job is a program: it has files, an environment, an exit code */
    NEEDS_SIGNALS = 1 << 1,
    NEEDS_RESTART = 1 << 2, /* jobs outlive the daemon */
    NEEDS_LOSS = 1 << 3,    /* a job may be lost */
    NEEDS_REFUSAL = 1 << 4, /* a start may fail */
    NEEDS_SAVE = 1 << 5,    /* a job can be told to save its work and leave */
    NEEDS_GROUPS = 1 << 6   /* a job's processes are known by more than their descent */
};

struct conformance_case {
    const char *name;
    void (*run)(struct kit *kit);
    unsigned needs;
};

#define CASE(claim, needs)                                                                         \
    {                                                                                              \
#claim, claim, needs                                                                       \
    }

/* A row for one case, or for all that need something. */
struct conformance_skip {
    const char *engine;
    const char *variant; /* NULL = however it is run */
    const char *name;    /* NULL = by `needs` */
    unsigned needs;
    const char *reason;
};

/* Each ends with a row without a name, or without an engine. */
extern const struct conformance_case conformance_start[];
extern const struct conformance_case conformance_fail[];
extern const struct conformance_case conformance_end[];
extern const struct conformance_case conformance_stop[];
extern const struct conformance_case conformance_save[];
extern const struct conformance_case conformance_signal[];
extern const struct conformance_case conformance_adopt[];
extern const struct conformance_case conformance_lose[];
extern const struct conformance_case conformance_files[];
extern const struct conformance_case conformance_env[];
extern const struct conformance_case conformance_nodes[];
extern const struct conformance_skip conformance_skips[];

extern const struct kit_fixture *const conformance_fixtures[]; /* NULL-terminated */

/* ---- what cases are written with ---- */

extern const struct kit_job lasting; /* until it is stopped */
extern const struct kit_job brief;   /* ends at once, with 0 where there are exit codes */

void wait_started(struct kit *kit, int64_t id);
void wait_ended(struct kit *kit, int64_t id);
/* Starts it and waits for its end. */
void run_job(struct kit *kit, int64_t id, const struct kit_job *job);

/* Ids from here on are those of jobs that come and go while a case waits for what must not come. */
enum { MARKER = 1000000 };
/* Lets everything be told that would be, while what lasts still lasts. */
void settle(struct kit *kit);
/* The same until all would have ended. */
void settle_for_good(struct kit *kit);

void expect_story(const struct kit *kit, int64_t id, const char *expected);
/* After settling for good. */
void expect_in_the_end(struct kit *kit, int64_t id, const char *expected);
/* The attempt ended just once, and how: as "signalled 15". */
void expect_one_end(const struct kit *kit, int64_t id, const char *expected);

void expect_file(const struct kit *kit, const char *name, const char *expected);
void expect_line(struct kit *kit, const char *name, const char *line);
void touch(const struct kit *kit, const char *name);
/* The process whose number the file has, as "pid N", is there no more; one that waits to be reaped
 * is not. */
void expect_gone(struct kit *kit, const char *name);
/* Turns until the job has no process. */
void wait_gone(struct kit *kit, int64_t id);

/* The daemon dies; what was reported is forgotten with it. */
void go_away(struct kit *kit);

#endif
