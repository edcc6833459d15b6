#include "engine/local_site.h"
#include "bl_test.h"

#include "engine/launch_env.h"
#include "os/fs.h"
#include "os/spawn_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A site of one declared node, and one job on its third GPU. */
struct scene {
    char dir[32];
    struct bl_local_site site;
    struct bl_cluster cluster;
    struct bl_job job;
    struct bl_alloc alloc;
    struct bl_launch launch;
    struct bl_engine_job what;
    struct bl_local_paths paths;
    struct bl_buf bytes;
    struct bl_spawn_spec spec;
};

static char shell[] = "sh";
static char workdir[] = "/work dir";
static char pattern[] = "%x-%j.%r.log";
static char *argv[] = {shell, NULL};

static void open_site(struct scene *scene)
{
    struct bl_node_spec node = {
        .name = "n1", .gpu_type = "A100", .gpus = 4, .cpu_milli = 1000, .mem_bytes = 1};
    struct bl_clusterspec declared = {.node = &node, .node_count = 1};
    struct bl_engine_config config = {
        .state_dir = scene->dir, .declared = &declared, .no_cgroup = true};

    assert_int_equal(bl_local_site_open(&scene->site, &config, NULL), BL_OK);
    assert_int_equal(bl_cluster_add_node(&scene->cluster, &node), 0);
}

static int open_scene(void **state)
{
    static const char *const environment[] = {"A=1", NULL};
    struct scene *scene = bl_alloc_zero(sizeof *scene);

    snprintf(scene->dir, sizeof scene->dir, "/tmp/baleen-site-XXXXXX");
    assert_non_null(mkdtemp(scene->dir));
    open_site(scene);
    scene->job = (struct bl_job){.id = 5, .spec = {.name = "fit", .job_class = BL_CLASS_BATCH}};
    scene->alloc = (struct bl_alloc){
        .part_count = 1,
        .single = {.gpus = 1, .gpu_mask = 4, .cpu_milli = 2500, .mem_bytes = 10000}};
    scene->launch = (struct bl_launch){.argv = argv,
                                       .argc = 1,
                                       .workdir = workdir,
                                       .log_pattern = pattern,
                                       .uid = (int64_t)geteuid(),
                                       .gid = (int64_t)getegid(),
                                       .grace = 3 * BL_SECOND};
    scene->what = (struct bl_engine_job){.job = &scene->job,
                                         .attempt = 2,
                                         .alloc = &scene->alloc,
                                         .cluster = &scene->cluster,
                                         .launch = &scene->launch};
    bl_local_paths_init(&scene->paths, scene->dir, 5, 2);
    assert_int_equal(bl_launch_env_write(scene->dir, 5, environment, NULL), BL_OK);
    *state = scene;
    return 0;
}

static int close_scene(void **state)
{
    struct scene *scene = *state;

    bl_spawn_spec_finish(&scene->spec);
    bl_buf_finish(&scene->bytes);
    bl_local_paths_finish(&scene->paths);
    bl_cluster_finish(&scene->cluster);
    bl_local_site_finish(&scene->site);
    assert_int_equal(bl_fs_remove_tree(scene->dir, NULL), BL_OK);
    free(scene);
    return 0;
}

static void write_and_read(struct scene *scene)
{
    enum bl_start_stage stage;
    struct bl_error err = {0};

    assert_int_equal(
        bl_local_site_write_spec(&scene->site, &scene->what, &scene->paths, &scene->bytes, &stage),
        0);
    if (bl_spawn_spec_read(scene->bytes.text, scene->bytes.length, &scene->spec, &err)) {
        fail_msg("%s", err.text);
    }
}

static void write_again(struct scene *scene)
{
    bl_spawn_spec_finish(&scene->spec);
    bl_buf_clear(&scene->bytes);
    write_and_read(scene);
}

static bool has_variable(const struct bl_spawn_spec *spec, const char *entry)
{
    for (char **at = spec->envp; *at; at++) {
        if (strcmp(*at, entry) == 0) {
            return true;
        }
    }
    return false;
}

static void a_spec_carries_all_that_the_supervisor_needs(void **state)
{
    struct scene *scene = *state;
    const struct bl_spawn_spec *spec = &scene->spec;
    char expected[128];

    write_and_read(scene);
    assert_string_equal(spec->argv[0], "sh");
    assert_string_equal(spec->workdir, "/work dir");
    assert_string_equal(spec->log, "/work dir/fit-5.2.log");
    assert_int_equal(spec->grace, 3 * BL_SECOND);
    snprintf(expected, sizeof expected, "%s/jobs/5", scene->dir);
    assert_string_equal(spec->directory, expected);
    snprintf(expected, sizeof expected, "BALEEN_JOB_TOKEN=%s.5.2", scene->site.identity);
    assert_string_equal(spec->token, expected);
    assert_true(has_variable(spec, expected));
    assert_true(has_variable(spec, "A=1"));
    assert_true(has_variable(spec, "CUDA_VISIBLE_DEVICES=2"));
    assert_non_null(strstr(spec->alloc, "GPU-declared-n1-2"));
    assert_int_equal(spec->become_user, geteuid() == 0);
}

static void expect_words(struct scene *scene, const char *expected)
{
    BL_AUTO_BUF words = {0};

    write_again(scene);
    for (char **word = scene->spec.argv; *word; word++) {
        bl_buf_printf(&words, "%s%s", words.length ? "|" : "", *word);
    }
    assert_string_equal(bl_buf_text(&words), expected);
}

static void what_a_job_goes_on_with_stands_behind_its_command(void **state)
{
    static const struct {
        const char *resume;
        int32_t attempt;
        const char *words;
    } rows[] = {
        {"--resume latest", 1, "sh"},
        {"--resume latest", 2, "sh|--resume|latest"},
        {" \t-r\n'a b' ", 3, "sh|-r|'a|b'"},
        {"", 2, "sh"},
        {"  ", 2, "sh"},
        {NULL, 2, "sh"},
    };
    struct scene *scene = *state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_FREE char *resume = bl_copy_text(rows[i].resume);

        scene->launch.resume = resume;
        scene->what.attempt = rows[i].attempt;
        expect_words(scene, rows[i].words);
    }
    scene->launch.resume = NULL;
}

static void without_groups_there_is_neither_group_nor_limit(void **state)
{
    struct scene *scene = *state;

    write_and_read(scene);
    assert_null(scene->spec.cgroup);
    assert_int_equal(scene->spec.mem_max, 0);
    assert_int_equal(scene->spec.cpu_weight, 0);
}

static void with_controllers_memory_and_cpus_follow_what_is_booked(void **state)
{
    struct scene *scene = *state;

    scene->site.has_groups = true;
    scene->site.groups.has_memory = true;
    scene->site.groups.has_cpu = true;
    bl_buf_append_text(&scene->site.groups.path, "/groups");
    write_and_read(scene);
    assert_string_equal(scene->spec.cgroup, "/groups/job-5.2");
    assert_int_equal(scene->spec.mem_high, 9000);
    assert_int_equal(scene->spec.mem_max, 11000);
    assert_int_equal(scene->spec.cpu_weight, 250);
    scene->site.rules.memory_soft = 1;
    scene->site.rules.memory_hard = 2.5;
    write_again(scene);
    assert_int_equal(scene->spec.mem_high, 10000);
    assert_int_equal(scene->spec.mem_max, 25000);
    scene->launch.mem_unasked = true; /* what is booked then is a guess */
    write_again(scene);
    assert_int_equal(scene->spec.mem_high, 0);
    assert_int_equal(scene->spec.mem_max, 0);
    assert_int_equal(scene->spec.cpu_weight, 250);
    scene->site.has_groups = false; /* there is no such group to be removed */
}

static void files_get_the_mask_of_whoever_submitted(void **state)
{
    struct scene *scene = *state;

    write_and_read(scene);
    assert_int_equal(scene->spec.umask, 022);
    scene->launch.has_umask = true;
    scene->launch.umask = 077;
    write_again(scene);
    assert_int_equal(scene->spec.umask, 077);
}

static void the_class_says_who_goes_first_when_memory_runs_out(void **state)
{
    static const int scores[BL_CLASS_COUNT] = {
        [BL_CLASS_INTERACTIVE] = -500, [BL_CLASS_BATCH] = 0, [BL_CLASS_PREEMPTIBLE] = 500};
    struct scene *scene = *state;

    for (int i = 0; i < BL_CLASS_COUNT; i++) {
        scene->job.spec.job_class = (enum bl_job_class)i;
        write_again(scene);
        assert_int_equal(scene->spec.oom_score_adj, scores[i]);
    }
    scene->site.rules.oom_score_adj[BL_CLASS_BATCH] = 77;
    scene->job.spec.job_class = BL_CLASS_BATCH;
    write_again(scene);
    assert_int_equal(scene->spec.oom_score_adj, 77);
}

static void what_is_missing_names_its_stage(void **state)
{
    struct scene *scene = *state;
    enum bl_start_stage stage = BL_STAGE_COUNT;

    scene->launch.uid = -5;
    assert_int_not_equal(
        bl_local_site_write_spec(&scene->site, &scene->what, &scene->paths, &scene->bytes, &stage),
        0);
    assert_int_equal(stage, BL_STAGE_USER);
    scene->launch.uid = (int64_t)geteuid();
    bl_launch_env_remove(scene->dir, 5);
    assert_int_not_equal(
        bl_local_site_write_spec(&scene->site, &scene->what, &scene->paths, &scene->bytes, &stage),
        0);
    assert_int_equal(stage, BL_STAGE_SPEC);
}

static void two_state_directories_have_two_identities_and_one_keeps_its_own(void **state)
{
    struct scene *scene = *state;
    struct scene *other;
    struct bl_engine_config config = {.state_dir = scene->dir, .no_cgroup = true};
    struct bl_local_site again;
    void *place = NULL;

    assert_int_equal(open_scene(&place), 0);
    other = place;
    assert_string_not_equal(scene->site.identity, other->site.identity);
    assert_int_equal(bl_local_site_open(&again, &config, NULL), BL_OK);
    assert_string_equal(scene->site.identity, again.identity);
    bl_local_site_finish(&again);
    assert_int_equal(close_scene(&place), 0);
}

#define IN_SCENE(claim) cmocka_unit_test_setup_teardown(claim, open_scene, close_scene)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCENE(a_spec_carries_all_that_the_supervisor_needs),
        IN_SCENE(what_a_job_goes_on_with_stands_behind_its_command),
        IN_SCENE(without_groups_there_is_neither_group_nor_limit),
        IN_SCENE(with_controllers_memory_and_cpus_follow_what_is_booked),
        IN_SCENE(files_get_the_mask_of_whoever_submitted),
        IN_SCENE(the_class_says_who_goes_first_when_memory_runs_out),
        IN_SCENE(what_is_missing_names_its_stage),
        IN_SCENE(two_state_directories_have_two_identities_and_one_keeps_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
