/* Answers questions about the calendar, for other programs' opinions on it. A question is a line of
 * fields between tabs:
 *
 *     local ZONE SECONDS            what the clocks show: "2026-12-01 08:30"
 *     find ZONE LOCAL               "once AT", "twice FIRST SECOND" or "missing MOVED", in seconds
 *     expand ZONE FROM TO SERIES    "START-END ..." in seconds, or "refused: ..."
 *     feed ZONE FROM TO SERIES GONE MOVED
 *                                   the series as a calendar, with one occurrence gone and one that
 *                                   starts an hour later (0: none); the end is a line with a dot */
#include "calendar/ical.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { FIELDS = 7, LINE_MAX_BYTES = 4096, BOOKED_MAX = 1000 };

struct question {
    char *field[FIELDS];
    struct bl_tz *tz;
};

static bl_time seconds(const char *text)
{
    return strtoll(text, NULL, 10) * BL_SECOND;
}

static void answer_local(const struct question *question)
{
    BL_AUTO_BUF out = {0};

    bl_tz_print(&out, question->tz, seconds(question->field[2]));
    puts(bl_buf_text(&out));
}

static void answer_find(const struct question *question)
{
    static const char *const words[] = {"once", "missing", "twice"};
    struct bl_instant instant = {0};
    struct bl_tz_found found;

    assert(bl_instant_parse(question->field[2], &instant, NULL) == BL_OK);
    bl_tz_find(question->tz, &instant.civil, &found);
    printf("%s %lld", words[found.showing], (long long)(found.first / BL_SECOND));
    if (found.showing == BL_TZ_TWICE) {
        printf(" %lld", (long long)(found.second / BL_SECOND));
    }
    putchar('\n');
}

static int expand(const struct question *question, struct bl_series *series,
                  struct bl_series_slots *out, struct bl_error *err)
{
    const struct bl_series_window window = {seconds(question->field[2]),
                                            seconds(question->field[3])};
    int status = bl_series_read(question->field[4], question->tz, series, err);

    return status ? status : bl_series_expand(series, question->tz, &window, out, err);
}

static void answer_expand(const struct question *question)
{
    BL_AUTO_SERIES_SLOTS slots = {0};
    struct bl_series series = {0};
    struct bl_error err = {0};

    if (expand(question, &series, &slots, &err)) {
        printf("refused: %s\n", err.text);
        return;
    }
    for (size_t i = 0; i < slots.slots.count; i++) {
        printf("%s%lld-%lld", i ? " " : "", (long long)(slots.slots.at[i].start / BL_SECOND),
               (long long)(slots.slots.at[i].end / BL_SECOND));
    }
    putchar('\n');
}

static void answer_feed(const struct question *question)
{
    static struct bl_ical_occurrence booked[BOOKED_MAX];
    long gone = strtol(question->field[5], NULL, 10);
    long moved = strtol(question->field[6], NULL, 10);
    BL_AUTO_SERIES_SLOTS slots = {0};
    struct bl_series series = {0};
    struct bl_ical_series detail = {&series, question->tz, {0, 0}, booked, 0};
    const struct bl_ical_event event = {
        .uid = "r1@site", .summary = "demo, \xE4\xB8\xAD\xE6\x96\x87;\nline", .series = &detail};
    const struct bl_ical_calendar calendar = {.name = "feed", .event = &event, .count = 1};
    BL_AUTO_BUF out = {0};

    detail.window =
        (struct bl_series_window){seconds(question->field[2]), seconds(question->field[3])};
    assert(expand(question, &series, &slots, NULL) == BL_OK);
    for (size_t i = 0; i < slots.slots.count; i++) {
        const struct bl_series_slot *slot = &slots.slots.at[i];
        bl_time later = slot->number == moved ? BL_HOUR : 0;

        if (slot->number != gone) {
            booked[detail.count++] =
                (struct bl_ical_occurrence){slot->number, slot->start + later, slot->end + later};
        }
    }
    assert(bl_ical_write(&out, &calendar, NULL) == BL_OK);
    printf("%s.\n", bl_buf_text(&out));
}

static void answer(const struct question *question)
{
    static const struct {
        const char *word;
        void (*answer)(const struct question *question);
    } rows[] = {{"local", answer_local},
                {"find", answer_find},
                {"expand", answer_expand},
                {"feed", answer_feed}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!strcmp(question->field[0], rows[i].word)) {
            rows[i].answer(question);
        }
    }
}

int main(void)
{
    char line[LINE_MAX_BYTES];

    while (fgets(line, sizeof line, stdin)) {
        struct question question = {.field = {0}};
        char *rest = NULL;

        line[strcspn(line, "\n")] = '\0';
        for (int i = 0; i < FIELDS; i++) {
            question.field[i] = strtok_r(i ? NULL : line, "\t", &rest);
        }
        if (!question.field[1] || bl_tz_create(question.field[1], &question.tz, NULL)) {
            puts("no such zone");
            continue;
        }
        answer(&question);
        bl_tz_destroy(question.tz);
    }
    return 0;
}
