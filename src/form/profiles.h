/* Profiles of training applications: measured step times on each GPU type, gradient noise by epoch,
 * and the limits of their batch sizes. What a simulated job really does follows from them.
 *
 * `placements` hold step times by placement (GPUs per node, one digit a node), `scalability` and
 * `generic` by numbers of nodes and GPUs; `validation` has a table of epochs for each batch size.
 */
#ifndef BL_FORM_PROFILES_H
#define BL_FORM_PROFILES_H

#include "base/error.h"
#include "base/vec.h"
#include "form/trace.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    BL_PROFILE_ROWS_MAX = 1 << 20, /* of one file */
    BL_PROFILE_EPOCHS_MAX = 10000,
    BL_PROFILE_NODES_MAX = 16, /* digits of a placement */
    BL_PROFILE_GPUS_MAX = 4096
};

struct bl_profile_row {
    int64_t key;  /* bl_profile_key_… */
    double batch; /* of one GPU and one micro-step */
    double step_s, sync_s;
};

/* In rising order of (key, batch), each once. */
struct bl_profile_rows {
    struct bl_profile_row *at;
    size_t count, capacity;
};

/* On one GPU type. */
struct bl_profile_device {
    char *gpu;
    double batch_min, batch_max; /* of one GPU; 0 = as measured */
    struct bl_profile_rows placements, scalability, generic;
};

/* What the epoch is like at one global batch size. */
struct bl_profile_epoch {
    double progress;  /* in iterations of the first batch size, at its end */
    double iteration; /* iterations at its end */
    double grad_sqr, grad_var;
};

struct bl_profile_validation {
    double batch;
    BL_VEC(struct bl_profile_epoch) epoch;
};

struct bl_profile_app {
    char *name;
    double batch_init, batch_max; /* of all GPUs */
    int32_t epochs;
    double restart_s;
    double calibration; /* a real run is this much as fast as measured steps say */
    BL_VEC(struct bl_profile_validation) validation; /* by rising batch */
    BL_VEC(struct bl_profile_device) device;
    char *fault; /* why it cannot be used; told when somebody asks for it. NULL = it can */
};

struct bl_profiles {
    BL_VEC(struct bl_profile_app *) app;
};

/* A placement's digits as one number; 0 when a node has more than nine or there are too many. */
int64_t bl_profile_key_placement(const int32_t *gpus, size_t nodes);
int64_t bl_profile_key_counts(int32_t nodes, int32_t gpus);
int32_t bl_profile_key_gpus(int64_t placement); /* the sum of its digits */

/* Made where they are not there yet. */
struct bl_profile_app *bl_profiles_add_app(struct bl_profiles *profiles, const char *name);
struct bl_profile_device *bl_profiles_add_device(struct bl_profile_app *app, const char *gpu);

/* Or NULL. */
struct bl_profile_app *bl_profiles_find(const struct bl_profiles *profiles, const char *name);
struct bl_profile_device *bl_profile_find_device(const struct bl_profile_app *app, const char *gpu);

/* The rows of one key: *first and how many. */
size_t bl_profile_find_rows(const struct bl_profile_rows *rows, int64_t key,
                            const struct bl_profile_row **first);

/* After everything was read: puts all in order, derives what `apps` did not say (batch limits and
 * epochs from the files themselves, a restart of 30 s, calibration 1), and refuses what cannot be
 * replayed: an application without epochs or placements, limits that contradict each other. */
int bl_profile_settle(struct bl_profile_app *app, struct bl_error *err);

void bl_profiles_finish(struct bl_profiles *profiles);

/* Readers, one a kind of file; a failure names file, line and column. Rows add to what is there. */
int bl_profiles_read_placements(struct bl_profile_device *device,
                                const struct bl_byte_source *source, struct bl_error *err);
int bl_profiles_read_scalability(struct bl_profile_device *device,
                                 const struct bl_byte_source *source, struct bl_error *err);
int bl_profiles_read_validation(struct bl_profile_app *app, double batch,
                                const struct bl_byte_source *source, struct bl_error *err);
/* Tables over all applications; rows of ones that are not there are passed over. */
int bl_profiles_read_apps(struct bl_profiles *profiles, const struct bl_byte_source *source,
                          struct bl_error *err);
int bl_profiles_read_generic(struct bl_profiles *profiles, const struct bl_byte_source *source,
                             struct bl_error *err);

#endif
