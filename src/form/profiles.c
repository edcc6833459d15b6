#include "form/profiles.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

enum { RESTART_S = 30 };

int64_t bl_profile_key_placement(const int32_t *gpus, size_t nodes)
{
    int64_t key = 0;

    if (nodes > BL_PROFILE_NODES_MAX) {
        return 0;
    }
    for (size_t i = 0; i < nodes; i++) {
        if (gpus[i] < 1 || gpus[i] > 9) {
            return 0;
        }
        key = key * 10 + gpus[i];
    }
    return key;
}

int64_t bl_profile_key_counts(int32_t nodes, int32_t gpus)
{
    return (int64_t)nodes << 32 | gpus;
}

int32_t bl_profile_key_gpus(int64_t placement)
{
    int32_t gpus = 0;

    for (; placement > 0; placement /= 10) {
        gpus += (int32_t)(placement % 10);
    }
    return gpus;
}

struct bl_profile_app *bl_profiles_find(const struct bl_profiles *profiles, const char *name)
{
    for (size_t i = 0; i < profiles->app.count; i++) {
        if (strcmp(profiles->app.at[i]->name, name) == 0) {
            return profiles->app.at[i];
        }
    }
    return NULL;
}

struct bl_profile_device *bl_profile_find_device(const struct bl_profile_app *app, const char *gpu)
{
    for (size_t i = 0; i < app->device.count; i++) {
        if (strcmp(app->device.at[i].gpu, gpu) == 0) {
            return &app->device.at[i];
        }
    }
    return NULL;
}

struct bl_profile_app *bl_profiles_add_app(struct bl_profiles *profiles, const char *name)
{
    struct bl_profile_app *app = bl_profiles_find(profiles, name);

    if (!app) {
        app = bl_alloc_zero(sizeof *app);
        app->name = bl_copy_text(name);
        app->restart_s = RESTART_S;
        app->calibration = 1;
        BL_VEC_PUSH(&profiles->app, app);
    }
    return app;
}

struct bl_profile_device *bl_profiles_add_device(struct bl_profile_app *app, const char *gpu)
{
    struct bl_profile_device *device = bl_profile_find_device(app, gpu);

    if (!device) {
        BL_VEC_PUSH(&app->device, (struct bl_profile_device){.gpu = bl_copy_text(gpu)});
        device = &app->device.at[app->device.count - 1];
    }
    return device;
}

size_t bl_profile_find_rows(const struct bl_profile_rows *rows, int64_t key,
                            const struct bl_profile_row **first)
{
    size_t low = 0;
    size_t high = rows->count;
    size_t end;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (rows->at[middle].key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (end = low; end < rows->count && rows->at[end].key == key; end++) {
    }
    *first = rows->at + low;
    return end - low;
}

static int compare_rows(const void *left, const void *right)
{
    const struct bl_profile_row *a = left;
    const struct bl_profile_row *b = right;

    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    return (a->batch > b->batch) - (a->batch < b->batch);
}

/* "APP on GPU: placements" for messages. */
struct place {
    const struct bl_profile_app *app;
    const struct bl_profile_device *device;
    const char *what;
};

static int settle_rows(struct bl_profile_rows *rows, struct place place, struct bl_error *err)
{
    bl_sort(rows->at, rows->count, sizeof *rows->at, compare_rows);
    for (size_t i = 1; i < rows->count; i++) {
        if (compare_rows(&rows->at[i - 1], &rows->at[i]) == 0) {
            return bl_fail(err, BL_EINVAL,
                           "%s on %s: %s has two rows for the same place and a batch of %g",
                           place.app->name, place.device->gpu, place.what, rows->at[i].batch);
        }
    }
    return BL_OK;
}

static void derive_batches(struct bl_profile_device *device)
{
    double least = INFINITY;
    double most = 0;

    for (size_t i = 0; i < device->placements.count; i++) {
        least = fmin(least, device->placements.at[i].batch);
        most = fmax(most, device->placements.at[i].batch);
    }
    device->batch_min = device->batch_min > 0 ? device->batch_min : least;
    device->batch_max = device->batch_max > 0 ? device->batch_max : most;
}

static int settle_device(const struct bl_profile_app *app, struct bl_profile_device *device,
                         struct bl_error *err)
{
    struct place placements = {app, device, "placements"};
    struct place generic = {app, device, "steptime_generic"};
    int status = settle_rows(&device->placements, placements, err);

    if (status == BL_OK) {
        status = settle_rows(&device->generic, generic, err);
    }
    if (status == BL_OK && device->placements.count == 0) {
        status =
            bl_fail(err, BL_EINVAL, "%s on %s: no placement was measured", app->name, device->gpu);
    }
    /* Measured twice is no mistake here: either row will do. */
    bl_sort(device->scalability.at, device->scalability.count, sizeof *device->scalability.at,
            compare_rows);
    derive_batches(device);
    return status;
}

static int compare_validations(const void *left, const void *right)
{
    const struct bl_profile_validation *a = left;
    const struct bl_profile_validation *b = right;

    return (a->batch > b->batch) - (a->batch < b->batch);
}

/* How many epochs every batch size has. */
static int32_t count_epochs(const struct bl_profile_app *app)
{
    size_t least = app->validation.count ? app->validation.at[0].epoch.count : 0;

    for (size_t i = 1; i < app->validation.count; i++) {
        least =
            app->validation.at[i].epoch.count < least ? app->validation.at[i].epoch.count : least;
    }
    return (int32_t)least;
}

static int settle_epochs(struct bl_profile_app *app, struct bl_error *err)
{
    int32_t epochs = count_epochs(app);

    if (epochs < 1) {
        return bl_fail(err, BL_EINVAL, "%s: no epoch was measured (validation-BATCH.csv)",
                       app->name);
    }
    if (app->epochs > epochs) {
        return bl_fail(err, BL_EINVAL, "%s: has %d epochs, its validation files only %d", app->name,
                       app->epochs, epochs);
    }
    bl_sort(app->validation.at, app->validation.count, sizeof *app->validation.at,
            compare_validations);
    app->epochs = app->epochs > 0 ? app->epochs : epochs;
    return BL_OK;
}

int bl_profile_settle(struct bl_profile_app *app, struct bl_error *err)
{
    int status = settle_epochs(app, err);
    const struct bl_profile_validation *first = app->validation.at;
    const struct bl_profile_validation *last;

    if (status != BL_OK) {
        return status;
    }
    last = first + app->validation.count - 1;
    app->batch_init = app->batch_init > 0 ? app->batch_init : first->batch;
    app->batch_max = app->batch_max > 0 ? app->batch_max : last->batch;
    if (app->batch_init < first->batch || app->batch_max > last->batch ||
        app->batch_init > app->batch_max) {
        return bl_fail(err, BL_EINVAL,
                       "%s: batches from %g to %g, its validation files have %g to "
                       "%g",
                       app->name, app->batch_init, app->batch_max, first->batch, last->batch);
    }
    for (size_t i = 0; status == BL_OK && i < app->device.count; i++) {
        status = settle_device(app, &app->device.at[i], err);
    }
    return status;
}

static void finish_app(struct bl_profile_app *app)
{
    for (size_t i = 0; i < app->validation.count; i++) {
        BL_VEC_FINISH(&app->validation.at[i].epoch);
    }
    for (size_t i = 0; i < app->device.count; i++) {
        free(app->device.at[i].gpu);
        free(app->device.at[i].placements.at);
        free(app->device.at[i].scalability.at);
        free(app->device.at[i].generic.at);
    }
    BL_VEC_FINISH(&app->validation);
    BL_VEC_FINISH(&app->device);
    free(app->fault);
    free(app->name);
    free(app);
}

void bl_profiles_finish(struct bl_profiles *profiles)
{
    for (size_t i = 0; i < profiles->app.count; i++) {
        finish_app(profiles->app.at[i]);
    }
    BL_VEC_FINISH(&profiles->app);
}
