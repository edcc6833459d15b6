#include "cli/plan.h"

#include "base/own.h"
#include "base/sort.h"
#include "base/vec.h"
#include "cli/jobs.h"
#include "cli/when.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_MAX = 12 };

/* A group of lines, by the text that its bars have in common. */
struct line {
    const char *key; /* a lane, a user, a project */
    size_t group;
};

struct picture {
    const struct bl_plan_scene *scene;
    struct bl_gantt *gantt;
    BL_VEC(struct line) lines; /* in order of key */
    struct bl_buf not_drawn;
    size_t not_drawn_count;
};

static int compare_lines(const void *left, const void *right)
{
    const struct line *a = left;
    const struct line *b = right;

    return strcmp(a->key, b->key);
}

static const struct line *find_line(const struct picture *picture, const char *key)
{
    const struct line wanted = {.key = key};

    return picture->lines.count ? bsearch(&wanted, picture->lines.at, picture->lines.count,
                                          sizeof wanted, compare_lines)
                                : NULL;
}

/* --- a line a GPU ---------------------------------------------------------------------------- */

static bool has_one_node(const struct bl_tree *lanes)
{
    for (size_t i = 1; i < lanes->child_count; i++) {
        if (strcmp(bl_field_text(&lanes->child[i], "node", ""),
                   bl_field_text(&lanes->child[0], "node", "")) != 0) {
            return false;
        }
    }
    return true;
}

/* "gpu0 A100", "n1 gpu0 A100"; of GPUs that are only counted "n1 6x A100". */
static void add_lane(struct picture *picture, const struct bl_tree *lane, bool names_node)
{
    bool is_counted = bl_field_is_null(lane, "gpu");
    const char *type = bl_field_text(lane, "type", "");
    BL_AUTO_BUF head = {0};
    struct line line = {.key = bl_field_text(lane, "id", "")};

    if (names_node || is_counted) {
        bl_buf_printf(&head, "%s ", bl_field_text(lane, "node", ""));
    }
    if (is_counted) {
        bl_buf_printf(&head, "%" PRId64 "x", bl_field_int(lane, "gpus", 0));
    } else {
        bl_buf_printf(&head, "gpu%" PRId64, bl_field_int(lane, "gpu", 0));
    }
    bl_buf_printf(&head, "%s%s", type[0] ? " " : "", type);
    line.group = bl_gantt_add_group(picture->gantt, bl_buf_text(&head),
                                    is_counted ? BL_GANTT_PACKED : BL_GANTT_ONE_ROW);
    BL_VEC_PUSH(&picture->lines, line);
}

static void add_lanes(struct picture *picture)
{
    const struct bl_tree *lanes = bl_field_list(picture->scene->timeline, "lanes");
    bool names_node = lanes && !has_one_node(lanes);

    for (size_t i = 0; lanes && i < lanes->child_count; i++) {
        add_lane(picture, &lanes->child[i], names_node);
    }
    bl_sort(picture->lines.at, picture->lines.count, sizeof *picture->lines.at, compare_lines);
}

/* --- lines a user, a project ----------------------------------------------------------------- */

/* NULL for a bar that stands on no such line. */
static const char *key_of(const struct picture *picture, const struct bl_tree *bar)
{
    const char *field = picture->scene->by == BL_PLAN_BY_USER ? "user" : "project";

    return strcmp(bl_field_text(bar, "kind", ""), "down") ? bl_field_text(bar, field, "") : NULL;
}

static void add_keys(struct picture *picture, const struct bl_tree *bars)
{
    size_t kept = 0;

    for (size_t i = 0; i < bars->child_count; i++) {
        const char *key = key_of(picture, &bars->child[i]);

        if (key) {
            BL_VEC_PUSH(&picture->lines, (struct line){.key = key});
        }
    }
    bl_sort(picture->lines.at, picture->lines.count, sizeof *picture->lines.at, compare_lines);
    for (size_t i = 0; i < picture->lines.count; i++) {
        struct line line = picture->lines.at[i];
        BL_AUTO_BUF nobody = {0};

        if (kept > 0 && !strcmp(picture->lines.at[kept - 1].key, line.key)) {
            continue;
        }
        bl_say(&nobody, BL_SAY_GANTT_NOBODY);
        line.group = bl_gantt_add_group(
            picture->gantt, line.key[0] ? line.key : bl_buf_text(&nobody), BL_GANTT_PACKED);
        picture->lines.at[kept++] = line;
    }
    picture->lines.count = kept;
}

/* --- bars ------------------------------------------------------------------------------------ */

static enum bl_fill fill_of(const struct bl_tree *bar)
{
    static const struct {
        const char *kind;
        enum bl_fill fill;
    } kinds[] = {{"reservation", BL_FILL_RESERVED},
                 {"clearing", BL_FILL_CLEARING},
                 {"down", BL_FILL_DOWN},
                 {"outside", BL_FILL_DOWN}};
    const char *kind = bl_field_text(bar, "kind", "");
    struct bl_job_view job = {.state = bl_field_text(bar, "state", "")};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (!strcmp(kind, kinds[i].kind)) {
            return kinds[i].fill;
        }
    }
    if (bl_job_is_ended(&job)) {
        return BL_FILL_RAN;
    }
    return bl_job_is_placed(&job) ? BL_FILL_RUNS : BL_FILL_PLANNED;
}

static void add_word(struct bl_buf *out, const char *word)
{
    bl_buf_printf(out, "%s%s", word[0] ? " " : "", word);
}

/* What the line does not say already. */
static void print_label(struct bl_buf *out, const struct picture *picture,
                        const struct bl_tree *bar)
{
    enum bl_plan_by by = picture->scene->by;
    const char *kind = bl_field_text(bar, "kind", "");
    int64_t gpus = bl_field_int(bar, "gpus", 0);

    bl_buf_append_text(out, bl_field_text(bar, "ref", ""));
    if (by != BL_PLAN_BY_USER) {
        add_word(out, bl_field_text(bar, "user", ""));
    }
    if (by == BL_PLAN_BY_USER || !strcmp(kind, "reservation")) {
        add_word(out, bl_field_text(bar, "label", ""));
    }
    if (by != BL_PLAN_BY_GPU && gpus > 0) {
        bl_buf_printf(out, " x%" PRId64, gpus);
    }
}

static void leave_out(struct picture *picture, const struct bl_tree *bar)
{
    BL_AUTO_BUF when = {0};

    if (picture->not_drawn_count++ >= NAMED_MAX) {
        return;
    }
    bl_buf_append_text(&picture->not_drawn, picture->not_drawn.length ? ", " : "");
    bl_when_print(&when, bl_field_time(bar, "start_at"), picture->scene->look.now);
    bl_buf_printf(&picture->not_drawn, "%s (%s)", bl_field_text(bar, "ref", ""),
                  bl_buf_text(&when));
}

static void draw(struct picture *picture, const char *key, const struct bl_gantt_bar *bar)
{
    const struct line *line = find_line(picture, key);

    if (line) {
        bl_gantt_add_bar(picture->gantt, line->group, bar);
    }
}

/* On each of its lanes, or on the line of its user or project. */
static void draw_bar(struct picture *picture, const struct bl_tree *bar,
                     const struct bl_gantt_bar *drawn)
{
    const struct bl_tree *lanes = bl_field_list(bar, "lanes");
    const char *key = key_of(picture, bar);

    if (picture->scene->by != BL_PLAN_BY_GPU) {
        if (key) {
            draw(picture, key, drawn);
        }
        return;
    }
    for (size_t i = 0; lanes && i < lanes->child_count; i++) {
        draw(picture, bl_item_text(lanes, i), drawn);
    }
    if (lanes && lanes->child_count == 0 && bl_field_int(bar, "gpus", 0) > 0 &&
        drawn->fill == BL_FILL_PLANNED) {
        leave_out(picture, bar);
    }
}

static void add_bar(struct picture *picture, const struct bl_tree *bar)
{
    const struct bl_gantt_look *look = &picture->scene->look;
    BL_AUTO_BUF label = {0};
    struct bl_gantt_bar drawn = {
        .fill = fill_of(bar),
        .from = bl_field_is_null(bar, "start_at") ? look->from : bl_field_time(bar, "start_at"),
        .until = bl_field_is_null(bar, "end_at") ? look->to : bl_field_time(bar, "end_at"),
        .until_surely = bl_field_time(bar, "end_p90_at"),
    };

    print_label(&label, picture, bar);
    drawn.label = bl_buf_text(&label);
    draw_bar(picture, bar, &drawn);
}

/* --- the picture ----------------------------------------------------------------------------- */

static void print_foot(struct bl_buf *out, const struct picture *picture)
{
    int64_t left_out = bl_field_int(picture->scene->timeline, "left_out", 0);

    if (picture->not_drawn_count > 0) {
        BL_SAY(out, BL_SAY_PLAN_NOT_DRAWN, BL_N((int64_t)picture->not_drawn_count),
               BL_T(picture->not_drawn.text));
        bl_buf_append_char(out, '\n');
    }
    if (left_out > 0) {
        BL_SAY(out, BL_SAY_PLAN_LEFT_OUT, BL_N(left_out));
        bl_buf_append_char(out, '\n');
    }
}

void bl_plan_print(struct bl_buf *out, const struct bl_plan_scene *scene)
{
    const struct bl_tree *bars = bl_field_list(scene->timeline, "bars");
    struct picture picture = {.scene = scene, .gantt = bl_gantt_create(&scene->look)};

    if (scene->by == BL_PLAN_BY_GPU) {
        add_lanes(&picture);
    } else if (bars) {
        add_keys(&picture, bars);
    }
    for (size_t i = 0; bars && i < bars->child_count; i++) {
        add_bar(&picture, &bars->child[i]);
    }
    bl_gantt_print(out, picture.gantt);
    print_foot(out, &picture);
    bl_gantt_destroy(picture.gantt);
    BL_VEC_FINISH(&picture.lines);
    bl_buf_finish(&picture.not_drawn);
}

int bl_plan_fetch(struct bl_client *client, bl_time from, bl_time to, struct bl_reply *out,
                  struct bl_error *err)
{
    BL_AUTO_BUF path = {0};

    bl_buf_printf(&path, "/api/v1/timeline?from=%" PRId64 "&to=%" PRId64, from / BL_SECOND,
                  (to + BL_SECOND - 1) / BL_SECOND);
    return bl_client_get(client, bl_buf_text(&path), out, err);
}
