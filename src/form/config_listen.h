/* The key `listen` of the daemon's configuration: where it listens, and what it stands. */
#ifndef BL_FORM_CONFIG_LISTEN_H
#define BL_FORM_CONFIG_LISTEN_H

#include "form/tree_read.h"

enum { BL_CONFIG_PATH_MAX = 4096 /* with its end */, BL_CONFIG_HOSTS_MAX = 32 };

/* What one peer, or all together, may take. */
struct bl_config_limits {
    int64_t connections;      /* at once */
    int64_t connections_user; /* of one user of the socket who does not run the daemon */
    int64_t header;           /* bytes of a request line with its headers */
    int64_t body;             /* bytes */
    bl_time idle;             /* without a request */
    bl_time request;          /* from its first byte to its last */
    bl_time answer;           /* from its first byte to its last, but for streams */
};

/* Texts and arrays are in the arena or the tree; NULL where not given. */
struct bl_config_listen {
    const char *socket;       /* absolute */
    const char *http;         /* "ADDR:PORT", "[ADDR]:PORT" or "none" */
    const char *const *hosts; /* names that a request may call this machine; NULL-terminated */
    bool open_metrics;        /* /metrics needs no token */
    bool remote;              /* `http` may be an address that other machines reach */
    struct bl_config_limits limits;
};

struct bl_config_listen bl_config_listen_default(void);

/* "127.0.0.1:7420", "[::1]:7420", "localhost:0". */
bool bl_config_is_address(const char *text);

/* `*out` holds the standard values before. */
int bl_config_listen_read(const struct bl_tree_reader *in, const struct bl_tree *at,
                          struct bl_config_listen *out);

#endif
