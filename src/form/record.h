/* Journal records: an event, and the launch that came with a submission, as one JSON object. Also
 * the action log: one JSON line an action. Both are stable: a newer reader takes old records. */
#ifndef BL_FORM_RECORD_H
#define BL_FORM_RECORD_H

#include "base/arena.h"
#include "base/buf.h"
#include "core/action.h"
#include "core/event.h"
#include "form/launch.h"

/* `launch` only for JOB_SUBMITTED and JOB_RESTORED of a live job; NULL otherwise. One line without
 * its end. */
void bl_record_write(struct bl_buf *out, const struct bl_event *event,
                     const struct bl_launch *launch);

/* Pointers of the event and the launch lie in the arena. `*has_launch` tells whether there was
 * one; `name` is for messages ("journal record 17"). Takes any bytes. */
struct bl_record {
    struct bl_event event;
    struct bl_launch launch;
    bool has_launch;
};
int bl_record_read(const char *name, const char *bytes, size_t length, struct bl_arena *arena,
                   struct bl_record *out, struct bl_error *err);

/* One action as a JSON line with its end; nodes by name. The same action gives the same bytes. */
void bl_record_write_action(struct bl_buf *out, bl_time at, const struct bl_action *action,
                            const struct bl_cluster *cluster);

#endif
