/* What tests of the calendar share. */
#ifndef BL_KIT_CALENDAR_KIT_H
#define BL_KIT_CALENDAR_KIT_H

#include "bl_test.h"

#include "calendar/zone.h"

/* A zone that exists; the caller destroys it. */
static inline struct bl_tz *kit_zone(const char *name)
{
    struct bl_tz *tz = NULL;
    struct bl_error err = {0};

    if (bl_tz_create(name, &tz, &err)) {
        fail_msg("%s: %s", name, err.text);
    }
    return tz;
}

/* The instant of "2026-12-01", "2026-12-01T08:30" or "2026-12-01T08:30:00Z", in UTC. */
static inline bl_time kit_utc(const char *text)
{
    struct bl_instant instant = {0};
    bl_time at = 0;

    assert_int_equal(bl_instant_parse(text, &instant, NULL), BL_OK);
    assert_int_equal(bl_instant_resolve(&instant, 0, &bl_zone_utc, &at, NULL), BL_OK);
    return at;
}

/* A zone for all tests of a group, as the group's set-up and tear-down. */
static struct bl_tz *kit_berlin __attribute__((unused));

static inline int kit_set_up(void **state)
{
    (void)state;
    kit_berlin = kit_zone("Europe/Berlin");
    return 0;
}

static inline int kit_tear_down(void **state)
{
    (void)state;
    bl_tz_destroy(kit_berlin);
    return 0;
}

#endif
