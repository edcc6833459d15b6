#include "form_test.h"

#include "form/config.h"
#include "form/policyspec.h"

struct config_text {
    struct form_text text;
    struct bl_config config;
    int status;
};

static void read_config(struct config_text *in, const char *yaml)
{
    form_read_yaml(&in->text, yaml);
    if (!in->text.tree) {
        fail_msg("'%s' is no YAML: %s", yaml, in->text.err.text);
    }
    memset(&in->config, 0xA5, sizeof in->config);
    in->status = bl_config_read(&in->text.source, in->text.tree, &in->text.arena, &in->config,
                                &in->text.err);
}

static const char whole[] =
    "engine: local\n"
    "declared: [8xA100:80GB, 'cpus=4,mem=8GB']\n"
    "listen: {socket: /run/b.sock, http: 127.0.0.1:7420}\n"
    "state: /var/lib/baleen\n"
    "zone: Asia/Shanghai\n"
    "policy: {name: easy, order: shortest}\n"
    "scheduler: {debounce: 0s, period: 5s}\n"
    "local:\n"
    "  grace: 30s\n"
    "  memory_soft: 1\n"
    "  memory_hard: 2.5\n"
    "  oom_score_adj: {batch: 100, interactive: -1000}\n"
    "  cgroup: no\n"
    "retention: {keep: 7d, jobs: 1000}\n"
    "reservations: {release_after: 0}\n"
    "predict: {rules: [{user: ann, expect: 2h}, {expect: 40%}], arrivals: no}\n"
    "web: {public: yes}\n"
    "require: [project, time]\n";

static void every_key_is_read(void **state)
{
    struct config_text in;
    const struct bl_config *config = &in.config;
    BL_AUTO_BUF policy = {0};

    (void)state;
    read_config(&in, whole);
    if (in.status != BL_OK) {
        fail_msg("%s", in.text.err.text);
    }
    assert_string_equal(config->engine, "local");
    assert_int_equal(config->declared.node_count, 2);
    assert_string_equal(config->declared.node[0].gpu_type, "A100");
    assert_string_equal(config->declared.node[1].name, "node2");
    assert_null(config->cluster);
    assert_string_equal(config->listen.socket, "/run/b.sock");
    assert_string_equal(config->listen.http, "127.0.0.1:7420");
    assert_string_equal(config->state, "/var/lib/baleen");
    assert_string_equal(config->zone, "Asia/Shanghai");
    assert_true(config->has_policy);
    bl_policyspec_print(&policy, &config->policy);
    assert_string_equal(bl_buf_text(&policy),
                        "easy:durations=limit,order=shortest,predictor=mixture");
    assert_int_equal(config->scheduler.debounce, 0);
    assert_int_equal(config->scheduler.period, 5 * BL_SECOND);
    assert_int_equal(config->local.grace, 30 * BL_SECOND);
    assert_true(config->local.memory_soft == 1 && config->local.memory_hard == 2.5);
    assert_int_equal(config->local.oom_score_adj[BL_CLASS_INTERACTIVE], -1000);
    assert_int_equal(config->local.oom_score_adj[BL_CLASS_BATCH], 100);
    assert_int_equal(config->local.oom_score_adj[BL_CLASS_PREEMPTIBLE], 500);
    assert_false(config->local.cgroup);
    assert_int_equal(config->retention.keep, 7 * BL_DAY);
    assert_int_equal(config->retention.jobs, 1000);
    assert_int_equal(config->reservations.release_after, 0);
    assert_int_equal(config->predict.count, 2);
    assert_string_equal(config->predict.rule[0].user, "ann");
    assert_true(config->web.is_public);
    assert_true(config->without_arrivals);
    assert_int_equal(config->required_count, 2);
    assert_string_equal(config->required[1], "time");
    assert_null(config->required[2]);
    form_finish(&in.text);
}

static void what_is_not_given_has_its_default(void **state)
{
    static const char *const rows[] = {"{}", "{engine: ~, local: ~, declared: ~}", "local: {}"};
    const struct bl_config standard = bl_config_default();

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct config_text in;

        read_config(&in, rows[i]);
        assert_int_equal(in.status, BL_OK);
        assert_memory_equal(&in.config.local, &standard.local, sizeof standard.local);
        assert_memory_equal(&in.config.reservations, &standard.reservations,
                            sizeof standard.reservations);
        assert_memory_equal(&in.config.retention, &standard.retention, sizeof standard.retention);
        assert_memory_equal(&in.config.scheduler, &standard.scheduler, sizeof standard.scheduler);
        assert_false(in.config.web.is_public);
        assert_null(in.config.engine);
        assert_false(in.config.has_policy);
        assert_int_equal(in.config.declared.node_count, 0);
        form_finish(&in.text);
    }
}

static void one_value_stands_for_a_list_of_one_and_a_text_for_a_policy(void **state)
{
    struct config_text in;

    (void)state;
    read_config(&in, "{declared: 2xA100, policy: 'easy:order=shortest', listen: {http: '[::1]:0'}, "
                     "local: {cgroup: yes}}");
    assert_int_equal(in.status, BL_OK);
    assert_int_equal(in.config.declared.node_count, 1);
    assert_string_equal(in.config.policy.policy->name, "easy");
    assert_string_equal(in.config.listen.http, "[::1]:0");
    assert_true(in.config.local.cgroup);
    form_finish(&in.text);
    read_config(&in, "{cluster: nodes.yaml, listen: {http: none}, policy: fifo}");
    assert_string_equal(in.config.cluster, "nodes.yaml");
    assert_string_equal(in.config.listen.http, "none");
    form_finish(&in.text);
}

static void wrong_values_are_refused_with_their_place(void **state)
{
    static const struct {
        const char *yaml;
        const char *message;
    } rows[] = {
        {"[engine]", "test:1: expected a map of keys and values, found a list"},
        {"engine: local\npolcy: easy\n", "test:2: polcy: unknown key, did you mean 'policy'?"},
        {"local: {gracce: 5s}", "gracce: unknown key, did you mean 'grace'?"},
        {"engine: [x]", "engine: expected a name of 1 to 255 bytes, found a list"},
        {"declared: 8A100", "declared: declared node '8A100': expected a node like"},
        {"declared: [[x]]", "declared: expected a node like 8xA100:80GB, found a list"},
        {"{declared: 1xA100, cluster: x}", "cluster: expected cluster or declared, found both"},
        {"cluster: ''", "cluster: expected a path, found ''"},
        {"state: var", "state: expected an absolute path, found 'var'"},
        {"listen: {socket: x}", "socket: expected an absolute path, found 'x'"},
        {"listen: {http: 7420}", "http: expected an address like 127.0.0.1:7420, or none, found "},
        {"listen: {http: 'x:70000'}", "http: expected an address like"},
        {"listen: {http: '::1:80'}", "http: expected an address like"},
        {"listen: {http: ':80'}", "http: expected an address like"},
        {"listen: {http: '[]:80'}", "http: expected an address like"},
        {"policy: eazy", "policy: unknown policy 'eazy', did you mean 'easy'?"},
        {"policy: {order: fcfs}", "policy: expected a policy like easy, or {name: easy, KEY:"},
        {"policy: [easy]", "policy: expected a policy like easy, or {name: easy, KEY: VALUE}"},
        {"policy: {name: easy, order: [x]}", "order: expected a word or a number, found a list"},
        {"policy: {name: easy, order: 'x,durations=limit'}", "order: expected a word or a number"},
        {"policy: {name: easy, ordre: fcfs}", "policy: policy easy: unknown option 'ordre'"},
        {"scheduler: {debounce: 2m}", "debounce: expected a time of at most 1m, found '2m'"},
        {"scheduler: {debounce: x}", "debounce: expected a time like"},
        {"scheduler: {debounce: [1]}", "debounce: expected a time like 20ms, found a list"},
        {"scheduler: {period: 1ms}", "period: expected a time of at least 100ms, found '1ms'"},
        {"local: {grace: 0}", "grace: expected a time over zero"},
        {"local: {memory_soft: 0}", "memory_soft: expected a number from 0.1 to 100, of the"},
        {"local: {memory_soft: 2}", "local: expected memory_soft of at most memory_hard, found 2"},
        {"local: {oom_score_adj: {batch: 1001}}", "batch: expected a whole number from -1000 to"},
        {"local: {oom_score_adj: 5}", "oom_score_adj: expected a map of keys and values"},
        {"local: {cgroup: maybe}", "cgroup: expected one of no, yes, false, true"},
        {"retention: {keep: 0}", "keep: expected a time over zero"},
        {"retention: {jobs: -1}", "jobs: expected a whole number from 0 to 10000000"},
        {"reservations: {release_after: -1h}", "release_after: "},
        {"require: project", "require: expected a list of keys like [project, time], found"},
        {"require: [projct]", "require: expected one of name, project, class,"},
        {"predict: {rules: [{user: ann,\n expect: soon}]}", "test:2: expect: "},
        {"predict: {arrivals: 7}", "test:1: arrivals: "},
        {"zone: ''", "zone: expected a name of 1 to 255 bytes"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_config untouched;
        struct config_text in;

        read_config(&in, rows[i].yaml);
        if (in.status == BL_OK) {
            fail_msg("'%s' was taken", rows[i].yaml);
        }
        assert_int_equal(in.status, in.text.err.status);
        form_expect_message(&in.text.err, rows[i].message, rows[i].yaml);
        memset(&untouched, 0xA5, sizeof untouched);
        assert_memory_equal(&in.config, &untouched, sizeof untouched);
        form_finish(&in.text);
    }
}

static void the_view_is_opened_by_a_plain_yes_alone(void **state)
{
    static const struct {
        const char *text;
        bool is_read, is_public;
    } rows[] = {
        {"{}", true, false},
        {"web: {}", true, false},
        {"web: {public: no}", true, false},
        {"web: {public: yes}", true, true},
        {"web: {public: maybe}", false, false},
        {"web: {publik: yes}", false, false},
        {"web: yes", false, false},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct config_text in;

        read_config(&in, rows[i].text);
        if ((in.status == BL_OK) != rows[i].is_read ||
            (rows[i].is_read && in.config.web.is_public != rows[i].is_public)) {
            fail_msg("%s: %s", rows[i].text, in.text.err.text);
        }
        form_finish(&in.text);
    }
}

static void keys_of_later_versions_are_refused_by_name(void **state)
{
    static const struct {
        const char *yaml;
        const char *key;
    } rows[] = {
        {"pools: {a: {}}", "pools"},  {"notify: {}", "notify"},
        {"slurm: {}", "slurm"},       {"kubernetes: {}", "kubernetes"},
        {"listen: {tls: {}}", "tls"}, {"scheduler: {budget: 5}", "budget"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        BL_AUTO_BUF message = {0};
        struct config_text in;

        read_config(&in, rows[i].yaml);
        bl_buf_printf(&message, "test:1: %s: %s is not supported by this version yet", rows[i].key,
                      rows[i].key);
        assert_string_equal(in.text.err.text, bl_buf_text(&message));
        form_finish(&in.text);
    }
}

static void lists_and_paths_are_taken_up_to_their_ceilings_and_no_further(void **state)
{
    static const struct {
        const char *head, *piece, *tail, *message;
        int most;
    } rows[] = {
        {"declared: [", "1xA100,", "]", "declared: expected at most 4096 nodes, found 4097",
         BL_CONFIG_DECLARED_MAX},
        {"require: [", "name,", "]", "require: expected at most 32 keys, found 33",
         BL_CONFIG_REQUIRED_MAX},
        {"state: /", "x", "", "state: the path is over 4095 bytes", BL_CONFIG_PATH_MAX - 2},
    };

    (void)state;
    for (size_t i = 0; i < 2 * FORM_ROWS(rows); i++) {
        int more = (int)(i % 2);
        BL_AUTO_BUF yaml = {0};
        struct config_text in;

        bl_buf_append_text(&yaml, rows[i / 2].head);
        for (int j = 0; j < rows[i / 2].most + more; j++) {
            bl_buf_append_text(&yaml, rows[i / 2].piece);
        }
        bl_buf_append_text(&yaml, rows[i / 2].tail);
        read_config(&in, bl_buf_text(&yaml));
        assert_int_equal(in.status != BL_OK, more);
        if (more) {
            form_expect_message(&in.text.err, rows[i / 2].message, rows[i / 2].head);
        }
        form_finish(&in.text);
    }
}

static void a_job_without_a_required_key_is_refused(void **state)
{
    static const struct {
        const char *yaml;
        const char *message; /* NULL = taken */
    } rows[] = {
        {"{project: a, time: {limit: 1h}}", NULL},
        {"{project: a}", "test:1: expected time: jobs here must say it"},
        {"{project: ~, time: {limit: 1h}}", "test:1: expected project: jobs here must say it"},
    };
    struct config_text in;

    (void)state;
    read_config(&in, "require: [project, time]");
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct form_text job;
        int status;

        form_read_yaml(&job, rows[i].yaml);
        status = bl_config_check_required(&in.config, &job.source, job.tree, &job.err);
        assert_int_equal(status == BL_OK, rows[i].message == NULL);
        if (rows[i].message) {
            assert_string_equal(job.err.text, rows[i].message);
        }
        form_finish(&job);
    }
    form_finish(&in.text);
}

static void a_node_that_a_comma_cut_is_told_of_quotes(void **state)
{
    struct config_text in;

    (void)state;
    read_config(&in, "declared: [4xA100:80GB,cpus=8,mem=64GB]");
    assert_int_equal(in.status, BL_EINVAL);
    assert_non_null(strstr(in.text.err.hint, "quote it"));
    form_finish(&in.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_that_a_comma_cut_is_told_of_quotes),
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(what_is_not_given_has_its_default),
        cmocka_unit_test(one_value_stands_for_a_list_of_one_and_a_text_for_a_policy),
        cmocka_unit_test(wrong_values_are_refused_with_their_place),
        cmocka_unit_test(the_view_is_opened_by_a_plain_yes_alone),
        cmocka_unit_test(keys_of_later_versions_are_refused_by_name),
        cmocka_unit_test(lists_and_paths_are_taken_up_to_their_ceilings_and_no_further),
        cmocka_unit_test(a_job_without_a_required_key_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
