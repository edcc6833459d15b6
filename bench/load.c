/* Load for a daemon, cheap enough not to be what is measured.
 *
 *     load SOCKET submit CLIENTS COUNT    the body from standard input; prints submissions a second
 *     load SOCKET get COUNT PATH          one after the other; prints milliseconds: p50 p99 most
 *     load SOCKET events READERS LAZY     so many streams, LAZY of which are never read; prints
 *                                         "ready", and at the end of standard input the messages */
#include "base/sort.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { BODY_MAX = 65536, HEAD_MAX = 512, EVENTS_MAX = 64, ROOM = 1 << 16 };

struct client {
    int fd;
    size_t seen; /* bytes of the answer */
    size_t length;
    char head[HEAD_MAX + 1];
};

static double now(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static int dial(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) < 0) {
        perror(path);
        exit(1);
    }
    return fd;
}

static void send_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);

        assert(sent > 0);
        bytes += sent;
        length -= (size_t)sent;
    }
}

/* Takes what has come; true when the answer is whole. Its status must be the one expected. */
static bool take(struct client *client, const char *status)
{
    static char room[ROOM];
    ssize_t got = recv(client->fd, room, sizeof room, 0);
    size_t kept = client->seen < HEAD_MAX ? HEAD_MAX - client->seen : 0;
    const char *end;

    assert(got > 0);
    kept = kept < (size_t)got ? kept : (size_t)got;
    if (kept > 0) {
        memcpy(client->head + client->seen, room, kept);
        client->head[client->seen + kept] = '\0';
    }
    client->seen += (size_t)got;
    end = strstr(client->head, "\r\n\r\n");
    if (client->length == 0 && end) {
        const char *length = strstr(client->head, "Content-Length: ");

        if (strncmp(client->head + strlen("HTTP/1.1 "), status, 3) != 0 || !length) {
            fprintf(stderr, "%s\n", client->head);
            exit(1);
        }
        client->length = (size_t)(end + 4 - client->head) +
                         (size_t)strtoul(length + strlen("Content-Length: "), NULL, 10);
    }
    return client->length > 0 && client->seen >= client->length;
}

static void ask(struct client *client, const char *request, size_t length)
{
    client->seen = client->length = 0;
    client->head[0] = '\0';
    send_all(client->fd, request, length);
}

static int submit(const char *path, int clients, long count)
{
    static char body[BODY_MAX];
    static char request[BODY_MAX + HEAD_MAX];
    size_t length = fread(body, 1, sizeof body - 1, stdin);
    struct client *client = calloc((size_t)clients, sizeof *client);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    long sent = 0;
    double began = now();

    assert(client && epoll >= 0);
    length = (size_t)snprintf(request, sizeof request,
                              "POST /api/v1/jobs HTTP/1.1\r\nHost: baleen\r\n"
                              "Content-Length: %zu\r\n\r\n%s",
                              length, body);
    for (int i = 0; i < clients; i++, sent++) {
        struct epoll_event wish = {.events = EPOLLIN, .data.ptr = &client[i]};

        client[i].fd = dial(path);
        epoll_ctl(epoll, EPOLL_CTL_ADD, client[i].fd, &wish);
        ask(&client[i], request, length);
    }
    for (long answered = 0; answered < count;) {
        struct epoll_event ready[EVENTS_MAX];
        int found = epoll_wait(epoll, ready, EVENTS_MAX, -1);

        for (int i = 0; i < found; i++) {
            if (!take(ready[i].data.ptr, "201")) {
                continue;
            }
            answered++;
            if (sent < count) {
                ask(ready[i].data.ptr, request, length);
                sent++;
            }
        }
    }
    printf("%.1f\n", (double)count / (now() - began));
    free(client);
    return 0;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

static int get(const char *path, long count, const char *what)
{
    char request[HEAD_MAX];
    struct client client = {.fd = dial(path)};
    double *took = calloc((size_t)count, sizeof *took);

    assert(took && count > 0);
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: baleen\r\n\r\n", what);
    for (long i = 0; i < count; i++) {
        double began = now();

        ask(&client, request, strlen(request));
        while (!take(&client, "200")) {
        }
        took[i] = (now() - began) * 1e3;
    }
    bl_sort(took, (size_t)count, sizeof *took, compare);
    printf("%.3f %.3f %.3f\n", took[count / 2], took[count * 99 / 100], took[count - 1]);
    free(took);
    return 0;
}

static int64_t count_messages(const char *bytes, size_t length)
{
    int64_t count = 0;

    for (size_t i = 0; i + 1 < length; i++) {
        count += bytes[i] == '\n' && bytes[i + 1] == '\n';
    }
    return count;
}

/* Opens the streams; those that are read are watched. */
static int open_streams(const char *path, int readers, int lazy)
{
    static const char request[] = "GET /api/v1/events HTTP/1.1\r\nHost: baleen\r\n\r\n";
    static char room[ROOM];
    int epoll = epoll_create1(EPOLL_CLOEXEC);

    assert(epoll >= 0);
    for (int i = 0; i < readers; i++) {
        int fd = dial(path);
        struct epoll_event wish = {.events = EPOLLIN, .data.fd = fd};

        send_all(fd, request, sizeof request - 1);
        if (i >= lazy) {
            epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &wish);
        }
        assert(recv(fd, room, sizeof room, 0) > 0);
    }
    return epoll;
}

static int events(const char *path, int readers, int lazy)
{
    static char room[ROOM];
    struct epoll_event input = {.events = EPOLLIN, .data.fd = STDIN_FILENO};
    int epoll = open_streams(path, readers, lazy);
    int64_t messages = 0;

    epoll_ctl(epoll, EPOLL_CTL_ADD, STDIN_FILENO, &input);
    puts("ready");
    fflush(stdout);
    for (;;) {
        struct epoll_event ready[EVENTS_MAX];
        int found = epoll_wait(epoll, ready, EVENTS_MAX, -1);

        for (int i = 0; i < found; i++) {
            ssize_t got = read(ready[i].data.fd, room, sizeof room);

            if (ready[i].data.fd == STDIN_FILENO) {
                printf("%lld\n", (long long)messages);
                return 0;
            }
            assert(got > 0);
            messages += count_messages(room, (size_t)got);
        }
    }
}

int main(int argc, char **argv)
{
    struct rlimit files = {.rlim_cur = 4096, .rlim_max = 4096};

    setrlimit(RLIMIT_NOFILE, &files);
    if (argc == 5 && strcmp(argv[2], "submit") == 0) {
        return submit(argv[1], (int)strtol(argv[3], NULL, 10), strtol(argv[4], NULL, 10));
    }
    if (argc == 5 && strcmp(argv[2], "get") == 0) {
        return get(argv[1], strtol(argv[3], NULL, 10), argv[4]);
    }
    if (argc == 5 && strcmp(argv[2], "events") == 0) {
        return events(argv[1], (int)strtol(argv[3], NULL, 10), (int)strtol(argv[4], NULL, 10));
    }
    fputs("usage: see the head of load.c\n", stderr);
    return 2;
}
