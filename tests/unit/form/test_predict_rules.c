#include "form_test.h"

#include "form/predict_rules.h"

struct rules_text {
    struct form_text text;
    struct bl_predict_rules rules;
    int status;
};

static void read_rules(struct rules_text *in, const char *yaml)
{
    struct bl_tree_reader reader = {&in->text.source, &in->text.arena, &in->text.err};

    form_read_yaml(&in->text, yaml);
    if (!in->text.tree) {
        fail_msg("'%s' is no YAML: %s", yaml, in->text.err.text);
    }
    in->rules = (struct bl_predict_rules){0};
    in->status = bl_predict_rules_read(&reader, in->text.tree, &in->rules);
}

static struct bl_expectation apply(const struct rules_text *in, const struct bl_job_spec *spec)
{
    static char text[][20] = {"python", "train.py", "--big", "model=bert-large", "epochs=90"};
    char *words[] = {text[0], text[1], text[2], NULL};
    char *params[] = {text[3], text[4], NULL};
    struct bl_launch launch = {.argv = words, .argc = 3, .params = {params, 2}};
    struct bl_expectation expected;

    bl_predict_rules_apply(&in->rules, spec, &launch, &expected);
    return expected;
}

static const struct bl_job_spec nightly = {.user = "ann",
                                           .project = "nlp",
                                           .name = "nightly-17",
                                           .gpu_type = {"A100", "A800"},
                                           .gpu_type_count = 2,
                                           .limit = 10 * BL_HOUR};

static void C2_a_rule_is_about_jobs_that_have_all_that_it_names(void **state)
{
    static const struct {
        const char *rule;
        bool is_about_it;
    } rows[] = {
        {"[{expect: 2h}]", true},
        {"[{user: ann, expect: 2h}]", true},
        {"[{user: 'a?n', expect: 2h}]", true},
        {"[{user: an, expect: 2h}]", false},
        {"[{project: nlp, name: 'nightly-*', expect: 2h}]", true},
        {"[{project: vision, name: 'nightly-*', expect: 2h}]", false},
        {"[{command: '*train.py*', expect: 2h}]", true},
        {"[{command: 'python train.py --big', expect: 2h}]", true},
        {"[{command: 'train.py', expect: 2h}]", false},
        {"[{params: {model: 'bert*', epochs: 90}, expect: 2h}]", true},
        {"[{params: {model: 'bert*', epochs: 9}, expect: 2h}]", false},
        {"[{params: {epoch: 90}, expect: 2h}]", false},
        {"[{params: {layers: '*'}, expect: 2h}]", false},
        {"[{gpu_type: 'A*', expect: 2h}]", true},
        {"[{gpu_type: A100, expect: 2h}]", false},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct rules_text in;

        read_rules(&in, rows[i].rule);
        assert_int_equal(in.status, BL_OK);
        if (apply(&in, &nightly).middle != (rows[i].is_about_it ? 2 * BL_HOUR : 0)) {
            fail_msg("%s", rows[i].rule);
        }
        form_finish(&in.text);
    }
}

static void a_job_without_what_a_rule_names_is_not_meant(void **state)
{
    struct bl_job_spec bare = {.user = "ann"};
    struct rules_text in;

    (void)state;
    read_rules(&in, "[{name: '*', expect: 2h}, {project: '*', expect: 2h}, {gpu_type: '*', expect: "
                    "2h}, {expect: 40%}]");
    assert_int_equal(in.status, BL_OK);
    assert_int_equal(apply(&in, &bare).middle, 0);
    form_finish(&in.text);
}

static void C2_the_first_rule_that_is_about_a_job_says_how_long_it_runs(void **state)
{
    static const struct {
        const char *rules;
        struct bl_expectation expected;
    } rows[] = {
        {"[]", {0, 0, 0, false}},
        {"[{user: bob, expect: 1h}, {expect: 2h}, {expect: 3h}]",
         {BL_HOUR, 2 * BL_HOUR, 4 * BL_HOUR, false}},
        {"[{expect: 40%, final: yes}]", {2 * BL_HOUR, 4 * BL_HOUR, 8 * BL_HOUR, true}},
        {"[{expect: 100%}]", {5 * BL_HOUR, 10 * BL_HOUR, 20 * BL_HOUR, false}},
        {"[{expect: {p50: 3h, p90: 50%}}]", {90 * BL_MINUTE, 3 * BL_HOUR, 5 * BL_HOUR, false}},
        {"[{expect: {p10: 1m, p50: 3h, p90: 4h}}]", {BL_MINUTE, 3 * BL_HOUR, 4 * BL_HOUR, false}},
        {"[{expect: {p10: 90%, p50: 3h, p90: 10%}}]",
         {3 * BL_HOUR, 3 * BL_HOUR, 3 * BL_HOUR, false}},
        {"[{expect: 36500d}]", {18250 * BL_DAY, BL_SPAN_MAX, BL_SPAN_MAX, false}},
        {"[{expect: 1us}]", {1, 1, 2, false}},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        const struct bl_expectation *wanted = &rows[i].expected;
        struct bl_expectation found;
        struct rules_text in;

        read_rules(&in, rows[i].rules);
        if (in.status != BL_OK) {
            fail_msg("%s: %s", rows[i].rules, in.text.err.text);
        }
        found = apply(&in, &nightly);
        if (found.low != wanted->low || found.middle != wanted->middle ||
            found.high != wanted->high || found.is_final != wanted->is_final) {
            fail_msg("%s: found %lld %lld %lld", rows[i].rules, (long long)found.low,
                     (long long)found.middle, (long long)found.high);
        }
        form_finish(&in.text);
    }
}

static void wrong_rules_are_refused_with_their_place(void **state)
{
    static const struct {
        const char *yaml;
        const char *message;
    } rows[] = {
        {"{user: ann}", "test:1: expected a list of rules like [{user: ann, expect: 2h}], found"},
        {"[ann]", "expected a rule like {user: ann, expect: 2h}, found 'ann'"},
        {"- {user: ann, expect: 2h}\n- {usr: ann, expect: 2h}\n",
         "test:2: usr: unknown key, did you mean 'user'?"},
        {"[{user: ann}]", "expected the key expect: how long such jobs run"},
        {"[{user: '', expect: 2h}]", "user: expected a pattern like train-*, found ''"},
        {"[{user: [ann], expect: 2h}]", "user: expected a text"},
        {"[{expect: soon}]", "expect: "},
        {"[{expect: 0}]", "expect: expected a time over zero"},
        {"[{expect: -1h}]", "expect: "},
        {"[{expect: 0%}]", "expect: expected a time like 2h30m or a part of the limit like 40%"},
        {"[{expect: 101%}]", "expect: expected a time like 2h30m or a part of the limit like"},
        {"[{expect: '%'}]", "expect: expected a time like 2h30m or a part of the limit like 40%"},
        {"[{expect: [2h]}]", "expect: expected a time like 2h30m or a part of the limit like"},
        {"[{expect: {p90: 2h}}]", "expect: expected the key p50"},
        {"[{expect: {p50: 2h, p99: 3h}}]", "p99: unknown key, did you mean 'p90'?"},
        {"[{expect: {p50: 2h, p90: 1h}}]", "expect: expected p10 <= p50 <= p90"},
        {"[{expect: {p10: 50%, p50: 40%}}]", "expect: expected p10 <= p50 <= p90"},
        {"[{expect: 2h, final: perhaps}]", "final: expected one of no, yes"},
        {"[{expect: 2h, params: [a]}]", "params: expected a map of at most 16 names, like"},
        {"[{expect: 2h, params: {a: {}}}]", "a: expected a text"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct rules_text in;

        read_rules(&in, rows[i].yaml);
        if (in.status == BL_OK) {
            fail_msg("'%s' was taken", rows[i].yaml);
        }
        form_expect_message(&in.text.err, rows[i].message, rows[i].yaml);
        assert_null(in.rules.rule);
        form_finish(&in.text);
    }
}

static void there_are_rules_up_to_the_ceiling_and_no_further(void **state)
{
    (void)state;
    for (size_t more = 0; more < 2; more++) {
        BL_AUTO_BUF yaml = {0};
        struct rules_text in;

        for (size_t i = 0; i < BL_PREDICT_RULES_MAX + more; i++) {
            bl_buf_append_text(&yaml, "- {expect: 2h}\n");
        }
        read_rules(&in, bl_buf_text(&yaml));
        assert_int_equal(in.status == BL_OK, more == 0);
        form_finish(&in.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C2_a_rule_is_about_jobs_that_have_all_that_it_names),
        cmocka_unit_test(a_job_without_what_a_rule_names_is_not_meant),
        cmocka_unit_test(C2_the_first_rule_that_is_about_a_job_says_how_long_it_runs),
        cmocka_unit_test(wrong_rules_are_refused_with_their_place),
        cmocka_unit_test(there_are_rules_up_to_the_ceiling_and_no_further),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
