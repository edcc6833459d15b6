#include "cli/server.h"

#include "cli/client.h"
#include "cli/say.h"
#include "os/fs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TOKEN_BYTES_MAX = 4096, URL_BYTES_MAX = 1024 };

static const char *variable(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

/* --- the token ------------------------------------------------------------------------------- */

/* A line break behind it is the file's, not the token's; what else is no word cannot be sent. */
static int check_token(struct bl_buf *token, const char *from, struct bl_error *err)
{
    while (token->length > 0 && isspace((unsigned char)token->text[token->length - 1])) {
        token->text[--token->length] = '\0';
    }
    for (size_t i = 0; i < token->length; i++) {
        if (!isgraph((unsigned char)token->text[i])) {
            return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_TOKEN_TEXT, BL_T(from));
        }
    }
    return BL_OK;
}

static int read_token_file(const char *path, struct bl_buf *out, struct bl_error *err)
{
    struct stat info;

    if (bl_fs_read(path, TOKEN_BYTES_MAX, out, err) != BL_OK) {
        return (int)err->status;
    }
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && (info.st_mode & 077)) {
        BL_FAIL_SAYING(err, BL_EREFUSED, BL_SAY_E_TOKEN_FILE_OPEN, BL_T(path));
        return bl_say_hint(err, BL_SAY_H_TOKEN_FILE_OPEN, NULL);
    }
    return check_token(out, path, err);
}

static void print_standard_file(struct bl_buf *out)
{
    const char *config = variable("XDG_CONFIG_HOME");
    const char *home = variable("HOME");

    if (config) {
        bl_buf_printf(out, "%s/baleen/token", config);
    } else if (home) {
        bl_buf_printf(out, "%s/.config/baleen/token", home);
    }
}

static int find_token(struct bl_buf *out, struct bl_error *err)
{
    const char *token = variable("BALEEN_TOKEN");
    const char *file = variable("BALEEN_TOKEN_FILE");
    BL_AUTO_BUF standard = {0};

    if (token) {
        bl_buf_append_text(out, token);
        return check_token(out, "BALEEN_TOKEN", err);
    }
    if (file) {
        return read_token_file(file, out, err);
    }
    print_standard_file(&standard);
    return access(bl_buf_text(&standard), F_OK) == 0
               ? read_token_file(bl_buf_text(&standard), out, err)
               : BL_OK;
}

/* --- the server ------------------------------------------------------------------------------ */

static int read_url(const char *text, struct bl_buf *out, struct bl_error *err)
{
    const char *mark = strstr(text, "://");
    const char *host = mark ? mark + 3 : text;
    size_t length = strlen(text);

    while (length > 0 && text[length - 1] == '/') {
        length--;
    }
    if ((mark && strncmp(text, "http://", 7) != 0 && strncmp(text, "https://", 8) != 0) ||
        length <= (size_t)(host - text) || length > URL_BYTES_MAX ||
        strcspn(host, "/?#@ \t\r\n") != length - (size_t)(host - text)) {
        BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_SERVER, BL_T(text));
        return bl_say_hint(err, BL_SAY_H_SERVER, NULL);
    }
    bl_buf_append_text(out, mark ? "" : "http://");
    bl_buf_append(out, text, length);
    return BL_OK;
}

int bl_server_find(const struct bl_server_wish *wish, struct bl_server *out, struct bl_error *err)
{
    const char *server = wish->server ? wish->server : variable("BALEEN_SERVER");
    int status;

    *out = (struct bl_server){0};
    if (wish->socket && wish->server) {
        return bl_say_fail(err, BL_EINVAL, BL_SAY_E_SOCKET_AND_SERVER, NULL);
    }
    if (wish->socket || !server) {
        status = bl_client_find_socket(wish->socket, &out->socket, err);
    } else {
        status = read_url(server, &out->url, err);
        status = status ? status : find_token(&out->token, err);
    }
    if (status) {
        bl_server_finish(out);
    }
    return status;
}

void bl_server_finish(struct bl_server *server)
{
    bl_buf_finish(&server->socket);
    bl_buf_finish(&server->url);
    bl_buf_finish(&server->token);
}

const char *bl_server_name(const struct bl_server *server)
{
    return bl_buf_text(server->url.length > 0 ? &server->url : &server->socket);
}
