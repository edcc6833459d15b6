#include "sim/profiles_dir.h"

#include "base/own.h"
#include "base/units.h"
#include "base/sort.h"
#include "os/fs.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MAX = 4096 };

static int64_t read_bytes(void *self, char *into, size_t room, struct bl_error *err)
{
    return bl_reader_read(self, into, room, err);
}

/* What a file is read into. */
struct target {
    struct bl_profiles *profiles;
    struct bl_profile_app *app;
    struct bl_profile_device *device;
    double batch;
};

typedef int read_fn(const struct target *target, const struct bl_byte_source *source,
                    struct bl_error *err);

static int read_placements(const struct target *target, const struct bl_byte_source *source,
                           struct bl_error *err)
{
    return bl_profiles_read_placements(target->device, source, err);
}

static int read_scalability(const struct target *target, const struct bl_byte_source *source,
                            struct bl_error *err)
{
    return bl_profiles_read_scalability(target->device, source, err);
}

static int read_validation(const struct target *target, const struct bl_byte_source *source,
                           struct bl_error *err)
{
    return bl_profiles_read_validation(target->app, target->batch, source, err);
}

static int read_apps(const struct target *target, const struct bl_byte_source *source,
                     struct bl_error *err)
{
    return bl_profiles_read_apps(target->profiles, source, err);
}

static int read_generic(const struct target *target, const struct bl_byte_source *source,
                        struct bl_error *err)
{
    return bl_profiles_read_generic(target->profiles, source, err);
}

static int read_file(const char *path, read_fn *read, const struct target *target,
                     struct bl_error *err)
{
    struct bl_reader *reader = NULL;
    struct bl_byte_source source = {.name = path, .read = read_bytes};
    int status = bl_reader_open(path, &reader, err);

    if (status == BL_OK) {
        source.self = reader;
        status = read(target, &source, err);
    }
    bl_reader_close(reader);
    return status;
}

/* The names in a folder, sorted: what is read must not follow the disk's order. */
struct names {
    BL_VEC(char *) list;
};

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static void names_finish(struct names *names)
{
    for (size_t i = 0; i < names->list.count; i++) {
        free(names->list.at[i]);
    }
    BL_VEC_FINISH(&names->list);
}

static int list_folder(const char *path, struct names *out, struct bl_error *err)
{
    DIR *folder = opendir(path);
    const struct dirent *item;

    if (!folder) {
        return bl_fail_sys(err, "cannot read the folder %s", path);
    }
    while ((item = readdir(folder)) && out->list.count < FILES_MAX) {
        if (item->d_name[0] != '.') {
            BL_VEC_PUSH(&out->list, bl_copy_text(item->d_name));
        }
    }
    closedir(folder);
    if (item) {
        return bl_fail(err, BL_ETOOBIG, "%s: more than %d files", path, FILES_MAX);
    }
    bl_sort(out->list.at, out->list.count, sizeof *out->list.at, compare_names);
    return BL_OK;
}

/* "KIND-WORD.csv", perhaps with .gz or .zst behind it: the word, else "". */
static void word_of(const char *name, const char *kind, struct bl_buf *out)
{
    size_t length = strlen(kind);
    const char *end = strstr(name, ".csv");

    bl_buf_clear(out);
    if (strncmp(name, kind, length) == 0 && name[length] == '-' && end && end > name + length + 1 &&
        (strcmp(end, ".csv") == 0 || strcmp(end, ".csv.gz") == 0 || strcmp(end, ".csv.zst") == 0)) {
        bl_buf_append(out, name + length + 1, (size_t)(end - name - length - 1));
    }
}

static bool has_type(const struct bl_clusterspec *cluster, const char *gpu)
{
    for (size_t i = 0; i < cluster->node_count; i++) {
        if (cluster->node[i].gpu_type && strcmp(cluster->node[i].gpu_type, gpu) == 0) {
            return true;
        }
    }
    return false;
}

struct folder {
    const char *path;
    const struct bl_clusterspec *cluster;
    struct bl_profiles *profiles;
};

/* Of an application: one file, of whichever kind it is. */
static int read_app_file(const struct folder *folder, struct bl_profile_app *app, const char *name,
                         struct bl_error *err)
{
    static const struct {
        const char *kind;
        read_fn *read;
    } kinds[] = {{"placements", read_placements}, {"scalability", read_scalability}};
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF word = {0};
    struct target target = {.app = app};
    int64_t batch;

    bl_buf_printf(&path, "%s/%s/%s", folder->path, app->name, name);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        word_of(name, kinds[i].kind, &word);
        if (word.length > 0 && has_type(folder->cluster, bl_buf_text(&word))) {
            target.device = bl_profiles_add_device(app, bl_buf_text(&word));
            return read_file(bl_buf_text(&path), kinds[i].read, &target, err);
        }
    }
    word_of(name, "validation", &word);
    if (word.length == 0) {
        return BL_OK;
    }
    if (bl_int_parse(bl_buf_text(&word), 1, 1000000000, &batch, NULL) != BL_OK) {
        return bl_fail(err, BL_EINVAL, "%s: expected a batch size behind 'validation-'",
                       bl_buf_text(&path));
    }
    target.batch = (double)batch;
    return read_file(bl_buf_text(&path), read_validation, &target, err);
}

static int read_app(const struct folder *folder, struct bl_profile_app *app,
                    const struct names *names, struct bl_error *err)
{
    int status = BL_OK;

    for (size_t i = 0; status == BL_OK && i < names->list.count; i++) {
        status = read_app_file(folder, app, names->list.at[i], err);
    }
    return status;
}

static void note_fault(struct bl_profile_app *app, const struct bl_error *err)
{
    if (!app->fault) {
        app->fault = bl_copy_text(err->text);
    }
}

/* Other files and folders without profiles may lie there as well. */
static void try_app(const struct folder *folder, const char *name)
{
    BL_AUTO_BUF path = {0};
    struct names names = {0};
    struct bl_profile_app *app;
    struct bl_error found;

    bl_buf_printf(&path, "%s/%s", folder->path, name);
    if (list_folder(bl_buf_text(&path), &names, NULL) == BL_OK) {
        app = bl_profiles_add_app(folder->profiles, name);
        if (read_app(folder, app, &names, &found) != BL_OK) {
            note_fault(app, &found);
        }
    }
    names_finish(&names);
}

/* The table in tables/ of the folder, else beside it; missing is fine. */
static int try_table(const struct folder *folder, const char *name, read_fn *read,
                     struct bl_error *err)
{
    static const char *const places[] = {"/tables/", "/../tables/"};
    static const char *const ends[] = {".csv", ".csv.gz", ".csv.zst"};
    struct target target = {.profiles = folder->profiles};

    for (size_t i = 0; i < sizeof places / sizeof places[0] * 3; i++) {
        BL_AUTO_BUF path = {0};

        bl_buf_printf(&path, "%s%s%s%s", folder->path, places[i / 3], name, ends[i % 3]);
        if (access(bl_buf_text(&path), F_OK) == 0) {
            return read_file(bl_buf_text(&path), read, &target, err);
        }
    }
    return BL_OK;
}

static int read_folder(const struct folder *folder, struct bl_error *err)
{
    struct names names = {0};
    int status = list_folder(folder->path, &names, err);

    for (size_t i = 0; status == BL_OK && i < names.list.count; i++) {
        if (strcmp(names.list.at[i], "tables") != 0) {
            try_app(folder, names.list.at[i]);
        }
    }
    names_finish(&names);
    if (status == BL_OK) {
        status = try_table(folder, "apps", read_apps, err);
    }
    return status == BL_OK ? try_table(folder, "steptime_generic", read_generic, err) : status;
}

int bl_sim_read_profiles(const char *folder, const struct bl_clusterspec *cluster,
                         struct bl_profiles *out, struct bl_error *err)
{
    struct folder read = {folder, cluster, out};
    struct bl_error found;
    int status = read_folder(&read, err);

    for (size_t i = 0; status == BL_OK && i < out->app.count; i++) {
        if (bl_profile_settle(out->app.at[i], &found) != BL_OK) {
            note_fault(out->app.at[i], &found);
        }
    }
    if (status == BL_OK && out->app.count == 0) {
        status =
            bl_fail(err, BL_ENOTFOUND, "%s: there is no folder of an application in it", folder);
    }
    return status;
}
