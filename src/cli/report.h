/* Reports as tables and as CSV, from the daemon's answers. */
#ifndef BL_CLI_REPORT_H
#define BL_CLI_REPORT_H

#include "cli/table.h"
#include "form/tree.h"

enum { BL_REPORT_WORDS_MAX = 8 };

/* The answer of /api/v1/report as a table with a last line for all together. */
void bl_report_print(struct bl_buf *out, const struct bl_tree *report,
                     const struct bl_table_look *look);

/* The answer of /api/v1/report/eta. Time by time that was foreseen only of starts told as ranges.
 */
void bl_report_print_eta(struct bl_buf *out, const struct bl_tree *report,
                         const struct bl_table_look *look);

/* A list of maps that all have the keys of the first one, as RFC 4180 has it: a line of keys, then
 * a line each; null is nothing. Characters that steer a terminal are escaped. */
void bl_report_print_csv(struct bl_buf *out, const struct bl_tree *rows);

#endif
