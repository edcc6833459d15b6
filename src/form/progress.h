/* How a job says how far it is: a line in the file that $BALEEN_PROGRESS names.
 *
 *     STEP[/TOTAL] [KEY=NUMBER]…
 *
 * The last complete line counts, so a job may write the file anew or append to it. Keys are rate
 * (units of work a second), batch (samples a GPU and step), accumulation (micro-steps before the
 * one that synchronises), iter and sync (seconds of an iteration, and of it in synchronisation),
 * grad_sqr and grad_var. Numbers take the endings k, M and G. */
#ifndef BL_FORM_PROGRESS_H
#define BL_FORM_PROGRESS_H

#include "base/buf.h"
#include "base/error.h"
#include "core/observation.h"

#include <stdbool.h>

enum { BL_PROGRESS_LINE_MAX = 512 };

struct bl_progress_report {
    double done, total; /* total 0 = unknown */
    bool has_observation;
    struct bl_observation observation;
};

/* One line, without its end. */
int bl_progress_parse(const char *text, struct bl_progress_report *out, struct bl_error *err);

/* The last complete line of some bytes that says something; false when there is none. */
bool bl_progress_find(const char *bytes, size_t length, struct bl_progress_report *out);

#endif
