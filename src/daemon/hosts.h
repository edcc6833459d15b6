/* Which names a request over TCP may give this machine. A page that a browser shows can have its
 * own name lead here; such requests carry that name, and are refused by it. */
#ifndef BL_DAEMON_HOSTS_H
#define BL_DAEMON_HOSTS_H

#include "base/error.h"

#include <stdbool.h>

/* Whether a Host header ("NAME[:PORT]") is an address, localhost, or one of the names. */
bool bl_hosts_has(const char *const *hosts, const char *host);

/* The headers of a request, each NULL where it has none: the host must be known, and an origin must
 * be the same host. */
int bl_hosts_check(const char *const *hosts, const char *host, const char *origin,
                   struct bl_error *err);

#endif
