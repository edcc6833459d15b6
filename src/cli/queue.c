#include "cli/queue.h"

#include "cli/text.h"
#include "os/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Appends the cell's text; nothing prints as a dash. */
typedef void cell_fn(struct bl_buf *out, const struct bl_job_view *job,
                     const struct bl_queue_scene *scene);

static void cell_id(struct bl_buf *out, const struct bl_job_view *job,
                    const struct bl_queue_scene *scene)
{
    (void)scene;
    bl_buf_printf(out, "%" PRId64, job->id);
}

static void cell_name(struct bl_buf *out, const struct bl_job_view *job,
                      const struct bl_queue_scene *scene)
{
    (void)scene;
    bl_buf_append_text(out, job->name);
}

static void cell_user(struct bl_buf *out, const struct bl_job_view *job,
                      const struct bl_queue_scene *scene)
{
    (void)scene;
    bl_buf_append_text(out, job->user);
}

static void cell_project(struct bl_buf *out, const struct bl_job_view *job,
                         const struct bl_queue_scene *scene)
{
    (void)scene;
    bl_buf_append_text(out, job->project);
}

static void cell_class(struct bl_buf *out, const struct bl_job_view *job,
                       const struct bl_queue_scene *scene)
{
    (void)scene;
    bl_buf_append_text(out, strcmp(job->job_class, "preemptible") == 0 ? "preem" : job->job_class);
}

static void cell_letters(struct bl_buf *out, const struct bl_job_view *job,
                         const struct bl_queue_scene *scene)
{
    (void)scene;
    bl_buf_append_text(out, bl_job_letters(job->state));
}

static void cell_state(struct bl_buf *out, const struct bl_job_view *job,
                       const struct bl_queue_scene *scene)
{
    (void)scene;
    bl_buf_append_text(out, job->state);
}

static void cell_gpus(struct bl_buf *out, const struct bl_job_view *job,
                      const struct bl_queue_scene *scene)
{
    (void)scene;
    bl_job_print_gpus(out, job);
}

static void cell_where(struct bl_buf *out, const struct bl_job_view *job,
                       const struct bl_queue_scene *scene)
{
    /* a job that waits again was somewhere, but is there no longer */
    if (!bl_job_is_placed(job) && !bl_job_is_ended(job)) {
        return;
    }
    bl_job_print_where(out, job, scene->has_one_node ? BL_WHERE_ONE_NODE : BL_WHERE_SHORT);
}

static void cell_used(struct bl_buf *out, const struct bl_job_view *job,
                      const struct bl_queue_scene *scene)
{
    bl_time until = bl_job_is_ended(job) ? job->ended_at : scene->now;

    if (job->started_at > 0) {
        bl_text_span_short(out, until > job->started_at ? until - job->started_at : 0);
    }
}

static void cell_limit(struct bl_buf *out, const struct bl_job_view *job,
                       const struct bl_queue_scene *scene)
{
    (void)scene;
    if (job->limit > 0) {
        bl_text_span_short(out, job->limit);
    }
}

/* Why it waits, or how it ended; that a job runs needs no explanation here. */
static void cell_reason(struct bl_buf *out, const struct bl_job_view *job,
                        const struct bl_queue_scene *scene)
{
    (void)scene;
    if (!bl_job_is_placed(job) && strcmp(job->state, "completed") != 0) {
        bl_buf_append_text(out, job->reason_text);
    }
}

static void cell_attempt(struct bl_buf *out, const struct bl_job_view *job,
                         const struct bl_queue_scene *scene)
{
    (void)scene;
    if (job->attempt > 0) {
        bl_buf_printf(out, "%" PRId64, job->attempt);
    }
}

static void cell_exit(struct bl_buf *out, const struct bl_job_view *job,
                      const struct bl_queue_scene *scene)
{
    (void)scene;
    if (job->has_exit_code) {
        bl_buf_printf(out, "%" PRId64, job->exit_code);
    }
}

static void print_instant(struct bl_buf *out, bl_time instant, bl_time now)
{
    if (instant > 0) {
        bl_clock_print_near(out, instant, now);
    }
}

static void cell_submitted(struct bl_buf *out, const struct bl_job_view *job,
                           const struct bl_queue_scene *scene)
{
    print_instant(out, job->submitted_at, scene->now);
}

static void cell_started(struct bl_buf *out, const struct bl_job_view *job,
                         const struct bl_queue_scene *scene)
{
    print_instant(out, job->started_at, scene->now);
}

static void cell_ended(struct bl_buf *out, const struct bl_job_view *job,
                       const struct bl_queue_scene *scene)
{
    print_instant(out, job->ended_at, scene->now);
}

static const struct field {
    const char *name;
    const char *header;
    enum bl_align align;
    bool is_usual;
    cell_fn *cell;
} fields_table[] = {
    {"id", "ID", BL_ALIGN_RIGHT, true, cell_id},
    {"name", "NAME", BL_ALIGN_LEFT, true, cell_name},
    {"user", "USER", BL_ALIGN_LEFT, true, cell_user},
    {"project", "PROJ", BL_ALIGN_LEFT, true, cell_project},
    {"class", "CLASS", BL_ALIGN_LEFT, true, cell_class},
    {"st", "ST", BL_ALIGN_LEFT, true, cell_letters},
    {"gpus", "GPUS", BL_ALIGN_LEFT, true, cell_gpus},
    {"where", "WHERE", BL_ALIGN_LEFT, true, cell_where},
    {"used", "USED", BL_ALIGN_RIGHT, true, cell_used},
    {"limit", "LIMIT", BL_ALIGN_RIGHT, true, cell_limit},
    {"reason", "REASON", BL_ALIGN_LEFT, true, cell_reason},
    {"state", "STATE", BL_ALIGN_LEFT, false, cell_state},
    {"attempt", "ATTEMPT", BL_ALIGN_RIGHT, false, cell_attempt},
    {"exit", "EXIT", BL_ALIGN_RIGHT, false, cell_exit},
    {"submitted", "SUBMITTED", BL_ALIGN_LEFT, false, cell_submitted},
    {"started", "STARTED", BL_ALIGN_LEFT, false, cell_started},
    {"ended", "ENDED", BL_ALIGN_LEFT, false, cell_ended},
};

enum { FIELD_COUNT = sizeof fields_table / sizeof fields_table[0] };

_Static_assert((int)FIELD_COUNT <= (int)BL_QUEUE_FIELDS_MAX, "every field may be asked for once");

static int fail_field(const char *word, struct bl_error *err)
{
    BL_AUTO_BUF all = {0};

    for (size_t i = 0; i < FIELD_COUNT; i++) {
        bl_buf_printf(&all, "%s%s", i ? ", " : "", fields_table[i].name);
    }
    bl_fail(err, BL_EINVAL, "there is no column '%s'", word);
    return bl_error_set_hint(err, "columns are %s", bl_buf_text(&all));
}

static int add_field(const char *word, struct bl_queue_fields *out, struct bl_error *err)
{
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        if (!strcasecmp(fields_table[i].name, word) || !strcasecmp(fields_table[i].header, word)) {
            if (out->count == BL_QUEUE_FIELDS_MAX) {
                return bl_fail(err, BL_EINVAL, "more than %d columns", (int)BL_QUEUE_FIELDS_MAX);
            }
            out->at[out->count++] = i;
            return BL_OK;
        }
    }
    return fail_field(word, err);
}

int bl_queue_fields_parse(const char *text, struct bl_queue_fields *out, struct bl_error *err)
{
    out->count = 0;
    for (size_t i = 0; !text && i < FIELD_COUNT; i++) {
        if (fields_table[i].is_usual) {
            out->at[out->count++] = i;
        }
    }
    while (text) {
        size_t length = strcspn(text, ",");
        char word[32] = "";
        int status;

        memcpy(word, text, length < sizeof word ? length : sizeof word - 1);
        status = add_field(word, out, err);
        if (status) {
            return status;
        }
        text = text[length] ? text + length + 1 : NULL;
    }
    return BL_OK;
}

static int group_of(const struct bl_job_view *job)
{
    return bl_job_is_ended(job) ? 0 : bl_job_is_placed(job) ? 1 : 2;
}

static int compare(const void *left, const void *right)
{
    const struct bl_job_view *a = left;
    const struct bl_job_view *b = right;
    int groups = group_of(a) - group_of(b);

    return groups ? groups : (a->id > b->id) - (a->id < b->id);
}

void bl_queue_sort(struct bl_job_view *jobs, size_t count)
{
    if (count > 0) {
        qsort(jobs, count, sizeof *jobs, compare);
    }
}

void bl_queue_fill(struct bl_table *table, const struct bl_queue_fields *fields,
                   const struct bl_job_list *list, const struct bl_queue_scene *scene)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields_table[fields->at[i]];

        bl_table_add_column(table, field->header, field->align);
    }
    for (size_t j = 0; j < list->count; j++) {
        const struct bl_job_view *job = &list->at[j];

        for (size_t i = 0; i < fields->count; i++) {
            const struct field *field = &fields_table[fields->at[i]];
            bool is_state = field->cell == cell_letters || field->cell == cell_state;
            bool is_reason = field->cell == cell_reason;
            BL_AUTO_BUF text = {0};

            field->cell(&text, job, scene);
            bl_table_add(table, text.length || is_reason ? bl_buf_text(&text) : NULL,
                         is_state ? bl_job_tint(job->state) : BL_TINT_NONE);
        }
    }
}

static void print_gpu_counts(struct bl_buf *out, const struct bl_tree *nodes)
{
    const struct bl_tree *list = bl_field_list(nodes, "nodes");
    int64_t all = 0;
    int64_t idle = 0;
    int64_t away = 0;

    for (size_t i = 0; list && i < list->child_count; i++) {
        const struct bl_tree *node = &list->child[i];
        int64_t gpus = bl_field_int(node, "gpus", 0);

        all += gpus;
        if (strcmp(bl_field_text(node, "state", ""), "up") == 0) {
            idle += bl_field_int(node, "gpus_free", 0);
        } else {
            away += bl_field_int(node, "gpus_free", 0);
        }
    }
    bl_buf_printf(out, "%" PRId64 " GPU%s: %" PRId64 " busy, %" PRId64 " free", all,
                  all == 1 ? "" : "s", all - idle - away, idle);
    if (away > 0) {
        bl_buf_printf(out, ", %" PRId64 " out of use", away);
    }
}

void bl_queue_print_summary(struct bl_buf *out, const struct bl_tree *nodes,
                            const struct bl_job_list *active)
{
    size_t running = 0;
    size_t waiting = 0;

    for (size_t i = 0; i < active->count; i++) {
        running += bl_job_is_placed(&active->at[i]);
        waiting += !bl_job_is_placed(&active->at[i]) && !bl_job_is_ended(&active->at[i]);
    }
    print_gpu_counts(out, nodes);
    bl_buf_printf(out, " · %zu running · %zu queued\n", running, waiting);
}
