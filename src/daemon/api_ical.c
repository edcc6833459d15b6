/* The calendar for other programs, at an address that holds its token. */
#include "daemon/api.h"
#include "daemon/feed.h"

#include <string.h>
#include <unistd.h>

static const char *const whose_words[] = {
    [BL_FEED_MINE] = "mine", [BL_FEED_ALL] = "all", [BL_FEED_NONE] = "none"};

enum { WHOSE_WORDS = sizeof whose_words / sizeof *whose_words, SITE_BYTES = 256 };

/* False when it has been answered. */
static bool read_whose(struct bl_request *request, const char *key, enum bl_feed_whose *out)
{
    const char *text = bl_request_query(request, key);
    struct bl_error err;

    if (!text) {
        return true;
    }
    for (int i = 0; i < WHOSE_WORDS; i++) {
        if (!strcmp(text, whose_words[i])) {
            *out = (enum bl_feed_whose)i;
            return true;
        }
    }
    bl_fail(&err, BL_EINVAL, "%s: expected mine, all or none, found '%.100s'", key, text);
    bl_error_set_field(&err, key);
    bl_request_fail(request, BL_ANSWER_INVALID, &err);
    return false;
}

void bl_api_ical(void *self, struct bl_request *request)
{
    const struct bl_api *api = self;
    const struct bl_headers headers = {.type = "text/calendar; charset=utf-8",
                                       .name = {"Content-Disposition", "Cache-Control"},
                                       .value = {"inline; filename=\"baleen.ics\"", "private"}};
    char site[SITE_BYTES] = "baleen";
    struct bl_feed_wish wish = {.jobs = BL_FEED_MINE, .reservations = BL_FEED_ALL, .site = site};
    BL_AUTO_BUF body = {0};
    struct bl_error err;

    if (!bl_api_admit(request) || !read_whose(request, "jobs", &wish.jobs) ||
        !read_whose(request, "reservations", &wish.reservations)) {
        return;
    }
    gethostname(site, sizeof site - 1);
    wish.uid = bl_request_peer(request)->uid;
    wish.now = bl_driver_now(api->driver);
    if (bl_feed_write(bl_driver_ledger(api->driver), &wish, &body, &err) != BL_OK) {
        bl_request_fail(request, BL_ANSWER_TOO_LARGE, &err);
        return;
    }
    bl_request_answer_bytes(request, &headers, &body);
}
