#include "daemon/hosts.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

enum { NAME_ROOM = 256 };

/* Without the port and, of an IPv6 address, its brackets. */
static bool take_name(const char *host, char *out)
{
    bool is_bracketed = host[0] == '[';
    const char *from = host + is_bracketed;
    size_t length = strcspn(from, is_bracketed ? "]" : ":");
    const char *rest = from + length + is_bracketed;

    if (length == 0 || length >= NAME_ROOM || (is_bracketed && from[length] != ']') ||
        (rest[0] && (rest[0] != ':' || strspn(rest + 1, "0123456789") != strlen(rest + 1)))) {
        return false;
    }
    memcpy(out, from, length);
    out[length] = '\0';
    return true;
}

static bool is_ip(const char *name)
{
    struct in6_addr room;

    return inet_pton(AF_INET, name, &room) == 1 || inet_pton(AF_INET6, name, &room) == 1;
}

bool bl_hosts_has(const char *const *hosts, const char *host)
{
    char name[NAME_ROOM];

    if (!take_name(host, name)) {
        return false;
    }
    for (size_t i = 0; hosts && hosts[i]; i++) {
        if (!strcasecmp(hosts[i], name)) {
            return true;
        }
    }
    return is_ip(name) || !strcasecmp(name, "localhost");
}

static bool is_origin_of(const char *origin, const char *host)
{
    const char *mark = strstr(origin, "://");

    return mark && host && !strcasecmp(mark + 3, host);
}

int bl_hosts_check(const char *const *hosts, const char *host, const char *origin,
                   struct bl_error *err)
{
    if (host && !bl_hosts_has(hosts, host)) {
        bl_fail(err, BL_EREFUSED, "the request calls this machine '%.128s', which it does not know",
                host);
        return bl_error_set_hint(err, "use 127.0.0.1 or localhost, or name it in listen.hosts of "
                                      "the configuration");
    }
    if (origin && !is_origin_of(origin, host)) {
        bl_fail(err, BL_EREFUSED, "a page of '%.128s' may not make requests here", origin);
        return bl_error_set_hint(err, "only pages of the same host may");
    }
    return BL_OK;
}
