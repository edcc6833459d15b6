#include "form/script_words.h"

#include <stdbool.h>
#include <string.h>

/* Where the line is read and where its words are put together. */
struct splitter {
    const char *at, *end;
    char *to;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Behind a backslash, quoted or not, any character stands for itself. */
static void take_escaped(struct splitter *in)
{
    in->at++;
    if (in->at < in->end) {
        *in->to++ = *in->at++;
    }
}

/* False when the quote is not closed. */
static bool take_quoted(struct splitter *in)
{
    char quote = *in->at++;

    while (in->at < in->end && *in->at != quote) {
        if (*in->at == '\\') {
            take_escaped(in);
        } else {
            *in->to++ = *in->at++;
        }
    }
    if (in->at == in->end) {
        return false;
    }
    in->at++;
    return true;
}

static int take_word(struct splitter *in, struct bl_error *err)
{
    while (in->at < in->end && !is_blank(*in->at) && *in->at != '#') {
        if (*in->at == '\\') {
            take_escaped(in);
        } else if (*in->at == '"' || *in->at == '\'') {
            char quote = *in->at;

            if (!take_quoted(in)) {
                return bl_fail(err, BL_EINVAL, "a quote (%c) is not closed", quote);
            }
        } else {
            *in->to++ = *in->at++;
        }
    }
    *in->to++ = '\0';
    return BL_OK;
}

int bl_script_words_split(const char *line, size_t length, struct bl_arena *arena,
                          struct bl_script_words *out, struct bl_error *err)
{
    /* each word takes a byte of the line, and its end takes that of the blank behind it */
    struct splitter in = {line, line + length, bl_arena_alloc(arena, length + 2)};
    struct bl_script_words words = {bl_arena_alloc(arena, (length / 2 + 2) * sizeof *words.at), 0};

    for (;;) {
        while (in.at < in.end && is_blank(*in.at)) {
            in.at++;
        }
        if (in.at == in.end || *in.at == '#') {
            *out = words;
            return BL_OK;
        }
        words.at[words.count++] = in.to;
        if (take_word(&in, err) != BL_OK) {
            return BL_EINVAL;
        }
    }
}
