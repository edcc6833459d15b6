/* Journal records, one a line: what is read is written to the same bytes from then on, and the core
 * takes it. */
#include "fuzz.h"

#include "core/core.h"
#include "form/record.h"

#include <string.h>

enum { RECORDS_MAX = 64 };

struct replay {
    struct bl_core *core;
    struct bl_actions actions;
    bl_time now;
    bl_job_id last;
};

static void write_and_read_back(const struct bl_record *record, struct bl_arena *arena)
{
    BL_AUTO_BUF first = {0};
    BL_AUTO_BUF second = {0};
    struct bl_record again;

    bl_record_write(&first, &record->event, record->has_launch ? &record->launch : NULL);
    assert(bl_record_read("written", bl_buf_text(&first), first.length, arena, &again, NULL) ==
           BL_OK);
    bl_record_write(&second, &again.event, again.has_launch ? &again.launch : NULL);
    assert(!strcmp(bl_buf_text(&first), bl_buf_text(&second)));
}

/* Feeds what a driver would feed: times never fall, identities of jobs rise. */
static void step(struct replay *replay, const struct bl_event *event)
{
    bool is_submission = event->kind == BL_EVENT_JOB_SUBMITTED;

    if (event->at < replay->now || (is_submission && event->job <= replay->last)) {
        return;
    }
    replay->now = event->at;
    replay->last = is_submission ? event->job : replay->last;
    bl_core_step(replay->core, event, &replay->actions);
    for (size_t i = 0; i < replay->actions.list.count; i++) {
        BL_AUTO_BUF line = {0};

        bl_record_write_action(&line, event->at, &replay->actions.list.at[i],
                               bl_core_cluster(replay->core));
        assert(line.length && line.text[line.length - 1] == '\n');
    }
    bl_actions_clear(&replay->actions);
}

static void read_line(struct replay *replay, const char *line, size_t length)
{
    struct bl_arena arena = {0};
    struct bl_record record;
    struct bl_error err = {0};
    int status = bl_record_read("record", line, length, &arena, &record, &err);

    check_refusal(status, &err);
    if (status == BL_OK) {
        write_and_read_back(&record, &arena);
        step(replay, &record.event);
    }
    bl_arena_finish(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct replay replay = {.core = bl_core_create(BL_KEEP_ENDED)};
    const char *at = (const char *)bytes;
    size_t left = length;

    for (int i = 0; i < RECORDS_MAX && left; i++) {
        const char *end = memchr(at, '\n', left);
        size_t line = end ? (size_t)(end - at) : left;

        read_line(&replay, at, line);
        at += line + (end != NULL);
        left -= line + (end != NULL);
    }
    bl_actions_finish(&replay.actions);
    bl_core_destroy(replay.core);
    return 0;
}
