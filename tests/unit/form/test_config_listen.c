#include "form_test.h"

#include "form/config_listen.h"

struct listen_text {
    struct form_text text;
    struct bl_config_listen listen;
    int status;
};

static void read_listen(struct listen_text *in, const char *yaml)
{
    struct bl_tree_reader reader;

    form_read_yaml(&in->text, yaml);
    assert_non_null(in->text.tree);
    reader = (struct bl_tree_reader){&in->text.source, &in->text.arena, &in->text.err};
    in->listen = bl_config_listen_default();
    in->status = bl_config_listen_read(&reader, in->text.tree, &in->listen);
}

static void every_key_is_read(void **state)
{
    struct listen_text in;

    (void)state;
    read_listen(&in, "socket: /run/b.sock\nhttp: '[::1]:0'\nhosts: [gpu.example.org, gpu]\n"
                     "remote: yes\n"
                     "open_metrics: yes\n"
                     "limits: {connections: 100, connections_user: 10, header: 8KiB, body: 1MiB,\n"
                     "  idle: 5s, request: 6s, answer: 90s}\n");
    if (in.status != BL_OK) {
        fail_msg("%s", in.text.err.text);
    }
    assert_string_equal(in.listen.socket, "/run/b.sock");
    assert_string_equal(in.listen.http, "[::1]:0");
    assert_string_equal(in.listen.hosts[1], "gpu");
    assert_null(in.listen.hosts[2]);
    assert_true(in.listen.remote);
    assert_true(in.listen.open_metrics);
    assert_int_equal(in.listen.limits.connections, 100);
    assert_int_equal(in.listen.limits.connections_user, 10);
    assert_int_equal(in.listen.limits.header, 8192);
    assert_int_equal(in.listen.limits.body, 1 << 20);
    assert_int_equal(in.listen.limits.idle, 5 * BL_SECOND);
    assert_int_equal(in.listen.limits.request, 6 * BL_SECOND);
    assert_int_equal(in.listen.limits.answer, 90 * BL_SECOND);
    form_finish(&in.text);
}

static void what_is_not_given_has_its_default(void **state)
{
    struct bl_config_listen standard = bl_config_listen_default();
    struct listen_text in;

    (void)state;
    read_listen(&in, "limits: {idle: 1h}");
    assert_int_equal(in.status, BL_OK);
    assert_null(in.listen.http);
    assert_null(in.listen.hosts);
    assert_false(in.listen.remote);
    assert_false(in.listen.open_metrics);
    standard.limits.idle = BL_HOUR;
    assert_memory_equal(&in.listen.limits, &standard.limits, sizeof standard.limits);
    form_finish(&in.text);
}

static void wrong_values_are_refused_with_their_place(void **state)
{
    static const struct {
        const char *yaml, *message;
    } rows[] = {
        {"[x]", "test:1: expected a map of keys and values, found a list"},
        {"sockt: /x", "sockt: unknown key, did you mean 'socket'?"},
        {"http: [x]", "http: expected an address like 127.0.0.1:7420, or none, found a list"},
        {"hosts: gpu", "hosts: expected a list of names like [gpu.example.org], found 'gpu'"},
        {"hosts: ['gpu:80']", "expected the name of a host, without a port, found 'gpu:80'"},
        {"hosts: [[gpu]]", "expected a name of 1 to 255 bytes, found a list"},
        {"remote: 1.5", "remote: expected one of no, yes, false, true"},
        {"tls: {}", "tls: tls is not supported by this version yet"},
        {"limits: {conections: 5}", "conections: unknown key, did you mean 'connections'?"},
        {"limits: {connections: 7}", "connections: expected a number from 8 to 65536, found '7'"},
        {"limits: {connections: 65537}", "connections: expected a number from 8 to 65536"},
        {"limits: {header: 1KiB}", "header: expected a size from 4KiB to 1MiB, found '1KiB'"},
        {"limits: {body: 1TiB}", "body: expected a size from 4KiB to 256MiB, found '1TiB'"},
        {"limits: {idle: 10ms}", "idle: expected a time from 1s to 1d, found '10ms'"},
        {"limits: {answer: 2d}", "answer: expected a time from 1s to 1d, found '2d'"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct listen_text in;

        read_listen(&in, rows[i].yaml);
        if (in.status == BL_OK) {
            fail_msg("'%s' was taken", rows[i].yaml);
        }
        form_expect_message(&in.text.err, rows[i].message, rows[i].yaml);
        form_finish(&in.text);
    }
}

static void as_many_hosts_as_the_ceiling_are_taken_and_no_more(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        BL_AUTO_BUF yaml = {0};
        struct listen_text in;

        bl_buf_append_text(&yaml, "hosts: [");
        for (int i = 0; i < BL_CONFIG_HOSTS_MAX + more; i++) {
            bl_buf_append_text(&yaml, "gpu,");
        }
        bl_buf_append_text(&yaml, "]");
        read_listen(&in, bl_buf_text(&yaml));
        assert_int_equal(in.status != BL_OK, more);
        form_finish(&in.text);
    }
}

static void addresses_have_a_port(void **state)
{
    static const struct {
        const char *text;
        bool is_one;
    } rows[] = {
        {"127.0.0.1:7420", true}, {"[::1]:0", true},    {"localhost:80", true},
        {"x:70000", false},       {"127.0.0.1", false}, {"::1:80", false},
        {":80", false},           {"[]:80", false},     {"[::1:80", false},
        {"1.2.3.4:", false},      {"", false},          {"a:-1", false},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        if (bl_config_is_address(rows[i].text) != rows[i].is_one) {
            fail_msg("'%s'", rows[i].text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(what_is_not_given_has_its_default),
        cmocka_unit_test(wrong_values_are_refused_with_their_place),
        cmocka_unit_test(as_many_hosts_as_the_ceiling_are_taken_and_no_more),
        cmocka_unit_test(addresses_have_a_port),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
