#include "daemon/cookie.h"

#include <string.h>

/* "baleen-7420", or "baleen" where the browser sees no port. */
static void print_name(struct bl_buf *out, const char *host)
{
    const char *mark = host ? strrchr(host, ':') : NULL;
    size_t digits = mark ? strspn(mark + 1, "0123456789") : 0;

    bl_buf_append_text(out, "baleen");
    if (digits > 0 && mark[1 + digits] == '\0') {
        bl_buf_printf(out, "-%s", mark + 1);
    }
}

bool bl_cookie_find(const char *header, const char *host, char out[BL_COOKIE_ROOM])
{
    const char *at = header ? header : "";
    BL_AUTO_BUF name = {0};

    print_name(&name, host);
    while (*at) {
        size_t length;

        at += strspn(at, "; \t");
        length = strcspn(at, ";");
        if (length > name.length && length - name.length <= BL_COOKIE_ROOM &&
            strncmp(at, bl_buf_text(&name), name.length) == 0 && at[name.length] == '=') {
            size_t rest = length - name.length - 1;

            memcpy(out, at + name.length + 1, rest);
            out[rest] = '\0';
            return true;
        }
        at += length;
    }
    return false;
}

void bl_cookie_print(struct bl_buf *out, const struct bl_cookie *cookie)
{
    print_name(out, cookie->host);
    bl_buf_printf(out, "=%s; Path=/; Max-Age=%lld; HttpOnly; SameSite=Strict%s", cookie->value,
                  (long long)(cookie->age / BL_SECOND), cookie->is_secure ? "; Secure" : "");
}
