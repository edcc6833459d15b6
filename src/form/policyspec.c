#include "form/policyspec.h"

#include "base/own.h"
#include "base/span.h"
#include "base/units.h"
#include "form/tree.h"

#include <string.h>

enum { TEXT_MAX = 1024, WORDS_MAX = 64 };

/* Adds what may be written to the failure, and the nearest of it as the hint. */
static int fail_unknown(struct bl_error *err, const char *what, const char *found,
                        const char *const *words)
{
    const char *nearest = bl_nearest_word(found, words);
    BL_AUTO_BUF list = {0};

    for (size_t i = 0; words[i]; i++) {
        bl_buf_printf(&list, "%s%s", i ? ", " : "", words[i]);
    }
    bl_fail(err, BL_EINVAL, "unknown %s '%.100s'%s%s%s: expected one of %s", what, found,
            nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "",
            list.length ? bl_buf_text(&list) : "none");
    return nearest ? bl_error_set_hint(err, "write '%s'", nearest) : (int)BL_EINVAL;
}

static int fail_policy(struct bl_error *err, const char *found)
{
    const char *words[WORDS_MAX + 1] = {NULL};

    for (size_t i = 0; bl_policies[i] && i < WORDS_MAX; i++) {
        words[i] = bl_policies[i]->name;
    }
    return fail_unknown(err, "policy", found, words);
}

static int fail_option(struct bl_error *err, const struct bl_policy *policy, const char *found)
{
    const char *words[BL_POLICY_OPTIONS_MAX + 1] = {NULL};

    if (policy->option_count == 0) {
        return bl_fail(err, BL_EINVAL, "policy %s has no options, found '%.100s'", policy->name,
                       found);
    }
    for (size_t i = 0; i < policy->option_count; i++) {
        words[i] = policy->option[i].name;
    }
    return fail_unknown(err, "option", found, words);
}

static int parse_word(const char *const *words, const char *what, const char *text, int64_t *out,
                      struct bl_error *err)
{
    for (int i = 0; words[i]; i++) {
        if (!strcmp(words[i], text)) {
            *out = i;
            return BL_OK;
        }
    }
    return fail_unknown(err, what, text, words);
}

static int parse_span(const struct bl_option *option, const char *text, int64_t *out,
                      struct bl_error *err)
{
    bl_time span = 0;
    int status = bl_span_parse(text, &span, err);

    if (status == BL_OK && (span < option->low || span > option->high)) {
        BL_AUTO_BUF range = {0};

        bl_span_print(&range, option->low);
        bl_buf_append_text(&range, " to ");
        bl_span_print(&range, option->high);
        return bl_fail(err, BL_EINVAL, "expected a time from %s, found '%.100s'",
                       bl_buf_text(&range), text);
    }
    *out = status == BL_OK ? span : *out;
    return status;
}

static int parse_value(const struct bl_option *option, const char *text, int64_t *out,
                       struct bl_error *err)
{
    static const char *const switches[] = {"no", "yes", NULL};

    switch (option->kind) {
    case BL_OPTION_WORD:
        return parse_word(option->words, option->name, text, out, err);
    case BL_OPTION_BOOL:
        return parse_word(switches, option->name, text, out, err);
    case BL_OPTION_INT:
        return bl_int_parse(text, option->low, option->high, out, err);
    case BL_OPTION_SPAN:
        break;
    }
    return parse_span(option, text, out, err);
}

/* "key=value"; `text` is cut apart. */
static int parse_option(char *text, struct bl_policy_choice *choice, uint32_t *seen,
                        struct bl_error *err)
{
    char *equals = strchr(text, '=');

    if (!equals) {
        return bl_fail(err, BL_EINVAL, "expected an option like key=value, found '%.100s'", text);
    }
    *equals = '\0';
    for (size_t i = 0; i < choice->policy->option_count; i++) {
        const struct bl_option *option = &choice->policy->option[i];

        if (strcmp(option->name, text) != 0) {
            continue;
        }
        if (*seen & UINT32_C(1) << i) {
            return bl_fail(err, BL_EINVAL, "the option %s is given twice", text);
        }
        *seen |= UINT32_C(1) << i;
        if (parse_value(option, equals + 1, &choice->value[i], err) != BL_OK) {
            return bl_wrap(err, "%s", option->name);
        }
        return BL_OK;
    }
    return fail_option(err, choice->policy, text);
}

static int parse_options(char *text, struct bl_policy_choice *choice, struct bl_error *err)
{
    uint32_t seen = 0;
    int status = BL_OK;

    while (text && status == BL_OK) {
        char *comma = strchr(text, ',');

        if (comma) {
            *comma = '\0';
        }
        status = parse_option(text, choice, &seen, err);
        text = comma ? comma + 1 : NULL;
    }
    return status;
}

int bl_policyspec_parse(const char *text, struct bl_policy_choice *out, struct bl_error *err)
{
    BL_AUTO_FREE char *name = NULL;
    const struct bl_policy *policy;
    struct bl_policy_choice choice;
    char *colon;

    if (strlen(text) > TEXT_MAX) {
        return bl_fail(err, BL_ETOOBIG, "a policy is over %d bytes", TEXT_MAX);
    }
    name = bl_copy_text(text);
    colon = strchr(name, ':');
    if (colon) {
        *colon = '\0';
    }
    policy = bl_policy_find(name);
    if (!policy) {
        return fail_policy(err, name);
    }
    choice = bl_policy_default(policy);
    if (colon && parse_options(colon + 1, &choice, err) != BL_OK) {
        return bl_wrap(err, "policy %s", policy->name);
    }
    *out = choice;
    return BL_OK;
}

static void print_value(struct bl_buf *out, const struct bl_option *option, int64_t value)
{
    switch (option->kind) {
    case BL_OPTION_WORD:
        bl_buf_append_text(out, option->words[value]);
        break;
    case BL_OPTION_BOOL:
        bl_buf_append_text(out, value ? "yes" : "no");
        break;
    case BL_OPTION_INT:
        bl_buf_printf(out, "%lld", (long long)value);
        break;
    case BL_OPTION_SPAN:
        bl_span_print(out, value);
        break;
    }
}

void bl_policyspec_print(struct bl_buf *out, const struct bl_policy_choice *choice)
{
    bl_buf_append_text(out, choice->policy->name);
    for (size_t i = 0; i < choice->policy->option_count; i++) {
        const struct bl_option *option = &choice->policy->option[i];

        bl_buf_printf(out, "%c%s=", i ? ',' : ':', option->name);
        print_value(out, option, choice->value[i]);
    }
}
