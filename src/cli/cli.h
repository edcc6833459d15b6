/* What the verbs share: their table, the context of one call, exit codes, and how failures are
 * told. */
#ifndef BL_CLI_CLI_H
#define BL_CLI_CLI_H

#include "base/buf.h"
#include "base/error.h"
#include "cli/client.h"
#include "cli/flags.h"
#include "cli/ids.h"
#include "cli/say.h"
#include "cli/table.h"

#include <stdbool.h>
#include <stddef.h>

enum bl_exit {
    BL_EXIT_OK,
    BL_EXIT_FAILED,
    BL_EXIT_USAGE,
    BL_EXIT_NOT_FOUND,
    BL_EXIT_REFUSED,
    BL_EXIT_UNREACHABLE
};

/* One call of the program. */
struct bl_cli {
    const struct bl_verb *verb;
    struct bl_server_wish server; /* --socket, --server */
    bool json;
    bool colour;
    bool is_terminal;         /* standard output */
    int exit_code;            /* of a verb that did not fail itself */
    struct bl_client *client; /* NULL until bl_cli_client */
};

struct bl_verb {
    const char *name;
    const char *other_name;  /* NULL: none */
    const char *usage;       /* "run [flags] -- COMMAND…" */
    enum bl_message summary; /* one line; BL_SAY_NOTHING: not listed */
    enum bl_message about;   /* what one must know, and examples */
    const struct bl_flag *flag;
    enum bl_flags_order order;
    int (*set)(void *self, int key, const char *value, struct bl_error *err);
    size_t self_size; /* of what `set` fills; zeroed before, freed by `finish` */
    void (*finish)(void *self);
    /* argv[0…argc) are the words that are no flags. Answers a bl_status. */
    int (*run)(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err);
    /* For verbs that are programs of their own: takes the words as they stand. */
    int (*hand_over)(int argc, char **argv, struct bl_error *err);
};

/* Words of the command line that are no flags. */
struct bl_words {
    int count;
    char **at;
    const char *example; /* "baleen cancel 7 9-12" */
};

/* Keys of the flags that every verb has; a verb's own keys start at BL_KEY_OWN. */
enum { BL_KEY_HELP, BL_KEY_SOCKET, BL_KEY_SERVER, BL_KEY_JSON, BL_KEY_OWN };

/* clang-format off */
#define BL_FLAGS_COMMON                                                                            \
    {"json", 0, BL_TAKES_NOTHING, BL_KEY_JSON, NULL, BL_SAY_FLAG_JSON},         \
    {"socket", 0, BL_TAKES_VALUE, BL_KEY_SOCKET, "PATH", BL_SAY_FLAG_SOCKET},                   \
    {"server", 0, BL_TAKES_VALUE, BL_KEY_SERVER, "HOST:PORT", BL_SAY_FLAG_SERVER},                \
    {"help", 'h', BL_TAKES_NOTHING, BL_KEY_HELP, NULL, BL_SAY_FLAG_HELP},                              \
    {0}
/* clang-format on */

extern const struct bl_verb bl_verb_run, bl_verb_submit, bl_verb_q, bl_verb_show, bl_verb_why,
    bl_verb_plan, bl_verb_predict, bl_verb_calendar, bl_verb_reserve, bl_verb_res, bl_verb_log,
    bl_verb_cancel, bl_verb_hold, bl_verb_release, bl_verb_requeue, bl_verb_set, bl_verb_move,
    bl_verb_resize, bl_verb_progress, bl_verb_top, bl_verb_gpus, bl_verb_nodes, bl_verb_drain,
    bl_verb_resume, bl_verb_token, bl_verb_web, bl_verb_doctor, bl_verb_completion, bl_verb_daemon,
    bl_verb_sim, bl_verb_profile, bl_verb_report, bl_verb_adopt;

/* The table of all verbs. One without a summary is not listed. */
const struct bl_verb *const *bl_cli_verbs(size_t *count);

/* The whole program; answers the exit code. */
int bl_cli_main(int argc, char **argv);

/* The client, made at the first call; NULL with *err set. Borrowed. */
struct bl_client *bl_cli_client(struct bl_cli *cli, struct bl_error *err);

/* Says something on standard error, with a hint on a line of its own unless that is NULL. */
void bl_cli_warn(const char *text, const char *hint);

/* Tells a failure on standard error and answers its exit code. */
int bl_cli_report(const struct bl_error *err);

/* Refuses words where the verb takes none. */
int bl_cli_refuse_words(const struct bl_cli *cli, int argc, char **argv, struct bl_error *err);

/* Writes the buffer to standard output and empties it. A closed pipe ends the program quietly, any
 * other failure with a word on it. */
void bl_cli_flush(struct bl_buf *out);

/* How tables are to look here. */
struct bl_table_look bl_cli_look(const struct bl_cli *cli);

/* The id of the caller's last job. */
int bl_cli_last_job(struct bl_cli *cli, int64_t *out, struct bl_error *err);

/* Reads one id; "@" is looked up. */
int bl_cli_one_ref(struct bl_cli *cli, const char *text, struct bl_job_ref *out,
                   struct bl_error *err);

/* The same as a number: an element's own is asked for. */
int bl_cli_one_job(struct bl_cli *cli, const char *text, int64_t *out, struct bl_error *err);

/* Reads the ids of a command; "@" is looked up. Without any: `example` says how it is used. */
int bl_cli_read_ids(struct bl_cli *cli, const struct bl_words *words, struct bl_ids *ids,
                    struct bl_error *err);

#endif
