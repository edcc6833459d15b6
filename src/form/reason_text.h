/* Reasons as sentences for people: "behind job 12", "needs 4 GPUs, 2 of the suitable ones are
 * free", "cannot enter the working directory /x: No such file or directory". */
#ifndef BL_FORM_REASON_TEXT_H
#define BL_FORM_REASON_TEXT_H

#include "base/buf.h"
#include "core/reason.h"
#include "form/launch.h"

/* `launch` names paths and the command in the message; NULL leaves them out. */
void bl_reason_print(struct bl_buf *out, const struct bl_reason *reason,
                     const struct bl_launch *launch);

#endif
