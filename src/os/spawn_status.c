#include "os/spawn_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const stage_names[BL_SPAWN_STAGE_COUNT] = {
    [BL_SPAWN_SPEC] = "spec",       [BL_SPAWN_CGROUP] = "cgroup", [BL_SPAWN_USER] = "user",
    [BL_SPAWN_WORKDIR] = "workdir", [BL_SPAWN_LOG] = "log",       [BL_SPAWN_EXEC] = "exec",
};

const char *bl_spawn_stage_name(enum bl_spawn_stage stage)
{
    return stage_names[stage];
}

/* The text behind "WORD ", or NULL. */
static const char *behind(const char *line, const char *word)
{
    size_t length = strlen(word);

    return strncmp(line, word, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

/* Reads the number at *at and steps over it and one space. */
static bool take_number(const char **at, int64_t high, int64_t *out)
{
    char *end;
    long long number = strtoll(*at, &end, 10);

    if (end == *at || number < 0 || number > high || (*end != ' ' && *end != '\0')) {
        return false;
    }
    *out = number;
    *at = end + (*end == ' ');
    return true;
}

static bool take_process(const char *at, pid_t *pid, uint64_t *start)
{
    int64_t number;
    int64_t ticks;

    if (!take_number(&at, INT32_MAX, &number) || !take_number(&at, INT64_MAX, &ticks)) {
        return false;
    }
    *pid = (pid_t)number;
    *start = (uint64_t)ticks;
    return true;
}

static void take_end(const char *at, enum bl_spawn_end end, struct bl_spawn_status *out)
{
    int64_t code;

    if (take_number(&at, INT32_MAX, &code)) {
        out->end = end;
        out->code = (int)code;
    }
}

static void take_failure(const char *at, struct bl_spawn_status *out)
{
    for (int stage = 0; stage < BL_SPAWN_STAGE_COUNT; stage++) {
        const char *code = behind(at, stage_names[stage]);

        if (code) {
            out->stage = (enum bl_spawn_stage)stage;
            take_end(code, BL_SPAWN_FAILED, out);
        }
    }
}

static void parse_line(const char *line, struct bl_spawn_status *out)
{
    const char *at;

    if ((at = behind(line, "supervisor"))) {
        take_process(at, &out->supervisor, &out->supervisor_start);
    } else if ((at = behind(line, "started"))) {
        take_process(at, &out->pid, &out->pid_start);
    } else if ((at = behind(line, "exited"))) {
        take_end(at, BL_SPAWN_EXITED, out);
    } else if ((at = behind(line, "signalled"))) {
        take_end(at, BL_SPAWN_SIGNALLED, out);
    } else if ((at = behind(line, "failed"))) {
        take_failure(at, out);
    } else if (strcmp(line, "lost") == 0) {
        out->end = BL_SPAWN_LOST;
    } else if (strcmp(line, "gone") == 0) {
        out->end = BL_SPAWN_GONE;
    }
}

void bl_spawn_status_parse(const char *text, size_t length, struct bl_spawn_status *out)
{
    struct bl_spawn_status status = {0};
    const char *at = text;
    const char *end;

    while ((end = memchr(at, '\n', length - (size_t)(at - text)))) {
        char line[128];
        size_t bytes = (size_t)(end - at);

        if (bytes < sizeof line) {
            memcpy(line, at, bytes);
            line[bytes] = '\0';
            parse_line(line, &status);
        }
        at = end + 1;
    }
    *out = status;
}

size_t bl_spawn_status_shorten(char text[BL_SPAWN_RECORDS_BYTES])
{
    struct bl_spawn_status status;
    int length = 0;

    bl_spawn_status_parse(text, strnlen(text, BL_SPAWN_RECORDS_BYTES), &status);
    memset(text, 0, BL_SPAWN_RECORDS_BYTES);
    if (status.supervisor) {
        length = snprintf(text, BL_SPAWN_RECORDS_BYTES, "supervisor %d %llu\n",
                          (int)status.supervisor, (unsigned long long)status.supervisor_start);
    }
    if (status.pid) {
        length +=
            snprintf(text + length, BL_SPAWN_RECORDS_BYTES - (size_t)length, "started %d %llu\n",
                     (int)status.pid, (unsigned long long)status.pid_start);
    }
    return (size_t)length;
}

bool bl_spawn_status_read(int fd, struct bl_spawn_status *out)
{
    char text[BL_SPAWN_RECORDS_BYTES];
    ssize_t length = pread(fd, text, sizeof text, 0);

    if (length < 0) {
        return false;
    }
    bl_spawn_status_parse(text, strnlen(text, (size_t)length), out);
    return true;
}
