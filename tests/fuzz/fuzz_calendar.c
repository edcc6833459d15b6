/* Rules and series in text, zones in files and in text, and text that goes into a calendar. */
#include "fuzz.h"

#include "base/own.h"
#include "calendar/ical_line.h"
#include "calendar/series.h"
#include "calendar/tzif.h"

#include <string.h>

static struct bl_tz *berlin(void)
{
    static struct bl_tz *tz;

    if (!tz) {
        assert(bl_tz_create("Europe/Berlin", &tz, NULL) == BL_OK);
    }
    return tz;
}

/* What a rule prints is read back to the same print, and is said in words. */
static void check_rule(const struct bl_rule *rule)
{
    BL_AUTO_BUF printed = {0};
    BL_AUTO_BUF twice = {0};
    BL_AUTO_BUF words = {0};
    struct bl_rule again = {0};

    bl_rule_print(&printed, rule);
    assert(bl_rule_read(bl_buf_text(&printed), berlin(), &again, NULL) == BL_OK);
    bl_rule_print(&twice, &again);
    assert(!strcmp(bl_buf_text(&printed), bl_buf_text(&twice)));
    bl_rule_words(&words, rule, berlin(), BL_RULE_ENGLISH);
    bl_rule_words(&words, rule, berlin(), BL_RULE_CHINESE);
    assert(words.length > 0);
}

/* An expansion is rising, within its window and its ceiling. */
static void check_series(const struct bl_series *series)
{
    static const struct bl_series_window window = {INT64_C(20454) * BL_DAY,
                                                   INT64_C(20854) * BL_DAY};
    BL_AUTO_SERIES_SLOTS slots = {0};
    struct bl_error err = {0};
    int status = bl_series_expand(series, berlin(), &window, &slots, &err);

    check_refusal(status, &err);
    assert(slots.slots.count <= BL_SERIES_SLOTS_MAX);
    for (size_t i = 0; i < slots.slots.count; i++) {
        const struct bl_series_slot *slot = &slots.slots.at[i];

        assert(slot->start < slot->end);
        assert(slot->end > window.from && slot->start < window.horizon);
        assert(!i || slot[-1].end <= slot->start);
    }
}

static void read_rule(const char *text)
{
    struct bl_series series = {.first = {2026, 1, 1, 2, 30, 0}, .duration = BL_HOUR};
    struct bl_error err = {0};
    int status = bl_rule_read(text, berlin(), &series.rule, &err);

    check_refusal(status, &err);
    if (status == BL_OK) {
        check_rule(&series.rule);
        check_series(&series);
    }
}

static void read_series(const char *text)
{
    struct bl_series series = {0};
    struct bl_series again = {0};
    struct bl_error err = {0};
    BL_AUTO_BUF printed = {0};
    int status = bl_series_read(text, berlin(), &series, &err);

    check_refusal(status, &err);
    if (status == BL_OK) {
        bl_series_print(&printed, &series);
        assert(bl_series_read(bl_buf_text(&printed), berlin(), &again, NULL) == BL_OK);
        check_series(&series);
    }
}

static void read_zone(const char *text, const uint8_t *bytes, size_t length)
{
    struct bl_tzif tzif = {0};
    struct bl_tz_rule rule = {0};
    struct bl_error err = {0};
    int status = bl_tzif_read((const char *)bytes, length, &tzif, &err);
    int64_t from;
    int64_t to;

    check_refusal(status, &err);
    bl_tzif_finish(&tzif);
    if (bl_tz_rule_read(text, &rule)) {
        bl_tz_rule_at(&rule, INT64_C(1790000000), &from, &to);
        assert(from <= to);
    }
}

/* No line is longer than allowed, and nothing breaks out of one. */
static void write_text(const char *text)
{
    BL_AUTO_BUF out = {0};
    size_t in_line = 0;

    bl_ical_put_text(&out, "SUMMARY", text);
    for (size_t i = 0; i < out.length; i++) {
        unsigned char c = (unsigned char)out.text[i];

        assert(c >= ' ' || c == '\r' || c == '\n');
        assert(c != '\n' || i + 1 == out.length || out.text[i + 1] == ' ');
        in_line = c == '\n' ? 0 : in_line + 1;
        assert(in_line <= 76); /* with the \r */
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    BL_AUTO_FREE char *text = bl_alloc_zero(length + 1);

    if (length) {
        memcpy(text, bytes, length);
    }
    read_rule(text);
    read_series(text);
    read_zone(text, bytes, length);
    write_text(text);
    return 0;
}
