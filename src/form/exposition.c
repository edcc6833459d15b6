#include "form/exposition.h"

#include "form/json_out.h"

#include <math.h>

static const char *const kind_words[] = {
    [BL_FAMILY_COUNTER] = "counter",
    [BL_FAMILY_GAUGE] = "gauge",
    [BL_FAMILY_HISTOGRAM] = "histogram",
};

void bl_exposition_family(struct bl_exposition *to, const char *name, enum bl_family_kind kind,
                          const char *help)
{
    to->family = name;
    bl_buf_printf(to->out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind_words[kind]);
}

static void put_value(struct bl_buf *out, const char *value)
{
    for (; value && *value; value++) {
        if (*value == '\n') {
            bl_buf_append_text(out, "\\n");
        } else {
            if (*value == '"' || *value == '\\') {
                bl_buf_append_char(out, '\\');
            }
            bl_buf_append_char(out, *value);
        }
    }
}

static void put_labels(struct bl_buf *out, const struct bl_label *labels)
{
    char before = '{';

    for (; labels && labels->name; labels++) {
        bl_buf_printf(out, "%c%s=\"", before, labels->name);
        put_value(out, labels->value);
        bl_buf_append_char(out, '"');
        before = ',';
    }
    if (before == ',') {
        bl_buf_append_char(out, '}');
    }
    bl_buf_append_char(out, ' ');
}

static void begin(struct bl_exposition *to, const char *suffix, const struct bl_label *labels)
{
    bl_buf_printf(to->out, "%s%s", to->family, suffix);
    put_labels(to->out, labels);
}

void bl_exposition_int(struct bl_exposition *to, const struct bl_label *labels, int64_t value)
{
    begin(to, "", labels);
    bl_buf_printf(to->out, "%lld\n", (long long)value);
}

/* JSON's form of a number is one of this format, too. */
void bl_exposition_double(struct bl_exposition *to, const struct bl_label *labels, double value)
{
    struct bl_json json;

    begin(to, "", labels);
    if (isnan(value)) {
        bl_buf_append_text(to->out, "NaN");
    } else if (isinf(value)) {
        bl_buf_append_text(to->out, value > 0 ? "+Inf" : "-Inf");
    } else {
        bl_json_init(&json, to->out);
        bl_json_double(&json, value);
    }
    bl_buf_append_char(to->out, '\n');
}

void bl_exposition_seconds(struct bl_exposition *to, const struct bl_label *labels, bl_time value)
{
    begin(to, "", labels);
    bl_seconds_print(to->out, value);
    bl_buf_append_char(to->out, '\n');
}

static void put_bucket(struct bl_exposition *to, const char *bound, int64_t count)
{
    const struct bl_label labels[] = {{"le", bound}, {NULL, NULL}};

    begin(to, "_bucket", labels);
    bl_buf_printf(to->out, "%lld\n", (long long)count);
}

void bl_exposition_histogram(struct bl_exposition *to, const struct bl_bounds *bounds,
                             const struct bl_histogram *histogram)
{
    int64_t total = bl_histogram_total(histogram);
    int64_t so_far = 0;

    for (size_t i = 0; i < bounds->count; i++) {
        BL_AUTO_BUF bound = {0};

        so_far += histogram->count[i];
        bl_seconds_print(&bound, bounds->at[i]);
        put_bucket(to, bl_buf_text(&bound), so_far);
    }
    put_bucket(to, "+Inf", total);
    begin(to, "_sum", NULL);
    bl_seconds_print(to->out, histogram->sum);
    bl_buf_append_char(to->out, '\n');
    begin(to, "_count", NULL);
    bl_buf_printf(to->out, "%lld\n", (long long)total);
}
