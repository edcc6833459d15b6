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
static int resolve(const char *text, struct sockaddr_storage *out, socklen_t *length,
                   struct bl_error *err)
{
    static const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
                                          .ai_socktype = SOCK_STREAM};
    const char *colon = strrchr(text, ':');
    bool is_bracketed = text[0] == '[';
    const char *from = text + is_bracketed;
    size_t size = (size_t)(colon - from) - is_bracketed;
    struct addrinfo *found = NULL;
    char name[NAME_ROOM] = "";

    memcpy(name, from, size < sizeof name ? size : sizeof name - 1);
    if (getaddrinfo(strcmp(name, "localhost") == 0 ? "127.0.0.1" : name, colon + 1, &hints,
                    &found) != 0) {
        bl_fail(err, BL_EINVAL, "expected an address of this machine, found '%.64s'", name);
        return bl_error_set_hint(err, "write it in numbers, as 127.0.0.1:7420 or [::1]:7420");
    }
    memcpy(out, found->ai_addr, found->ai_addrlen);
    *length = found->ai_addrlen;
    freeaddrinfo(found);
    return BL_OK;
}

static bool is_loopback(const struct sockaddr_storage *address)
{
    if (address->ss_family == AF_INET6) {
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
    }
    return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

static int check_reach(const struct bl_listen_tcp *wish, const struct sockaddr_storage *address,
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
    struct sockaddr_storage address;
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

int bl_listen_open_tcp(const struct bl_listen_tcp *wish, int *out, struct bl_buf *url,
                       struct bl_error *err)
{
    struct sockaddr_storage address = {0};
    socklen_t length = 0;
    BL_AUTO_FD fd = -1;
    int yes = 1;

    if (resolve(wish->address, &address, &length, err) != BL_OK ||
        check_reach(wish, &address, err) != BL_OK) {
        return (int)err->status;
    }
    fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return bl_fail_sys(err, "cannot make a socket for %s", wish->address);
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, (const struct sockaddr *)&address, length) < 0 || listen(fd, BACKLOG) < 0) {
        return fail_bind(wish->address, err);
    }
    print_address(fd, url);
    *out = bl_take_fd(&fd);
    return BL_OK;
}
