/* The time zone of this machine: what instants mean that are written without one. */
#ifndef BL_DAEMON_ZONE_H
#define BL_DAEMON_ZONE_H

#include "form/instant.h"

#include <stdbool.h>

extern const struct bl_zone bl_zone_local;

/* Whether this machine has a zone of that name. */
bool bl_zone_is_known(const char *name);

#endif
