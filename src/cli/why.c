#include "cli/why.h"

#include "base/units.h"
#include "cli/eta.h"
#include "cli/jobs.h"
#include "cli/range.h"
#include "cli/text.h"
#include "cli/when.h"

#include <inttypes.h>
#include <string.h>

enum { LABEL_COLUMNS = 11, OTHERS_SHOWN = 8 };

/* A label in the first line of its part, blanks below. */
static void begin(struct bl_buf *out, enum bl_message label)
{
    BL_AUTO_BUF text = {0};

    bl_say(&text, label);
    bl_buf_printf(out, "  %s", bl_buf_text(&text));
    for (size_t at = bl_text_width(bl_buf_text(&text)); at < LABEL_COLUMNS; at++) {
        bl_buf_append_char(out, ' ');
    }
}

/* "1043 sweep waits since 12:02 (1h22m). Next start: 17:30". */
static void print_head(struct bl_buf *out, const struct bl_job_view *job, bl_time now)
{
    BL_AUTO_BUF id = {0};
    BL_AUTO_BUF state = {0};
    BL_AUTO_BUF since = {0};
    BL_AUTO_BUF span = {0};
    BL_AUTO_BUF next = {0};
    BL_AUTO_BUF rests_on = {0};

    bl_job_print_id(&id, job);
    bl_job_print_state(&state, job->state);
    bl_when_print(&since, job->submitted_at, now);
    bl_text_span_short(&span, now > job->submitted_at ? now - job->submitted_at : 0);
    BL_SAY(out, BL_SAY_WHY_WAITS, BL_T(bl_buf_text(&id)), BL_T(job->name),
           BL_T(bl_buf_text(&state)), BL_T(bl_buf_text(&since)), BL_T(bl_buf_text(&span)));
    if (job->starts_at > 0) {
        bl_eta_print_start(&next, job, now);
        bl_eta_print_source(&rests_on, job);
        BL_SAY(out, BL_SAY_WHY_NEXT, BL_T(bl_buf_text(&next)), BL_T(bl_buf_text(&rests_on)));
    } else {
        bl_say(out, BL_SAY_WHY_NO_START);
    }
    bl_buf_append_char(out, '\n');
}

static void print_needs(struct bl_buf *out, const struct bl_job_view *job)
{
    const struct bl_tree *types = bl_field_list(job->tree, "gpu_types");
    BL_AUTO_BUF gpus = {0};
    BL_AUTO_BUF mem = {0};
    BL_AUTO_BUF cpus = {0};
    double count = bl_field_double(job->tree, "cpus", 0);

    begin(out, BL_SAY_WHY_NEEDS);
    bl_job_print_gpus(&gpus, job);
    BL_SAY(out, BL_SAY_GPUS_TEXT, BL_T(bl_buf_text(&gpus)), BL_N(job->gpus_max));
    for (size_t i = 0; types && i < types->child_count; i++) {
        BL_SAY(out, i ? BL_SAY_OR_TYPE : BL_SAY_OF_TYPE, BL_T(bl_item_text(types, i)));
    }
    bl_buf_printf(&cpus, "%g", count);
    bl_size_print(&mem, bl_field_int(job->tree, "mem_bytes", 0));
    BL_SAY(out, BL_SAY_CPUS_AND_MEM, BL_T(bl_buf_text(&cpus)), BL_N(count == 1 ? 1 : 2),
           BL_T(bl_buf_text(&mem)));
    if (job->limit > 0) {
        BL_AUTO_BUF limit = {0};

        bl_text_span_words(&limit, job->limit);
        BL_SAY(out, BL_SAY_LIMIT_IS, BL_T(bl_buf_text(&limit)));
    }
    bl_buf_append_char(out, '\n');
}

static void print_until(struct bl_buf *out, const struct bl_tree *other, bl_time now)
{
    bl_time until = bl_field_time(other, "until");
    BL_AUTO_BUF when = {0};

    if (until > 0) {
        bl_when_print(&when, until, now);
        BL_SAY(out, BL_SAY_WHY_UNTIL, BL_T(bl_buf_text(&when)));
    } else {
        bl_say(out, BL_SAY_WHY_NO_LIMIT);
    }
    bl_buf_append_char(out, '\n');
}

/* Jobs without GPUs are in nobody's way who waits for GPUs. */
static bool is_in_the_way(const struct bl_tree *other, const struct bl_job_view *job)
{
    return job->gpus_max == 0 || bl_field_int(other, "gpus", 0) > 0;
}

/* What runs, or what stands before it; answers how many there are. */
static void print_others(struct bl_buf *out, const struct bl_why_scene *scene,
                         const struct bl_job_view *job, const char *key)
{
    bool runs = !strcmp(key, "running");
    const struct bl_tree *others = bl_field_list(scene->why, key);
    int64_t count = 0;

    for (size_t i = 0; others && i < others->child_count; i++) {
        const struct bl_tree *other = &others->child[i];

        if (!is_in_the_way(other, job)) {
            continue;
        }
        count++;
        if (count > OTHERS_SHOWN) {
            continue;
        }
        begin(out, count > 1 ? BL_SAY_NOTHING : runs ? BL_SAY_WHY_BLOCKED : BL_SAY_WHY_AHEAD);
        BL_SAY(out, BL_SAY_WHY_OTHER_JOB, BL_N(bl_field_int(other, "id", 0)),
               BL_T(bl_field_text(other, "user", "?")), BL_N(bl_field_int(other, "gpus", 0)));
        print_until(out, other, scene->now);
    }
    if (count > OTHERS_SHOWN) {
        begin(out, BL_SAY_NOTHING);
        BL_SAY(out, BL_SAY_WHY_MORE, BL_N(count - OTHERS_SHOWN));
        bl_buf_append_char(out, '\n');
    }
}

/* Nodes that suit it but take nothing, and how many GPUs are free on those that do. */
static void print_nodes(struct bl_buf *out, const struct bl_why_scene *scene)
{
    const struct bl_tree *nodes = bl_field_list(scene->why, "nodes");

    for (size_t i = 0; nodes && i < nodes->child_count && i < OTHERS_SHOWN; i++) {
        const struct bl_tree *node = &nodes->child[i];
        const char *state = bl_field_text(node, "state", "up");
        bl_time drain_at = bl_field_time(node, "drain_at");
        BL_AUTO_BUF when = {0};

        begin(out, i ? BL_SAY_NOTHING : BL_SAY_WHY_NODES);
        BL_SAY(out, BL_SAY_WHY_NODE, BL_T(bl_field_text(node, "name", "?")),
               BL_N(bl_field_int(node, "gpus_free", 0)), BL_N(bl_field_int(node, "gpus", 0)));
        if (strcmp(state, "up") != 0) {
            bl_say(out, BL_SAY_BETWEEN);
            bl_say(out, !strcmp(state, "drained") ? BL_SAY_NODE_IS_DRAINED : BL_SAY_NODE_IS_DOWN);
        } else if (drain_at > 0) {
            bl_when_print(&when, drain_at, scene->now);
            BL_SAY(out, BL_SAY_NODE_DRAIN_AT, BL_T(bl_buf_text(&when)));
        }
        bl_buf_append_char(out, '\n');
    }
}

static void print_dependencies(struct bl_buf *out, const struct bl_why_scene *scene)
{
    const struct bl_tree *after = bl_field_list(scene->why, "after");

    for (size_t i = 0; after && i < after->child_count && i < OTHERS_SHOWN; i++) {
        const struct bl_tree *one = &after->child[i];
        BL_AUTO_BUF state = {0};

        bl_job_print_state(&state, bl_field_text(one, "state", "–"));
        begin(out, i ? BL_SAY_NOTHING : BL_SAY_LABEL_AFTER);
        BL_SAY(out, BL_SAY_WHY_DEPENDENCY, BL_N(bl_field_int(one, "job", 0)),
               BL_T(bl_field_text(one, "kind", "ok")), BL_T(bl_buf_text(&state)));
        bl_buf_append_char(out, '\n');
    }
}

/* The words of one change behind `baleen set ID`. */
static void print_set(struct bl_buf *out, const struct bl_tree *set)
{
    static const char *const words[][2] = {{"gpus", "gpus"},
                                           {"gpu_type", "gpu-type"},
                                           {"limit", "time"},
                                           {"nodes", "nodes"},
                                           {"class", "class"}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        BL_AUTO_BUF word = {0};

        if (!bl_tree_find(set, words[i][0])) {
            continue;
        }
        bl_buf_printf(&word, "%s=%s", words[i][1],
                      bl_field_is_null(set, words[i][0]) ? "any"
                                                         : bl_field_text(set, words[i][0], ""));
        bl_buf_append_char(out, ' ');
        bl_text_quote(out, bl_buf_text(&word));
    }
}

/* What it brings, as a comment of a shell: the whole line can be pasted. */
static void print_gain(struct bl_buf *out, const struct bl_tree *instead, bl_time now)
{
    const char *before = bl_field_text(instead, "before", NULL);
    BL_AUTO_BUF when = {0};

    bl_buf_append_text(out, "  ");
    if (!strcmp(bl_field_text(instead, "now", "false"), "true")) {
        bl_say(out, BL_SAY_INSTEAD_NOW);
    } else {
        bl_range_print(&when, bl_tree_find(instead, "start"), now);
        BL_SAY(out, BL_SAY_INSTEAD_AT, BL_T(bl_buf_text(&when)));
    }
    if (before) {
        BL_SAY(out, BL_SAY_INSTEAD_BEFORE, BL_T(before));
    }
}

/* Answers whether there was any. */
static bool print_instead(struct bl_buf *out, const struct bl_why_scene *scene,
                          const struct bl_job_view *job)
{
    const struct bl_tree *list = bl_field_list(scene->why, "instead");
    BL_AUTO_BUF id = {0};
    bool is_any = false;

    bl_job_print_id(&id, job);
    for (size_t i = 0; list && i < list->child_count; i++) {
        const struct bl_tree *set =
            list->child[i].kind == BL_TREE_MAP ? bl_tree_find(&list->child[i], "set") : NULL;

        if (set && set->kind == BL_TREE_MAP) {
            begin(out, is_any ? BL_SAY_NOTHING : BL_SAY_WHY_INSTEAD);
            bl_buf_printf(out, "baleen set %s", bl_buf_text(&id));
            print_set(out, set);
            print_gain(out, &list->child[i], scene->now);
            bl_buf_append_char(out, '\n');
            is_any = true;
        }
    }
    return is_any;
}

/* Whether all was tried that might let it start earlier. */
static bool is_looked_into(const struct bl_why_scene *scene)
{
    return bl_field_list(scene->why, "instead") &&
           bl_field_int(scene->why, "instead_untried", 0) == 0;
}

/* Less is no help to a job that waits for its own slot. */
static enum bl_message advice(const struct bl_job_view *job, bool is_helpless)
{
    return !strcmp(job->state, "held")               ? BL_SAY_WHY_DO_RELEASE
           : !strcmp(job->reason, "for_reservation") ? BL_SAY_WHY_DO_WAIT
           : !strcmp(job->reason, "in_reservation")  ? BL_SAY_WHY_DO_LESS_BOOKED
           : !strcmp(job->reason, "reservation_over") || !strncmp(job->reason, "slot_", 5)
               ? BL_SAY_WHY_DO_BOOK
           : strcmp(job->state, "queued") != 0 ? BL_SAY_NOTHING
           : is_helpless                       ? BL_SAY_WHY_DO_MOVE
                                               : BL_SAY_WHY_DO_LESS;
}

/* What the one who asks could do about it. */
static void print_way_out(struct bl_buf *out, const struct bl_why_scene *scene,
                          const struct bl_job_view *job)
{
    enum bl_message message = advice(job, is_looked_into(scene));
    BL_AUTO_BUF id = {0};

    if (print_instead(out, scene, job) || message == BL_SAY_NOTHING) {
        return;
    }
    bl_job_print_id(&id, job);
    begin(out, BL_SAY_WHY_NEXT_STEP);
    BL_SAY(out, message, BL_T(bl_buf_text(&id)), BL_N(job->numbers.job));
    bl_buf_append_char(out, '\n');
}

static void print_waiting(struct bl_buf *out, const struct bl_why_scene *scene,
                          const struct bl_job_view *job)
{
    bool is_in_line = !strcmp(job->state, "queued");

    print_head(out, job, scene->now);
    print_needs(out, job);
    if (bl_job_has_reason(job)) {
        begin(out, BL_SAY_WHY_REASON);
        bl_job_print_reason(out, job);
        bl_buf_append_char(out, '\n');
    }
    print_dependencies(out, scene);
    if (is_in_line) {
        print_others(out, scene, job, "running");
        print_others(out, scene, job, "ahead");
        print_nodes(out, scene);
        begin(out, BL_SAY_WHY_LINE);
        BL_SAY(out, BL_SAY_WHY_PLACE, BL_N(bl_field_int(scene->why, "ahead_count", 0) + 1));
        bl_buf_append_char(out, '\n');
    }
    print_way_out(out, scene, job);
}

void bl_why_print(struct bl_buf *out, const struct bl_why_scene *scene)
{
    struct bl_job_view job;

    bl_job_view_read(scene->job, &job);
    if (!bl_job_is_placed(&job) && !bl_job_is_ended(&job)) {
        print_waiting(out, scene, &job);
        return;
    }
    bl_job_print_title(out, &job);
    bl_say(out, BL_SAY_COLON);
    bl_job_print_standing(out, &job);
    if (bl_job_is_placed(&job) && bl_job_has_reason(&job)) {
        bl_say(out, BL_SAY_SEMICOLON);
        bl_job_print_reason(out, &job);
    }
    bl_buf_append_char(out, '\n');
}
