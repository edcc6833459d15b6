/* The daemon's socket: where it stands, who may connect, and what is left of an earlier life. */
#ifndef BL_DAEMON_LISTEN_H
#define BL_DAEMON_LISTEN_H

#include "base/buf.h"
#include "base/error.h"

/* Appends the standard path for this user and makes its directory. */
int bl_listen_default_path(struct bl_buf *out, struct bl_error *err);

/* Listens there; *out is the descriptor. A socket that nobody listens on any more is replaced; one
 * with a daemon behind it, or another kind of file, is refused. */
int bl_listen_open(const char *path, int *out, struct bl_error *err);

#endif
