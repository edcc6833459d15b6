#include "daemon/zone.h"

#include "base/buf.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#define ZONES "/usr/share/zoneinfo/"

bool bl_zone_is_known(const char *name)
{
    BL_AUTO_BUF path = {0};

    bl_buf_printf(&path, ZONES "%s", name);
    return name[0] && name[0] != '/' && !strstr(name, "..") &&
           access(bl_buf_text(&path), R_OK) == 0;
}

static bool is_same(const struct tm *a, const struct bl_civil *b)
{
    return a->tm_year + 1900 == b->year && a->tm_mon + 1 == b->month && a->tm_mday == b->day &&
           a->tm_hour == b->hour && a->tm_min == b->minute && a->tm_sec == b->second;
}

/* A time that the clocks leave out in spring is moved by the library; then it is not the same. */
static int to_instant(void *self, const struct bl_civil *civil, bl_time *out, struct bl_error *err)
{
    struct tm parts = {
        .tm_year = civil->year - 1900,
        .tm_mon = civil->month - 1,
        .tm_mday = civil->day,
        .tm_hour = civil->hour,
        .tm_min = civil->minute,
        .tm_sec = civil->second,
        .tm_isdst = -1,
    };
    time_t seconds = mktime(&parts);

    (void)self;
    if (!is_same(&parts, civil)) {
        return bl_fail(err, BL_EINVAL, "the clocks of this machine never show %02d:%02d that day",
                       civil->hour, civil->minute);
    }
    *out = (bl_time)seconds * BL_SECOND;
    return BL_OK;
}

static void to_civil(void *self, bl_time at, struct bl_civil *out)
{
    time_t seconds = (time_t)(at / BL_SECOND);
    struct tm parts = {0};

    (void)self;
    localtime_r(&seconds, &parts);
    *out = (struct bl_civil){
        .year = parts.tm_year + 1900,
        .month = parts.tm_mon + 1,
        .day = parts.tm_mday,
        .hour = parts.tm_hour,
        .minute = parts.tm_min,
        .second = parts.tm_sec,
    };
}

const struct bl_zone bl_zone_local = {.self = NULL, .to_instant = to_instant, .to_civil = to_civil};
