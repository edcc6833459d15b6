/* Time zones by their IANA names, from the system's time zone database (TZif files), for any year.
 *
 * Clocks that are put forward leave times out, clocks that are put back show some twice. What
 * people write is never moved silently: a time left out is refused and the moved one offered, a
 * doubled one is refused until somebody says which. Programs that expand series ask bl_tz_find. */
#ifndef BL_CALENDAR_ZONE_H
#define BL_CALENDAR_ZONE_H

#include "form/instant.h"

#include <stdbool.h>

enum { BL_TZ_NAME_MAX = 64 };

struct bl_tz;

/* Refuses what is no IANA name or not in the database, and offers the name that was meant. */
int bl_tz_create(const char *name, struct bl_tz **out, struct bl_error *err);
void bl_tz_destroy(struct bl_tz *tz);

static inline void bl_auto_tz(struct bl_tz **tz)
{
    bl_tz_destroy(*tz);
}

#define BL_AUTO_TZ __attribute__((cleanup(bl_auto_tz))) struct bl_tz

/* The zone as a file of its own had it, say in an earlier edition of the database. */
int bl_tz_load(const char *name, const char *path, struct bl_tz **out, struct bl_error *err);

/* Writes the zone to a file of its own, for bl_tz_load. */
int bl_tz_save(const struct bl_tz *tz, const char *path, struct bl_error *err);

/* Whether both were read from the same bytes. */
bool bl_tz_is_same(const struct bl_tz *one, const struct bl_tz *other);

/* As it was asked for; borrowed from tz. */
const char *bl_tz_name(const struct bl_tz *tz);

/* Appends the IANA name of this machine's zone: from TZ, /etc/timezone or /etc/localtime; "UTC"
 * where none of them tells. */
void bl_tz_local_name(struct bl_buf *out);

/* One stretch [from, to) in which the clocks keep their distance from UTC. The first one reaches
 * back to INT64_MIN, the last one to BL_TIME_NEVER. */
struct bl_tz_stretch {
    bl_time from, to;
    bl_time offset; /* local - UTC */
    bool is_summer;
    const char *abbreviation; /* "CET"; borrowed from tz */
};

void bl_tz_stretch(const struct bl_tz *tz, bl_time at, struct bl_tz_stretch *out);

void bl_tz_to_civil(const struct bl_tz *tz, bl_time at, struct bl_civil *out);

enum bl_tz_showing { BL_TZ_ONCE, BL_TZ_MISSING, BL_TZ_TWICE };

struct bl_tz_found {
    enum bl_tz_showing showing;
    bl_time
        first; /* MISSING: the instant that the clocks would have shown it, had they not moved */
    bl_time second; /* of TWICE; else the same as first */
};

/* When the clocks show this time. */
void bl_tz_find(const struct bl_tz *tz, const struct bl_civil *civil, struct bl_tz_found *out);

/* Which of the two, where the clocks show a time twice. */
enum bl_tz_fold { BL_TZ_FOLD_ASK, BL_TZ_FOLD_FIRST, BL_TZ_FOLD_SECOND };

/* The instant of a local time. Refused with a hint: a time that is left out, and one that is shown
 * twice when fold is BL_TZ_FOLD_ASK. */
int bl_tz_to_instant(const struct bl_tz *tz, const struct bl_civil *civil, enum bl_tz_fold fold,
                     bl_time *out, struct bl_error *err);

/* The clocks of a zone as form/instant.h wants them; `clocks` must live as long as the result. */
struct bl_tz_clocks {
    const struct bl_tz *tz;
    enum bl_tz_fold fold;
};

struct bl_zone bl_tz_zone(struct bl_tz_clocks *clocks);

/* Reads an instant in the forms of form/instant.h; "2026-12-01 08:30" may have a blank for the T.
 */
int bl_tz_read(const struct bl_tz_clocks *clocks, const char *text, bl_time now, bl_time *out,
               struct bl_error *err);

/* Appends "2026-12-01 08:30", with seconds where there are any. */
void bl_tz_print(struct bl_buf *out, const struct bl_tz *tz, bl_time at);

/* Appends "2026-12-01T08:30+01:00", likewise. */
void bl_tz_print_offset(struct bl_buf *out, const struct bl_tz *tz, bl_time at);

#endif
