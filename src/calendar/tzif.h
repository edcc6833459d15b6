/* Inside of calendar/zone.h: a zone as its TZif file (RFC 8536) tells it. Seconds, not bl_time. */
#ifndef BL_CALENDAR_TZIF_H
#define BL_CALENDAR_TZIF_H

#include "base/error.h"
#include "calendar/tzrule.h"

#include <stddef.h>

struct bl_tzif {
    int64_t *when; /* instants of change, rising */
    uint8_t *type; /* of the stretch from there on */
    size_t count;
    struct bl_tz_kind *kind; /* by type; 0 is also what was before all changes */
    size_t kind_count;
    struct bl_tz_rule rule; /* behind the last change */
};

/* Takes any bytes. */
int bl_tzif_read(const char *bytes, size_t length, struct bl_tzif *out, struct bl_error *err);
void bl_tzif_finish(struct bl_tzif *tzif);

#endif
