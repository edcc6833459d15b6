/* What a local job says of its progress, in BALEEN_DIR/progress. The file is the job's user's:
 * nothing in it is trusted. */
#ifndef BL_ENGINE_LOCAL_PROGRESS_H
#define BL_ENGINE_LOCAL_PROGRESS_H

#include "form/progress.h"

#include <time.h>

/* What the file looked like when it was read last; zeroes at first. */
struct bl_local_progress {
    struct timespec changed;
    long long size;
};

/* True, and *out filled, when the file changed since and its last complete line can be read. */
bool bl_local_progress_read(struct bl_local_progress *seen, const char *directory,
                            struct bl_progress_report *out);

/* Takes note of what an attempt before has left there. */
void bl_local_progress_skip(struct bl_local_progress *seen, const char *directory);

#endif
