/* From what a request says of itself to who asks, and whether that may be asked at all. */
#ifndef BL_DAEMON_IDENTIFY_H
#define BL_DAEMON_IDENTIFY_H

#include "daemon/http.h"
#include "daemon/sessions.h"

struct bl_identity_rules {
    const struct bl_tokens *tokens;
    const struct bl_sessions *sessions;
    bool is_public;           /* whoever is not known may look */
    const char *const *hosts; /* see bl_hosts_check */
    bool open_metrics;        /* whoever comes may read /metrics */
    bl_time now;
};

int bl_identify(const struct bl_identity_rules *rules, const struct bl_caller *caller,
                struct bl_peer *out, enum bl_answer *kind, struct bl_error *err);

#endif
