#include "form/predict_rules.h"

#include "base/buf.h"
#include "base/glob.h"
#include "base/units.h"

#include <string.h>

enum { PERCENT_DECIMALS = 1000000 };

#define SPREAD 2 /* of a rule that names one length: half of it, twice as long */

static int read_pattern(const struct bl_tree_reader *in, const struct bl_tree *at, const char **out)
{
    const char *text = NULL;
    int status = bl_tree_read_text(in, at, &text);

    if (status == BL_OK && !*text) {
        return bl_tree_fail_kind(in, at, "a pattern like train-*");
    }
    if (status == BL_OK && strlen(text) > BL_PREDICT_PATTERN_MAX) {
        return bl_tree_fail_size(in, at, "the pattern", BL_PREDICT_PATTERN_MAX);
    }
    *out = status == BL_OK ? text : *out;
    return status;
}

static int read_params(const struct bl_tree_reader *in, const struct bl_tree *at,
                       struct bl_predict_rule *out)
{
    struct bl_predict_param *param;

    if (at->kind != BL_TREE_MAP || at->child_count > BL_PREDICT_PARAMS_MAX) {
        return bl_tree_fail(in->source, at, in->err,
                            "expected a map of at most %d names, like {model: bert*}",
                            BL_PREDICT_PARAMS_MAX);
    }
    param = bl_arena_alloc(in->arena, (at->child_count + 1) * sizeof *param);
    for (size_t i = 0; i < at->child_count; i++) {
        int status = read_pattern(in, &at->child[i], &param[i].pattern);

        if (status != BL_OK) {
            return status;
        }
        param[i].name = at->child[i].key;
    }
    out->param = param;
    out->param_count = at->child_count;
    return BL_OK;
}

/* "40%" of the limit; false when it is something else. */
static bool is_share(const char *text, double *out)
{
    size_t length = strlen(text);
    char number[32];
    int64_t scaled = 0;

    if (length < 2 || length > sizeof number || text[length - 1] != '%') {
        return false;
    }
    memcpy(number, text, length - 1);
    number[length - 1] = '\0';
    if (bl_scaled_parse(number, PERCENT_DECIMALS, &scaled, NULL) != BL_OK || scaled <= 0 ||
        scaled > (int64_t)100 * PERCENT_DECIMALS) {
        return false;
    }
    *out = (double)scaled / PERCENT_DECIMALS / 100;
    return true;
}

static int read_length(const struct bl_tree_reader *in, const struct bl_tree *at,
                       struct bl_predict_length *out)
{
    if (at->kind != BL_TREE_SCALAR ||
        (strchr(at->text, '%') && !is_share(at->text, &out->of_limit))) {
        return bl_tree_fail_kind(in, at, "a time like 2h30m or a part of the limit like 40%");
    }
    return out->of_limit > 0 ? BL_OK : bl_tree_read_span(in, at, &out->time);
}

static bool is_given(const struct bl_predict_length *length)
{
    return length->time > 0 || length->of_limit > 0;
}

/* Lengths of one kind can be compared here; others when there is a job. */
static bool is_below(const struct bl_predict_length *a, const struct bl_predict_length *b)
{
    return (a->time > 0 && b->time > 0 && a->time < b->time) ||
           (a->of_limit > 0 && b->of_limit > 0 && a->of_limit < b->of_limit);
}

static int read_quantiles(const struct bl_tree_reader *in, const struct bl_tree *map,
                          struct bl_predict_rule *out)
{
    static const char *const keys[] = {"p10", "p50", "p90", NULL};
    struct bl_predict_length *const to[] = {&out->low, &out->middle, &out->high};
    int status = bl_tree_check_keys(in->source, map, keys, in->err);

    for (int i = 0; keys[i] && status == BL_OK; i++) {
        const struct bl_tree *at = bl_tree_given(map, keys[i]);

        status = at ? read_length(in, at, to[i]) : BL_OK;
    }
    if (status != BL_OK) {
        return status;
    }
    if (!is_given(&out->middle)) {
        return bl_tree_fail(in->source, map, in->err, "expected the key p50");
    }
    if (is_below(&out->middle, &out->low) || is_below(&out->high, &out->middle)) {
        return bl_tree_fail(in->source, map, in->err, "expected p10 <= p50 <= p90");
    }
    return BL_OK;
}

static int read_expect(const struct bl_tree_reader *in, const struct bl_tree *at,
                       struct bl_predict_rule *out)
{
    return at->kind == BL_TREE_MAP ? read_quantiles(in, at, out)
                                   : read_length(in, at, &out->middle);
}

static int read_rule(const struct bl_tree_reader *in, const struct bl_tree *map,
                     struct bl_predict_rule *out)
{
    static const char *const keys[] = {"user",   "project", "name",  "command", "gpu_type",
                                       "params", "expect",  "final", NULL};
    const char **const pattern[] = {&out->user, &out->project, &out->name, &out->command,
                                    &out->gpu_type};
    const struct bl_tree *params = bl_tree_given(map, "params");
    const struct bl_tree *expect = bl_tree_given(map, "expect");
    const struct bl_tree *final = bl_tree_given(map, "final");
    int status = bl_tree_check_keys(in->source, map, keys, in->err);

    for (size_t i = 0; i < sizeof pattern / sizeof pattern[0] && status == BL_OK; i++) {
        const struct bl_tree *at = bl_tree_given(map, keys[i]);

        status = at ? read_pattern(in, at, pattern[i]) : BL_OK;
    }
    if (status == BL_OK && !expect) {
        return bl_tree_fail(in->source, map, in->err,
                            "expected the key expect: how long such jobs run");
    }
    status = status == BL_OK && params ? read_params(in, params, out) : status;
    status = status == BL_OK ? read_expect(in, expect, out) : status;
    return status == BL_OK && final ? bl_tree_read_bool(in, final, &out->is_final) : status;
}

int bl_predict_rules_read(const struct bl_tree_reader *in, const struct bl_tree *at,
                          struct bl_predict_rules *out)
{
    struct bl_predict_rule *rule;

    if (at->kind != BL_TREE_LIST) {
        return bl_tree_fail_kind(in, at, "a list of rules like [{user: ann, expect: 2h}]");
    }
    if (at->child_count > BL_PREDICT_RULES_MAX) {
        return bl_tree_fail(in->source, at, in->err, "expected at most %d rules, found %zu",
                            BL_PREDICT_RULES_MAX, at->child_count);
    }
    rule = bl_arena_alloc(in->arena, (at->child_count + 1) * sizeof *rule);
    for (size_t i = 0; i < at->child_count; i++) {
        int status =
            at->child[i].kind == BL_TREE_MAP
                ? read_rule(in, &at->child[i], &rule[i])
                : bl_tree_fail_kind(in, &at->child[i], "a rule like {user: ann, expect: 2h}");

        if (status != BL_OK) {
            return status;
        }
    }
    *out = (struct bl_predict_rules){rule, at->child_count};
    return BL_OK;
}

static bool matches(const char *pattern, const char *text)
{
    return !pattern || (text && bl_glob_matches(pattern, text));
}

/* A job that may run on any type says nothing of one. */
static bool matches_types(const char *pattern, const struct bl_job_spec *spec)
{
    for (size_t i = 0; pattern && i < spec->gpu_type_count; i++) {
        if (!bl_glob_matches(pattern, spec->gpu_type[i])) {
            return false;
        }
    }
    return !pattern || spec->gpu_type_count > 0;
}

static bool matches_command(const char *pattern, const struct bl_launch *launch)
{
    BL_AUTO_BUF command = {0};

    if (!pattern) {
        return true;
    }
    for (size_t i = 0; i < launch->argc; i++) {
        bl_buf_printf(&command, "%s%s", i > 0 ? " " : "", launch->argv[i]);
    }
    return bl_glob_matches(pattern, bl_buf_text(&command));
}

static bool has_param(const struct bl_predict_param *wanted, const struct bl_launch_notes *params)
{
    size_t length = strlen(wanted->name);

    for (size_t i = 0; i < params->count; i++) {
        const char *note = params->at[i];

        if (strncmp(note, wanted->name, length) == 0 && note[length] == '=') {
            return bl_glob_matches(wanted->pattern, note + length + 1);
        }
    }
    return false;
}

static bool has_params(const struct bl_predict_rule *rule, const struct bl_launch *launch)
{
    for (size_t i = 0; i < rule->param_count; i++) {
        if (!has_param(&rule->param[i], &launch->params)) {
            return false;
        }
    }
    return true;
}

static bool speaks_of_limit(const struct bl_predict_rule *rule)
{
    return rule->low.of_limit > 0 || rule->middle.of_limit > 0 || rule->high.of_limit > 0;
}

static bool is_about(const struct bl_predict_rule *rule, const struct bl_job_spec *spec,
                     const struct bl_launch *launch)
{
    return matches(rule->user, spec->user) && matches(rule->project, spec->project) &&
           matches(rule->name, spec->name) && matches_types(rule->gpu_type, spec) &&
           (spec->limit > 0 || !speaks_of_limit(rule)) && has_params(rule, launch) &&
           matches_command(rule->command, launch);
}

static bl_time length_of(const struct bl_predict_length *length, const struct bl_job_spec *spec)
{
    bl_time time =
        length->of_limit > 0 ? (bl_time)(length->of_limit * (double)spec->limit) : length->time;

    return time > 0 ? time : 1;
}

/* Quantiles of both kinds may turn out in another order than they were meant. */
static struct bl_expectation expect(const struct bl_predict_rule *rule,
                                    const struct bl_job_spec *spec)
{
    bl_time middle = length_of(&rule->middle, spec);
    bl_time low = is_given(&rule->low) ? length_of(&rule->low, spec) : middle / SPREAD;
    bl_time high = is_given(&rule->high)           ? length_of(&rule->high, spec)
                   : middle < BL_SPAN_MAX / SPREAD ? middle * SPREAD
                                                   : BL_SPAN_MAX;

    low = low > 0 ? low : 1;
    return (struct bl_expectation){low < middle ? low : middle, middle,
                                   high > middle ? high : middle, rule->is_final};
}

void bl_predict_rules_apply(const struct bl_predict_rules *rules, const struct bl_job_spec *spec,
                            const struct bl_launch *launch, struct bl_expectation *out)
{
    *out = (struct bl_expectation){0};
    for (size_t i = 0; i < rules->count; i++) {
        if (is_about(&rules->rule[i], spec, launch)) {
            *out = expect(&rules->rule[i], spec);
            return;
        }
    }
}
