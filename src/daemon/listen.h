/* The daemon's sockets: where it stands, who may connect, and what is left of an earlier life. */
#ifndef BL_DAEMON_LISTEN_H
#define BL_DAEMON_LISTEN_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>

/* Appends the standard path for this user and makes its directory. */
int bl_listen_default_path(struct bl_buf *out, struct bl_error *err);

/* Listens there; *out is the descriptor. A socket that nobody listens on any more is replaced; one
 * with a daemon behind it, or another kind of file, is refused. */
int bl_listen_open(const char *path, int *out, struct bl_error *err);

/* The same for TCP. An address that other machines reach is refused without `is_remote`; port 0
 * picks a free one. Appends where it listens to `url`: "http://127.0.0.1:7420". */
struct bl_listen_tcp {
    const char *address; /* "ADDR:PORT", as bl_config_is_address has it */
    bool is_remote;
};
int bl_listen_open_tcp(const struct bl_listen_tcp *wish, int *out, struct bl_buf *url,
                       struct bl_error *err);

#endif
