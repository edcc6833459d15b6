#include "cli/completion.h"
#include "cli/say.h"

#include <string.h>

/* The verbs while a file is written. */
struct table {
    const struct bl_verb *const *verb;
    size_t count;
};

/* The files are made once for all users. */
static const char *english(enum bl_message id)
{
    return bl_message_text(id, BL_LANGUAGE_EN);
}

static bool is_hidden(const struct bl_verb *verb)
{
    return !verb->summary;
}

static void print_flags(struct bl_buf *out, const struct bl_verb *verb)
{
    const char *gap = "";

    for (const struct bl_flag *flag = verb->flag; flag && flag->name; flag++) {
        bl_buf_printf(out, "%s--%s", gap, flag->name);
        gap = " ";
        if (flag->letter) {
            bl_buf_printf(out, " -%c", flag->letter);
        }
    }
}

static void print_verbs(struct bl_buf *out, const struct table *table)
{
    const char *gap = "";

    for (size_t i = 0; i < table->count; i++) {
        if (!is_hidden(table->verb[i])) {
            bl_buf_printf(out, "%s%s", gap, table->verb[i]->name);
            gap = " ";
        }
    }
}

/* Ids come from the daemon; without one there are none to offer. "7_[0-9]" is array 7. */
static const char ids_words[] =
    "baleen q --no-header -o id 2>/dev/null | sed \"s/ //g; s/_\\[.*//\"";

static bool takes_files(const struct bl_verb *verb)
{
    return !strcmp(verb->name, "run") || !strcmp(verb->name, "submit") ||
           !strcmp(verb->name, "daemon") || !strcmp(verb->name, "sim");
}

static bool takes_ids(const struct bl_verb *verb)
{
    return strstr(verb->usage, " ID") != NULL;
}

static void print_bash(struct bl_buf *out, const struct table *table)
{
    bl_buf_append_text(out, "# bash completion of baleen; made by 'baleen completion bash'\n"
                            "_baleen() {\n"
                            "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
                            "    COMPREPLY=()\n"
                            "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                            "        words='");
    print_verbs(out, table);
    bl_buf_append_text(out, " help'\n    else\n        case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < table->count; i++) {
        const struct bl_verb *verb = table->verb[i];

        if (is_hidden(verb)) {
            continue;
        }
        bl_buf_printf(out, "        %s) words='", verb->name);
        print_flags(out, verb);
        bl_buf_append_text(out, "'");
        if (takes_ids(verb)) {
            bl_buf_printf(out, "; [ \"${word#-}\" != \"$word\" ] || words=\"@ $(%s)\"", ids_words);
        } else if (takes_files(verb)) {
            bl_buf_append_text(out, "; [ \"${word#-}\" != \"$word\" ] || words=");
        }
        bl_buf_append_text(out, " ;;\n");
    }
    bl_buf_append_text(out, "        esac\n    fi\n"
                            "    [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- "
                            "\"$word\"))\n"
                            "}\n"
                            "complete -o default -F _baleen baleen\n");
}

/* What stands between single quotes, with brackets and colons as zsh and fish want them. */
static void print_quoted(struct bl_buf *out, const char *text, const char *escaped)
{
    for (const char *at = text; *at; at++) {
        if (*at == '\'') {
            bl_buf_append_text(out, "'\\''");
        } else if (strchr(escaped, *at)) {
            bl_buf_printf(out, "\\%c", *at);
        } else {
            bl_buf_append_char(out, *at);
        }
    }
}

static void print_zsh_flags(struct bl_buf *out, const struct bl_verb *verb)
{
    for (const struct bl_flag *flag = verb->flag; flag && flag->name; flag++) {
        bool takes = flag->takes == BL_TAKES_VALUE;

        bl_buf_printf(out, " \\\n            '--%s%s[", flag->name, takes ? "=" : "");
        print_quoted(out, english(flag->help), "[]:");
        bl_buf_append_text(out, "]");
        if (takes) {
            bl_buf_append_text(out, ":");
            print_quoted(out, flag->value, "[]:");
            bl_buf_append_text(out, ":_files");
        }
        bl_buf_append_text(out, "'");
    }
}

static void print_zsh(struct bl_buf *out, const struct table *table)
{
    bl_buf_append_text(out, "#compdef baleen\n"
                            "# zsh completion of baleen; made by 'baleen completion zsh'\n"
                            "_baleen_ids() {\n"
                            "    compadd @ $(");
    bl_buf_append_text(out, ids_words);
    bl_buf_append_text(out, ")\n"
                            "}\n"
                            "_baleen() {\n"
                            "    local -a verbs\n"
                            "    verbs=(\n");
    for (size_t i = 0; i < table->count; i++) {
        if (!is_hidden(table->verb[i])) {
            bl_buf_printf(out, "        '%s:", table->verb[i]->name);
            print_quoted(out, english(table->verb[i]->summary), ":");
            bl_buf_append_text(out, "'\n");
        }
    }
    bl_buf_append_text(out, "    )\n"
                            "    if (( CURRENT == 2 )); then\n"
                            "        _describe verb verbs\n"
                            "        return\n"
                            "    fi\n"
                            "    local verb=$words[2]\n"
                            "    shift words\n"
                            "    (( CURRENT-- ))\n"
                            "    case $verb in\n");
    for (size_t i = 0; i < table->count; i++) {
        const struct bl_verb *verb = table->verb[i];

        if (is_hidden(verb) || !verb->flag) {
            continue;
        }
        bl_buf_printf(out, "        %s) _arguments -s", verb->name);
        print_zsh_flags(out, verb);
        if (takes_ids(verb)) {
            bl_buf_append_text(out, " \\\n            '*:job:_baleen_ids'");
        } else {
            bl_buf_append_text(out, " \\\n            '*:word:_files'");
        }
        bl_buf_append_text(out, " ;;\n");
    }
    bl_buf_append_text(out, "        *) _files ;;\n    esac\n}\n_baleen \"$@\"\n");
}

static void print_fish_flag(struct bl_buf *out, const struct bl_verb *verb,
                            const struct bl_flag *flag)
{
    bl_buf_printf(out, "complete -c baleen -n '__fish_seen_subcommand_from %s' -l %s", verb->name,
                  flag->name);
    if (flag->letter) {
        bl_buf_printf(out, " -s %c", flag->letter);
    }
    bl_buf_append_text(out, flag->takes == BL_TAKES_VALUE ? " -r -d '" : " -d '");
    print_quoted(out, english(flag->help), "\\");
    bl_buf_append_text(out, "'\n");
}

static void print_fish(struct bl_buf *out, const struct table *table)
{
    bl_buf_append_text(out, "# fish completion of baleen; made by 'baleen completion fish'\n");
    for (size_t i = 0; i < table->count; i++) {
        const struct bl_verb *verb = table->verb[i];

        if (is_hidden(verb)) {
            continue;
        }
        bl_buf_printf(out, "complete -c baleen -n __fish_use_subcommand -f -a %s -d '", verb->name);
        print_quoted(out, english(verb->summary), "\\");
        bl_buf_append_text(out, "'\n");
        for (const struct bl_flag *flag = verb->flag; flag && flag->name; flag++) {
            print_fish_flag(out, verb, flag);
        }
        if (takes_ids(verb)) {
            bl_buf_printf(out,
                          "complete -c baleen -n '__fish_seen_subcommand_from %s' -f -a '@ (%s)'\n",
                          verb->name, ids_words);
        }
    }
}

int bl_completion_print(struct bl_buf *out, const char *shell, const struct bl_verb *const *verbs,
                        size_t count, struct bl_error *err)
{
    static const struct {
        const char *shell;
        void (*print)(struct bl_buf *out, const struct table *table);
    } rows[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    const struct table table = {verbs, count};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!strcmp(rows[i].shell, shell)) {
            rows[i].print(out, &table);
            return BL_OK;
        }
    }
    return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_SHELL, BL_T(shell));
}
