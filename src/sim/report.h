/* What a replay found, as JSON with the keys of the contract or as a table. */
#ifndef BL_SIM_REPORT_H
#define BL_SIM_REPORT_H

#include "base/buf.h"
#include "sim/driver.h"

struct bl_sim_row {
    const char *policy; /* as it was written */
    struct bl_sim_result result;
};

/* An object for one row, an array for several; ends with a newline. */
void bl_sim_print_json(struct bl_buf *out, const struct bl_sim_row *rows, size_t count);
void bl_sim_print_table(struct bl_buf *out, const struct bl_sim_row *rows, size_t count);

#endif
