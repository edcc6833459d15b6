/* Where the daemon is and what opens it: a socket of this machine, or a port with a token. */
#ifndef BL_CLI_SERVER_H
#define BL_CLI_SERVER_H

#include "base/buf.h"
#include "base/error.h"

/* Zeroes are empty. */
struct bl_server {
    struct bl_buf socket; /* its path; empty over TCP */
    struct bl_buf url;    /* "http://127.0.0.1:7420", without a slash behind; empty on a socket */
    struct bl_buf token;  /* empty where there is none */
};

/* What the flags say; NULL what they do not. */
struct bl_server_wish {
    const char *socket, *server;
};

/* The flags win over BALEEN_SERVER, which wins over what bl_client_find_socket finds. A token is
 * taken from BALEEN_TOKEN, else from the file that BALEEN_TOKEN_FILE names, else from
 * baleen/token in the user's configuration folder. */
int bl_server_find(const struct bl_server_wish *wish, struct bl_server *out, struct bl_error *err);
void bl_server_finish(struct bl_server *server);

/* As people call it: the path, or the URL. */
const char *bl_server_name(const struct bl_server *server);

#define BL_AUTO_SERVER __attribute__((cleanup(bl_server_finish))) struct bl_server

#endif
