/* A job's log, read with the rights of its owner. */
#include "base/own.h"
#include "daemon/api.h"
#include "daemon/auth.h"
#include "daemon/job_json.h"
#include "os/own_fd.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

enum { LOG_BYTES_MAX = 1024 * 1024 };

enum { NO_TAIL = -1 };

struct wish {
    int64_t attempt, offset, limit;
    int64_t tail; /* so many bytes before the end instead of at the offset, or NO_TAIL */
};

static bool read_wish(struct bl_request *request, const struct bl_job *job, struct wish *out)
{
    struct bl_api_range attempts = {0, INT32_MAX, job->attempt};
    static const struct bl_api_range offsets = {0, INT64_MAX / 2, 0};
    static const struct bl_api_range limits = {1, LOG_BYTES_MAX, LOG_BYTES_MAX};
    static const struct bl_api_range tails = {0, LOG_BYTES_MAX, NO_TAIL};
    struct bl_error err;

    if (!bl_api_query_int(request, "attempt", attempts, &out->attempt) ||
        !bl_api_query_int(request, "offset", offsets, &out->offset) ||
        !bl_api_query_int(request, "limit", limits, &out->limit) ||
        !bl_api_query_int(request, "tail", tails, &out->tail)) {
        return false;
    }
    if (out->attempt > job->attempt || (out->attempt == 0 && job->attempt > 0)) {
        bl_fail(&err, BL_ENOTFOUND, "job %lld has no attempt %lld", (long long)job->id,
                (long long)out->attempt);
        bl_error_set_field(&err, "attempt");
        bl_request_fail(request, BL_ANSWER_NOT_FOUND, &err);
        return false;
    }
    return true;
}

/* Where the tail begins. */
static int64_t tail_offset(int fd, int64_t tail)
{
    struct stat found;

    return fstat(fd, &found) == 0 && found.st_size > tail ? found.st_size - tail : 0;
}

/* Appends what there is from the offset on, which becomes that of the tail where one is wanted;
 * false with *err set when it cannot be read. A file that does not exist yet is empty. */
static bool read_log(const struct bl_launch *launch, const char *path, struct wish *wish,
                     struct bl_buf *out, struct bl_error *err)
{
    struct bl_owner owner = {.uid = (uid_t)launch->uid, .gid = (gid_t)launch->gid};
    BL_AUTO_FD fd = bl_auth_open(&owner, path);
    BL_AUTO_FREE char *bytes = bl_alloc_zero((size_t)wish->limit);
    ssize_t length;

    if (fd < 0) {
        return errno == ENOENT || bl_fail_sys(err, "cannot read the log %s", path) == BL_OK;
    }
    if (wish->tail != NO_TAIL) {
        wish->offset = tail_offset(fd, wish->tail);
    }
    length = pread(fd, bytes, (size_t)wish->limit, wish->offset);
    if (length < 0) {
        return bl_fail_sys(err, "cannot read the log %s", path) == BL_OK;
    }
    bl_buf_append(out, bytes, (size_t)length);
    return true;
}

static void answer_log(struct bl_request *request, const struct bl_job *job,
                       const struct wish *wish, struct bl_buf *bytes)
{
    bool is_over = bl_job_state_is_ended(job->state) || wish->attempt < job->attempt;
    bool is_complete = is_over && (int64_t)bytes->length < wish->limit;
    int64_t end = wish->offset + (int64_t)bytes->length;
    char next[32];
    struct bl_headers headers = {.type = "application/octet-stream",
                                 .name = {"Baleen-Log-Next", "Baleen-Log-Complete"},
                                 .value = {next, is_complete ? "yes" : "no"}};

    snprintf(next, sizeof next, "%lld", (long long)end);
    bl_request_answer_bytes(request, &headers, bytes);
}

void bl_api_log(void *self, struct bl_request *request)
{
    struct bl_api *api = self;
    const struct bl_ledger *ledger = bl_driver_ledger(api->driver);
    const struct bl_job *job = bl_api_find_job(api, request);
    const struct bl_launch *launch;
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF bytes = {0};
    struct wish wish;
    struct bl_error err;

    if (!job) {
        return;
    }
    launch = bl_ledger_launch(ledger, job);
    if (bl_auth_check_owner(bl_request_peer(request), job->id, launch->uid, &err) != BL_OK) {
        bl_request_fail(request, BL_ANSWER_FORBIDDEN, &err);
        return;
    }
    if (!read_wish(request, job, &wish)) {
        return;
    }
    if (!bl_job_log_path(&path, ledger, job, (int32_t)wish.attempt)) {
        bl_fail(&err, BL_ENOTFOUND,
                "job %lld was adopted: what it writes goes where it went before, and that is no "
                "file",
                (long long)job->id);
        bl_request_fail(request, BL_ANSWER_NOT_FOUND, &err);
        return;
    }
    if (wish.attempt > 0 && !read_log(launch, bl_buf_text(&path), &wish, &bytes, &err)) {
        bl_request_fail(request, BL_ANSWER_FORBIDDEN, &err);
        return;
    }
    answer_log(request, job, &wish, &bytes);
}
