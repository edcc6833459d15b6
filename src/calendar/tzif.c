#include "calendar/tzif.h"

#include "base/own.h"

#include <string.h>

/* The header and its six counts; the ceilings of RFC 8536 are higher, those of real zones far
 * lower.
 */
enum { HEADER_BYTES = 44, COUNTS_MAX = 4096, KIND_BYTES = 6, FOOTER_MAX = 128 };

struct header {
    size_t ut_count, standard_count, leap_count, time_count, kind_count, char_count;
    char version;
};

static int64_t big_endian(const char *bytes, size_t count)
{
    /* the sign is that of the first byte */
    uint64_t value = (unsigned char)bytes[0] & 0x80U ? UINT64_MAX : 0;

    for (size_t i = 0; i < count; i++) {
        value = (value << 8U) | (unsigned char)bytes[i];
    }
    return (int64_t)value;
}

static bool read_header(const char *bytes, size_t length, struct header *out)
{
    size_t *const count[] = {&out->ut_count,   &out->standard_count, &out->leap_count,
                             &out->time_count, &out->kind_count,     &out->char_count};

    if (length < HEADER_BYTES || memcmp(bytes, "TZif", 4) != 0) {
        return false;
    }
    out->version = bytes[4];
    for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
        *count[i] = (size_t)big_endian(bytes + 20 + 4 * i, 4);
        if (*count[i] > COUNTS_MAX) {
            return false;
        }
    }
    return true;
}

/* What stands behind a header, where its times have `width` bytes. */
static size_t block_bytes(const struct header *header, size_t width)
{
    return header->time_count * (width + 1) + header->kind_count * KIND_BYTES + header->char_count +
           header->leap_count * (width + 4) + header->standard_count + header->ut_count;
}

static bool read_changes(const struct header *header, const char *block, struct bl_tzif *out)
{
    const char *type = block + header->time_count * 8;

    for (size_t i = 0; i < header->time_count; i++) {
        out->when[i] = big_endian(block + 8 * i, 8);
        out->type[i] = (uint8_t)type[i];
        if (out->type[i] >= header->kind_count || (i && out->when[i] <= out->when[i - 1])) {
            return false;
        }
    }
    return true;
}

static bool read_kinds(const struct header *header, const char *block, struct bl_tzif *out)
{
    const char *kind = block + header->time_count * 9;
    const char *chars = kind + header->kind_count * KIND_BYTES;

    for (size_t i = 0; i < header->kind_count; i++, kind += KIND_BYTES) {
        size_t at = (unsigned char)kind[5];
        size_t room = at < header->char_count ? header->char_count - at : 0;
        size_t length = strnlen(chars + (room ? at : 0), room);
        int64_t offset = big_endian(kind, 4);

        if (!length || length == room || length >= BL_TZ_ABBREVIATION_MAX || offset < -93600 ||
            offset > 93600) {
            return false;
        }
        out->kind[i].offset = (int32_t)offset;
        out->kind[i].is_summer = kind[4] != 0;
        memcpy(out->kind[i].abbreviation, chars + at, length);
    }
    return true;
}

/* "\nRULE\n"; without a rule all stays as it was after the last change. */
static bool read_footer(const char *footer, size_t length, struct bl_tzif *out)
{
    char text[FOOTER_MAX] = "";
    const char *end = length > 1 ? memchr(footer + 1, '\n', length - 1) : NULL;

    if (!end || footer[0] != '\n' || end - footer > FOOTER_MAX) {
        return false;
    }
    if (end == footer + 1) {
        out->rule.winter = out->kind[out->count ? out->type[out->count - 1] : 0];
        return true;
    }
    memcpy(text, footer + 1, (size_t)(end - footer) - 1);
    return bl_tz_rule_read(text, &out->rule);
}

static bool read_block(const struct header *header, const char *block, struct bl_tzif *out)
{
    out->count = header->time_count;
    out->kind_count = header->kind_count;
    out->when = bl_realloc_array(NULL, out->count + 1, sizeof *out->when);
    out->type = bl_realloc_array(NULL, out->count + 1, sizeof *out->type);
    out->kind = bl_alloc_zero(out->kind_count * sizeof *out->kind);
    return read_changes(header, block, out) && read_kinds(header, block, out);
}

static bool read_all(const char *bytes, size_t length, struct bl_tzif *out)
{
    struct header header = {0};
    size_t first;
    size_t second;

    /* the first block is for readers that know 32 bits only */
    if (!read_header(bytes, length, &header) || header.version < '2') {
        return false;
    }
    first = HEADER_BYTES + block_bytes(&header, 4);
    if (first > length || !read_header(bytes + first, length - first, &header) ||
        !header.kind_count || header.leap_count) {
        return false;
    }
    second = first + HEADER_BYTES;
    return block_bytes(&header, 8) <= length - second && read_block(&header, bytes + second, out) &&
           read_footer(bytes + second + block_bytes(&header, 8),
                       length - second - block_bytes(&header, 8), out);
}

int bl_tzif_read(const char *bytes, size_t length, struct bl_tzif *out, struct bl_error *err)
{
    struct bl_tzif tzif = {0};

    if (!read_all(bytes, length, &tzif)) {
        bl_tzif_finish(&tzif);
        return bl_fail(
            err, BL_EINVAL,
            "expected a time zone file (TZif, version 2 or later, without leap seconds)");
    }
    *out = tzif;
    return BL_OK;
}

void bl_tzif_finish(struct bl_tzif *tzif)
{
    free(tzif->when);
    free(tzif->type);
    free(tzif->kind);
    *tzif = (struct bl_tzif){0};
}
