/* The page's cookie. Cookies know no ports: its name holds the one that the browser sees, so that
 * daemons behind several tunnels do not sign each other's users out. */
#ifndef BL_DAEMON_COOKIE_H
#define BL_DAEMON_COOKIE_H

#include "base/buf.h"
#include "base/span.h"

#include <stdbool.h>

enum { BL_COOKIE_ROOM = 128 /* for a value */ };

/* Looks for the cookie of this Host (NULL: none) in a Cookie header (NULL: none). False where it is
 * not there, or too long to be one. */
bool bl_cookie_find(const char *header, const char *host, char out[BL_COOKIE_ROOM]);

struct bl_cookie {
    const char *host; /* as the request names this machine, or NULL */
    const char *value;
    bl_time age;    /* 0: it ends now */
    bool is_secure; /* for https alone */
};

/* Appends the value of a Set-Cookie header. */
void bl_cookie_print(struct bl_buf *out, const struct bl_cookie *cookie);

#endif
