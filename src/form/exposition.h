/* Writes figures in Prometheus' text format, version 0.0.4: families in any order, samples behind
 * the family that they belong to. */
#ifndef BL_FORM_EXPOSITION_H
#define BL_FORM_EXPOSITION_H

#include "base/buf.h"
#include "base/histogram.h"

#include <stdint.h>

enum bl_family_kind { BL_FAMILY_COUNTER, BL_FAMILY_GAUGE, BL_FAMILY_HISTOGRAM };

struct bl_exposition {
    struct bl_buf *out;
    const char *family; /* the last one; borrowed */
};

/* A NULL name ends a list. Values may hold any bytes; NULL stands for none. */
struct bl_label {
    const char *name;
    const char *value;
};

void bl_exposition_family(struct bl_exposition *to, const char *name, enum bl_family_kind kind,
                          const char *help);

/* Samples; `labels` NULL = none. */
void bl_exposition_int(struct bl_exposition *to, const struct bl_label *labels, int64_t value);
void bl_exposition_double(struct bl_exposition *to, const struct bl_label *labels, double value);
void bl_exposition_seconds(struct bl_exposition *to, const struct bl_label *labels, bl_time value);
void bl_exposition_histogram(struct bl_exposition *to, const struct bl_bounds *bounds,
                             const struct bl_histogram *histogram);

#endif
