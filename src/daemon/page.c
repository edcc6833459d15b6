#define ZLIB_CONST
#include "daemon/page.h"

#include "base/own.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

enum { GZIP_WINDOW_BITS = 15 + 16 };

static const char blanks[] = " \t";

const struct bl_page_asset *bl_page_find(const struct bl_page_asset *assets, const char *path)
{
    for (; assets->path; assets++) {
        if (strcmp(assets->path, path) == 0) {
            return assets;
        }
    }
    return NULL;
}

bool bl_page_is_hashed(const struct bl_page_asset *asset)
{
    static const char folder[] = "/assets/";

    return strncmp(asset->path, folder, sizeof folder - 1) == 0;
}

/* --- headers --------------------------------------------------------------------------------- */

struct item {
    const char *text;
    size_t length;
};

/* Takes the next of a list that commas divide, without the blanks around it. */
static bool next_item(const char **list, struct item *out)
{
    const char *at = *list + strspn(*list, ", \t");

    out->text = at;
    out->length = strcspn(at, ",");
    *list = at + out->length;
    while (out->length > 0 && strchr(blanks, at[out->length - 1])) {
        out->length--;
    }
    return out->length > 0;
}

/* "gzip;q=0" is a refusal, as are "q=0.0" and "q=0.000". */
static bool is_refusal(const struct item *item, size_t name_length)
{
    BL_AUTO_FREE char *rest = bl_copy_part(item->text + name_length, item->length - name_length);
    const char *weight = strcasestr(rest, "q=");

    return weight && weight[2] != '\0' && strspn(weight + 2, "0.") == strlen(weight + 2);
}

static bool is_named(const struct item *item, size_t length, const char *name)
{
    return strlen(name) == length && strncasecmp(item->text, name, length) == 0;
}

/* What names gzip goes before what names any coding. */
bool bl_page_takes_gzip(const char *accept_encoding)
{
    const char *list = accept_encoding ? accept_encoding : "";
    bool takes_any = false;
    struct item item;

    while (next_item(&list, &item)) {
        BL_AUTO_FREE char *text = bl_copy_part(item.text, item.length);
        size_t length = strcspn(text, "; \t");

        if (is_named(&item, length, "gzip") || is_named(&item, length, "x-gzip")) {
            return !is_refusal(&item, length);
        }
        if (is_named(&item, length, "*")) {
            takes_any = !is_refusal(&item, length);
        }
    }
    return takes_any;
}

bool bl_page_has_tag(const char *if_none_match, const char *tag)
{
    const char *list = if_none_match ? if_none_match : "";
    struct item item;

    while (next_item(&list, &item)) {
        size_t skip = item.length > 2 && strncmp(item.text, "W/", 2) == 0 ? 2 : 0;

        if ((item.length == 1 && item.text[0] == '*') ||
            (item.length - skip == strlen(tag) &&
             memcmp(item.text + skip, tag, item.length - skip) == 0)) {
            return true;
        }
    }
    return false;
}

/* --- bytes ----------------------------------------------------------------------------------- */

void bl_page_unpack(const struct bl_page_asset *asset, struct bl_buf *out)
{
    BL_AUTO_FREE char *plain = bl_alloc_zero(asset->length + 1);
    z_stream stream = {.next_in = asset->gzip,
                       .avail_in = (uInt)asset->gzip_length,
                       .next_out = (Bytef *)plain,
                       .avail_out = (uInt)asset->length + 1};
    int result = inflateInit2(&stream, GZIP_WINDOW_BITS);

    assert(result == Z_OK);
    result = inflate(&stream, Z_FINISH);
    assert(result == Z_STREAM_END && stream.total_out == asset->length);
    inflateEnd(&stream);
    bl_buf_append(out, plain, asset->length);
}
