#include "cli/document.h"

#include "cli/submit.h"
#include "cli/say.h"
#include "form/bookingspec.h"
#include "form/jobspec.h"
#include "form/pipeline.h"
#include "form/script.h"
#include "form/tree_make.h"
#include "os/fs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool is_input(const char *name)
{
    return strcmp(name, "-") == 0;
}

int bl_document_load(const char *name, struct bl_buf *out, struct bl_error *err)
{
    if (!is_input(name) && access(name, F_OK) && errno == ENOENT) {
        return BL_FAIL_SAYING(err, BL_ENOTFOUND, BL_SAY_E_NO_FILE, BL_T(name));
    }
    return bl_fs_read(name, BL_DOCUMENT_BYTES_MAX, out, err);
}

/* --- scripts --------------------------------------------------------------------------------- */

static bool has_suffix(const char *name, const char *const *suffixes)
{
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot && suffixes[i]; i++) {
        if (!strcmp(dot, suffixes[i])) {
            return true;
        }
    }
    return false;
}

/* What begins with "#!" is a script; what is called like one is refused as one. */
static bool is_script(const struct bl_document_source *source)
{
    static const char *const suffixes[] = {".sh",  ".bash", ".slurm", ".sbatch",
                                           ".job", ".py",   ".zsh",   NULL};

    return (source->length >= 2 && !memcmp(source->bytes, "#!", 2)) ||
           has_suffix(source->name, suffixes);
}

static int read_script(const struct bl_document_source *source, struct bl_arena *arena,
                       struct bl_document *out, struct bl_error *err)
{
    const struct bl_script_request request = {
        .name = is_input(source->name) ? NULL : source->name,
        .bytes = source->bytes,
        .length = source->length,
        .directory = source->directory,
        .arguments = source->argument,
        .gpu_types = source->gpu_types,
        .pools = source->pools,
    };
    struct bl_script script = {0};
    int status = bl_script_read(&request, arena, &script, err);

    if (status) {
        return status;
    }
    out->tree = script.tree;
    out->job = bl_arena_alloc(arena, sizeof(struct bl_tree *));
    out->job[0] = script.tree;
    out->job_count = 1;
    out->warning = script.warning;
    out->warning_count = script.warning_count;
    out->parsable = script.parsable;
    out->test_only = script.test_only;
    out->wait = script.wait;
    return BL_OK;
}

/* --- job files ------------------------------------------------------------------------------- */

static const char *copy(struct bl_arena *arena, const char *text, size_t length)
{
    char *out = bl_arena_alloc(arena, length + 1);

    memcpy(out, text, length);
    out[length] = '\0';
    return out;
}

/* "jobs/train.yaml" is called train. */
static const char *name_of_file(struct bl_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = strcspn(name, ".");

    return length > 0 && !is_input(path) ? copy(arena, name, length) : NULL;
}

static void put_missing(struct bl_arena *arena, struct bl_tree *map, const char *key,
                        const char *text)
{
    if (text && !bl_tree_find(map, key)) {
        bl_tree_put_text(arena, map, key, text, 0);
    }
}

static int read_job_file(const struct bl_document_source *source, struct bl_arena *arena,
                         struct bl_document *out, struct bl_error *err)
{
    const struct bl_tree_source text = {source->name, source->bytes, source->length};
    struct bl_jobspec spec;
    int status;

    put_missing(arena, out->tree, "name", name_of_file(arena, source->name));
    put_missing(arena, out->tree, "workdir", source->directory);
    status = bl_jobspec_read(&text, out->tree, BL_JOBSPEC_LIVE, arena, &spec, err);
    out->job = bl_arena_alloc(arena, sizeof(struct bl_tree *));
    out->job[0] = out->tree;
    out->job_count = 1;
    return status;
}

/* --- pipelines ------------------------------------------------------------------------------- */

static const char *scalar(const struct bl_tree *map, const char *key)
{
    const struct bl_tree *found = bl_tree_find(map, key);

    return found && found->kind == BL_TREE_SCALAR ? found->text : NULL;
}

/* A request names jobs by their `name`; so two of them must not share one. */
static int check_names(const struct bl_document_source *source, const struct bl_document *out,
                       struct bl_error *err)
{
    for (size_t i = 0; i < out->job_count; i++) {
        for (size_t j = 0; j < i; j++) {
            const char *name = scalar(out->job[i], "name");

            if (name && !strcmp(name, scalar(out->job[j], "name"))) {
                return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_SAME_NAMES, BL_T(source->name),
                                      BL_T(name));
            }
        }
    }
    return BL_OK;
}

/* The name of the job that stands under `key`, of `length` bytes. */
static const char *name_behind(const struct bl_tree *jobs, const char *key, size_t length)
{
    for (size_t i = 0; i < jobs->child_count; i++) {
        if (strlen(jobs->child[i].key) == length && !strncmp(jobs->child[i].key, key, length)) {
            return scalar(&jobs->child[i], "name");
        }
    }
    return NULL;
}

/* "prep:ok" becomes "NAME:ok", with the name that the job of this key has. */
static void rename_target(struct bl_arena *arena, const struct bl_tree *jobs, struct bl_tree *at)
{
    size_t length = at->kind == BL_TREE_SCALAR ? strcspn(at->text, ":") : 0;
    const char *name = length ? name_behind(jobs, at->text, length) : NULL;

    if (name) {
        BL_AUTO_BUF text = {0};

        bl_buf_printf(&text, "%s%s", name, at->text + length);
        at->text = copy(arena, bl_buf_text(&text), text.length);
    }
}

static void rename_targets(struct bl_arena *arena, const struct bl_tree *jobs, struct bl_tree *job)
{
    for (size_t i = 0; i < job->child_count; i++) {
        struct bl_tree *after = &job->child[i];

        if (strcmp(after->key, "after") != 0) {
            continue;
        }
        rename_target(arena, jobs, after);
        for (size_t j = 0; after->kind == BL_TREE_LIST && j < after->child_count; j++) {
            rename_target(arena, jobs, &after->child[j]);
        }
    }
}

static struct bl_tree *find_job(const struct bl_tree *jobs, const char *key)
{
    for (size_t i = 0; i < jobs->child_count; i++) {
        if (!strcmp(jobs->child[i].key, key)) {
            return &jobs->child[i];
        }
    }
    return NULL;
}

static int read_pipeline(const struct bl_document_source *source, struct bl_arena *arena,
                         struct bl_document *out, struct bl_error *err)
{
    const struct bl_tree_source text = {source->name, source->bytes, source->length};
    const char *directory = scalar(out->tree, "workdir");
    const struct bl_tree *jobs;
    struct bl_pipeline pipeline = {0};
    int status;

    put_missing(arena, out->tree, "workdir", source->directory);
    jobs = bl_tree_find(out->tree, "jobs");
    status = bl_pipeline_read(&text, out->tree, arena, &pipeline, err);
    if (status) {
        return status;
    }
    out->is_pipeline = true;
    out->job = bl_arena_alloc(arena, (pipeline.count + 1) * sizeof(struct bl_tree *));
    for (size_t i = 0; i < pipeline.count; i++) {
        struct bl_tree *job = find_job(jobs, pipeline.job[i].key);

        put_missing(arena, job, "name", pipeline.job[i].key);
        put_missing(arena, job, "workdir", directory ? directory : source->directory);
        out->job[out->job_count++] = job;
    }
    for (size_t i = 0; i < out->job_count; i++) {
        rename_targets(arena, jobs, out->job[i]);
    }
    return check_names(source, out, err);
}

/* --- reservations ---------------------------------------------------------------------------- */

/* `reservation: {…}` books; `reservation: r17` is a key of a job. */
static struct bl_tree *find_reservation(struct bl_tree *tree)
{
    for (size_t i = 0; i < tree->child_count; i++) {
        if (!strcmp(tree->child[i].key, "reservation") && tree->child[i].kind == BL_TREE_MAP) {
            return &tree->child[i];
        }
    }
    return NULL;
}

static int read_reservation(const struct bl_document_source *source, struct bl_arena *arena,
                            struct bl_document *out, struct bl_error *err)
{
    static const char *const keys[] = {"reservation", NULL};
    const struct bl_tree_source text = {source->name, source->bytes, source->length};
    struct bl_bookingspec spec;
    int status = bl_tree_check_keys(&text, out->tree, keys, err);

    out->reservation = find_reservation(out->tree);
    return status ? status
                  : bl_bookingspec_read(&text, out->reservation, BL_BOOKINGSPEC_NEW, arena, &spec,
                                        err);
}

int bl_document_read(const struct bl_document_source *source, struct bl_arena *arena,
                     struct bl_document *out, struct bl_error *err)
{
    const struct bl_tree_source text = {source->name, source->bytes, source->length};
    int status;

    *out = (struct bl_document){0};
    if (is_script(source)) {
        return read_script(source, arena, out, err);
    }
    status = bl_yaml_read(&text, arena, &out->tree, err);
    if (status) {
        return status;
    }
    if (out->tree->kind != BL_TREE_MAP) {
        BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_NO_JOB_FILE, BL_T(source->name),
                       BL_T(bl_tree_kind_words(out->tree->kind)));
        return bl_say_hint(err, BL_SAY_H_SCRIPT_BEGINS, NULL);
    }
    if (find_reservation(out->tree)) {
        return read_reservation(source, arena, out, err);
    }
    return bl_pipeline_is_one(out->tree) ? read_pipeline(source, arena, out, err)
                                         : read_job_file(source, arena, out, err);
}
