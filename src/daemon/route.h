/* From method and path to a route. */
#ifndef BL_DAEMON_ROUTE_H
#define BL_DAEMON_ROUTE_H

#include "daemon/http.h"

/* The route, or NULL with *kind telling whether the path or only the method is unknown. `param` is
 * what stands for ":id", owned by the caller, NULL where the pattern has none. */
const struct bl_route *bl_route_find(const struct bl_route *routes, const char *method,
                                     const char *path, char **param, enum bl_answer *kind);

/* Whether the route knows this key of a query. */
bool bl_route_has_query(const struct bl_route *route, const char *key);

#endif
