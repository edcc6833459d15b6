/* The time zone of this machine: what instants mean that are written without one. */
#ifndef BL_DAEMON_ZONE_H
#define BL_DAEMON_ZONE_H

#include "form/instant.h"

extern const struct bl_zone bl_zone_local;

#endif
