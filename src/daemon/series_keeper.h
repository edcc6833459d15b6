/* Books further occurrences of series as time goes: a series without an end is booked as far ahead
 * as the core books, and every hour what has come within reach. */
#ifndef BL_DAEMON_SERIES_KEEPER_H
#define BL_DAEMON_SERIES_KEEPER_H

#include "daemon/driver.h"
#include "daemon/zone_keeper.h"

struct bl_series_keeper;

/* Looks for the first time as soon as the loop turns. Series whose zone has new rules wait until
 * `zones`, if there are any, has moved them. */
struct bl_series_keeper *bl_series_keeper_create(struct bl_loop *loop, struct bl_driver *driver,
                                                 const struct bl_zone_keeper *zones);
void bl_series_keeper_destroy(struct bl_series_keeper *keeper);

#endif
