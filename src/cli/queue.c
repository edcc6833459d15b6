#include "cli/queue.h"

#include "base/sort.h"
#include "cli/eta.h"
#include "cli/text.h"
#include "cli/when.h"
#include "cli/say.h"

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
    const char *indices = bl_field_text(bl_job_array(job), "indices", NULL);

    (void)scene;
    if (job->ref) {
        bl_buf_append_text(out, job->ref);
        return;
    }
    bl_job_print_id(out, job);
    if (indices) {
        bl_buf_printf(out, "_[%s]", indices);
    } else if (job->array.elements > 0) {
        bl_buf_printf(out, "_[%" PRId64 "]", job->array.elements);
    }
}

static void cell_name(struct bl_buf *out, const struct bl_job_view *job,
                      const struct bl_queue_scene *scene)
{
    (void)scene;
    if (strcmp(job->reason, "adopted") == 0) {
        BL_SAY(out, BL_SAY_ADOPTED_NAME, BL_T(job->name));
    } else {
        bl_buf_append_text(out, job->name);
    }
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
    bl_buf_append_text(out, job->ref ? "" : bl_job_letters(job->state));
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

/* Of reasons that are about a booking the number is that of the booking. */
static bool is_about_booking(const struct bl_job_view *job)
{
    static const char *const codes[] = {"reserved",       "booked",           "for_reservation",
                                        "in_reservation", "reservation_over", "slot_over",
                                        "slot_too_small", "slot_too_short",   "slot_no_time"};

    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (!strcmp(job->reason, codes[i])) {
            return true;
        }
    }
    return !strcmp(job->reason, "preempted") && job->numbers.at > 0;
}

static bool waits_for_job(const struct bl_job_view *job)
{
    return job->numbers.job > 0 && strcmp(job->state, "held") != 0 && !is_about_booking(job);
}

static void cell_where(struct bl_buf *out, const struct bl_job_view *job,
                       const struct bl_queue_scene *scene)
{
    /* a job that waits again was somewhere, but is there no longer */
    if (!bl_job_is_placed(job) && !bl_job_is_ended(job) && !job->ref) {
        if (waits_for_job(job)) {
            BL_SAY(out, BL_SAY_AFTER_JOB, BL_N(job->numbers.job));
        }
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

static void cell_progress(struct bl_buf *out, const struct bl_job_view *job,
                          const struct bl_queue_scene *scene)
{
    (void)scene;
    if (job->has_progress) {
        bl_buf_printf(out, "%.0f%%", 100 * job->progress);
    }
}

/* "~15:05": the line below the table says what it means. */
static void mark(struct bl_buf *out, const struct bl_job_view *job)
{
    if (bl_eta_is_by_limits(job)) {
        bl_buf_append_char(out, '~');
    }
}

/* Of a job that waits: when it will start, by the forecast. */
static void cell_starts(struct bl_buf *out, const struct bl_job_view *job,
                        const struct bl_queue_scene *scene)
{
    if (job->starts_at > 0 && !bl_job_is_placed(job) && !bl_job_is_ended(job)) {
        mark(out, job);
        bl_eta_print_start(out, job, scene->now);
    }
}

static void cell_ends(struct bl_buf *out, const struct bl_job_view *job,
                      const struct bl_queue_scene *scene)
{
    if (job->ends_at > 0 && !bl_job_is_ended(job)) {
        mark(out, job);
        bl_eta_print_end(out, job, scene->now);
    }
}

static void cell_priority(struct bl_buf *out, const struct bl_job_view *job,
                          const struct bl_queue_scene *scene)
{
    (void)scene;
    bl_buf_printf(out, "%" PRId64, job->priority);
}

/* Why it waits, or how it ended; that a job runs needs no explanation here. Of an array: how its
 * elements stand. */
static void cell_reason(struct bl_buf *out, const struct bl_job_view *job,
                        const struct bl_queue_scene *scene)
{
    bool has_reason = bl_job_has_reason(job) && !bl_job_is_placed(job);

    (void)scene;
    bl_job_print_counts(out, job);
    if (has_reason && strcmp(job->state, "completed") != 0) {
        bl_say(out, out->length ? BL_SAY_SEMICOLON : BL_SAY_NOTHING);
        bl_job_print_reason(out, job);
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
        bl_when_print(out, instant, now);
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

/* Whether a column is there when none were asked for. */
enum usual { USUAL, USUAL_IF_ANY, ON_REQUEST };

static const struct field {
    const char *name;
    enum bl_message header;
    enum bl_align align;
    enum usual usual;
    cell_fn *cell;
} fields_table[] = {
    {"id", BL_SAY_COLUMN_ID, BL_ALIGN_RIGHT, USUAL, cell_id},
    {"name", BL_SAY_COLUMN_NAME, BL_ALIGN_LEFT, USUAL, cell_name},
    {"user", BL_SAY_COLUMN_USER, BL_ALIGN_LEFT, USUAL, cell_user},
    {"project", BL_SAY_COLUMN_PROJECT, BL_ALIGN_LEFT, USUAL, cell_project},
    {"class", BL_SAY_COLUMN_CLASS, BL_ALIGN_LEFT, USUAL, cell_class},
    {"st", BL_SAY_COLUMN_ST, BL_ALIGN_LEFT, USUAL, cell_letters},
    {"gpus", BL_SAY_COLUMN_GPUS, BL_ALIGN_LEFT, USUAL, cell_gpus},
    {"where", BL_SAY_COLUMN_WHERE, BL_ALIGN_LEFT, USUAL, cell_where},
    {"progress", BL_SAY_COLUMN_PROGRESS, BL_ALIGN_RIGHT, USUAL_IF_ANY, cell_progress},
    {"used", BL_SAY_COLUMN_USED, BL_ALIGN_RIGHT, USUAL, cell_used},
    {"starts", BL_SAY_COLUMN_STARTS, BL_ALIGN_LEFT, USUAL, cell_starts},
    {"ends", BL_SAY_COLUMN_ENDS, BL_ALIGN_LEFT, USUAL, cell_ends},
    {"reason", BL_SAY_COLUMN_REASON, BL_ALIGN_LEFT, USUAL, cell_reason},
    {"state", BL_SAY_COLUMN_STATE, BL_ALIGN_LEFT, ON_REQUEST, cell_state},
    {"limit", BL_SAY_COLUMN_LIMIT, BL_ALIGN_RIGHT, ON_REQUEST, cell_limit},
    {"priority", BL_SAY_COLUMN_PRIORITY, BL_ALIGN_RIGHT, ON_REQUEST, cell_priority},
    {"attempt", BL_SAY_COLUMN_ATTEMPT, BL_ALIGN_RIGHT, ON_REQUEST, cell_attempt},
    {"exit", BL_SAY_COLUMN_EXIT, BL_ALIGN_RIGHT, ON_REQUEST, cell_exit},
    {"submitted", BL_SAY_COLUMN_SUBMITTED, BL_ALIGN_LEFT, ON_REQUEST, cell_submitted},
    {"started", BL_SAY_COLUMN_STARTED, BL_ALIGN_LEFT, ON_REQUEST, cell_started},
    {"ended", BL_SAY_COLUMN_ENDED, BL_ALIGN_LEFT, ON_REQUEST, cell_ended},
};

enum { FIELD_COUNT = sizeof fields_table / sizeof fields_table[0] };

_Static_assert((int)FIELD_COUNT <= (int)BL_QUEUE_FIELDS_MAX, "every field may be asked for once");

static int fail_field(const char *word, struct bl_error *err)
{
    BL_AUTO_BUF all = {0};

    for (size_t i = 0; i < FIELD_COUNT; i++) {
        bl_buf_printf(&all, "%s%s", i ? ", " : "", fields_table[i].name);
    }
    BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_NO_COLUMN, BL_T(word));
    return BL_HINT_SAYING(err, BL_SAY_H_COLUMNS, BL_T(bl_buf_text(&all)));
}

static int add_field(const char *word, struct bl_queue_fields *out, struct bl_error *err)
{
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        const char *header = bl_message_text(fields_table[i].header, BL_LANGUAGE_EN);

        if (!strcasecmp(fields_table[i].name, word) || !strcasecmp(header, word)) {
            if (out->count == BL_QUEUE_FIELDS_MAX) {
                return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_MANY_COLUMNS,
                                      BL_N(BL_QUEUE_FIELDS_MAX));
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
    out->are_usual = !text;
    for (size_t i = 0; !text && i < FIELD_COUNT; i++) {
        if (fields_table[i].usual != ON_REQUEST) {
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
    if (job->ref) {
        return 2;
    }
    return bl_job_is_ended(job) ? 0 : bl_job_is_placed(job) ? 1 : 3;
}

static void add_reservation(struct bl_job_list *list, const struct bl_tree *item, bl_time now)
{
    bl_time start = bl_field_time(item, "start_at");
    const struct bl_job_view view = {
        .ref = bl_field_text(item, "ref", "?"),
        .id = start,
        .name = bl_field_text(item, "name", ""),
        .user = bl_field_text(item, "user", ""),
        .project = bl_field_text(item, "project", ""),
        .job_class = "RESV",
        .kind = "",
        .state = "",
        .reason = "",
        .reason_text = "",
        .gpus_min = bl_field_int(item, "gpus", 0),
        .gpus_max = bl_field_int(item, "gpus", 0),
        .starts_at = start > now ? start : 0,
        .ends_at = bl_field_time(item, "end_at"),
        .tree = item,
    };

    if (start < now + BL_DAY) {
        BL_VEC_PUSH(list, view);
    }
}

void bl_queue_add_reservations(struct bl_job_list *list, const struct bl_tree *reservations,
                               bl_time now)
{
    const struct bl_tree *items = bl_field_list(reservations, "reservations");

    for (size_t i = 0; items && i < items->child_count; i++) {
        add_reservation(list, &items->child[i], now);
    }
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
        bl_sort(jobs, count, sizeof *jobs, compare);
    }
}

static bool is_empty_column(const struct field *field, const struct bl_job_list *list,
                            const struct bl_queue_scene *scene)
{
    BL_AUTO_BUF text = {0};

    for (size_t j = 0; j < list->count && text.length == 0; j++) {
        field->cell(&text, &list->at[j], scene);
    }
    return text.length == 0;
}

static void add_cell(struct bl_table *table, const struct field *field,
                     const struct bl_job_view *job, const struct bl_queue_scene *scene)
{
    bool is_state = field->cell == cell_letters || field->cell == cell_state;
    bool is_reason = field->cell == cell_reason;
    BL_AUTO_BUF text = {0};

    field->cell(&text, job, scene);
    bl_table_add(table, text.length || is_reason ? bl_buf_text(&text) : NULL,
                 is_state ? bl_job_tint(job->state) : BL_TINT_NONE);
}

void bl_queue_fill(struct bl_table *table, const struct bl_queue_fields *fields,
                   const struct bl_job_list *list, const struct bl_queue_scene *scene)
{
    const struct field *shown[BL_QUEUE_FIELDS_MAX];
    size_t count = 0;

    for (size_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields_table[fields->at[i]];

        if (fields->are_usual && field->usual == USUAL_IF_ANY &&
            is_empty_column(field, list, scene)) {
            continue;
        }
        bl_table_add_column(table, bl_message_text(field->header, bl_language_now()), field->align);
        shown[count++] = field;
    }
    for (size_t j = 0; j < list->count; j++) {
        for (size_t i = 0; i < count; i++) {
            add_cell(table, shown[i], &list->at[j], scene);
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
        const struct bl_tree *lost = bl_field_list(node, "gpus_lost");
        int64_t gpus = bl_field_int(node, "gpus", 0);

        all += gpus;
        if (strcmp(bl_field_text(node, "state", ""), "up") == 0) {
            idle += bl_field_int(node, "gpus_free", 0);
        } else {
            away += bl_field_int(node, "gpus_free", 0);
        }
        away += lost ? (int64_t)lost->child_count : 0;
    }
    BL_SAY(out, BL_SAY_GPU_COUNTS, BL_N(all), BL_N(all - idle - away), BL_N(idle));
    if (away > 0) {
        BL_SAY(out, BL_SAY_GPUS_AWAY, BL_N(away));
    }
}

void bl_queue_print_summary(struct bl_buf *out, const struct bl_tree *nodes,
                            const struct bl_job_list *active)
{
    size_t running = 0;
    size_t waiting = 0;
    bool is_by_limits = false;

    for (size_t i = 0; i < active->count; i++) {
        const struct bl_job_view *job = &active->at[i];
        bool is_array = job->array.elements > 0;

        if (job->ref) {
            continue;
        }
        is_by_limits = is_by_limits || (job->ends_at > 0 && bl_eta_is_by_limits(job));
        /* the running elements of an array are jobs of the list themselves */
        running += !is_array && bl_job_is_placed(job);
        waiting += is_array ? (size_t)job->array.pending
                            : (size_t)(!bl_job_is_placed(job) && !bl_job_is_ended(job));
    }
    print_gpu_counts(out, nodes);
    BL_SAY(out, BL_SAY_JOB_COUNTS, BL_N((int64_t)running), BL_N((int64_t)waiting));
    bl_buf_append_char(out, '\n');
    if (is_by_limits) {
        bl_say(out, BL_SAY_QUEUE_BY_LIMITS);
        bl_buf_append_char(out, '\n');
    }
}
