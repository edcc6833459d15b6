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

static bool is_stale(const struct bl_engine_needs *needs, const struct bl_local_name *name)
{
    enum bl_engine_need need = needs->job(needs->self, name->job);

    switch (name->place) {
    case BL_LOCAL_ATTEMPTS:
        return need != BL_NEED_NOT_KNOWN && !needs->attempt(needs->self, name->job, name->attempt);
    case BL_LOCAL_JOBS:
        return need == BL_NEED_ENDED;
    case BL_LOCAL_ENV:
        return need != BL_NEED_LIVES;
    }
    return false;
}

void bl_local_tidy_find(const char *state_dir, const struct bl_engine_needs *needs,
                        bl_local_names *out)
{
    static const char *const folders[] = {
        [BL_LOCAL_ATTEMPTS] = "attempts", [BL_LOCAL_JOBS] = "jobs", [BL_LOCAL_ENV] = "env"};

    for (int i = BL_LOCAL_ATTEMPTS; i <= BL_LOCAL_ENV; i++) {
        BL_AUTO_BUF path = {0};
        const struct dirent *entry;
        DIR *folder;

        bl_buf_printf(&path, "%s/%s", state_dir, folders[i]);
        folder = opendir(bl_buf_text(&path));
        while (folder && (entry = readdir(folder))) {
            struct bl_local_name name = {.place = (enum bl_local_place)i};

            if (!parse_name(entry->d_name, i == BL_LOCAL_ATTEMPTS, &name) ||
                !is_stale(needs, &name)) {
                continue;
            }
            BL_VEC_PUSH(out, name);
        }
        if (folder) {
            closedir(folder);
        }
    }
}
