/* The page's files, which are part of the program: page_embed.py makes the table. */
#ifndef BL_DAEMON_PAGE_H
#define BL_DAEMON_PAGE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

struct bl_page_asset {
    const char *path; /* "/" of index.html, "/assets/index-1a2b3c4d.js" */
    const char *type; /* Content-Type */
    const char *tag;  /* digits that change with the content */
    const unsigned char *gzip;
    size_t gzip_length;
    size_t length; /* of the plain bytes */
};

/* Ends with a row without a path: the first where the daemon was built without its page. */
extern const struct bl_page_asset bl_page_assets[];

/* The file at that path, or NULL. */
const struct bl_page_asset *bl_page_find(const struct bl_page_asset *assets, const char *path);

/* Whether its name changes with its content, so that it can be kept for ever. */
bool bl_page_is_hashed(const struct bl_page_asset *asset);

/* Whether somebody who sends this Accept-Encoding (or none: NULL) takes gzip. */
bool bl_page_takes_gzip(const char *accept_encoding);

/* Whether the tag, with its quotes, stands in an If-None-Match (or none: NULL). */
bool bl_page_has_tag(const char *if_none_match, const char *tag);

/* Appends the plain bytes. */
void bl_page_unpack(const struct bl_page_asset *asset, struct bl_buf *out);

#endif
