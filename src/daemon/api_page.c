/* The page: its files, with what keeps others from reaching into it. */
#include "daemon/api.h"
#include "daemon/page.h"

#include <string.h>

enum { STATUS_OK = 200, STATUS_NOT_MODIFIED = 304 };

static const char without_page[] =
    "This is baleen " BL_VERSION
    ". Its page is not part of this build: nodejs (18 or newer) and npm\n"
    "were missing, or npm could not fetch what the page is built with.\n"
    "\n"
    "Install them and build again; 'meson configure BUILD -Dweb=enabled' makes what is missing an\n"
    "error. Meanwhile 'baleen q', 'baleen plan' and 'baleen gpus' show the same in a terminal, "
    "and\n"
    "the API is at /api/v1/.\n";

/* Only what comes from here may run, be shown or be asked; nobody may show the page in another. */
static const struct {
    const char *name, *value;
} guards[] = {
    {"Content-Security-Policy", "default-src 'self'; object-src 'none'; base-uri 'none'; "
                                "form-action 'self'; frame-ancestors 'none'"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
};

enum { GUARDS = sizeof guards / sizeof *guards };

static void put(struct bl_headers *headers, const char *name, const char *value)
{
    size_t count = 0;

    while (headers->name[count]) {
        count++;
    }
    headers->name[count] = name;
    headers->value[count] = value;
}

static void put_guards(struct bl_headers *headers)
{
    for (size_t i = 0; i < GUARDS; i++) {
        put(headers, guards[i].name, guards[i].value);
    }
}

static void answer_without_page(struct bl_request *request)
{
    struct bl_headers headers = {.type = "text/plain; charset=utf-8"};
    BL_AUTO_BUF body = {0};

    put_guards(&headers);
    put(&headers, "Cache-Control", "no-cache");
    bl_buf_append_text(&body, without_page);
    bl_request_answer_bytes(request, &headers, &body);
}

/* The two codings of one file are two things to whoever keeps them: each has a tag of its own. */
static void answer_file(struct bl_request *request, const struct bl_page_asset *asset)
{
    bool is_packed = bl_page_takes_gzip(bl_request_header(request, "Accept-Encoding"));
    struct bl_headers headers = {.type = asset->type, .status = STATUS_OK};
    BL_AUTO_BUF tag = {0};
    BL_AUTO_BUF body = {0};

    bl_buf_printf(&tag, "\"%s%s\"", asset->tag, is_packed ? "-gz" : "");
    put_guards(&headers);
    put(&headers, "ETag", bl_buf_text(&tag));
    put(&headers, "Vary", "Accept-Encoding");
    put(&headers, "Cache-Control",
        bl_page_is_hashed(asset) ? "public, max-age=31536000, immutable" : "no-cache");
    if (bl_page_has_tag(bl_request_header(request, "If-None-Match"), bl_buf_text(&tag))) {
        headers.status = STATUS_NOT_MODIFIED;
    } else if (is_packed) {
        put(&headers, "Content-Encoding", "gzip");
        bl_buf_append(&body, (const char *)asset->gzip, asset->gzip_length);
    } else {
        bl_page_unpack(asset, &body);
    }
    bl_request_answer_bytes(request, &headers, &body);
}

static void answer_path(struct bl_request *request, const char *path)
{
    const struct bl_page_asset *asset = bl_page_find(bl_page_assets, path);
    struct bl_error err;

    if (asset) {
        answer_file(request, asset);
        return;
    }
    bl_fail(&err, BL_ENOTFOUND, "the page has no file %s", path);
    bl_error_set_hint(&err, "it was built anew: load the page again");
    bl_request_fail(request, BL_ANSWER_NOT_FOUND, &err);
}

void bl_api_page(void *self, struct bl_request *request)
{
    (void)self;
    if (bl_page_assets->path) {
        answer_path(request, "/");
    } else {
        answer_without_page(request);
    }
}

void bl_api_page_icon(void *self, struct bl_request *request)
{
    (void)self;
    answer_path(request, "/icon.svg");
}

void bl_api_page_asset(void *self, struct bl_request *request)
{
    BL_AUTO_BUF path = {0};

    (void)self;
    bl_buf_printf(&path, "/assets/%s", bl_request_param(request));
    answer_path(request, bl_buf_text(&path));
}
