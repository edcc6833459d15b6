#include "calendar/zone.h"

#include "base/own.h"
#include "calendar/tzif.h"
#include "os/fs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 1024 * 1024, NAME_COLUMN = 2 };

/* No offset is larger: a local time is within a day and a bit of its UTC twin. */
#define REACH (27 * BL_HOUR)

struct bl_tz {
    char name[BL_TZ_NAME_MAX];
    struct bl_buf file; /* as it was read */
    struct bl_tzif tzif;
};

/* --- the database ---------------------------------------------------------------------------- */

static const char *database(void)
{
    const char *folder = getenv("TZDIR");

    return folder && *folder ? folder : "/usr/share/zoneinfo";
}

/* Words of letters between slashes: nothing that leads out of the database. */
static bool is_name(const char *name)
{
    size_t length = strlen(name);
    bool starts_word = true;

    for (size_t i = 0; i < length; i++) {
        bool is_letter = isalpha((unsigned char)name[i]) != 0;

        if (starts_word ? !is_letter
                        : !isalnum((unsigned char)name[i]) && !strchr("_+-/", name[i])) {
            return false;
        }
        starts_word = name[i] == '/';
    }
    return length && length < BL_TZ_NAME_MAX && !starts_word;
}

/* Copies of the database with other seconds, and what a machine has made its own. */
static bool is_other(const char *name)
{
    static const char *const other[] = {"posix/", "right/", "localtime", "posixrules"};

    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        if (!strncmp(name, other[i], strlen(other[i]))) {
            return true;
        }
    }
    return false;
}

/* "berlin" means Europe/Berlin, "new york" America/New_York. */
static bool is_meant(const char *listed, const char *name)
{
    const char *city = strrchr(listed, '/');
    BL_AUTO_FREE char *joined = bl_copy_text(name);

    for (char *c = joined; *c; c++) {
        *c = *c == ' ' ? '_' : *c;
    }
    return !strcasecmp(listed, joined) || (city && !strcasecmp(city + 1, joined));
}

/* zone.tab: country, place, name and notes between tabs. */
static bool find_meant(const char *name, char out[BL_TZ_NAME_MAX])
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF table = {0};
    char *rest = NULL;

    bl_buf_printf(&path, "%s/zone.tab", database());
    if (bl_fs_read(bl_buf_text(&path), FILE_BYTES_MAX, &table, NULL) || !table.text) {
        return false;
    }
    for (char *line = strtok_r(table.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *columns = NULL;
        char *column = *line == '#' ? NULL : strtok_r(line, "\t", &columns);

        for (int i = 0; column && i < NAME_COLUMN; i++) {
            column = strtok_r(NULL, "\t", &columns);
        }
        if (column && strlen(column) < BL_TZ_NAME_MAX && is_meant(column, name)) {
            memcpy(out, column, strlen(column) + 1);
            return true;
        }
    }
    return false;
}

static int fail_name(const char *name, struct bl_error *err)
{
    char meant[BL_TZ_NAME_MAX];

    bl_fail(err, BL_EINVAL, "unknown time zone '%.64s': expected an IANA name like Europe/Berlin",
            name);
    if (find_meant(name, meant)) {
        bl_error_set_hint(err, "did you mean %s?", meant);
    }
    return BL_EINVAL;
}

/* Takes the file's bytes. */
static int make(const char *name, struct bl_buf *file, struct bl_tz **out, struct bl_error *err)
{
    struct bl_tzif tzif = {0};
    struct bl_tz *tz;

    if (bl_tzif_read(bl_buf_text(file), file->length, &tzif, err)) {
        return bl_wrap(err, "time zone '%s'", name);
    }
    tz = bl_alloc_zero(sizeof *tz);
    memcpy(tz->name, name, strlen(name) + 1);
    tz->file = *file;
    *file = (struct bl_buf){0};
    tz->tzif = tzif;
    *out = tz;
    return BL_OK;
}

/* Known without a database. */
static int make_utc(struct bl_tz **out)
{
    struct bl_tz *tz = bl_alloc_zero(sizeof *tz);

    memcpy(tz->name, "UTC", sizeof "UTC");
    bl_tz_rule_read("UTC0", &tz->tzif.rule);
    *out = tz;
    return BL_OK;
}

int bl_tz_create(const char *name, struct bl_tz **out, struct bl_error *err)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF file = {0};

    if (!is_name(name) || is_other(name)) {
        return fail_name(name, err);
    }
    if (!strcmp(name, "UTC")) {
        return make_utc(out);
    }
    bl_buf_printf(&path, "%s/%s", database(), name);
    return bl_fs_read(bl_buf_text(&path), FILE_BYTES_MAX, &file, NULL)
               ? fail_name(name, err)
               : make(name, &file, out, err);
}

int bl_tz_load(const char *name, const char *path, struct bl_tz **out, struct bl_error *err)
{
    BL_AUTO_BUF file = {0};
    int status = is_name(name) ? BL_OK : fail_name(name, err);

    status = status ? status : bl_fs_read(path, FILE_BYTES_MAX, &file, err);
    return status ? status : make(name, &file, out, err);
}

int bl_tz_save(const struct bl_tz *tz, const char *path, struct bl_error *err)
{
    return bl_fs_write_atomic(path, 0644, bl_buf_text(&tz->file), tz->file.length, err);
}

bool bl_tz_is_same(const struct bl_tz *one, const struct bl_tz *other)
{
    return one->file.length == other->file.length &&
           !memcmp(bl_buf_text(&one->file), bl_buf_text(&other->file), one->file.length);
}

void bl_tz_destroy(struct bl_tz *tz)
{
    if (tz) {
        bl_buf_finish(&tz->file);
        bl_tzif_finish(&tz->tzif);
        free(tz);
    }
}

const char *bl_tz_name(const struct bl_tz *tz)
{
    return tz->name;
}

/* --- the zone of this machine ---------------------------------------------------------------- */

static bool try_name(const char *name, struct bl_buf *out)
{
    struct bl_tz *tz = NULL;

    if (bl_tz_create(name, &tz, NULL)) {
        return false;
    }
    bl_tz_destroy(tz);
    bl_buf_append_text(out, name);
    return true;
}

static bool try_file(struct bl_buf *out)
{
    BL_AUTO_BUF file = {0};

    if (bl_fs_read("/etc/timezone", FILE_BYTES_MAX, &file, NULL) || !file.text) {
        return false;
    }
    file.text[strcspn(file.text, " \t\r\n")] = '\0';
    return try_name(file.text, out);
}

static bool try_link(struct bl_buf *out)
{
    static const char folder[] = "zoneinfo/";
    char target[512];
    ssize_t length = readlink("/etc/localtime", target, sizeof target - 1);
    const char *name;

    if (length <= 0) {
        return false;
    }
    target[length] = '\0';
    name = strstr(target, folder);
    return name && try_name(name + sizeof folder - 1, out);
}

void bl_tz_local_name(struct bl_buf *out)
{
    const char *set = getenv("TZ");

    if (set && *set) {
        if (!try_name(set + (*set == ':'), out)) {
            bl_buf_append_text(out, "UTC");
        }
    } else if (!try_file(out) && !try_link(out)) {
        bl_buf_append_text(out, "UTC");
    }
}

/* --- what the clocks show -------------------------------------------------------------------- */

static bl_time seconds(int64_t from_file)
{
    return from_file > INT64_MAX / BL_SECOND   ? BL_TIME_NEVER
           : from_file < INT64_MIN / BL_SECOND ? INT64_MIN
                                               : from_file * BL_SECOND;
}

static int64_t floor_seconds(bl_time at)
{
    return at / BL_SECOND - (at % BL_SECOND < 0);
}

/* How many of the recorded changes lie at or before the instant. */
static size_t changes_until(const struct bl_tzif *tzif, int64_t at)
{
    size_t low = 0;
    size_t high = tzif->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (tzif->when[middle] <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void bl_tz_stretch(const struct bl_tz *tz, bl_time at, struct bl_tz_stretch *out)
{
    const struct bl_tzif *tzif = &tz->tzif;
    int64_t instant = floor_seconds(at);
    size_t changes = changes_until(tzif, instant);
    const struct bl_tz_kind *kind;
    int64_t from = INT64_MIN;
    int64_t to = INT64_MAX;

    if (changes == tzif->count) {
        kind = bl_tz_rule_at(&tzif->rule, instant, &from, &to);
    } else {
        kind = &tzif->kind[changes ? tzif->type[changes - 1] : 0];
        to = tzif->when[changes];
    }
    if (changes && from < tzif->when[changes - 1]) {
        from = tzif->when[changes - 1];
    }
    *out = (struct bl_tz_stretch){
        .from = seconds(from),
        .to = seconds(to),
        .offset = kind->offset * BL_SECOND,
        .is_summer = kind->is_summer,
        .abbreviation = kind->abbreviation,
    };
}

void bl_tz_to_civil(const struct bl_tz *tz, bl_time at, struct bl_civil *out)
{
    struct bl_tz_stretch stretch;

    bl_tz_stretch(tz, at, &stretch);
    bl_zone_utc.to_civil(NULL, at + stretch.offset, out);
}

static bl_time as_utc(const struct bl_civil *civil)
{
    bl_time at = 0;

    bl_zone_utc.to_instant(NULL, civil, &at, NULL);
    return at;
}

/* One stretch may show the local time once; `before` is the stretch before it. */
static void look_at(const struct bl_tz_stretch *stretch, const struct bl_tz_stretch *before,
                    bl_time local, struct bl_tz_found *out)
{
    bl_time at = local - stretch->offset;

    if (at >= stretch->from && at < stretch->to) {
        out->first = out->showing == BL_TZ_MISSING ? at : out->first;
        out->second = at;
        out->showing = out->showing == BL_TZ_MISSING ? BL_TZ_ONCE : BL_TZ_TWICE;
    } else if (out->showing == BL_TZ_MISSING && before && stretch->from + before->offset <= local &&
               at < stretch->from) {
        /* the gap: at the distance from before, that is behind the change */
        out->first = local - before->offset;
        out->second = out->first;
    }
}

void bl_tz_find(const struct bl_tz *tz, const struct bl_civil *civil, struct bl_tz_found *out)
{
    bl_time local = as_utc(civil);
    struct bl_tz_stretch before;
    struct bl_tz_stretch stretch;

    *out = (struct bl_tz_found){.showing = BL_TZ_MISSING};
    bl_tz_stretch(tz, local - REACH, &stretch);
    look_at(&stretch, NULL, local, out);
    while (stretch.to < local + REACH) {
        before = stretch;
        bl_tz_stretch(tz, before.to, &stretch);
        look_at(&stretch, &before, local, out);
    }
}

/* --- instants from text ---------------------------------------------------------------------- */

static void print_civil(struct bl_buf *out, const struct bl_civil *civil, char between)
{
    bl_buf_printf(out, "%04d-%02d-%02d%c%02d:%02d", civil->year, civil->month, civil->day, between,
                  civil->hour, civil->minute);
    if (civil->second) {
        bl_buf_printf(out, ":%02d", civil->second);
    }
}

void bl_tz_print(struct bl_buf *out, const struct bl_tz *tz, bl_time at)
{
    struct bl_civil civil;

    bl_tz_to_civil(tz, at, &civil);
    print_civil(out, &civil, ' ');
}

static int fail_missing(const struct bl_tz *tz, const struct bl_civil *civil, bl_time moved,
                        struct bl_error *err)
{
    BL_AUTO_BUF asked = {0};
    BL_AUTO_BUF offered = {0};

    print_civil(&asked, civil, ' ');
    bl_tz_print(&offered, tz, moved);
    bl_fail(err, BL_EINVAL, "the clocks in %s never show %s: they are put forward over it",
            tz->name, bl_buf_text(&asked));
    return bl_error_set_hint(err, "take %s", bl_buf_text(&offered));
}

static void print_with_offset(struct bl_buf *out, const struct bl_tz *tz,
                              const struct bl_civil *civil, bl_time at)
{
    struct bl_tz_stretch stretch;
    bl_time offset;

    bl_tz_stretch(tz, at, &stretch);
    offset = stretch.offset < 0 ? -stretch.offset : stretch.offset;
    print_civil(out, civil, 'T');
    bl_buf_printf(out, "%c%02d:%02d", stretch.offset < 0 ? '-' : '+', (int)(offset / BL_HOUR),
                  (int)(offset % BL_HOUR / BL_MINUTE));
}

void bl_tz_print_offset(struct bl_buf *out, const struct bl_tz *tz, bl_time at)
{
    struct bl_civil civil;

    bl_tz_to_civil(tz, at, &civil);
    print_with_offset(out, tz, &civil, at);
}

static int fail_twice(const struct bl_tz *tz, const struct bl_civil *civil,
                      const struct bl_tz_found *found, struct bl_error *err)
{
    BL_AUTO_BUF asked = {0};
    BL_AUTO_BUF first = {0};
    BL_AUTO_BUF second = {0};

    print_civil(&asked, civil, ' ');
    print_with_offset(&first, tz, civil, found->first);
    print_with_offset(&second, tz, civil, found->second);
    bl_fail(err, BL_EINVAL, "the clocks in %s show %s twice, as they are put back: which one?",
            tz->name, bl_buf_text(&asked));
    return bl_error_set_hint(err, "%s is the first, %s the second", bl_buf_text(&first),
                             bl_buf_text(&second));
}

int bl_tz_to_instant(const struct bl_tz *tz, const struct bl_civil *civil, enum bl_tz_fold fold,
                     bl_time *out, struct bl_error *err)
{
    struct bl_tz_found found;

    bl_tz_find(tz, civil, &found);
    if (found.showing == BL_TZ_MISSING) {
        return fail_missing(tz, civil, found.first, err);
    }
    if (found.showing == BL_TZ_TWICE && fold == BL_TZ_FOLD_ASK) {
        return fail_twice(tz, civil, &found, err);
    }
    *out = fold == BL_TZ_FOLD_SECOND ? found.second : found.first;
    return BL_OK;
}

static int zone_to_instant(void *self, const struct bl_civil *civil, bl_time *out,
                           struct bl_error *err)
{
    const struct bl_tz_clocks *clocks = self;

    return bl_tz_to_instant(clocks->tz, civil, clocks->fold, out, err);
}

static void zone_to_civil(void *self, bl_time at, struct bl_civil *out)
{
    const struct bl_tz_clocks *clocks = self;

    bl_tz_to_civil(clocks->tz, at, out);
}

struct bl_zone bl_tz_zone(struct bl_tz_clocks *clocks)
{
    return (struct bl_zone){clocks, zone_to_instant, zone_to_civil};
}

int bl_tz_read(const struct bl_tz_clocks *clocks, const char *text, bl_time now, bl_time *out,
               struct bl_error *err)
{
    struct bl_tz_clocks copy = *clocks;
    struct bl_zone zone = bl_tz_zone(&copy);
    struct bl_instant instant = {0};
    int status = bl_instant_parse(text, &instant, err);

    return status ? status : bl_instant_resolve(&instant, now, &zone, out, err);
}
