#include "daemon/access.h"

#include "base/own.h"
#include "daemon/route.h"

#include <stdlib.h>

static const struct bl_route open_to_all[] = {
    {"GET", "/", NULL, {NULL}},         {"HEAD", "/", NULL, {NULL}},
    {"GET", "/icon.svg", NULL, {NULL}}, {"GET", "/assets/:id", NULL, {NULL}},
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
    return has(open_to_all, method, path) ? BL_ACCESS_OPEN : BL_ACCESS_KNOWN;
}
