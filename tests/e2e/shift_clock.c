/* Loaded into a daemon, lets a test set its wall clock: by as many seconds as stand in the file
 * that BALEEN_SHIFT names. The monotonic clock stays. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long long read_shift(void)
{
    const char *path = getenv("BALEEN_SHIFT");
    char text[32] = "";
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

    if (fd < 0) {
        return 0;
    }
    if (read(fd, text, sizeof text - 1) < 0) {
        text[0] = '\0';
    }
    close(fd);
    return strtoll(text, NULL, 10);
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *out)
{
    int rc = (int)syscall(SYS_clock_gettime, clock, out);

    if (rc == 0 && clock == CLOCK_REALTIME) {
        out->tv_sec += (time_t)read_shift();
    }
    return rc;
}
