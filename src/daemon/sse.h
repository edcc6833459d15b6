/* Server-sent events: one ring of messages, a cursor a reader. A reader that falls behind is told
 * to read the lists again; none can hold memory. */
#ifndef BL_DAEMON_SSE_H
#define BL_DAEMON_SSE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    BL_SSE_MESSAGES_MAX = 16384,
    BL_SSE_BYTES_MAX = 8 * 1024 * 1024,
    BL_SSE_COMMENT_SECONDS = 15,
    BL_SSE_MEMORY_SECONDS = 120 /* messages are made so long after the last reader went */
};

struct bl_loop;
struct bl_request;
struct bl_sse;

struct bl_sse *bl_sse_create(struct bl_loop *loop);
/* After the server, whose end ends the streams. */
void bl_sse_destroy(struct bl_sse *sse);

/* Answers the request with all that comes from now on: `now` is the number of the last change. With
 * `since` >= 0, the number that the reader knows last, it starts with what came since; where that
 * is not known any more, with a notice to read the lists again. */
struct bl_sse_start {
    int64_t now;
    int64_t since;
};
void bl_sse_open(struct bl_sse *sse, struct bl_request *request, struct bl_sse_start start);

/* Whether anybody reads, or may come back: else nothing need be made. */
bool bl_sse_has_readers(const struct bl_sse *sse);

/* Sends a message with the number `seq`; `data` is one line. */
void bl_sse_push(struct bl_sse *sse, int64_t seq, const char *event, const struct bl_buf *data);

#endif
