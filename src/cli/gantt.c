#include "cli/gantt.h"

#include "base/own.h"
#include "base/vec.h"
#include "cli/say.h"
#include "cli/text.h"

#include <string.h>
#include <time.h>

enum { CELLS_MIN = 24, CELLS_MAX = 400, HEAD_COLUMNS_MAX = 40, GLYPH_ROOM = 16 };

struct bar {
    struct bl_gantt_bar is; /* its label is escaped, and owned */
    size_t first, end;      /* cells; end > first */
    size_t unsure_end;
};

struct group {
    char *head;
    enum bl_gantt_rows rows;
    BL_VEC(struct bar) bars;
};

struct bl_gantt {
    struct bl_gantt_look look;
    BL_VEC(struct group) groups;
};

/* A column: a letter of a label, or what fills it. A wide letter takes the next one as well. */
struct cell {
    char glyph[GLYPH_ROOM];
    bool is_taken; /* by the wide letter before */
    enum bl_fill fill;
};

struct fill_look {
    const char *drawn, *ascii, *colour;
    enum bl_message meaning;
};

static const struct fill_look fills[BL_FILL_COUNT] = {
    [BL_FILL_NONE] = {" ", " ", "", BL_SAY_NOTHING},
    [BL_FILL_DOWN] = {"×", "x", "\033[31m", BL_SAY_FILL_DOWN},
    [BL_FILL_RAN] = {"▓", "-", "\033[2m", BL_SAY_FILL_RAN},
    [BL_FILL_RUNS] = {"█", "=", "\033[32m", BL_SAY_FILL_RUNS},
    [BL_FILL_PLANNED] = {"·", ".", "", BL_SAY_FILL_PLANNED},
    [BL_FILL_RESERVED] = {"╱", "/", "\033[33m", BL_SAY_FILL_RESERVED},
    [BL_FILL_UNSURE] = {"▒", "~", "\033[2m", BL_SAY_FILL_UNSURE},
    [BL_FILL_CLEARING] = {"!", "!", "\033[33m", BL_SAY_FILL_CLEARING},
};

/* The picture while it is drawn. */
struct picture {
    const struct bl_gantt *gantt;
    size_t head_columns;
    size_t cells;
    size_t rows; /* so far */
    size_t rows_left_out;
    bool is_used[BL_FILL_COUNT];
};

struct bl_gantt *bl_gantt_create(const struct bl_gantt_look *look)
{
    struct bl_gantt *gantt = bl_alloc_zero(sizeof *gantt);

    gantt->look = *look;
    return gantt;
}

void bl_gantt_destroy(struct bl_gantt *gantt)
{
    for (size_t g = 0; gantt && g < gantt->groups.count; g++) {
        struct group *group = &gantt->groups.at[g];

        for (size_t i = 0; i < group->bars.count; i++) {
            free((char *)(uintptr_t)group->bars.at[i].is.label);
        }
        BL_VEC_FINISH(&group->bars);
        free(group->head);
    }
    if (gantt) {
        BL_VEC_FINISH(&gantt->groups);
        free(gantt);
    }
}

static char *escaped(const struct bl_gantt *gantt, const char *text)
{
    BL_AUTO_BUF whole = {0};
    struct bl_buf plain = {0};
    const char *at;
    size_t bytes;
    size_t width;

    bl_text_escape(&whole, text);
    if (!gantt->look.ascii) {
        return bl_buf_take(&whole);
    }
    for (at = bl_buf_text(&whole); (bytes = bl_text_letter(at, &width)); at += bytes) {
        bl_buf_append_char(&plain, (unsigned char)at[0] < 0x80 ? at[0] : '?');
    }
    return bl_buf_take(&plain);
}

size_t bl_gantt_add_group(struct bl_gantt *gantt, const char *head, enum bl_gantt_rows rows)
{
    BL_AUTO_FREE char *whole = escaped(gantt, head);
    struct bl_buf cut = {0};

    bl_text_cut(&cut, whole, HEAD_COLUMNS_MAX);
    BL_VEC_PUSH(&gantt->groups, (struct group){.head = bl_buf_take(&cut), .rows = rows});
    return gantt->groups.count - 1;
}

void bl_gantt_add_bar(struct bl_gantt *gantt, size_t group, const struct bl_gantt_bar *bar)
{
    struct bar own = {.is = *bar};

    own.is.label = escaped(gantt, bar->label);
    BL_VEC_PUSH(&gantt->groups.at[group].bars, own);
}

/* --- where things stand ---------------------------------------------------------------------- */

static size_t cell_of(const struct picture *picture, bl_time instant)
{
    const struct bl_gantt_look *look = &picture->gantt->look;
    bl_time span = look->to - look->from;

    if (instant <= look->from) {
        return 0;
    }
    if (instant >= look->to) {
        return picture->cells;
    }
    return (size_t)((double)(instant - look->from) / (double)span * (double)picture->cells);
}

static void measure(struct picture *picture)
{
    const struct bl_gantt *gantt = picture->gantt;
    size_t columns = gantt->look.columns;
    size_t room;

    for (size_t g = 0; g < gantt->groups.count; g++) {
        size_t width = bl_text_width(gantt->groups.at[g].head);

        picture->head_columns = width > picture->head_columns ? width : picture->head_columns;
    }
    room = columns > picture->head_columns + 1 ? columns - picture->head_columns - 1 : 0;
    picture->cells = room < CELLS_MIN ? CELLS_MIN : room > CELLS_MAX ? CELLS_MAX : room;
}

/* False where nothing of it is to be seen. */
static bool place(const struct picture *picture, struct bar *bar)
{
    const struct bl_gantt_look *look = &picture->gantt->look;

    if (bar->is.from >= look->to || (bar->is.until <= look->from && bar->is.from < look->from)) {
        return false;
    }
    bar->first = cell_of(picture, bar->is.from);
    bar->end = cell_of(picture, bar->is.until);
    bar->end = bar->end > bar->first ? bar->end : bar->first + 1;
    bar->unsure_end = cell_of(picture, bar->is.until_surely);
    bar->unsure_end = bar->unsure_end > bar->end ? bar->unsure_end : bar->end;
    return true;
}

/* --- a row ----------------------------------------------------------------------------------- */

/* A letter with more marks on it than a cell holds ends the label. */
static void write_label(struct cell *cell, size_t room, const char *label)
{
    size_t width = 0;
    size_t bytes;

    for (size_t used = 0; (bytes = bl_text_letter(label, &width)); used += width) {
        if (width == 0 || width > 2 || used + width > room || bytes >= GLYPH_ROOM) {
            return;
        }
        memcpy(cell[used].glyph, label, bytes);
        cell[used + 1].is_taken = width == 2;
        label += bytes;
    }
}

static void fill(struct picture *picture, struct cell *row, enum bl_fill with, size_t first,
                 size_t end)
{
    for (size_t i = first; i < end; i++) {
        row[i] = (struct cell){.fill = with};
        picture->is_used[with] = true;
    }
}

static void draw(struct picture *picture, struct cell *row, const struct bar *bar)
{
    if (bar->first > 0 && row[bar->first].is_taken) { /* half a letter is none */
        row[bar->first - 1].glyph[0] = '\0';
    }
    if (bar->unsure_end < picture->cells && row[bar->unsure_end].is_taken) {
        row[bar->unsure_end].is_taken = false;
    }
    fill(picture, row, bar->is.fill, bar->first, bar->end);
    fill(picture, row, BL_FILL_UNSURE, bar->end, bar->unsure_end);
    if (bar->end - bar->first > 2) {
        write_label(row + bar->first + 1, bar->end - bar->first - 2, bar->is.label);
    }
}

static void pad(struct bl_buf *out, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        bl_buf_append_char(out, ' ');
    }
}

static const char *shown(const struct picture *picture, const struct cell *cell)
{
    const struct fill_look *look = &fills[cell->fill];

    if (cell->glyph[0]) {
        return cell->glyph;
    }
    return picture->gantt->look.ascii ? look->ascii : look->drawn;
}

static void print_cells(struct bl_buf *out, const struct picture *picture, const struct cell *row,
                        size_t end)
{
    bool colour = picture->gantt->look.colour;
    enum bl_fill now = BL_FILL_NONE;

    for (size_t i = 0; i < end; i++) {
        if (row[i].is_taken) {
            continue;
        }
        if (colour && row[i].fill != now) {
            bl_buf_append_text(out, fills[now].colour[0] ? "\033[0m" : "");
            bl_buf_append_text(out, fills[row[i].fill].colour);
            now = row[i].fill;
        }
        bl_buf_append_text(out, shown(picture, &row[i]));
    }
    bl_buf_append_text(out, colour && fills[now].colour[0] ? "\033[0m" : "");
}

static void print_row(struct bl_buf *out, struct picture *picture, const char *head,
                      const struct cell *row)
{
    size_t end = picture->cells;

    if (picture->rows >= BL_GANTT_ROWS_MAX) {
        picture->rows_left_out++;
        return;
    }
    picture->rows++;
    while (end > 0 && row[end - 1].fill == BL_FILL_NONE) {
        end--;
    }
    bl_buf_append_text(out, head);
    pad(out, end ? picture->head_columns + 1 - bl_text_width(head) : 0);
    print_cells(out, picture, row, end);
    bl_buf_append_char(out, '\n');
}

/* --- groups ---------------------------------------------------------------------------------- */

/* What is out of use lies under all else. */
static void print_one_row(struct bl_buf *out, struct picture *picture, const struct group *group)
{
    BL_AUTO_FREE struct cell *row = bl_alloc_zero((picture->cells + 1) * sizeof *row);

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < group->bars.count; i++) {
            struct bar *bar = &group->bars.at[i];

            if ((bar->is.fill == BL_FILL_DOWN) == (pass == 0) && place(picture, bar)) {
                draw(picture, row, bar);
            }
        }
    }
    print_row(out, picture, group->head, row);
}

/* Takes bars that are left and do not overlap off the list; false when there were none. */
static bool print_packed_row(struct bl_buf *out, struct picture *picture, const char *head,
                             struct bar **bars, size_t *count)
{
    BL_AUTO_FREE struct cell *row = bl_alloc_zero((picture->cells + 1) * sizeof *row);
    size_t free_from = 0;
    size_t kept = 0;

    for (size_t i = 0; i < *count; i++) {
        if (bars[i]->first >= free_from) {
            draw(picture, row, bars[i]);
            free_from = bars[i]->unsure_end;
        } else {
            bars[kept++] = bars[i];
        }
    }
    print_row(out, picture, head, row);
    *count = kept;
    return kept > 0;
}

static void print_packed(struct bl_buf *out, struct picture *picture, const struct group *group)
{
    BL_AUTO_FREE struct bar **bars = bl_alloc_zero((group->bars.count + 1) * sizeof *bars);
    const char *head = group->head;
    size_t count = 0;

    for (size_t i = 0; i < group->bars.count; i++) {
        if (place(picture, &group->bars.at[i])) {
            bars[count++] = &group->bars.at[i];
        }
    }
    while (print_packed_row(out, picture, head, bars, &count)) {
        head = "";
    }
}

/* --- the axis -------------------------------------------------------------------------------- */

static bl_time offset_at(bl_time instant)
{
    time_t seconds = (time_t)(instant / BL_SECOND);
    struct tm local = {0};

    localtime_r(&seconds, &local);
    return local.tm_gmtoff * BL_SECOND;
}

/* The distance of two marks: the shortest of these that leaves room for "15:00". */
static bl_time step_of(const struct picture *picture)
{
    static const int minutes[] = {5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10080, 43200};
    enum { MARK_COLUMNS = 6, STEPS = sizeof minutes / sizeof minutes[0] };
    const struct bl_gantt_look *look = &picture->gantt->look;
    double cell = (double)(look->to - look->from) / (double)picture->cells;

    for (size_t i = 0; i < STEPS; i++) {
        if ((double)minutes[i] * (double)BL_MINUTE >= MARK_COLUMNS * cell) {
            return minutes[i] * BL_MINUTE;
        }
    }
    return minutes[STEPS - 1] * BL_MINUTE;
}

/* The first instant behind `after` at which the local clock shows a full step; clocks may be set
 * in between. */
static bl_time next_mark(bl_time after, bl_time step)
{
    bl_time mark = ((after + offset_at(after)) / step + 1) * step - offset_at(after);
    bl_time past = (mark + offset_at(mark)) % step;

    mark -= past;
    return mark > after ? mark : mark + step;
}

static void print_mark(struct bl_buf *out, const struct picture *picture, bl_time mark,
                       bl_time step)
{
    const struct bl_gantt_look *look = &picture->gantt->look;
    bool is_midnight = (mark + offset_at(mark)) % BL_DAY == 0;
    bool is_date = step >= BL_DAY || (is_midnight && look->to - look->from > BL_DAY);
    time_t seconds = (time_t)(mark / BL_SECOND);
    struct tm local = {0};
    char text[24];

    localtime_r(&seconds, &local);
    strftime(text, sizeof text, is_date ? "%m-%d" : "%H:%M", &local);
    bl_buf_append_text(out, text);
}

/* A text at a cell of the axis, if there is room behind the last one; a blank stays between. */
struct axis {
    struct bl_buf *out;
    const struct picture *picture;
    size_t used;
    size_t limit; /* texts end before */
};

static void put_on_axis(struct axis *axis, size_t cell, const char *text)
{
    size_t width = bl_text_width(text);

    if (cell < axis->used + (axis->used > 0) || cell + width > axis->limit) {
        return;
    }
    pad(axis->out, cell - axis->used);
    bl_buf_append_text(axis->out, text);
    axis->used = cell + width;
}

static void put_marks(struct axis *axis, bl_time from, bl_time to)
{
    bl_time step = step_of(axis->picture);

    for (bl_time mark = next_mark(from, step); mark < to; mark = next_mark(mark, step)) {
        BL_AUTO_BUF text = {0};

        print_mark(&text, axis->picture, mark, step);
        put_on_axis(axis, cell_of(axis->picture, mark), bl_buf_text(&text));
    }
}

/* Marks make room for the present. */
static void print_axis(struct bl_buf *out, const struct picture *picture)
{
    const struct bl_gantt_look *look = &picture->gantt->look;
    bool has_now = look->now >= look->from && look->now < look->to;
    struct axis axis = {.out = out, .picture = picture, .limit = picture->cells};
    BL_AUTO_BUF now = {0};

    pad(out, picture->head_columns + 1);
    if (has_now) {
        size_t cell = cell_of(picture, look->now);

        bl_say(&now, BL_SAY_PLAN_NOW);
        axis.limit = cell > 0 ? cell - 1 : 0;
        put_marks(&axis, look->from - 1, look->now);
        axis.limit = picture->cells;
        put_on_axis(&axis, cell, bl_buf_text(&now));
    }
    put_marks(&axis, has_now ? look->now : look->from - 1, look->to);
    bl_buf_append_char(out, '\n');
}

/* --- on paper -------------------------------------------------------------------------------- */

static void print_instant(struct bl_buf *out, bl_time instant)
{
    time_t seconds = (time_t)(instant / BL_SECOND);
    struct tm local = {0};
    char text[64];

    localtime_r(&seconds, &local);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local);
    bl_buf_append_text(out, text);
}

static void print_date(struct bl_buf *out, const struct bl_gantt_look *look)
{
    time_t seconds = (time_t)(look->to / BL_SECOND);
    struct tm local = {0};

    print_instant(out, look->from);
    if (look->from != look->now) {
        bl_buf_append_text(out, look->ascii ? " - " : " – ");
        print_instant(out, look->to);
    } else {
        seconds = (time_t)(look->now / BL_SECOND);
    }
    localtime_r(&seconds, &local);
    bl_buf_printf(out, " %s\n", local.tm_zone);
}

static void print_legend(struct bl_buf *out, const struct picture *picture)
{
    static const enum bl_fill order[] = {BL_FILL_RUNS,     BL_FILL_PLANNED, BL_FILL_RAN,
                                         BL_FILL_RESERVED, BL_FILL_UNSURE,  BL_FILL_CLEARING,
                                         BL_FILL_DOWN};

    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const struct fill_look *look = &fills[order[i]];

        if (i < 2 || picture->is_used[order[i]]) { /* the first two are told always */
            bl_buf_append_text(out, i ? "  " : "");
            bl_buf_append_text(out, picture->gantt->look.ascii ? look->ascii : look->drawn);
            bl_buf_append_char(out, ' ');
            bl_say(out, look->meaning);
        }
    }
    bl_buf_append_char(out, '\n');
}

void bl_gantt_print(struct bl_buf *out, const struct bl_gantt *gantt)
{
    struct picture picture = {.gantt = gantt};

    measure(&picture);
    print_date(out, &gantt->look);
    print_axis(out, &picture);
    for (size_t g = 0; g < gantt->groups.count; g++) {
        if (gantt->groups.at[g].rows == BL_GANTT_PACKED) {
            print_packed(out, &picture, &gantt->groups.at[g]);
        } else {
            print_one_row(out, &picture, &gantt->groups.at[g]);
        }
    }
    if (picture.rows_left_out > 0) {
        BL_SAY(out, BL_SAY_LINES_MORE, BL_N((int64_t)picture.rows_left_out));
        bl_buf_append_char(out, '\n');
    }
    print_legend(out, &picture);
}
