#include "form/script_parts.h"

#include <string.h>

enum { WORDS_MAX = 160, FLAG_TEXT_MAX = 80 };

int bl_script_fail(struct bl_script_reader *reader, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    bl_vfail(reader->err, BL_EINVAL, format, args);
    va_end(args);
    if (reader->flag) {
        bl_wrap(reader->err, "%s", reader->flag);
        bl_error_set_field(reader->err, reader->flag);
    }
    if (reader->line) {
        bl_wrap(reader->err, "%s:%u", reader->place, (unsigned)reader->line);
    } else {
        bl_wrap(reader->err, "%s", reader->place);
    }
    return BL_EINVAL;
}

int bl_script_fail_cause(struct bl_script_reader *reader, const struct bl_error *cause)
{
    bl_script_fail(reader, "%s", cause->text);
    return cause->hint[0] ? bl_error_set_hint(reader->err, "%s", cause->hint) : (int)BL_EINVAL;
}

void bl_script_warn(struct bl_script_reader *reader, const char *format, ...)
{
    BL_AUTO_BUF text = {0};
    va_list args;

    if (reader->warnings.count == BL_SCRIPT_WARNINGS_MAX) {
        return;
    }
    bl_buf_append_text(&text, reader->place);
    if (reader->line) {
        bl_buf_printf(&text, ":%u", (unsigned)reader->line);
    }
    bl_buf_append_text(&text, ": ");
    va_start(args, format);
    bl_buf_vprintf(&text, format, args);
    va_end(args);
    BL_VEC_PUSH(&reader->warnings, bl_arena_copy_text(reader->arena, bl_buf_text(&text)));
}

const char *bl_script_print(struct bl_script_reader *reader, const char *format, ...)
{
    BL_AUTO_BUF text = {0};
    va_list args;

    va_start(args, format);
    bl_buf_vprintf(&text, format, args);
    va_end(args);
    return bl_arena_copy_text(reader->arena, bl_buf_text(&text));
}

/* "--time" of "--time=30", in the arena. */
static const char *copy_flag(struct bl_script_reader *reader, const char *word)
{
    size_t length = strcspn(word, "=");

    return bl_script_print(reader, "%.*s", (int)(length < FLAG_TEXT_MAX ? length : FLAG_TEXT_MAX),
                           word);
}

/* A word is found by any beginning that no other word has, as getopt finds it; *out is NULL when
 * none begins so. */
static int find_long(struct bl_script_reader *reader, const struct bl_script_flags *flags,
                     const char *word, const struct bl_script_flag **out)
{
    size_t length = strcspn(word, "=");
    const struct bl_script_flag *first = NULL;
    const struct bl_script_flag *second = NULL;

    for (const struct bl_script_flag *flag = flags->flag; flag->name && length; flag++) {
        if (strncmp(flag->name, word, length) != 0) {
            continue;
        }
        if (!flag->name[length]) {
            *out = flag;
            return BL_OK;
        }
        second = first ? flag : NULL;
        first = first ? first : flag;
    }
    *out = first;
    if (second) {
        return bl_script_fail(reader, "it may stand for --%s or --%s: write it in full",
                              first->name, second->name);
    }
    return BL_OK;
}

static const struct bl_script_flag *find_letter(const struct bl_script_flags *flags, char letter)
{
    for (const struct bl_script_flag *flag = flags->flag; flag->name; flag++) {
        if (flag->letter == letter) {
            return flag;
        }
    }
    return NULL;
}

/* Words behind an unknown flag belong to it. */
static void skip_values(const char *const **words)
{
    while (**words && (**words)[0] != '-') {
        ++*words;
    }
}

static int meet_unknown(struct bl_script_reader *reader, const struct bl_script_flags *flags,
                        const char *const **words)
{
    const char *names[WORDS_MAX + 1] = {NULL};
    const char *nearest;
    size_t count = 0;

    for (; flags->flag[count].name && count < WORDS_MAX; count++) {
        names[count] = flags->flag[count].name;
    }
    nearest = bl_nearest_word(reader->flag + strspn(reader->flag, "-"), names);
    if (flags->refuses_unknown) {
        bl_script_fail(reader, "unknown flag%s%s%s", nearest ? ", did you mean --" : "",
                       nearest ? nearest : "", nearest ? "?" : "");
        return nearest ? bl_error_set_hint(reader->err, "write --%s", nearest) : (int)BL_EINVAL;
    }
    bl_script_warn(reader, "%s is not known; the job runs without it%s%s%s", reader->flag,
                   nearest ? " (did you mean --" : "", nearest ? nearest : "", nearest ? "?)" : "");
    skip_values(words);
    return BL_OK;
}

/* `attached` is what stands in the same word: "=30" cut of its '=', "30" of "-t30", or NULL. */
static int read_flag(struct bl_script_reader *reader, const struct bl_script_flag *flag,
                     const char *attached, const char *const **words)
{
    if (flag->takes == BL_SCRIPT_TAKES_VALUE && !attached) {
        attached = **words;
        if (!attached) {
            return bl_script_fail(reader, "expected a value behind it");
        }
        ++*words;
    }
    if (flag->takes == BL_SCRIPT_TAKES_NOTHING && attached) {
        return bl_script_fail(reader, "expected no value, found '%.100s'", attached);
    }
    reader->row = flag;
    return flag->read(reader, attached);
}

static int read_long(struct bl_script_reader *reader, const struct bl_script_flags *flags,
                     const char *const **words)
{
    const char *word = *(*words)++;
    const char *equals = strchr(word, '=');
    const struct bl_script_flag *flag = NULL;
    int status;

    reader->flag = copy_flag(reader, word);
    status = find_long(reader, flags, word + 2, &flag);
    if (status != BL_OK) {
        return status;
    }
    if (!flag) {
        return meet_unknown(reader, flags, words);
    }
    reader->flag = bl_script_print(reader, "--%s", flag->name);
    return read_flag(reader, flag, equals ? equals + 1 : NULL, words);
}

/* "-n4", "-n 4", "-Hv". */
static int read_letters(struct bl_script_reader *reader, const struct bl_script_flags *flags,
                        const char *const **words)
{
    const char *at = *(*words)++ + 1;

    while (*at) {
        const struct bl_script_flag *flag = find_letter(flags, *at);
        int status;

        reader->flag = bl_script_print(reader, "-%c", *at++);
        if (!flag) {
            return meet_unknown(reader, flags, words);
        }
        if (flag->takes == BL_SCRIPT_TAKES_VALUE) {
            return read_flag(reader, flag, *at ? at : NULL, words);
        }
        status = read_flag(reader, flag, NULL, words);
        if (status != BL_OK) {
            return status;
        }
    }
    return BL_OK;
}

int bl_script_flags_read(struct bl_script_reader *reader, const struct bl_script_flags *flags,
                         const char *const *words)
{
    int status = BL_OK;

    while (*words && status == BL_OK) {
        reader->flag = NULL;
        if ((*words)[0] != '-' || !(*words)[1]) {
            return bl_script_fail(reader, "expected a flag, found '%.100s'", *words);
        }
        status = (*words)[1] == '-' ? read_long(reader, flags, &words)
                                    : read_letters(reader, flags, &words);
    }
    reader->flag = NULL;
    return status;
}
