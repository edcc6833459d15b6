#include "sim/rounds.h"

#include "bytes.h"
#include "form/policyspec.h"
#include "net.h"
#include "sim/world.h"

extern const struct bl_trace_format bl_trace_format_pollux;

static struct bl_node_spec nodes[] = {{.name = "a", .gpu_type = "T4", .gpus = 4}};
static const struct bl_clusterspec machine = {nodes, 1};

struct replay {
    struct bl_sim_output waits;
    struct bl_sim_result result;
    struct bl_error err;
    int status;
};

static struct replay replay_of(const char *rows, const char *policy, bl_time round)
{
    struct bl_trace_options options = {.cluster = &machine};
    struct replay replay = {0};
    struct bl_profiles profiles = {0};
    struct bl_sim_setup setup = {
        .cluster = &machine, .format = &bl_trace_format_pollux, .round = round};
    struct bl_sim_world_setup world = {setup.format, &profiles, &machine, false};
    BL_AUTO_BUF text = {0};
    struct bl_byte_source source;
    struct kit_bytes bytes;

    bl_buf_printf(&text, "name,time,application,num_replicas,batch_size\n%s", rows);
    bytes = kit_text(bl_buf_text(&text));
    source = kit_bytes_source("t", &bytes);
    net_add(&profiles);
    assert_int_equal(bl_policyspec_parse(policy, &setup.choice, NULL), BL_OK);
    assert_int_equal(setup.format->open(&source, &options, &setup.trace, NULL), BL_OK);
    setup.world = bl_sim_world_create(&world);
    setup.waits = &replay.waits;
    replay.status = bl_sim_replay(&setup, &replay.result, &replay.err);
    setup.format->close(setup.trace);
    bl_sim_world_destroy(setup.world);
    bl_profiles_finish(&profiles);
    return replay;
}

/* Alone on one GPU: 30 s to start, then 200 iterations of 0.1 s. */
static void a_job_is_seen_at_a_round_and_ends_at_its_own_second(void **state)
{
    struct replay r =
        replay_of("a,7,net,1,32\nb,60,net,1,32\nc,1000,net,1,32\n", "fifo", BL_MINUTE);

    (void)state;
    assert_int_equal(r.status, BL_OK);
    assert_string_equal(bl_buf_text(&r.waits.text),
                        "id,submit,start,end\n1,7,60,110\n2,60,60,110\n3,1000,1020,1070\n");
    assert_int_equal(r.result.left, 0);
    bl_buf_finish(&r.waits.text);
}

static void a_round_may_be_of_any_length_in_whole_seconds(void **state)
{
    static const struct {
        bl_time round;
        const char *waits;
    } rows[] = {
        {10 * BL_SECOND, "id,submit,start,end\n1,7,10,60\n"},
        {BL_HOUR, "id,submit,start,end\n1,7,3600,3650\n"},
    };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct replay r = replay_of("a,7,net,1,32\n", "fifo", rows[i].round);

        assert_string_equal(bl_buf_text(&r.waits.text), rows[i].waits);
        bl_buf_finish(&r.waits.text);
    }
    {
        struct replay r = replay_of("a,7,net,1,32\n", "fifo", 1500 * BL_MILLISECOND);

        assert_int_equal(r.status, BL_EINVAL);
        bl_buf_finish(&r.waits.text);
    }
}

/* The first is put back at 120 and starts again at once: a restart of 30 s. */
static void what_is_given_back_is_handed_on_at_the_same_instant(void **state)
{
    struct replay r = replay_of("a,0,net,1,128\nb,70,net,1,128\n", "optimus", BL_MINUTE);

    (void)state;
    assert_int_equal(r.status, BL_OK);
    assert_int_equal(r.result.left, 0);
    assert_int_equal(r.result.figures.done, 2);
    bl_buf_finish(&r.waits.text);
}

static void a_wrong_row_ends_the_replay_with_its_place(void **state)
{
    struct replay r = replay_of("a,0,net,1,32\nb,70,other,1,32\n", "fifo", BL_MINUTE);

    (void)state;
    assert_int_equal(r.status, BL_ENOTFOUND);
    assert_string_equal(r.err.text, "b: there is no profile of the application other");
    bl_buf_finish(&r.waits.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_is_seen_at_a_round_and_ends_at_its_own_second),
        cmocka_unit_test(a_round_may_be_of_any_length_in_whole_seconds),
        cmocka_unit_test(what_is_given_back_is_handed_on_at_the_same_instant),
        cmocka_unit_test(a_wrong_row_ends_the_replay_with_its_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
