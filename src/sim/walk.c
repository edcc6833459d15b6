#include "sim/walk.h"

#include "form/record.h"

#include <stdio.h>

struct reader {
    const struct bl_sim_walk *walk;
    struct bl_arena arena; /* of one record */
};

static int meet_row(void *self, int64_t place, const char *bytes, size_t length,
                    struct bl_error *err)
{
    struct reader *reader = self;
    struct bl_record record;
    int status;

    (void)place;
    bl_arena_reset(&reader->arena);
    status = bl_record_read("journal snapshot", bytes, length, &reader->arena, &record, err);
    if (status == BL_OK && record.event.kind == BL_EVENT_ROUND) {
        return bl_fail(err, BL_EINVAL, "journal snapshot: expected a state, found a round");
    }
    return status == BL_OK ? reader->walk->restore(reader->walk->self, &record.event) : status;
}

static int meet_record(void *self, int64_t seq, const char *bytes, size_t length,
                       struct bl_error *err)
{
    struct reader *reader = self;
    struct bl_record record;
    char name[48];
    int status;

    snprintf(name, sizeof name, "journal record %lld", (long long)seq);
    bl_arena_reset(&reader->arena);
    status = bl_record_read(name, bytes, length, &reader->arena, &record, err);
    return status == BL_OK ? reader->walk->meet(reader->walk->self, seq, &record.event) : status;
}

int64_t bl_sim_walk_begin(const struct bl_journal *journal)
{
    struct bl_snapshot_head head = bl_journal_head(journal);

    return head.cut ? head.seq : 0;
}

int bl_sim_walk(struct bl_journal *journal, const struct bl_sim_walk *walk, struct bl_error *err)
{
    struct reader reader = {.walk = walk};
    int64_t after = bl_sim_walk_begin(journal);
    int status = BL_OK;

    if (after) {
        status = bl_journal_replay_snapshot(journal, meet_row, &reader, err);
    }
    if (status == BL_OK) {
        status = bl_journal_replay_after(journal, after, meet_record, &reader, err);
    }
    bl_arena_finish(&reader.arena);
    return status;
}
