/* Instants as people say them to each other, in local time and in their language. */
#ifndef BL_CLI_WHEN_H
#define BL_CLI_WHEN_H

#include "base/buf.h"
#include "base/error.h"
#include "base/span.h"

#include <stdbool.h>

/* Appends "15:05" today, "tomorrow 17:30", "Tue 09:00" within a week, else "2026-12-24 09:00". */
void bl_when_print(struct bl_buf *out, bl_time instant, bl_time now);

/* By the local calendar. */
bool bl_when_is_same_day(bl_time a, bl_time b);

/* Appends "2026-11-29T12:20:00Z", as the daemon reads it. */
void bl_when_print_iso(struct bl_buf *out, bl_time instant);

/* From here on the local zone is that one, an IANA name, until it is left. */
int bl_when_choose_zone(const char *name, struct bl_error *err);
void bl_when_leave_zone(void);
/* The name that was chosen; NULL where none was. */
const char *bl_when_chosen_zone(void);

/* Reads "15:30" (the next time the clock shows it), "today 18:00", "tomorrow 09:00", "tomorrow"
 * (midnight), "yesterday", "Tue 09:00", "+2h", "-7d" (ago), "now", and the forms of form/instant.h
 * in the local zone. */
int bl_when_parse(const char *text, bl_time now, bl_time *out, struct bl_error *err);

/* Appends `text` as the daemon reads it in a zone that it is told: a day that is named ("tomorrow
 * 09:00", "Tue 09:00") by its date in the local zone, all else as it stands. */
void bl_when_print_civil(struct bl_buf *out, const char *text, bl_time now);

/* Where `text` is a form of form/instant.h that depends on the zone: appends the instant in UTC, as
 * the local zone has it. False for other texts, and for what cannot be: the daemon says why. */
bool bl_when_fix(const char *text, bl_time now, struct bl_buf *out);

#endif
