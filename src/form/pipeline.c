#include "form/pipeline.h"

#include "base/units.h"
#include "base/sort.h"
#include "core/graph.h"
#include "form/tree_read.h"

#include <stdlib.h>
#include <string.h>

enum { CYCLE_WORDS_MAX = 400 };

/* In the order of the document, until they are put into theirs. */
struct pipeline_reader {
    struct bl_tree_reader in;
    const struct bl_tree *tree; /* the whole document */
    const struct bl_tree *jobs;
    struct bl_pipeline_job *job;
    const struct bl_pipeline_job **by_key;
    struct bl_batch_job *batch;
    int64_t elements; /* of the arrays so far */
    size_t ranges;
};

bool bl_pipeline_is_one(const struct bl_tree *tree)
{
    return bl_tree_find(tree, "jobs") != NULL;
}

/* The job's map, and behind its own keys what the request gives to all. */
static const struct bl_tree *add_common_keys(const struct pipeline_reader *reader,
                                             const struct bl_tree *at)
{
    static const char *const keys[] = {"workdir", "environment"};
    struct bl_tree *job = bl_arena_alloc(reader->in.arena, sizeof *job);
    size_t count = at->child_count;

    *job = *at;
    job->child = bl_arena_alloc(reader->in.arena, (count + 2) * sizeof *job->child);
    if (count) {
        memcpy(job->child, at->child, count * sizeof *job->child);
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const struct bl_tree *common = bl_tree_given(reader->tree, keys[i]);

        if (common && !bl_tree_find(at, keys[i])) {
            job->child[job->child_count++] = *common;
        }
    }
    return job;
}

static int read_job(const struct pipeline_reader *reader, const struct bl_tree *at,
                    struct bl_pipeline_job *out)
{
    const struct bl_tree *job = at->kind == BL_TREE_MAP ? add_common_keys(reader, at) : at;
    const char *name = NULL;
    int status;

    if (!at->key[0] || strlen(at->key) > BL_JOB_NAME_MAX) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected a name of 1 to %d bytes before the ':'", BL_JOB_NAME_MAX);
    }
    status = bl_jobspec_read(reader->in.source, job, BL_JOBSPEC_LIVE, reader->in.arena, &out->spec,
                             reader->in.err);
    if (status != BL_OK && !at->line) {
        return bl_wrap(reader->in.err, "job %s", at->key); /* where no line tells which */
    }
    if (status == BL_OK && !out->spec.core.name) {
        const struct bl_tree key = {.kind = BL_TREE_SCALAR, .text = at->key, .line = at->line};

        status = bl_tree_read_name(&reader->in, &key, &name);
        out->spec.core.name = name;
    }
    out->key = at->key;
    return status;
}

static int compare_keys(const void *a, const void *b)
{
    const struct bl_pipeline_job *const *left = a;
    const struct bl_pipeline_job *const *right = b;

    return strcmp((*left)->key, (*right)->key); /* total: a map has each key once */
}

static int compare_key_with_job(const void *key, const void *place)
{
    const struct bl_pipeline_job *const *job = place;

    return strcmp(key, (*job)->key);
}

static int fail_target(const struct pipeline_reader *reader, const struct bl_jobspec_after *after)
{
    const struct bl_tree at = {.key = "after", .line = after->line};
    const char **names =
        bl_arena_alloc(reader->in.arena, (reader->jobs->child_count + 1) * sizeof *names);
    const char *nearest;
    size_t count = 0;

    for (size_t i = 0; i < reader->jobs->child_count; i++) {
        if (strlen(reader->job[i].key) <= BL_TREE_WORD_MAX) {
            names[count++] = reader->job[i].key;
        }
    }
    nearest = bl_nearest_word(after->target, names);
    bl_tree_fail(reader->in.source, &at, reader->in.err,
                 "there is no job '%.100s' in the pipeline%s%s%s", after->target,
                 nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return nearest ? bl_error_set_hint(reader->in.err, "write '%s'", nearest) : (int)BL_EINVAL;
}

static int check_each(const struct pipeline_reader *reader, const struct bl_pipeline_job *job,
                      const struct bl_jobspec_after *after, size_t target)
{
    const struct bl_tree at = {.key = "after", .line = after->line};
    int64_t own = bl_array_count(&job->spec.core);
    int64_t others = bl_array_count(&reader->job[target].spec.core);

    if (after->kind == BL_AFTER_EACH && own != others) {
        return bl_tree_fail(reader->in.source, &at, reader->in.err,
                            "%s:each needs arrays of one size: it has %lld elements, this job %lld",
                            after->target, (long long)others, (long long)own);
    }
    return BL_OK;
}

/* The index of the job that a target names in the order of the document; a number that is no name
 * is a job outside. */
static int find_target(const struct pipeline_reader *reader, const struct bl_pipeline_job *job,
                       const struct bl_jobspec_after *after, size_t *out)
{
    const struct bl_pipeline_job *const *found =
        bsearch(after->target, reader->by_key, reader->jobs->child_count, sizeof *found,
                compare_key_with_job);
    int64_t id = 0;

    if (found) {
        *out = (size_t)(*found - reader->job);
        return check_each(reader, job, after, *out);
    }
    *out = BL_PIPELINE_OUTSIDE;
    return bl_int_parse(after->target, 1, INT64_MAX, &id, NULL) == BL_OK
               ? BL_OK
               : fail_target(reader, after);
}

/* Fills what the job waits for: all of it, and for the graph only what is inside. */
static int resolve_job(struct pipeline_reader *reader, size_t index)
{
    struct bl_pipeline_job *job = &reader->job[index];
    size_t bytes = (job->spec.after_count + 1) * sizeof *job->after;
    size_t *all = bl_arena_alloc(reader->in.arena, bytes);
    size_t *inside = bl_arena_alloc(reader->in.arena, bytes);
    size_t count = 0;

    for (size_t i = 0; i < job->spec.after_count; i++) {
        int status = find_target(reader, job, &job->spec.after[i], &all[i]);

        if (status != BL_OK) {
            return status;
        }
        if (all[i] != BL_PIPELINE_OUTSIDE) {
            inside[count++] = all[i];
        }
    }
    job->after = all;
    reader->batch[index] = (struct bl_batch_job){inside, count};
    return BL_OK;
}

static int refuse_cycle(const struct pipeline_reader *reader)
{
    size_t count = reader->jobs->child_count;
    size_t *cycle = bl_arena_alloc(reader->in.arena, count * sizeof *cycle);
    size_t length = bl_graph_find_cycle(reader->batch, count, cycle);
    BL_AUTO_BUF words = {0};

    if (!length) {
        return BL_OK;
    }
    for (size_t i = 0; i < length && words.length < CYCLE_WORDS_MAX; i++) {
        bl_buf_printf(&words, "%.100s -> ", reader->job[cycle[i]].key);
    }
    return bl_tree_fail(reader->in.source, &reader->jobs->child[cycle[0]], reader->in.err,
                        "jobs wait for each other in a circle: %s%.100s", bl_buf_text(&words),
                        reader->job[cycle[0]].key);
}

/* Walks from each job to those that it waits for and numbers a job once they are numbered; no
 * recursion, and no circle is left. `place` is where each job goes. */
static void number_jobs(const struct pipeline_reader *reader, size_t *place)
{
    size_t count = reader->jobs->child_count;
    size_t *stack = bl_arena_alloc(reader->in.arena, count * sizeof *stack);
    size_t *next = bl_arena_alloc(reader->in.arena, count * sizeof *next);
    size_t numbered = 0;

    for (size_t i = 0; i < count; i++) {
        place[i] = SIZE_MAX;
    }
    for (size_t root = 0; root < count; root++) {
        size_t depth = 0;

        if (place[root] == SIZE_MAX) {
            stack[depth++] = root;
        }
        while (depth) {
            size_t at = stack[depth - 1];
            const struct bl_batch_job *job = &reader->batch[at];

            size_t target = next[at] < job->after_count ? job->after[next[at]++] : at;

            if (target == at) { /* all that it waits for has its number; no job waits for itself */
                place[at] = numbered++;
                depth--;
            } else if (place[target] == SIZE_MAX) {
                stack[depth++] = target;
            }
        }
    }
}

static void put_in_order(const struct pipeline_reader *reader, struct bl_pipeline *out)
{
    size_t count = reader->jobs->child_count;
    size_t *place = bl_arena_alloc(reader->in.arena, count * sizeof *place);

    number_jobs(reader, place);
    out->count = count;
    out->job = bl_arena_alloc(reader->in.arena, count * sizeof *out->job);
    for (size_t i = 0; i < count; i++) {
        const struct bl_pipeline_job *from = &reader->job[i];
        size_t *after =
            bl_arena_alloc(reader->in.arena, (from->spec.after_count + 1) * sizeof *after);

        for (size_t j = 0; j < from->spec.after_count; j++) {
            bool is_outside = from->after[j] == BL_PIPELINE_OUTSIDE;

            after[j] = is_outside ? BL_PIPELINE_OUTSIDE : place[from->after[j]];
        }
        out->job[place[i]] = *from;
        out->job[place[i]].after = after;
    }
}

/* Each job has the variables of the request again. */
static int check_environment(const struct pipeline_reader *reader)
{
    const struct bl_tree *environment = bl_tree_given(reader->tree, "environment");
    size_t jobs = reader->jobs->child_count;

    if (environment && environment->child_count > BL_PIPELINE_VARIABLES_MAX / jobs) {
        return bl_tree_fail(reader->in.source, environment, reader->in.err,
                            "expected at most %zu variables for %zu jobs, found %zu",
                            BL_PIPELINE_VARIABLES_MAX / jobs, jobs, environment->child_count);
    }
    return BL_OK;
}

static int check_document(struct pipeline_reader *reader)
{
    static const char *const keys[] = {"jobs", "workdir", "environment", NULL};
    int status = bl_tree_check_keys(reader->in.source, reader->tree, keys, reader->in.err);

    if (status != BL_OK) {
        return status;
    }
    reader->jobs = bl_tree_find(reader->tree, "jobs");
    if (!reader->jobs || reader->jobs->kind != BL_TREE_MAP || !reader->jobs->child_count) {
        return bl_tree_fail(reader->in.source, reader->jobs ? reader->jobs : reader->tree,
                            reader->in.err, "expected jobs: {NAME: {…}, …}");
    }
    if (reader->jobs->child_count > BL_PIPELINE_JOBS_MAX) {
        return bl_tree_fail(reader->in.source, reader->jobs, reader->in.err,
                            "expected at most %d jobs, found %zu", BL_PIPELINE_JOBS_MAX,
                            reader->jobs->child_count);
    }
    return check_environment(reader);
}

/* What arrays cost, all together. */
static int count_elements(struct pipeline_reader *reader, size_t index)
{
    const struct bl_job_spec *spec = &reader->job[index].spec.core;

    reader->elements += bl_array_count(spec);
    reader->ranges += spec->array_range_count;
    if (reader->elements > BL_PIPELINE_ELEMENTS_MAX || reader->ranges > BL_PIPELINE_RANGES_MAX) {
        return bl_tree_fail(reader->in.source, &reader->jobs->child[index], reader->in.err,
                            "expected at most %d elements and %d ranges in all arrays together",
                            BL_PIPELINE_ELEMENTS_MAX, BL_PIPELINE_RANGES_MAX);
    }
    return BL_OK;
}

static int read_jobs(struct pipeline_reader *reader)
{
    size_t count = reader->jobs->child_count;
    int status = BL_OK;

    reader->job = bl_arena_alloc(reader->in.arena, count * sizeof *reader->job);
    reader->by_key = bl_arena_alloc(reader->in.arena, count * sizeof *reader->by_key);
    reader->batch = bl_arena_alloc(reader->in.arena, count * sizeof *reader->batch);
    for (size_t i = 0; i < count && status == BL_OK; i++) {
        reader->by_key[i] = &reader->job[i];
        status = read_job(reader, &reader->jobs->child[i], &reader->job[i]);
        if (status == BL_OK) {
            status = count_elements(reader, i);
        }
    }
    if (status == BL_OK) {
        bl_sort(reader->by_key, count, sizeof *reader->by_key, compare_keys);
    }
    for (size_t i = 0; i < count && status == BL_OK; i++) {
        status = resolve_job(reader, i);
    }
    return status;
}

int bl_pipeline_read(const struct bl_tree_source *source, const struct bl_tree *tree,
                     struct bl_arena *arena, struct bl_pipeline *out, struct bl_error *err)
{
    struct pipeline_reader reader = {.in = {source, arena, err}, .tree = tree};
    int status = check_document(&reader);

    if (status == BL_OK) {
        status = read_jobs(&reader);
    }
    if (status == BL_OK) {
        status = refuse_cycle(&reader);
    }
    if (status == BL_OK) {
        put_in_order(&reader, out);
    }
    return status;
}
