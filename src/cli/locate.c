#include "cli/client.h"
#include "cli/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool exists(const char *path)
{
    struct stat info;

    return !stat(path, &info);
}

/* /tmp is open to all: a folder with our name there may have been laid out by somebody else, who
 * would be sent our environment. */
static int check_owner(const char *folder, struct bl_error *err)
{
    struct stat info;

    if (lstat(folder, &info)) {
        return bl_fail_sys(err, "cannot look at %s", folder);
    }
    if (!S_ISDIR(info.st_mode) || (info.st_uid != geteuid() && info.st_uid != 0)) {
        BL_FAIL_SAYING(err, BL_EREFUSED, BL_SAY_E_OWNER, BL_T(folder), BL_N(info.st_uid));
        return bl_say_hint(err, BL_SAY_H_SOCKET, NULL);
    }
    return BL_OK;
}

/* The first that exists; else where a daemon of this user would listen. */
static const char *choose(const char *const place[3])
{
    for (size_t i = 0; i < 3; i++) {
        if (place[i] && exists(place[i])) {
            return place[i];
        }
    }
    return geteuid() == 0 ? place[2] : place[0] ? place[0] : place[1];
}

static int find_default(struct bl_buf *path, struct bl_error *err)
{
    static const char system_path[] = "/run/baleen/baleen.sock";
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    BL_AUTO_BUF own = {0};
    BL_AUTO_BUF folder = {0};
    BL_AUTO_BUF shared = {0};
    const char *chosen;
    int status = BL_OK;

    bl_buf_printf(&folder, "%s/baleen-%ld", P_tmpdir, (long)geteuid());
    bl_buf_printf(&shared, "%s/baleen.sock", bl_buf_text(&folder));
    bl_buf_printf(&own, "%s/baleen/baleen.sock", runtime ? runtime : "");
    chosen = choose((const char *[]){runtime && *runtime ? bl_buf_text(&own) : NULL,
                                     bl_buf_text(&shared), system_path});
    if (chosen == bl_buf_text(&shared) && exists(chosen)) {
        status = check_owner(bl_buf_text(&folder), err);
    }
    if (!status) {
        bl_buf_append_text(path, chosen);
    }
    return status;
}

int bl_client_find_socket(const char *given, struct bl_buf *path, struct bl_error *err)
{
    const char *set = getenv("BALEEN_SOCKET");

    if (given || (set && *set)) {
        bl_buf_append_text(path, given ? given : set);
    } else {
        int status = find_default(path, err);

        if (status) {
            return status;
        }
    }
    /* sun_path holds 108 bytes with its end */
    if (path->length > 107) {
        return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_SOCKET_TOO_LONG, BL_T(bl_buf_text(path)));
    }
    return BL_OK;
}
