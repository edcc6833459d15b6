/* The files of which profiles are made. */
#include "form/profiles.h"
#include "form/table.h"

#include <math.h>
#include <string.h>

static const struct bl_table_range a_time = {0, 1e9};
static const struct bl_table_range a_batch = {1, 1e9};
static const struct bl_table_range an_amount = {0, 1e18};
static const struct bl_table_range any_amount = {-1e300, 1e300};

static int fail_too_many(const struct bl_table *table, struct bl_error *err)
{
    return bl_fail(err, BL_ETOOBIG, "%s:%u: more than %d rows", table->csv.lines.source.name,
                   table->csv.number, BL_PROFILE_ROWS_MAX);
}

/* Batch, step and synchronisation, which stand in these columns. A step holds its synchronisation;
 * measurements may be the other way round by a hair, which must not make time run backwards. */
static int read_times(const struct bl_table *table, size_t first_column, struct bl_profile_row *row,
                      struct bl_error *err)
{
    int status = bl_table_number(table, first_column, a_batch, &row->batch, err);

    if (status == BL_OK) {
        status = bl_table_number(table, first_column + 1, a_time, &row->step_s, err);
    }
    if (status == BL_OK && row->step_s <= 0) {
        status = bl_table_fail(table, first_column + 1, "a time above 0", err);
    }
    if (status == BL_OK) {
        status = bl_table_number(table, first_column + 2, a_time, &row->sync_s, err);
    }
    if (status == BL_OK && row->sync_s > row->step_s) {
        status = bl_table_fail(table, first_column + 2, "at most the time of the step", err);
    }
    return status;
}

static int add_row(struct bl_profile_rows *rows, const struct bl_profile_row *row,
                   const struct bl_table *table, struct bl_error *err)
{
    if (rows->count == BL_PROFILE_ROWS_MAX) {
        return fail_too_many(table, err);
    }
    BL_VEC_PUSH(rows, *row);
    return BL_OK;
}

static int read_placement(const struct bl_table *table, int64_t *key, struct bl_error *err)
{
    const char *digits;
    int status = bl_table_text(table, 0, &digits, err);
    size_t length = status == BL_OK ? strlen(digits) : 0;

    if (status != BL_OK) {
        return status;
    }
    if (length > BL_PROFILE_NODES_MAX || strspn(digits, "123456789") != length) {
        return bl_table_fail(table, 0, "1 to 16 digits, each the GPUs of a node", err);
    }
    *key = strtoll(digits, NULL, 10);
    return BL_OK;
}

int bl_profiles_read_placements(struct bl_profile_device *device,
                                const struct bl_byte_source *source, struct bl_error *err)
{
    static const char *const columns[] = {"placement", "local_bsz", "step_time", "sync_time", NULL};
    struct bl_table table;
    struct bl_profile_row row;
    bool has_row = true;
    int status = bl_table_open(&table, source, columns, err);

    while (status == BL_OK && (status = bl_table_next(&table, &has_row, err)) == BL_OK && has_row) {
        status = read_placement(&table, &row.key, err);
        if (status == BL_OK) {
            status = read_times(&table, 1, &row, err);
        }
        if (status == BL_OK) {
            status = add_row(&device->placements, &row, &table, err);
        }
    }
    bl_table_finish(&table);
    return status;
}

/* Nodes and GPUs in these columns, as a key. */
static int read_counts(const struct bl_table *table, size_t first_column, int64_t *key,
                       struct bl_error *err)
{
    int32_t nodes = 0;
    int32_t gpus = 0;
    int status = bl_table_count(table, first_column,
                                (struct bl_table_range){1, BL_PROFILE_GPUS_MAX}, &nodes, err);

    if (status == BL_OK) {
        status = bl_table_count(table, first_column + 1,
                                (struct bl_table_range){nodes, BL_PROFILE_GPUS_MAX}, &gpus, err);
    }
    *key = bl_profile_key_counts(nodes, gpus);
    return status;
}

int bl_profiles_read_scalability(struct bl_profile_device *device,
                                 const struct bl_byte_source *source, struct bl_error *err)
{
    static const char *const columns[] = {"num_nodes", "num_replicas", "local_bsz",
                                          "step_time", "sync_time",    NULL};
    struct bl_table table;
    struct bl_profile_row row;
    bool has_row = true;
    int status = bl_table_open(&table, source, columns, err);

    while (status == BL_OK && (status = bl_table_next(&table, &has_row, err)) == BL_OK && has_row) {
        status = read_counts(&table, 0, &row.key, err);
        if (status == BL_OK) {
            status = read_times(&table, 2, &row, err);
        }
        if (status == BL_OK) {
            status = add_row(&device->scalability, &row, &table, err);
        }
    }
    bl_table_finish(&table);
    return status;
}

static int read_epoch(const struct bl_table *table, const struct bl_profile_validation *validation,
                      struct bl_profile_epoch *out, struct bl_error *err)
{
    const struct bl_profile_epoch *last =
        validation->epoch.count ? &validation->epoch.at[validation->epoch.count - 1] : NULL;
    int status = bl_table_number(table, 0, an_amount, &out->progress, err);

    if (status == BL_OK && last && out->progress <= last->progress) {
        status = bl_table_fail(table, 0, "progress that grows from epoch to epoch", err);
    }
    if (status == BL_OK) {
        status = bl_table_number(table, 1, an_amount, &out->iteration, err);
    }
    if (status == BL_OK) {
        status = bl_table_number(table, 2, any_amount, &out->grad_sqr, err);
    }
    return status == BL_OK ? bl_table_number(table, 3, any_amount, &out->grad_var, err) : status;
}

int bl_profiles_read_validation(struct bl_profile_app *app, double batch,
                                const struct bl_byte_source *source, struct bl_error *err)
{
    static const char *const columns[] = {"progress", "iteration", "grad_sqr", "grad_var", NULL};
    struct bl_profile_validation validation = {.batch = batch};
    struct bl_table table;
    struct bl_profile_epoch epoch;
    bool has_row = true;
    int status = bl_table_open(&table, source, columns, err);

    while (status == BL_OK && (status = bl_table_next(&table, &has_row, err)) == BL_OK && has_row) {
        status = read_epoch(&table, &validation, &epoch, err);
        if (status == BL_OK && validation.epoch.count == BL_PROFILE_EPOCHS_MAX) {
            status = fail_too_many(&table, err);
        }
        if (status == BL_OK) {
            BL_VEC_PUSH(&validation.epoch, epoch);
        }
    }
    bl_table_finish(&table);
    BL_VEC_PUSH(&app->validation, validation);
    return status;
}

/* The device of a row of a table over all applications; NULL when it is not among the profiles. */
static int find_row(const struct bl_profiles *profiles, const struct bl_table *table,
                    const size_t columns[2], struct bl_profile_app **app,
                    struct bl_profile_device **device, struct bl_error *err)
{
    const char *name = "";
    const char *gpu = "";
    int status = bl_table_text(table, columns[0], &name, err);

    if (status == BL_OK) {
        status = bl_table_text(table, columns[1], &gpu, err);
    }
    *app = status == BL_OK ? bl_profiles_find(profiles, name) : NULL;
    *device = *app ? bl_profile_find_device(*app, gpu) : NULL;
    return status;
}

enum {
    APPS_APP,
    APPS_GPU,
    APPS_BATCH_INIT,
    APPS_BATCH_MAX,
    APPS_LOCAL_MIN,
    APPS_LOCAL_MAX,
    APPS_EPOCHS,
    APPS_RESTART,
    APPS_CALIBRATION
};

static int read_limits(const struct bl_table *table, struct bl_profile_app *app,
                       struct bl_profile_device *device, struct bl_error *err)
{
    const struct {
        size_t column;
        struct bl_table_range range;
        double *out;
    } rows[] = {
        {APPS_BATCH_INIT, a_batch, &app->batch_init},
        {APPS_BATCH_MAX, a_batch, &app->batch_max},
        {APPS_LOCAL_MIN, a_batch, &device->batch_min},
        {APPS_LOCAL_MAX, a_batch, &device->batch_max},
        {APPS_RESTART, a_time, &app->restart_s},
        {APPS_CALIBRATION, {1e-6, 1e6}, &app->calibration},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int status = bl_table_number(table, rows[i].column, rows[i].range, rows[i].out, err);

        if (status != BL_OK) {
            return status;
        }
    }
    if (device->batch_max < device->batch_min) {
        return bl_table_fail(table, APPS_LOCAL_MAX, "at least min_local_bsz", err);
    }
    return bl_table_count(table, APPS_EPOCHS, (struct bl_table_range){1, BL_PROFILE_EPOCHS_MAX},
                          &app->epochs, err);
}

int bl_profiles_read_apps(struct bl_profiles *profiles, const struct bl_byte_source *source,
                          struct bl_error *err)
{
    static const char *const columns[] = {
        [APPS_APP] = "app",
        [APPS_GPU] = "gpu",
        [APPS_BATCH_INIT] = "init_batch_size",
        [APPS_BATCH_MAX] = "max_batch_size",
        [APPS_LOCAL_MIN] = "min_local_bsz",
        [APPS_LOCAL_MAX] = "max_local_bsz",
        [APPS_EPOCHS] = "max_epochs",
        [APPS_RESTART] = "restart_s",
        [APPS_CALIBRATION] = "calibration",
        NULL,
    };
    static const size_t names[] = {APPS_APP, APPS_GPU};
    struct bl_table table;
    struct bl_profile_app *app;
    struct bl_profile_device *device;
    bool has_row = true;
    int status = bl_table_open(&table, source, columns, err);

    while (status == BL_OK && (status = bl_table_next(&table, &has_row, err)) == BL_OK && has_row) {
        status = find_row(profiles, &table, names, &app, &device, err);
        if (status == BL_OK && device) {
            status = read_limits(&table, app, device, err);
        }
    }
    bl_table_finish(&table);
    return status;
}

int bl_profiles_read_generic(struct bl_profiles *profiles, const struct bl_byte_source *source,
                             struct bl_error *err)
{
    static const char *const columns[] = {"app",       "gpu",         "num_nodes",   "num_replicas",
                                          "local_bsz", "step_time_s", "sync_time_s", NULL};
    static const size_t names[] = {0, 1};
    struct bl_table table;
    struct bl_profile_app *app;
    struct bl_profile_device *device;
    struct bl_profile_row row;
    bool has_row = true;
    int status = bl_table_open(&table, source, columns, err);

    while (status == BL_OK && (status = bl_table_next(&table, &has_row, err)) == BL_OK && has_row) {
        status = find_row(profiles, &table, names, &app, &device, err);
        if (status == BL_OK && device) {
            status = read_counts(&table, 2, &row.key, err);
            if (status == BL_OK) {
                status = read_times(&table, 4, &row, err);
            }
            if (status == BL_OK) {
                status = add_row(&device->generic, &row, &table, err);
            }
        }
    }
    bl_table_finish(&table);
    return status;
}
