/* A byte source over text in memory, for the readers of form. */
#ifndef BL_TEST_BYTES_H
#define BL_TEST_BYTES_H

#include "form/trace.h"

#include <string.h>

struct kit_bytes {
    const char *bytes;
    size_t length;
    size_t step; /* most bytes given at once */
    size_t at;
};

static inline int64_t kit_bytes_read(void *self, char *into, size_t room, struct bl_error *err)
{
    struct kit_bytes *bytes = self;
    size_t count = bytes->length - bytes->at;

    (void)err;
    count = count < bytes->step ? count : bytes->step;
    count = count < room ? count : room;
    memcpy(into, bytes->bytes + bytes->at, count);
    bytes->at += count;
    return (int64_t)count;
}

static inline struct bl_byte_source kit_bytes_source(const char *name, struct kit_bytes *bytes)
{
    return (struct bl_byte_source){name, bytes, kit_bytes_read};
}

static inline struct kit_bytes kit_text(const char *text)
{
    return (struct kit_bytes){text, strlen(text), 4096, 0};
}

#endif
