#include "cli/say.h"

#include "cli/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define BL_MESSAGE_ROW(id, en, zh) [BL_SAY_##id] = {en, zh},
static const char *const catalogue[BL_MESSAGE_COUNT][BL_LANGUAGE_COUNT] = {
    BL_MESSAGES(BL_MESSAGE_ROW)
};
/* clang-format on */

enum bl_language bl_language_now(void)
{
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);

        if (value && *value) {
            return strncmp(value, "zh", 2) == 0 ? BL_LANGUAGE_ZH : BL_LANGUAGE_EN;
        }
    }
    return BL_LANGUAGE_EN;
}

const char *bl_message_text(enum bl_message id, enum bl_language language)
{
    return catalogue[id][language];
}

struct bl_arg bl_arg_number(int64_t number)
{
    return (struct bl_arg){NULL, number};
}

struct bl_arg bl_arg_text(const char *text)
{
    return (struct bl_arg){text ? text : "", 0};
}

static void put_value(struct bl_buf *out, const struct bl_arg *arg)
{
    if (arg->text) {
        bl_text_escape(out, arg->text);
    } else {
        bl_buf_printf(out, "%" PRId64, arg->number);
    }
}

/* `words` is what stands between '?' and '}': "s" or "is:are". */
static void put_choice(struct bl_buf *out, const struct bl_arg *arg, const char *words,
                       size_t length)
{
    const char *colon = memchr(words, ':', length);
    size_t first = colon ? (size_t)(colon - words) : 0;
    size_t skip = colon ? first + 1 : 0;
    bool is_one = !arg->text && arg->number == 1;

    if (is_one) {
        bl_buf_append(out, words, first);
    } else {
        bl_buf_append(out, words + skip, length - skip);
    }
}

/* One placeholder; answers the bytes behind its opening brace. */
static size_t put_placeholder(struct bl_buf *out, const char *at, const struct bl_args *args)
{
    static const struct bl_arg missing = {"?", 0};
    size_t length = strcspn(at, "}");
    size_t number = (size_t)(at[0] - '0');
    const struct bl_arg *arg =
        number >= 1 && number <= args->count ? &args->at[number - 1] : &missing;

    if (length > 1 && at[1] == '?') {
        put_choice(out, arg, at + 2, length - 2);
    } else {
        put_value(out, arg);
    }
    return at[length] ? length + 1 : length;
}

void bl_say_args(struct bl_buf *out, enum bl_message id, const struct bl_args *args)
{
    const char *at = bl_message_text(id, bl_language_now());

    while (*at) {
        size_t plain = strcspn(at, "{");

        bl_buf_append(out, at, plain);
        at += plain;
        if (*at) {
            at += 1 + put_placeholder(out, at + 1, args);
        }
    }
}

void bl_say(struct bl_buf *out, enum bl_message id)
{
    const struct bl_args none = {NULL, 0};

    bl_say_args(out, id, &none);
}

int bl_say_fail(struct bl_error *err, enum bl_status status, enum bl_message id,
                const struct bl_args *args)
{
    const struct bl_args none = {NULL, 0};
    BL_AUTO_BUF text = {0};

    bl_say_args(&text, id, args ? args : &none);
    return bl_fail(err, status, "%s", bl_buf_text(&text));
}

int bl_say_hint(struct bl_error *err, enum bl_message id, const struct bl_args *args)
{
    const struct bl_args none = {NULL, 0};
    BL_AUTO_BUF text = {0};

    bl_say_args(&text, id, args ? args : &none);
    return bl_error_set_hint(err, "%s", bl_buf_text(&text));
}
