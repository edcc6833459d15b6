/* The timeline as readers of events have it: what is not over, as it was told last. Comparing it
 * with the timeline as it is gives the messages that bring them up to date; what is over is told
 * once and changes no more. The JSON of each bar is kept, so that a bar is written only when it
 * changes. */
#ifndef BL_DAEMON_PICTURE_H
#define BL_DAEMON_PICTURE_H

#include "daemon/timeline.h"

enum { BL_PICTURE_PAST_MAX = 2 * BL_TIMELINE_BARS_MAX /* bars that are over and kept */ };

struct bl_json;
struct bl_picture;

/* Hears of an "upsert" or "remove"; `data` is one line. */
struct bl_picture_sink {
    void *self;
    void (*push)(void *self, const char *event, const struct bl_buf *data);
};

struct bl_picture *bl_picture_create(void);
void bl_picture_destroy(struct bl_picture *picture);

/* Forgets what readers have: there are none. */
void bl_picture_reset(struct bl_picture *picture);
/* The number of the change up to which it was compared; -1 before the first time. */
int64_t bl_picture_seq(const struct bl_picture *picture);

/* Notes what the last record changed: what is over now, or left memory, is told at the next
 * comparison. */
void bl_picture_note(struct bl_picture *picture, const struct bl_ledger *ledger);

/* What must be in the next timeline that it is compared with. Borrowed until then. */
struct bl_timeline_also bl_picture_also(struct bl_picture *picture);

/* Compares it with a whole timeline and tells what differs; the first time there is nothing to
 * tell. Answers how many messages there were. */
struct bl_picture_now {
    const struct bl_ledger *ledger;
    const struct bl_timeline *timeline; /* of bl_timeline_make_whole */
    bl_time now;
};
size_t bl_picture_compare(struct bl_picture *picture, const struct bl_picture_now *now,
                          const struct bl_picture_sink *sink);

/* The bar as JSON, as it was written last where that is still right. */
void bl_picture_write(struct bl_picture *picture, struct bl_json *json,
                      const struct bl_picture_now *now, const struct bl_bar *bar);

#endif
