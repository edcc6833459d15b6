#include "daemon/access.h"

#include "base/own.h"
#include "daemon/route.h"

#include <stdlib.h>

static const struct bl_route open_to_all[] = {
    {"GET", "/", NULL, {NULL}},
    {"HEAD", "/", NULL, {NULL}},
    {"GET", "/icon.svg", NULL, {NULL}},
    {"GET", "/assets/:id", NULL, {NULL}},
    {"GET", "/api/v1/session", NULL, {NULL}},
    {"POST", "/api/v1/session", NULL, {NULL}},
    {"DELETE", "/api/v1/session", NULL, {NULL}},
    {NULL, NULL, NULL, {NULL}},
};

/* What the page's views are made of. No logs, no tokens, nothing of a command. */
static const struct bl_route view[] = {
    {"GET", "/api/v1/jobs", NULL, {NULL}},
    {"GET", "/api/v1/jobs/:id", NULL, {NULL}},
    {"GET", "/api/v1/why/:id", NULL, {NULL}},
    {"GET", "/api/v1/nodes", NULL, {NULL}},
    {"GET", "/api/v1/gpus", NULL, {NULL}},
    {"GET", "/api/v1/reservations", NULL, {NULL}},
    {"GET", "/api/v1/reservations/:id", NULL, {NULL}},
    {"GET", "/api/v1/timeline", NULL, {NULL}},
    {"GET", "/api/v1/events", NULL, {NULL}},
    {"GET", "/healthz", NULL, {NULL}},
    {NULL, NULL, NULL, {NULL}},
};

static bool has(const struct bl_route *routes, const char *method, const char *path)
{
    BL_AUTO_FREE char *param = NULL;
    enum bl_answer kind;

    return bl_route_find(routes, method, path, &param, &kind) != NULL;
}

enum bl_access bl_access_of(const char *method, const char *path)
{
    if (has(open_to_all, method, path)) {
        return BL_ACCESS_OPEN;
    }
    return has(view, method, path) ? BL_ACCESS_VIEW : BL_ACCESS_KNOWN;
}
