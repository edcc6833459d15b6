/* Flags of a verb as rows of one table: getopt_long, the help text and the messages for wrong
 * flags are all made from it. */
#ifndef BL_CLI_FLAGS_H
#define BL_CLI_FLAGS_H

#include "base/buf.h"
#include "base/error.h"
#include "cli/say.h"

#include <stdbool.h>

enum { BL_FLAGS_MAX = 40 };

enum bl_flag_takes {
    BL_TAKES_NOTHING,
    BL_TAKES_VALUE,
    BL_TAKES_NUMBER_MAYBE /* "-w", "-w5", "-w 5", "--watch=5" */
};

struct bl_flag {
    const char *name;
    char letter; /* 0: none */
    enum bl_flag_takes takes;
    int key; /* the verb's own enumerator */
    const char *value;
    enum bl_message help;
};

/* Where a verb's command line ends. */
enum bl_flags_order {
    BL_FLAGS_ANYWHERE, /* flags may stand after ids */
    BL_FLAGS_IN_FRONT  /* the first word that is no flag begins somebody else's command */
};

struct bl_flags {
    const char *verb;           /* for messages */
    const struct bl_flag *flag; /* ends with a row without name */
    enum bl_flags_order order;
    /* `value` is NULL where none was given. */
    int (*set)(void *self, int key, const char *value, struct bl_error *err);
    void *self;
};

/* Reads argv[1…]; the words that are no flags end up from argv[*first] on. Errors name the flag. */
int bl_flags_read(const struct bl_flags *flags, int argc, char **argv, int *first,
                  struct bl_error *err);

/* Appends one line a flag. */
void bl_flags_print_help(struct bl_buf *out, const struct bl_flag *flag);

#endif
