#include "cli/plan.h"

#include "base/own.h"
#include "base/vec.h"
#include "base/sort.h"
#include "cli/text.h"
#include "cli/when.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Cells beside plain letters. */
enum { CELL_RUNS = 1, CELL_PLANNED = 2 };

enum { CELLS_MIN = 24, CELLS_MAX = 400, HEAD_COLUMNS_MAX = 40 };

/* A stretch of time on one lane. */
struct stretch {
    bl_time from;
    bl_time until;
};

struct lane {
    const char *node;
    int64_t gpu;
    char *head; /* "gpu0 A100" */
    char *cell;
    struct stretch *at;
    size_t count;
    size_t capacity;
};

struct picture {
    const struct bl_plan_scene *scene;
    struct lane *lane;
    size_t lane_count;
    size_t head_columns;
    size_t cells;
    struct bl_buf left_out;
    size_t left_out_count;
};

/* --- lanes ----------------------------------------------------------------------------------- */

static bool has_one_node(const struct bl_tree *gpus)
{
    for (size_t i = 1; gpus && i < gpus->child_count; i++) {
        if (strcmp(bl_field_text(&gpus->child[i], "node", ""),
                   bl_field_text(&gpus->child[0], "node", "")) != 0) {
            return false;
        }
    }
    return true;
}

static void make_lanes(struct picture *picture)
{
    const struct bl_tree *gpus = bl_field_list(picture->scene->gpus, "gpus");
    bool one_node = has_one_node(gpus);
    size_t count = gpus ? gpus->child_count : 0;

    picture->lane_count = count < BL_PLAN_LANES_MAX ? count : BL_PLAN_LANES_MAX;
    picture->lane = bl_alloc_zero((picture->lane_count + 1) * sizeof *picture->lane);
    for (size_t i = 0; i < picture->lane_count; i++) {
        const struct bl_tree *gpu = &gpus->child[i];
        struct lane *lane = &picture->lane[i];
        BL_AUTO_BUF head = {0};
        struct bl_buf cut = {0};
        size_t columns;

        lane->node = bl_field_text(gpu, "node", "");
        lane->gpu = bl_field_int(gpu, "gpu", 0);
        if (!one_node) {
            bl_text_escape(&head, lane->node);
            bl_buf_append_char(&head, ' ');
        }
        bl_buf_printf(&head, "gpu%" PRId64 " ", lane->gpu);
        bl_text_escape(&head, bl_field_text(gpu, "type", ""));
        bl_text_cut(&cut, bl_buf_text(&head), HEAD_COLUMNS_MAX);
        lane->head = bl_buf_take(&cut);
        columns = bl_text_width(lane->head);
        picture->head_columns = columns > picture->head_columns ? columns : picture->head_columns;
    }
}

static void make_cells(struct picture *picture)
{
    size_t room = picture->scene->columns > picture->head_columns + 1
                      ? picture->scene->columns - picture->head_columns - 1
                      : 0;

    picture->cells = room < CELLS_MIN ? CELLS_MIN : room > CELLS_MAX ? CELLS_MAX : room;
    for (size_t i = 0; i < picture->lane_count; i++) {
        picture->lane[i].cell = bl_alloc_zero(picture->cells + 1);
        memset(picture->lane[i].cell, ' ', picture->cells);
    }
}

static void finish(struct picture *picture)
{
    for (size_t i = 0; i < picture->lane_count; i++) {
        free(picture->lane[i].head);
        free(picture->lane[i].cell);
        free(picture->lane[i].at);
    }
    free(picture->lane);
    bl_buf_finish(&picture->left_out);
}

/* --- bars ------------------------------------------------------------------------------------ */

/* Elements of an array that wait; those that run are jobs of their own. */
static bool is_waiting(const struct bl_job_view *job)
{
    return !bl_job_is_placed(job) || job->array.pending > 0;
}

static size_t cell_of(const struct picture *picture, bl_time instant)
{
    const struct bl_plan_scene *scene = picture->scene;

    if (instant <= scene->now) {
        return 0;
    }
    if (instant - scene->now >= scene->span) {
        return picture->cells;
    }
    return (size_t)((double)(instant - scene->now) / (double)scene->span * (double)picture->cells);
}

/* Letters that take one column each stand in cells; others would shift the line. */
static void write_label(char *cell, size_t room, const struct bl_job_view *job)
{
    BL_AUTO_BUF label = {0};

    bl_job_print_id(&label, job);
    bl_buf_printf(&label, " %s", job->user);
    for (size_t i = 0; i < label.length && i < room; i++) {
        char letter = label.text[i];

        if (letter < 0x20 || letter > 0x7E) {
            return;
        }
        cell[i] = letter;
    }
}

static void draw(struct picture *picture, struct lane *lane, const struct bl_job_view *job,
                 const struct stretch *bar)
{
    size_t first = cell_of(picture, bar->from);
    size_t last = cell_of(picture, bar->until);

    BL_VEC_PUSH(lane, *bar);
    if (first >= picture->cells) {
        return;
    }
    last = last > first ? last : first + 1;
    memset(lane->cell + first, !is_waiting(job) ? CELL_RUNS : CELL_PLANNED, last - first);
    if (last - first > 2) {
        write_label(lane->cell + first + 1, last - first - 2, job);
    }
}

static bool has_gpu(const struct bl_tree *gpus, int64_t gpu)
{
    for (size_t i = 0; gpus && i < gpus->child_count; i++) {
        if (strtoll(bl_item_text(gpus, i), NULL, 10) == gpu) {
            return true;
        }
    }
    return false;
}

static bool holds(const struct bl_job_view *job, const struct lane *lane)
{
    const struct bl_tree *where = bl_field_list(job->tree, "where");

    for (size_t i = 0; where && i < where->child_count; i++) {
        if (!strcmp(bl_field_text(&where->child[i], "node", ""), lane->node) &&
            has_gpu(bl_field_list(&where->child[i], "gpus"), lane->gpu)) {
            return true;
        }
    }
    return false;
}

/* A job without a forecast end is drawn to the edge. */
static bl_time end_of(const struct picture *picture, const struct bl_job_view *job)
{
    bl_time edge = picture->scene->now + picture->scene->span;

    return job->ends_at > picture->scene->now ? job->ends_at : edge;
}

static void draw_running(struct picture *picture, const struct bl_job_view *job)
{
    const struct stretch bar = {picture->scene->now, end_of(picture, job)};

    for (size_t i = 0; i < picture->lane_count; i++) {
        if (holds(job, &picture->lane[i])) {
            draw(picture, &picture->lane[i], job, &bar);
        }
    }
}

static bool is_free(const struct lane *lane, const struct stretch *bar)
{
    for (size_t i = 0; i < lane->count; i++) {
        if (lane->at[i].from < bar->until && bar->from < lane->at[i].until) {
            return false;
        }
    }
    return true;
}

static size_t count_free(const struct picture *picture, size_t first, size_t last,
                         const struct stretch *bar)
{
    size_t count = 0;

    for (size_t i = first; i < last; i++) {
        count += is_free(&picture->lane[i], bar);
    }
    return count;
}

/* Lanes of one node that has enough free ones; all lanes where none has. */
static bool find_lanes(const struct picture *picture, const struct stretch *bar, size_t need,
                       struct stretch *out)
{
    size_t first = 0;

    for (size_t i = 0; i < picture->lane_count; i = first) {
        while (first < picture->lane_count &&
               !strcmp(picture->lane[first].node, picture->lane[i].node)) {
            first++;
        }
        if (count_free(picture, i, first, bar) >= need) {
            *out = (struct stretch){(bl_time)i, (bl_time)first};
            return true;
        }
    }
    *out = (struct stretch){0, (bl_time)picture->lane_count};
    return count_free(picture, 0, picture->lane_count, bar) >= need;
}

static void leave_out(struct picture *picture, const struct bl_job_view *job)
{
    enum { NAMED_MAX = 12 };
    BL_AUTO_BUF when = {0};

    picture->left_out_count++;
    if (picture->left_out_count > NAMED_MAX) {
        return;
    }
    bl_buf_append_text(&picture->left_out, picture->left_out.length ? ", " : "");
    bl_job_print_id(&picture->left_out, job);
    bl_when_print(&when, job->starts_at, picture->scene->now);
    bl_buf_printf(&picture->left_out, " (%s)", bl_buf_text(&when));
}

static void draw_waiting(struct picture *picture, const struct bl_job_view *job)
{
    bl_time now = picture->scene->now;
    const struct stretch bar = {
        job->starts_at > now ? job->starts_at : now,
        job->ends_at > job->starts_at ? job->ends_at : picture->scene->now + picture->scene->span};
    size_t need = job->gpus_min > 0 ? (size_t)job->gpus_min : 0;
    struct stretch lanes;

    if (job->starts_at >= picture->scene->now + picture->scene->span || need == 0) {
        return;
    }
    if (!find_lanes(picture, &bar, need, &lanes)) {
        leave_out(picture, job);
        return;
    }
    for (size_t i = (size_t)lanes.from; i < (size_t)lanes.until && need > 0; i++) {
        if (is_free(&picture->lane[i], &bar)) {
            draw(picture, &picture->lane[i], job, &bar);
            need--;
        }
    }
}

static int compare_starts(const void *left, const void *right)
{
    const struct bl_job_view *a = *(const struct bl_job_view *const *)left;
    const struct bl_job_view *b = *(const struct bl_job_view *const *)right;

    if (a->starts_at != b->starts_at) {
        return a->starts_at < b->starts_at ? -1 : 1;
    }
    return (a->id > b->id) - (a->id < b->id);
}

static void draw_jobs(struct picture *picture)
{
    const struct bl_job_list *jobs = picture->scene->jobs;
    const struct bl_job_view **waiting = bl_alloc_zero((jobs->count + 1) * sizeof(void *));
    size_t count = 0;

    for (size_t i = 0; i < jobs->count; i++) {
        const struct bl_job_view *job = &jobs->at[i];

        if (!is_waiting(job)) {
            draw_running(picture, job);
        } else if (job->starts_at > 0) {
            waiting[count++] = job;
        }
    }
    bl_sort(waiting, count, sizeof(void *), compare_starts);
    for (size_t i = 0; i < count; i++) {
        draw_waiting(picture, waiting[i]);
    }
    free(waiting);
}

/* --- on paper -------------------------------------------------------------------------------- */

static void pad(struct bl_buf *out, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        bl_buf_append_char(out, ' ');
    }
}

/* The distance of two marks: the shortest of these that leaves room for "15:00". */
static bl_time step_of(const struct picture *picture)
{
    static const int minutes[] = {5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10080};
    enum { MARK_COLUMNS = 6, STEPS = sizeof minutes / sizeof minutes[0] };
    double cell = (double)picture->scene->span / (double)picture->cells;

    for (size_t i = 0; i < STEPS; i++) {
        if ((double)minutes[i] * (double)BL_MINUTE >= MARK_COLUMNS * cell) {
            return minutes[i] * BL_MINUTE;
        }
    }
    return minutes[STEPS - 1] * BL_MINUTE;
}

/* The first full step after now, by the local clock. */
static bl_time first_mark(const struct picture *picture, bl_time step)
{
    time_t seconds = (time_t)(picture->scene->now / BL_SECOND);
    struct tm local = {0};
    bl_time offset;

    localtime_r(&seconds, &local);
    offset = local.tm_gmtoff * BL_SECOND;
    return ((picture->scene->now + offset) / step + 1) * step - offset;
}

static void print_axis(struct bl_buf *out, const struct picture *picture)
{
    const struct bl_plan_scene *scene = picture->scene;
    bl_time step = step_of(picture);
    size_t used = 0;
    BL_AUTO_BUF now = {0};

    bl_say(&now, BL_SAY_PLAN_NOW);
    pad(out, picture->head_columns + 1);
    bl_buf_append_text(out, bl_buf_text(&now));
    used = bl_text_width(bl_buf_text(&now));
    for (bl_time mark = first_mark(picture, step); mark < scene->now + scene->span; mark += step) {
        time_t seconds = (time_t)(mark / BL_SECOND);
        size_t at = cell_of(picture, mark);
        struct tm local = {0};
        char text[24];

        localtime_r(&seconds, &local);
        strftime(text, sizeof text, step >= BL_DAY ? "%m-%d" : "%H:%M", &local);
        if (at > used && at + strlen(text) <= picture->cells) {
            pad(out, at - used);
            bl_buf_append_text(out, text);
            used = at + strlen(text);
        }
    }
    bl_buf_append_char(out, '\n');
}

static void print_lane(struct bl_buf *out, const struct picture *picture, const struct lane *lane)
{
    bool ascii = picture->scene->ascii;
    size_t end = picture->cells;

    while (end > 0 && lane->cell[end - 1] == ' ') {
        end--;
    }
    bl_buf_append_text(out, lane->head);
    pad(out, end ? picture->head_columns + 1 - bl_text_width(lane->head) : 0);
    for (size_t i = 0; i < end; i++) {
        if (lane->cell[i] == CELL_RUNS) {
            bl_buf_append_text(out, ascii ? "=" : "█");
        } else if (lane->cell[i] == CELL_PLANNED) {
            bl_buf_append_text(out, ascii ? "." : "·");
        } else {
            bl_buf_append_char(out, lane->cell[i]);
        }
    }
    bl_buf_append_char(out, '\n');
}

static void print_date(struct bl_buf *out, bl_time now)
{
    time_t seconds = (time_t)(now / BL_SECOND);
    struct tm local = {0};
    char text[48];

    localtime_r(&seconds, &local);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M %Z", &local);
    bl_buf_printf(out, "%s\n", text);
}

static void print_foot(struct bl_buf *out, const struct picture *picture)
{
    bool ascii = picture->scene->ascii;

    BL_SAY(out, BL_SAY_PLAN_LEGEND, BL_T(ascii ? "=" : "█"), BL_T(ascii ? "." : "·"));
    bl_buf_append_char(out, '\n');
    if (picture->left_out_count > 0) {
        BL_SAY(out, BL_SAY_PLAN_NOT_DRAWN, BL_N((int64_t)picture->left_out_count),
               BL_T(bl_buf_text(&picture->left_out)));
        bl_buf_append_char(out, '\n');
    }
}

void bl_plan_print(struct bl_buf *out, const struct bl_plan_scene *scene)
{
    struct picture picture = {.scene = scene};

    make_lanes(&picture);
    make_cells(&picture);
    draw_jobs(&picture);
    print_date(out, scene->now);
    print_axis(out, &picture);
    for (size_t i = 0; i < picture.lane_count; i++) {
        print_lane(out, &picture, &picture.lane[i]);
    }
    print_foot(out, &picture);
    finish(&picture);
}
