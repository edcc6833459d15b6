/* What a job finds in its environment. */
#include "conformance.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const print_env[] = {"env", NULL};

static void run_env(struct kit *kit, int64_t id, struct kit_job job)
{
    job.argv = print_env;
    job.log = "env-%j";
    run_job(kit, id, &job);
}

static void the_submitted_environment_arrives(struct kit *kit)
{
    static const char *const env[] = {
        "PATH=/usr/bin:/bin", "MINE=a b", "EMPTY=", "EQUALS=a=b=c", "HOME=/nowhere", NULL};

    run_env(kit, 1, (struct kit_job){.env = env});
    for (size_t i = 0; env[i]; i++) {
        expect_line(kit, "env-1", env[i]);
    }
}

static void values_arrive_as_they_are(struct kit *kit)
{
    static const char *const env[] = {"PATH=/usr/bin:/bin", "LINES_OF=a\nb\n", "ODD=ü\t'\"$(id)\\*",
                                      "BYTES=\xff\xfe", NULL};

    run_job(
        kit, 1,
        &(struct kit_job){.script = "printf '<%s>' \"$LINES_OF\" \"$ODD\" \"$BYTES\"", .env = env});
    expect_file(kit, "name-1.1.log", "<a\nb\n><ü\t'\"$(id)\\*><\xff\xfe>");
}

static void a_huge_environment_arrives_whole(struct kit *kit)
{
    enum { COUNT = 10, BYTES = 100 * 1024 };
    char *env[COUNT + 2] = {0};
    char expected[64];

    env[COUNT] = bl_copy_text("PATH=/usr/bin:/bin");
    for (int i = 0; i < COUNT; i++) {
        env[i] = bl_alloc_zero(BYTES + 1);
        memset(env[i], 'x', BYTES);
        env[i][0] = (char)('A' + i);
        env[i][1] = '=';
    }
    run_job(kit, 1,
            &(struct kit_job){.script = "env | grep -c '^[A-J]=x*$'; env | grep '^[A-J]=' | wc -c",
                              .env = (const char *const *)env});
    snprintf(expected, sizeof expected, "%d\n%d\n", COUNT, COUNT * (BYTES + 1));
    expect_file(kit, "name-1.1.log", expected);
    for (int i = 0; i <= COUNT; i++) {
        free(env[i]);
    }
}

static void a_job_without_any_environment_finds_programs(struct kit *kit)
{
    static const char *const env[] = {NULL};

    run_env(kit, 1, (struct kit_job){.env = env});
    expect_line(kit, "env-1", "PATH=/usr/local/bin:/usr/bin:/bin");
}

static void P2_the_job_is_named_and_wins_over_what_was_submitted(struct kit *kit)
{
    static const char *const env[] = {"PATH=/usr/bin:/bin", "BALEEN_JOB_ID=99", "BALEEN_ATTEMPT=99",
                                      "BALEEN_GPUS=99",     "BALEEN_DIR=/tmp",  NULL};

    run_env(kit, 6, (struct kit_job){.env = env});
    expect_line(kit, "env-6", "BALEEN_JOB_ID=6");
    expect_line(kit, "env-6", "BALEEN_ATTEMPT=1");
    expect_line(kit, "env-6", "BALEEN_GPUS=1");
    BL_AUTO_FREE char *text = kit_read(kit, "env-6");
    assert_null(strstr(text, "=99\n"));
    assert_null(strstr(text, "BALEEN_DIR=/tmp\n"));
}

static void an_element_is_told_its_array_and_its_index(struct kit *kit)
{
    static const struct bl_array_range range = {.first = 0, .last = 9, .step = 3};
    static const struct bl_job array = {.id = 100,
                                        .spec = {.array = &range, .array_range_count = 1}};

    run_env(kit, 103, (struct kit_job){.array = &array});
    expect_line(kit, "env-103", "BALEEN_ARRAY_JOB_ID=100");
    expect_line(kit, "env-103", "BALEEN_ARRAY_INDEX=6");
    expect_line(kit, "env-103", "BALEEN_JOB_ID=103");
}

static void no_other_job_hears_of_an_array(struct kit *kit)
{
    static const char *const env[] = {"PATH=/usr/bin:/bin", "BALEEN_ARRAY_INDEX=3", NULL};

    run_env(kit, 1, (struct kit_job){.env = env});
    BL_AUTO_FREE char *text = kit_read(kit, "env-1");
    assert_null(strstr(text, "BALEEN_ARRAY"));
}

static void P2_only_the_allocated_gpu_is_to_be_seen(struct kit *kit)
{
    static const char *const env[] = {"PATH=/usr/bin:/bin", "CUDA_VISIBLE_DEVICES=0,1,2", NULL};

    run_env(kit, 6, (struct kit_job){.env = env});
    expect_line(kit, "env-6", "CUDA_VISIBLE_DEVICES=5");
    expect_line(kit, "env-6", "CUDA_DEVICE_ORDER=PCI_BUS_ID");
    expect_line(kit, "env-6", "ROCR_VISIBLE_DEVICES=5");
    expect_line(kit, "env-6", "HIP_VISIBLE_DEVICES=0");
}

static void all_allocated_gpus_are_to_be_seen(struct kit *kit)
{
    run_env(kit, 1, (struct kit_job){.all_gpus = true});
    expect_line(kit, "env-1", "BALEEN_GPUS=8");
    expect_line(kit, "env-1", "CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7");
}

static void no_gpu_is_to_be_seen_where_none_is_allocated(struct kit *kit)
{
    static const char *const env[] = {"PATH=/usr/bin:/bin", "CUDA_VISIBLE_DEVICES=0,1,2",
                                      "ZE_AFFINITY_MASK=0", NULL};

    run_env(kit, 1, (struct kit_job){.no_gpu = true, .env = env});
    expect_line(kit, "env-1", "BALEEN_GPUS=0");
    expect_line(kit, "env-1", "CUDA_VISIBLE_DEVICES=-1");
    expect_line(kit, "env-1", "NVIDIA_VISIBLE_DEVICES=void");
    BL_AUTO_FREE char *text = kit_read(kit, "env-1");
    assert_null(strstr(text, "ZE_AFFINITY_MASK"));
}

static void P17_jobs_at_once_see_different_gpus(struct kit *kit)
{
    char seen[KIT_GPUS + 1] = "";

    for (int64_t id = 1; id <= KIT_GPUS; id++) {
        kit_start(kit, id, &(struct kit_job){.script = "echo device $CUDA_VISIBLE_DEVICES"});
    }
    for (int64_t id = 1; id <= KIT_GPUS; id++) {
        char name[32];
        char line[256];

        wait_ended(kit, id);
        snprintf(name, sizeof name, "name-%lld.1.log", (long long)id);
        kit_wait_line(kit, name, "device ", line);
        seen[id - 1] = line[7];
    }
    assert_string_equal(seen, "01234567");
}

static void signals_are_as_a_login_would_give_them(struct kit *kit)
{
    static const char *const argv[] = {"grep", "-E", "^Sig(Ign|Blk):.*[^0\t]", "/proc/self/status",
                                       NULL};
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* as a daemon does */

    run_job(kit, 1, &(struct kit_job){.argv = argv});
    signal(SIGPIPE, before);
    expect_story(kit, 1, "started; exited 1"); /* grep found none */
}

static void a_job_leads_its_own_session_without_a_terminal(struct kit *kit)
{
    run_job(
        kit, 1,
        &(struct kit_job){.script = "set -- $(cat /proc/$$/stat); test $6 = $$ && test $7 = 0"});
    expect_story(kit, 1, "started; exited 0");
}

const struct conformance_case conformance_env[] = {
    CASE(the_submitted_environment_arrives, NEEDS_PROCESSES),
    CASE(values_arrive_as_they_are, NEEDS_PROCESSES),
    CASE(a_huge_environment_arrives_whole, NEEDS_PROCESSES),
    CASE(a_job_without_any_environment_finds_programs, NEEDS_PROCESSES),
    CASE(P2_the_job_is_named_and_wins_over_what_was_submitted, NEEDS_PROCESSES),
    CASE(an_element_is_told_its_array_and_its_index, NEEDS_PROCESSES),
    CASE(no_other_job_hears_of_an_array, NEEDS_PROCESSES),
    CASE(P2_only_the_allocated_gpu_is_to_be_seen, NEEDS_PROCESSES),
    CASE(all_allocated_gpus_are_to_be_seen, NEEDS_PROCESSES),
    CASE(no_gpu_is_to_be_seen_where_none_is_allocated, NEEDS_PROCESSES),
    CASE(P17_jobs_at_once_see_different_gpus, NEEDS_PROCESSES),
    CASE(signals_are_as_a_login_would_give_them, NEEDS_PROCESSES),
    CASE(a_job_leads_its_own_session_without_a_terminal, NEEDS_PROCESSES),
    {0},
};
