/* Keeps series at their times of day when the time zone database gets a new edition: what has not
 * begun moves, each occurrence by an edit of its own. Those that somebody gave times of their own
 * stay.
 *
 * Which ones these are can be told only with the zone as it was, so the file of every zone that a
 * series is in is kept under STATE/zones until its edits are on disk. */
#ifndef BL_DAEMON_ZONE_KEEPER_H
#define BL_DAEMON_ZONE_KEEPER_H

#include "daemon/driver.h"

struct bl_zone_keeper;

/* Looks for the first time as soon as the loop turns, then every few minutes. */
struct bl_zone_keeper *bl_zone_keeper_create(struct bl_loop *loop, struct bl_driver *driver,
                                             const char *state_dir);
/* Whether the series of a zone are booked by its rules as they are now: nothing else should be
 * booked for them while they are not. */
bool bl_zone_keeper_is_current(const struct bl_zone_keeper *keeper, const char *zone);

void bl_zone_keeper_destroy(struct bl_zone_keeper *keeper);

#endif
