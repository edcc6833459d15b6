/* What /metrics tells of the ledger: docs/metrics.md lists it. */
#ifndef BL_DAEMON_GAUGES_H
#define BL_DAEMON_GAUGES_H

#include "daemon/ledger.h"
#include "form/exposition.h"

void bl_gauges_write(struct bl_exposition *to, const struct bl_ledger *ledger, bl_time now);

#endif
