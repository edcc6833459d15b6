/* What the client says, in English and Chinese, from one catalogue (messages.h). The language is
 * that of LC_ALL, LC_MESSAGES or LANG, the first that is set: "zh…" is Chinese, all else English.
 *
 * A message holds {1}, {2} … for its arguments; texts are escaped as they are put in. {1?s} and
 * {1?a:b} choose by number: nothing or "a" where the argument is 1, "s" or "b" where it is not. */
#ifndef BL_CLI_SAY_H
#define BL_CLI_SAY_H

#include "base/buf.h"
#include "base/error.h"
#include "cli/messages.h"

#include <stddef.h>
#include <stdint.h>

/* clang-format off */
#define BL_MESSAGE_ENUM(id, en, zh) BL_SAY_##id,
enum bl_message { BL_MESSAGES(BL_MESSAGE_ENUM) BL_MESSAGE_COUNT };
/* clang-format on */

enum bl_language { BL_LANGUAGE_EN, BL_LANGUAGE_ZH, BL_LANGUAGE_COUNT };

/* By the environment. */
enum bl_language bl_language_now(void);

/* The text of a message as it stands in the catalogue. */
const char *bl_message_text(enum bl_message id, enum bl_language language);

/* One argument: a number, or a text where that is not NULL. */
struct bl_arg {
    const char *text;
    int64_t number;
};

struct bl_arg bl_arg_number(int64_t number);
struct bl_arg bl_arg_text(const char *text); /* NULL counts as "" */

/* Appends a message without arguments. */
void bl_say(struct bl_buf *out, enum bl_message id);

struct bl_args {
    const struct bl_arg *at;
    size_t count;
};

void bl_say_args(struct bl_buf *out, enum bl_message id, const struct bl_args *args);

/* Appends a message with arguments; a macro, so that their number travels with them. */
#define BL_SAY(out, id, ...) bl_say_args((out), (id), BL_ARGS(__VA_ARGS__))

/* As bl_fail and bl_error_set_hint, with a message: macros, so that the number of arguments travels
 * with them. `args` may be NULL. */
int bl_say_fail(struct bl_error *err, enum bl_status status, enum bl_message id,
                const struct bl_args *args);
int bl_say_hint(struct bl_error *err, enum bl_message id, const struct bl_args *args);

#define BL_ARGS(...)                                                                               \
    (&(const struct bl_args){(const struct bl_arg[]){__VA_ARGS__},                                 \
                             sizeof((const struct bl_arg[]){__VA_ARGS__}) /                        \
                                 sizeof(struct bl_arg)})
#define BL_FAIL_SAYING(err, status, id, ...)                                                       \
    bl_say_fail((err), (status), (id), BL_ARGS(__VA_ARGS__))
#define BL_HINT_SAYING(err, id, ...) bl_say_hint((err), (id), BL_ARGS(__VA_ARGS__))

#define BL_N(number) bl_arg_number(number)
#define BL_T(text)   bl_arg_text(text)

#endif
