#include "engine/local_tidy.h"

#include "base/buf.h"
#include "base/units.h"

#include <dirent.h>
#include <string.h>

/* "7" or "7.2"; false when it is neither. */
static bool parse_name(const char *text, bool has_attempt, struct bl_local_name *out)
{
    const char *dot = strchr(text, '.');
    BL_AUTO_BUF job = {0};
    int64_t attempt = 0;

    if ((dot != NULL) != has_attempt) {
        return false;
    }
    bl_buf_append(&job, text, dot ? (size_t)(dot - text) : strlen(text));
    if (bl_int_parse(bl_buf_text(&job), 1, INT64_MAX, &out->job, NULL) != BL_OK ||
        (dot && bl_int_parse(dot + 1, 1, INT32_MAX, &attempt, NULL) != BL_OK)) {
        return false;
    }
    out->attempt = (int32_t)attempt;
    return true;
}

static bool is_needed(const struct bl_engine_needs *needs, const struct bl_local_name *name)
{
    return name->attempt ? needs->attempt(needs->self, name->job, name->attempt)
                         : needs->job(needs->self, name->job);
}

void bl_local_tidy_find(const char *state_dir, const struct bl_engine_needs *needs,
                        bl_local_names *out)
{
    static const char *const folders[] = {"attempts", "jobs", "env"};

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        BL_AUTO_BUF path = {0};
        const struct dirent *entry;
        DIR *folder;

        bl_buf_printf(&path, "%s/%s", state_dir, folders[i]);
        folder = opendir(bl_buf_text(&path));
        while (folder && (entry = readdir(folder))) {
            struct bl_local_name name;

            if (parse_name(entry->d_name, i == 0, &name) && !is_needed(needs, &name)) {
                BL_VEC_PUSH(out, name);
            }
        }
        if (folder) {
            closedir(folder);
        }
    }
}
