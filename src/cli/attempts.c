#include "cli/attempts.h"

#include "cli/jobs.h"
#include "cli/text.h"

#include <string.h>

static void print_outcome(struct bl_buf *out, const struct bl_tree *row)
{
    struct bl_job_view view = {.tree = row};

    bl_job_view_read_reason(row, &view);
    if (bl_job_has_reason(&view)) {
        bl_job_print_reason(out, &view);
    } else {
        bl_text_escape(out, bl_field_text(row, "outcome", ""));
    }
}

/* Of one whose process never lived there is no span, and of nobody's GPUs no place. */
static void print_row(struct bl_buf *out, const struct bl_tree *row)
{
    const struct bl_job_view view = {.tree = row};
    bl_time started = bl_field_time(row, "started_at");
    bl_time ended = bl_field_time(row, "ended_at");
    BL_AUTO_BUF where = {0};

    bl_buf_printf(out, "%lld", (long long)bl_field_int(row, "attempt", 0));
    bl_say(out, BL_SAY_COLON);
    print_outcome(out, row);
    if (started > 0 && ended >= started) {
        BL_AUTO_BUF span = {0};

        bl_text_span_words(&span, (ended - started) / BL_SECOND * BL_SECOND);
        BL_SAY(out, BL_SAY_AFTER_SPAN, BL_T(bl_buf_text(&span)));
    }
    bl_job_print_where(&where, &view, BL_WHERE_WORDS);
    if (where.length) {
        BL_SAY(out, BL_SAY_ON, BL_T(bl_buf_text(&where)));
    }
    bl_buf_append_char(out, '\n');
}

/* The job itself tells of its present attempt, and of the one with which it ended. */
static bool is_told_elsewhere(const struct bl_tree *job, const struct bl_tree *row)
{
    struct bl_job_view view = {.state = bl_field_text(job, "state", "")};

    return bl_field_is_null(row, "outcome") ||
           (bl_job_is_ended(&view) &&
            !strcmp(bl_field_text(row, "outcome", ""), bl_field_text(job, "state", "")) &&
            bl_field_int(row, "attempt", 0) == bl_field_int(job, "attempt", -1) &&
            bl_field_time(row, "ended_at") == bl_field_time(job, "ended_at"));
}

void bl_attempts_print(struct bl_buf *out, const struct bl_tree *job, const char *indent)
{
    const struct bl_tree *rows = bl_field_list(job, "attempts");
    size_t printed = 0;

    for (size_t i = 0; rows && i < rows->child_count; i++) {
        if (!is_told_elsewhere(job, &rows->child[i])) {
            bl_buf_append_text(out, printed++ ? indent : "");
            print_row(out, &rows->child[i]);
        }
    }
}
