#include "engine/local_env.h"
#include "bl_test.h"

#include <stdio.h>
#include <string.h>

static struct bl_local_device device_of(int32_t number, const char *uuid, bool declared)
{
    return (struct bl_local_device){
        .node = "n1", .gpu = number, .number = number, .uuid = uuid, .declared = declared};
}

static const char *value_of(char *const *environment, const char *name)
{
    size_t length = strlen(name);
    const char *found = NULL;

    for (; *environment; environment++) {
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=') {
            assert_null(found); /* never twice */
            found = *environment + length + 1;
        }
    }
    return found;
}

static char **build(const bl_local_devices *devices, const char *const *submitted,
                    struct bl_arena *arena)
{
    struct bl_local_setting setting = {.job = 12,
                                       .attempt = 3,
                                       .token = "BALEEN_JOB_TOKEN=t.12.3",
                                       .directory = "/s/jobs/12/dir",
                                       .devices = devices};

    return bl_local_env_build(&setting, (char *const *)(uintptr_t)submitted, arena);
}

struct row {
    const char *name;
    const char *value;
};

static void expect_rows(char *const *environment, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *value = value_of(environment, rows[i].name);

        if (!value || strcmp(value, rows[i].value) != 0) {
            fail_msg("%s is '%s', not '%s'", rows[i].name, value ? value : "(absent)",
                     rows[i].value);
        }
    }
}

static void P17_real_gpus_are_absolute_numbers_and_true_uuids(void **state)
{
    static const struct row rows[] = {
        {"BALEEN_JOB_ID", "12"},
        {"BALEEN_ATTEMPT", "3"},
        {"BALEEN_GPUS", "2"},
        {"BALEEN_GPU_UUIDS", "GPU-a,GPU-b"},
        {"BALEEN_DIR", "/s/jobs/12/dir"},
        {"BALEEN_PROGRESS", "/s/jobs/12/dir/progress"},
        {"BALEEN_JOB_TOKEN", "t.12.3"},
        {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"},
        {"CUDA_VISIBLE_DEVICES", "4,7"},
        {"NVIDIA_VISIBLE_DEVICES", "GPU-a,GPU-b"},
        {"ROCR_VISIBLE_DEVICES", "4,7"},
        {"HIP_VISIBLE_DEVICES", "0,1"},
        {"ASCEND_RT_VISIBLE_DEVICES", "4,7"},
        {"PATH", "/bin"},
    };
    static const char *const submitted[] = {"PATH=/bin", NULL};
    bl_local_devices devices = {0};
    struct bl_arena arena = {0};

    (void)state;
    BL_VEC_PUSH(&devices, device_of(4, "GPU-a", false));
    BL_VEC_PUSH(&devices, device_of(7, "GPU-b", false));
    expect_rows(build(&devices, submitted, &arena), rows, sizeof rows / sizeof rows[0]);
    bl_arena_finish(&arena);
    BL_VEC_FINISH(&devices);
}

static void a_job_without_gpus_sees_none(void **state)
{
    static const struct row rows[] = {
        {"BALEEN_GPUS", "0"},
        {"BALEEN_GPU_UUIDS", ""},
        {"CUDA_VISIBLE_DEVICES", "-1"},
        {"NVIDIA_VISIBLE_DEVICES", "void"},
        {"ROCR_VISIBLE_DEVICES", "-1"},
        {"HIP_VISIBLE_DEVICES", "-1"},
        {"ASCEND_RT_VISIBLE_DEVICES", "-1"},
    };
    static const char *const submitted[] = {NULL};
    bl_local_devices devices = {0};
    struct bl_arena arena = {0};

    (void)state;
    expect_rows(build(&devices, submitted, &arena), rows, sizeof rows / sizeof rows[0]);
    bl_arena_finish(&arena);
}

static void A7_an_element_is_told_its_array_and_index(void **state)
{
    static const struct row rows[] = {{"BALEEN_ARRAY_JOB_ID", "11"}, {"BALEEN_ARRAY_INDEX", "70"}};
    static const char *const submitted[] = {"BALEEN_ARRAY_INDEX=1", NULL};
    bl_local_devices devices = {0};
    struct bl_local_setting setting = {.job = 12,
                                       .attempt = 1,
                                       .array = 11,
                                       .array_index = 70,
                                       .token = "BALEEN_JOB_TOKEN=t",
                                       .directory = "/s",
                                       .devices = &devices};
    struct bl_arena arena = {0};
    char **environment = bl_local_env_build(&setting, (char *const *)(uintptr_t)submitted, &arena);

    (void)state;
    expect_rows(environment, rows, sizeof rows / sizeof rows[0]);
    setting.array = 0;
    environment = bl_local_env_build(&setting, (char *const *)(uintptr_t)submitted, &arena);
    assert_null(value_of(environment, "BALEEN_ARRAY_INDEX"));
    bl_arena_finish(&arena);
}

static void made_up_uuids_are_kept_from_container_runtimes(void **state)
{
    static const struct row rows[] = {{"BALEEN_GPU_UUIDS", "GPU-declared-n1-2"},
                                      {"NVIDIA_VISIBLE_DEVICES", "2"}};
    static const char *const submitted[] = {NULL};
    bl_local_devices devices = {0};
    struct bl_arena arena = {0};

    (void)state;
    BL_VEC_PUSH(&devices, device_of(2, "GPU-declared-n1-2", true));
    expect_rows(build(&devices, submitted, &arena), rows, sizeof rows / sizeof rows[0]);
    bl_arena_finish(&arena);
    BL_VEC_FINISH(&devices);
}

static void P17_the_submitters_masks_and_job_do_not_leak(void **state)
{
    static const char *const submitted[] = {"CUDA_VISIBLE_DEVICES=7",
                                            "NVIDIA_VISIBLE_DEVICES=all",
                                            "HIP_VISIBLE_DEVICES=7",
                                            "ROCR_VISIBLE_DEVICES=7",
                                            "GPU_DEVICE_ORDINAL=7",
                                            "ZE_AFFINITY_MASK=7",
                                            "ASCEND_RT_VISIBLE_DEVICES=7",
                                            "CUDA_DEVICE_ORDER=FASTEST",
                                            "BALEEN_JOB_ID=99",
                                            "BALEEN_JOB_TOKEN=other.1.1",
                                            "BALEEN_DIR=/other",
                                            "BALEEN_ARRAY_INDEX=5",
                                            "BALEEN_SOCKET=/run/b.sock",
                                            "HOME=/home/me",
                                            "CUDA_VISIBLE_DEVICESX=7",
                                            NULL};
    static const struct row kept[] = {
        {"BALEEN_SOCKET", "/run/b.sock"},    {"HOME", "/home/me"},
        {"CUDA_VISIBLE_DEVICESX", "7"},      {"CUDA_VISIBLE_DEVICES", "-1"},
        {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}, {"BALEEN_JOB_ID", "12"},
        {"BALEEN_JOB_TOKEN", "t.12.3"},      {"BALEEN_DIR", "/s/jobs/12/dir"}};
    static const char *const gone[] = {"GPU_DEVICE_ORDINAL", "ZE_AFFINITY_MASK",
                                       "BALEEN_ARRAY_INDEX"};
    bl_local_devices devices = {0};
    struct bl_arena arena = {0};
    char **environment;

    (void)state;
    environment = build(&devices, submitted, &arena);
    expect_rows(environment, kept, sizeof kept / sizeof kept[0]);
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        assert_null(value_of(environment, gone[i]));
    }
    bl_arena_finish(&arena);
}

/* What a script's flags say is taken over what follows from the allocation; who the job is, is not
 * theirs to say. */
static void A21_a_script_is_told_what_it_asked_for(void **state)
{
    static const char *const submitted[] = {
        "PATH=/bin",         "SLURM_NTASKS=4",      "SLURM_CPUS_PER_TASK=2", "SLURM_JOB_ID=99",
        "SLURM_GPUS=a100:1", "SLURM_SUBMIT_DIR=/s", "SLURM_JOB_GPUS=9",      NULL};
    static const struct row rows[] = {
        {"SLURM_JOB_ID", "12"},           {"SLURM_NTASKS", "4"},       {"SLURM_CPUS_PER_TASK", "2"},
        {"SLURM_GPUS", "a100:1"},         {"SLURM_NPROCS", "1"},       {"SLURM_SUBMIT_DIR", "/s"},
        {"SLURM_JOB_GPUS", "5"},          {"SLURM_GPUS_ON_NODE", "1"}, {"SLURM_RESTART_COUNT", "2"},
        {"SLURM_JOB_CPUS_PER_NODE", "2"}, {"SLURM_JOB_NODELIST", "n1"}};
    struct bl_arena arena = {0};
    struct bl_cluster cluster = {0};
    struct bl_node_spec node = {.name = "n1", .gpus = 8, .cpu_milli = 8000};
    struct bl_alloc alloc = {.part_count = 1, .single = {.gpus = 1, .cpu_milli = 1500}};
    struct bl_job_spec spec = {.name = "x"};
    struct bl_launch launch = {.slurm_env = true, .workdir = (char *)(uintptr_t) "/w"};
    bl_local_devices devices = {0};
    struct bl_local_setting setting = {.job = 12,
                                       .attempt = 3,
                                       .token = "BALEEN_JOB_TOKEN=t.12.3",
                                       .directory = "/s/jobs/12/dir",
                                       .devices = &devices,
                                       .alloc = &alloc,
                                       .cluster = &cluster,
                                       .job_spec = &spec,
                                       .launch = &launch};

    (void)state;
    bl_cluster_add_node(&cluster, &node);
    BL_VEC_PUSH(&devices, device_of(5, "GPU-declared-n1-5", true));
    expect_rows(bl_local_env_build(&setting, (char *const *)(uintptr_t)submitted, &arena), rows,
                sizeof rows / sizeof rows[0]);
    BL_VEC_FINISH(&devices);
    bl_cluster_finish(&cluster);
    bl_arena_finish(&arena);
}

static void a_submitter_without_a_path_gets_one(void **state)
{
    static const char *const submitted[] = {"HOME=/", NULL};
    bl_local_devices devices = {0};
    struct bl_arena arena = {0};

    (void)state;
    assert_non_null(value_of(build(&devices, submitted, &arena), "PATH"));
    bl_arena_finish(&arena);
}

static void the_allocation_is_told_by_node(void **state)
{
    struct bl_cluster cluster = {0};
    struct bl_node_spec node = {
        .name = "n1", .gpu_type = "A100", .gpus = 8, .cpu_milli = 64000, .mem_bytes = 1 << 30};
    struct bl_alloc alloc = {
        .part_count = 1,
        .single = {.gpus = 1, .gpu_mask = 1 << 3, .cpu_milli = 1500, .mem_bytes = 1024}};
    bl_local_devices devices = {0};
    BL_AUTO_BUF text = {0};
    struct bl_local_setting setting = {
        .job = 12, .attempt = 3, .devices = &devices, .alloc = &alloc, .cluster = &cluster};

    (void)state;
    assert_int_equal(bl_cluster_add_node(&cluster, &node), 0);
    BL_VEC_PUSH(&devices, device_of(3, "GPU-d", false));
    bl_local_env_print_alloc(&setting, &text);
    assert_string_equal(
        bl_buf_text(&text),
        "{\"job\":12,\"attempt\":3,\"gpus\":1,\"nodes\":[{\"node\":\"n1\",\"cpus\":1.5,"
        "\"mem_bytes\":1024,\"gpus\":[{\"gpu\":3,\"device\":3,\"uuid\":\"GPU-d\"}]}]}\n");
    BL_VEC_FINISH(&devices);
    bl_cluster_finish(&cluster);
}

static void A1_an_attempt_is_told_how_to_go_on_from_a_checkpoint(void **state)
{
    char resume[] = "--resume latest";
    const struct bl_launch launch = {.resume = resume, .checkpoint_every = 90 * BL_SECOND};
    const char *const submitted[] = {"BALEEN_RESUME=no", "BALEEN_CHECKPOINT_S=1", NULL};
    const bl_local_devices devices = {0};

    (void)state;
    for (int32_t attempt = 1; attempt <= 2; attempt++) {
        struct bl_arena arena = {0};
        struct bl_local_setting setting = {.job = 12,
                                           .attempt = attempt,
                                           .token = "BALEEN_JOB_TOKEN=t.12.3",
                                           .directory = "/s/jobs/12/dir",
                                           .devices = &devices,
                                           .launch = &launch};
        char **built = bl_local_env_build(&setting, (char *const *)(uintptr_t)submitted, &arena);

        assert_string_equal(value_of(built, "BALEEN_RESUME"), attempt > 1 ? resume : "");
        assert_string_equal(value_of(built, "BALEEN_CHECKPOINT_S"), "90");
        bl_arena_finish(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A1_an_attempt_is_told_how_to_go_on_from_a_checkpoint),
        cmocka_unit_test(P17_real_gpus_are_absolute_numbers_and_true_uuids),
        cmocka_unit_test(a_job_without_gpus_sees_none),
        cmocka_unit_test(A7_an_element_is_told_its_array_and_index),
        cmocka_unit_test(made_up_uuids_are_kept_from_container_runtimes),
        cmocka_unit_test(P17_the_submitters_masks_and_job_do_not_leak),
        cmocka_unit_test(A21_a_script_is_told_what_it_asked_for),
        cmocka_unit_test(a_submitter_without_a_path_gets_one),
        cmocka_unit_test(the_allocation_is_told_by_node),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
