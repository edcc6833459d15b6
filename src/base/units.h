/* Numbers and sizes as people write them. All refuse trailing text. */
#ifndef BL_BASE_UNITS_H
#define BL_BASE_UNITS_H

#include "base/buf.h"
#include "base/error.h"

#include <stdint.h>

/* A whole number in [low, high]. */
int bl_int_parse(const char *text, int64_t low, int64_t high, int64_t *out, struct bl_error *err);

/* A decimal number with at most nine decimals, times `scale`, rounded to the nearest: "1.5" with
 * scale 1000 is 1500. Refuses negative ones and results over 2^53. */
int bl_scaled_parse(const char *text, int64_t scale, int64_t *out, struct bl_error *err);

/* A size in bytes: "40G", "40GB", "40GiB" are all 40 * 2^30; K, M, G, T, P; a bare number is
 * bytes. Decimals are allowed ("1.5G"). */
int bl_size_parse(const char *text, int64_t *out, struct bl_error *err);

/* Appends "40GiB", "512MiB", "1.5GiB", "17B": the largest unit, at most one decimal. */
void bl_size_print(struct bl_buf *out, int64_t bytes);

#endif
