/* The TCP port. */
#include "daemon/listen.h"
#include "os/own_fd.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

enum { BACKLOG = 512, NAME_ROOM = 256 };

/* "127.0.0.1:7420", "[::1]:7420", "localhost:7420", checked for its form before. */
static int resolve(const char *text, struct addrinfo **out, struct bl_error *err)
{
    static const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
                                          .ai_socktype = SOCK_STREAM};
    const char *colon = strrchr(text, ':');
    bool is_bracketed = text[0] == '[';
    const char *from = text + is_bracketed;
    size_t size = (size_t)(colon - from) - is_bracketed;
    char name[NAME_ROOM] = "";

    memcpy(name, from, size < sizeof name ? size : sizeof name - 1);
    if (getaddrinfo(strcmp(name, "localhost") == 0 ? "127.0.0.1" : name, colon + 1, &hints, out) !=
        0) {
        bl_fail(err, BL_EINVAL, "expected an address of this machine, found '%.64s'", name);
        return bl_error_set_hint(err, "write it in numbers, as 127.0.0.1:7420 or [::1]:7420");
    }
    return BL_OK;
}

static bool is_loopback(const struct addrinfo *address)
{
    const void *bytes = address->ai_addr;

    if (address->ai_family == AF_INET6) {
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)bytes)->sin6_addr);
    }
    return ntohl(((const struct sockaddr_in *)bytes)->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

static int check_reach(const struct bl_listen_tcp *wish, const struct addrinfo *address,
                       struct bl_error *err)
{
    if (wish->is_remote || is_loopback(address)) {
        return BL_OK;
    }
    bl_fail(err, BL_EREFUSED,
            "%s can be reached from other machines, and what passes there is not encrypted",
            wish->address);
    return bl_error_set_hint(err,
                             "listen on 127.0.0.1 and come by ssh -L or a proxy with TLS; or say "
                             "listen: {remote: yes} in the configuration");
}

static int fail_bind(const char *address, struct bl_error *err)
{
    bool is_busy = errno == EADDRINUSE;

    bl_fail_sys(err, "cannot listen on %s", address);
    return is_busy ? bl_error_set_hint(err, "something else listens there: choose another port "
                                            "with --http ADDR:PORT, or --http none")
                   : (int)err->status;
}

/* What it is in the end: the port may have been picked. */
static void print_address(int fd, struct bl_buf *out)
{
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    char host[NI_MAXHOST];
    char port[NI_MAXSERV];
    bool is_v6;

    getsockname(fd, (struct sockaddr *)&address, &length);
    is_v6 = address.ss_family == AF_INET6;
    getnameinfo((struct sockaddr *)&address, length, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    bl_buf_printf(out, "http://%s%s%s:%s", is_v6 ? "[" : "", host, is_v6 ? "]" : "", port);
}

static int open_at(const struct addrinfo *address, const char *name, int *out, struct bl_error *err)
{
    BL_AUTO_FD fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int yes = 1;

    if (fd < 0) {
        return bl_fail_sys(err, "cannot make a socket for %s", name);
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, address->ai_addr, address->ai_addrlen) < 0 || listen(fd, BACKLOG) < 0) {
        return fail_bind(name, err);
    }
    *out = bl_take_fd(&fd);
    return BL_OK;
}

int bl_listen_open_tcp(const struct bl_listen_tcp *wish, int *out, struct bl_buf *url,
                       struct bl_error *err)
{
    struct addrinfo *address = NULL;
    int status = resolve(wish->address, &address, err);

    if (status != BL_OK) {
        return status;
    }
    status = check_reach(wish, address, err);
    status = status == BL_OK ? open_at(address, wish->address, out, err) : status;
    freeaddrinfo(address);
    if (status == BL_OK) {
        print_address(*out, url);
    }
    return status;
}
