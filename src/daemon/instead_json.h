/* What a job that waits could ask for instead, as the API shows it. */
#ifndef BL_DAEMON_INSTEAD_JSON_H
#define BL_DAEMON_INSTEAD_JSON_H

#include "core/instead.h"
#include "form/json_out.h"

/* The key "instead": a list of changes, each as the body of a PATCH of the job and as flags of a
 * submission; null where nobody looked. */
void bl_instead_json_write(struct bl_json *json, const struct bl_insteads *insteads);

#endif
