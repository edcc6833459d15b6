#include "daemon/route.h"

#include "base/own.h"

#include <string.h>

struct piece {
    const char *text;
    size_t length;
};

/* Takes the next segment off a path; false at its end. */
static bool next_piece(const char **path, struct piece *out)
{
    if (**path != '/') {
        return false;
    }
    out->text = *path + 1;
    out->length = strcspn(out->text, "/");
    *path = out->text + out->length;
    return true;
}

/* The length and place of what stands for ":id" go to `taken`. */
static bool matches(const char *pattern, const char *path, struct piece *taken)
{
    struct piece wanted;
    struct piece given;

    while (next_piece(&pattern, &wanted)) {
        if (!next_piece(&path, &given)) {
            return false;
        }
        if (wanted.length > 0 && wanted.text[0] == ':') {
            *taken = given;
        } else if (wanted.length != given.length ||
                   memcmp(wanted.text, given.text, wanted.length) != 0) {
            return false;
        }
    }
    return *path == '\0';
}

const struct bl_route *bl_route_find(const struct bl_route *routes, const char *method,
                                     const char *path, char **param, enum bl_answer *kind)
{
    *kind = BL_ANSWER_NOT_FOUND;
    for (const struct bl_route *route = routes; route->method; route++) {
        struct piece taken = {0};

        if (!matches(route->pattern, path, &taken)) {
            continue;
        }
        if (strcmp(route->method, method) == 0) {
            *param = taken.text ? bl_copy_part(taken.text, taken.length) : NULL;
            return route;
        }
        *kind = BL_ANSWER_METHOD;
    }
    return NULL;
}

bool bl_route_has_query(const struct bl_route *route, const char *key)
{
    for (size_t i = 0; i < BL_HTTP_QUERY_KEYS_MAX && route->query[i]; i++) {
        if (strcmp(route->query[i], key) == 0) {
            return true;
        }
    }
    return false;
}
