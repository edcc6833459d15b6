#include "form/launch.h"

#include "base/buf.h"
#include "base/own.h"

#include <stdbool.h>
#include <string.h>

void bl_launch_copy(struct bl_launch *to, const struct bl_launch *from)
{
    *to = *from;
    to->argv = NULL;
    if (from->argv) {
        to->argv = bl_alloc_zero((from->argc + 1) * sizeof *to->argv);
        for (size_t i = 0; i < from->argc; i++) {
            to->argv[i] = bl_copy_text(from->argv[i]);
        }
    }
    to->workdir = bl_copy_text(from->workdir);
    to->log_pattern = bl_copy_text(from->log_pattern);
}

void bl_launch_finish(struct bl_launch *launch)
{
    for (size_t i = 0; launch->argv && i < launch->argc; i++) {
        free(launch->argv[i]);
    }
    free(launch->argv);
    free(launch->workdir);
    free(launch->log_pattern);
    *launch = (struct bl_launch){0};
}

/* A name as part of a path: it can neither leave its directory nor stand for one. */
static void append_name(struct bl_buf *out, const char *name)
{
    bool only_dots = name[strspn(name, ".")] == '\0';

    for (; *name; name++) {
        bl_buf_append_char(out, *name == '/' || only_dots ? '_' : *name);
    }
}

/* False when `letter` stands for nothing. */
static bool append_expanded(struct bl_buf *out, char letter, const struct bl_log_names *names)
{
    switch (letter) {
    case 'x':
        append_name(out, names->name ? names->name : "job");
        return true;
    case 'u':
        append_name(out, names->user ? names->user : "user");
        return true;
    case 'N':
        append_name(out, names->node ? names->node : "node");
        return true;
    case 'j':
        bl_buf_printf(out, "%lld", (long long)names->id);
        return true;
    case 'r':
        bl_buf_printf(out, "%d", (int)names->attempt);
        return true;
    case '%':
        bl_buf_append_char(out, '%');
        return true;
    default:
        return false;
    }
}

void bl_launch_log_path(struct bl_buf *out, const struct bl_launch *launch,
                        const struct bl_log_names *names)
{
    const char *pattern = launch->log_pattern ? launch->log_pattern : BL_LAUNCH_LOG_DEFAULT;

    if (pattern[0] != '/' && launch->workdir) {
        bl_buf_append_text(out, launch->workdir);
        if (launch->workdir[0] && launch->workdir[strlen(launch->workdir) - 1] != '/') {
            bl_buf_append_char(out, '/');
        }
    }
    for (const char *at = pattern; *at; at++) {
        if (*at == '%' && append_expanded(out, at[1], names)) {
            at++;
        } else {
            bl_buf_append_char(out, *at);
        }
    }
}
