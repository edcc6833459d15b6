#include "daemon/sse.h"

#include "base/own.h"
#include "base/span.h"
#include "daemon/http.h"
#include "os/loop.h"

#include <string.h>

/* Shared by the ring and the readers that are in the middle of it. */
struct message {
    size_t holders;
    int64_t seq;
    size_t length;
    char text[];
};

struct reader {
    struct reader *next, *previous;
    struct bl_sse *sse;
    struct bl_request *request;
    uint64_t cursor;         /* number of the next message */
    struct message *current; /* held; NULL between messages */
    size_t sent;             /* of the current one */
    bool owes_comment;
    bool owes_resync;
    bool owes_start;
    int64_t start;
};

struct bl_sse {
    struct message *ring[BL_SSE_MESSAGES_MAX];
    uint64_t first, end; /* numbers of the oldest message and behind the newest */
    size_t bytes;
    int64_t last_seq;
    int64_t known_from;    /* all changes with this number or a higher one are in the ring */
    struct reader readers; /* ring head */
    struct bl_watch *tick;
    bool is_filling; /* somebody reads, or read not long ago */
    struct bl_watch *memory;
};

static struct message *new_message(const char *text, size_t length)
{
    struct message *message = bl_alloc_zero(sizeof *message + length);

    message->holders = 1;
    message->length = length;
    memcpy(message->text, text, length);
    return message;
}

static void release(struct message *message)
{
    if (message && --message->holders == 0) {
        free(message);
    }
}

static bool is_read(const struct bl_sse *sse)
{
    return sse->readers.next != &sse->readers;
}

static void on_tick(void *self)
{
    struct bl_sse *sse = self;

    for (struct reader *r = sse->readers.next; r != &sse->readers; r = r->next) {
        r->owes_comment = true;
        bl_request_wake(r->request);
    }
    if (is_read(sse)) {
        bl_watch_arm(sse->tick, BL_SSE_COMMENT_SECONDS * BL_SECOND);
    }
}

static void drop_oldest(struct bl_sse *sse)
{
    struct message **place = &sse->ring[sse->first % BL_SSE_MESSAGES_MAX];

    sse->known_from = (*place)->seq + 1;
    sse->bytes -= (*place)->length;
    release(BL_TAKE(*place));
    sse->first++;
}

static void drop_all(struct bl_sse *sse)
{
    while (sse->first < sse->end) {
        drop_oldest(sse);
    }
}

/* Nobody came back. */
static void on_forget(void *self)
{
    struct bl_sse *sse = self;

    if (!is_read(sse)) {
        sse->is_filling = false;
        drop_all(sse);
    }
}

struct bl_sse *bl_sse_create(struct bl_loop *loop)
{
    struct bl_sse *sse = bl_alloc_zero(sizeof *sse);

    sse->readers.next = sse->readers.previous = &sse->readers;
    sse->tick = bl_loop_watch_timer(loop, on_tick, sse);
    sse->memory = bl_loop_watch_timer(loop, on_forget, sse);
    return sse;
}

void bl_sse_destroy(struct bl_sse *sse)
{
    if (sse) {
        drop_all(sse);
        bl_watch_destroy(sse->tick);
        bl_watch_destroy(sse->memory);
        free(sse);
    }
}

bool bl_sse_has_readers(const struct bl_sse *sse)
{
    return sse->is_filling;
}

/* Something at once, so that a client sees the stream open, and has a number to come back with. */
static struct message *make_start(int64_t seq)
{
    BL_AUTO_BUF text = {0};

    bl_buf_printf(&text, "id: %lld\n:\n\n", (long long)seq);
    return new_message(bl_buf_text(&text), text.length);
}

static struct message *make_resync(const struct bl_sse *sse)
{
    BL_AUTO_BUF text = {0};

    bl_buf_printf(&text, "id: %lld\nevent: resync\ndata: {}\n\n", (long long)sse->last_seq);
    return new_message(bl_buf_text(&text), text.length);
}

/* The reader's next message, held for it; NULL when there is none. */
static struct message *next_message(struct reader *reader)
{
    struct bl_sse *sse = reader->sse;
    struct message *message;

    if (reader->owes_start) {
        reader->owes_start = false;
        return make_start(reader->start);
    }
    if (reader->cursor < sse->first || reader->owes_resync) {
        reader->owes_resync = false;
        reader->cursor = sse->end;
        return make_resync(sse);
    }
    if (reader->cursor < sse->end) {
        message = sse->ring[reader->cursor++ % BL_SSE_MESSAGES_MAX];
        message->holders++;
        return message;
    }
    if (reader->owes_comment) {
        reader->owes_comment = false;
        return new_message(":\n\n", 3);
    }
    return NULL;
}

static size_t read_next(void *self, char *into, size_t room)
{
    struct reader *reader = self;
    size_t length;

    if (!reader->current) {
        reader->current = next_message(reader);
        reader->sent = 0;
    }
    if (!reader->current) {
        return 0;
    }
    length = reader->current->length - reader->sent;
    length = length < room ? length : room;
    memcpy(into, reader->current->text + reader->sent, length);
    reader->sent += length;
    if (reader->sent == reader->current->length) {
        release(BL_TAKE(reader->current));
    }
    return length;
}

static void finish_reader(void *self)
{
    struct reader *reader = self;

    reader->next->previous = reader->previous;
    reader->previous->next = reader->next;
    release(reader->current);
    if (!is_read(reader->sse)) {
        bl_watch_arm(reader->sse->memory, BL_SSE_MEMORY_SECONDS * BL_SECOND);
    }
    free(reader);
}

static void begin_to_fill(struct bl_sse *sse, int64_t now)
{
    if (!sse->is_filling) {
        sse->is_filling = true;
        sse->known_from = now;
        sse->last_seq = now;
    }
}

/* Messages of the number that it knows come again: of several with one number it may have seen only
 * the first. */
static void go_back(struct reader *reader, int64_t since)
{
    const struct bl_sse *sse = reader->sse;

    if (since < sse->known_from || since > sse->last_seq) {
        reader->owes_resync = true;
        return;
    }
    reader->cursor = sse->first;
    while (reader->cursor < sse->end &&
           sse->ring[reader->cursor % BL_SSE_MESSAGES_MAX]->seq < since) {
        reader->cursor++;
    }
}

void bl_sse_open(struct bl_sse *sse, struct bl_request *request, struct bl_sse_start start)
{
    struct reader *reader = bl_alloc_zero(sizeof *reader);
    struct bl_stream stream = {.self = reader, .read = read_next, .finish = finish_reader};

    if (!is_read(sse)) {
        bl_watch_arm(sse->tick, BL_SSE_COMMENT_SECONDS * BL_SECOND);
    }
    begin_to_fill(sse, start.now);
    reader->sse = sse;
    reader->request = request;
    reader->cursor = sse->end;
    reader->owes_start = true;
    reader->start = start.since >= 0 ? start.since : start.now;
    if (start.since >= 0) {
        go_back(reader, start.since);
    }
    reader->next = sse->readers.next;
    reader->previous = &sse->readers;
    reader->next->previous = reader;
    sse->readers.next = reader;
    bl_request_stream(request, &stream);
}

void bl_sse_push(struct bl_sse *sse, int64_t seq, const char *event, const struct bl_buf *data)
{
    BL_AUTO_BUF text = {0};

    bl_buf_printf(&text, "id: %lld\nevent: %s\ndata: ", (long long)seq, event);
    bl_buf_append(&text, bl_buf_text(data), data->length);
    bl_buf_append_text(&text, "\n\n");
    sse->last_seq = seq;
    while (sse->end > sse->first && (sse->end - sse->first == BL_SSE_MESSAGES_MAX ||
                                     sse->bytes + text.length > BL_SSE_BYTES_MAX)) {
        drop_oldest(sse);
    }
    sse->ring[sse->end % BL_SSE_MESSAGES_MAX] = new_message(bl_buf_text(&text), text.length);
    sse->ring[sse->end++ % BL_SSE_MESSAGES_MAX]->seq = seq;
    sse->bytes += text.length;
    for (struct reader *r = sse->readers.next; r != &sse->readers; r = r->next) {
        bl_request_wake(r->request);
    }
}
