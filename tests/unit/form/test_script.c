#include "script_test.h"

static int read_text(struct script_text *script, const char *name, const char *text)
{
    const struct bl_script_request request = {
        .name = name, .bytes = text, .length = strlen(text), .directory = "/w"};

    memset(script, 0, sizeof *script);
    script->status = bl_script_read(&request, &script->arena, &script->script, &script->err);
    return script->status;
}

static void A21_the_text_is_kept_byte_for_byte(void **state)
{
    static const char *const rows[] = {
        "#!/bin/bash",
        "#!/bin/bash\n",
        "#!/bin/bash\n\n\n",
        "#! /usr/bin/env python3\nprint('é')\n",
        "#!/bin/bash -l\n#SBATCH -n 1\ncat <<EOF\n\t$x\r\n#SBATCH -n 9\nEOF\n",
        "#!/bin/sh\n\techo \"\\x1b\\n\"   \n   ",
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct script_text script;

        assert_int_equal(read_text(&script, "s.sh", rows[i]), BL_OK);
        assert_string_equal(script.script.job.launch.script, rows[i]);
        assert_int_equal(script.script.job.launch.argc, 1);
        script_finish(&script);
    }
}

static void A21_lines_that_end_in_cr_lf_run_with_lf_and_a_warning(void **state)
{
    struct script_text script;
    const struct bl_script *read = &script.script;

    (void)state;
    assert_int_equal(
        read_text(&script, "s.sh", "#!/bin/bash\r\n#SBATCH -J train\r\n\r\nexit 3\r\n"), BL_OK);
    assert_string_equal(read->job.launch.script, "#!/bin/bash\n#SBATCH -J train\n\nexit 3\n");
    assert_string_equal(read->job.core.name, "train");
    assert_int_equal(read->warning_count, 1);
    assert_string_equal(read->warning[0], "s.sh:1: the lines end in CR LF; the job runs with LF");
    script_finish(&script);
}

static void A21_flags_end_at_the_first_command(void **state)
{
    static const struct script_row rows[] = {
        {"# SBATCH -J a\n##SBATCH -J b\n #SBATCH -J c\n#SBAT -J d", "{}"},
        {"\n   \t\n# comment\n#SBATCH -J a", "{name:a}"},
        {"#SBATCH -J a\necho\n#SBATCH -J b\n#SBATCH -J c",
         "{name:a} | dir/s.sh:4: #SBATCH behind the first command is not read"},
        {"true\n#BALEEN --gpus 2", "{} | dir/s.sh:3: #BALEEN behind the first command is not read"},
    };

    (void)state;
    script_expect_rows(rows, FORM_ROWS(rows));
}

static void A21_defaults_are_slurms_for_scripts_with_its_lines_and_ours_for_others(void **state)
{
    struct script_text script;
    const struct bl_jobspec *job = &script.script.job;

    (void)state;
    script_read(&script, "#SBATCH -n 1");
    assert_string_equal(job->launch.log_pattern, "slurm-%j.out");
    assert_null(job->launch.error_pattern);
    assert_true(job->launch.slurm_env && job->core.may_restart);
    assert_string_equal(job->core.name, "s.sh");
    assert_string_equal(job->launch.workdir, "/w");
    script_finish(&script);
    script_read(&script, "#SBATCH -a 0-3");
    assert_string_equal(job->launch.log_pattern, "slurm-%A_%a.out");
    script_finish(&script);
    script_read(&script, "#BALEEN --gpus 1");
    assert_string_equal(job->launch.log_pattern, BL_LAUNCH_LOG_DEFAULT);
    assert_false(job->launch.slurm_env || job->core.may_restart);
    assert_int_equal(job->core.kind, BL_KIND_TRAIN);
    script_finish(&script);
}

static void what_is_no_script_is_refused(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"", "s.sh:1: expected '#!' and the path of an interpreter, found ''"},
        {"echo x\n", "s.sh:1: expected '#!' and the path of an interpreter, found 'echo x'"},
        {"\n#!/bin/sh\n", "s.sh:1: expected '#!' and the path of an interpreter, found ''"},
        {"#!bash\n", "s.sh:1: expected '#!' and the path of an interpreter, found '#!bash'"},
        {"\xEF\xBB\xBF#!/bin/sh\n", "s.sh:1: expected '#!' and the path of an interpreter"},
        {"#!/bin/sh\n\xD6\xD0\n", "s.sh: expected UTF-8 text"},
    };
    static const char zero[] = "#!/bin/sh\n\0";
    const struct bl_script_request request = {
        .name = "s.sh", .bytes = zero, .length = sizeof zero, .directory = "/w"};
    struct script_text script;

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        assert_int_equal(read_text(&script, "s.sh", rows[i].text), BL_EINVAL);
        form_expect_message(&script.err, rows[i].message, rows[i].text);
        script_finish(&script);
    }
    assert_int_equal(read_text(&script, "train.py", "import os\n"), BL_EINVAL);
    assert_string_equal(script.err.hint, "begin the script with #!/usr/bin/env python3");
    script_finish(&script);
    memset(&script, 0, sizeof script);
    assert_int_equal(bl_script_read(&request, &script.arena, &script.script, &script.err),
                     BL_EINVAL);
    form_expect_message(&script.err, "s.sh: expected a script, found zero bytes in it", "");
    script_finish(&script);
}

static void scripts_are_taken_up_to_their_ceiling_and_no_further(void **state)
{
    (void)state;
    for (size_t more = 0; more < 2; more++) {
        BL_AUTO_BUF text = {0};
        struct script_text script;

        bl_buf_append_text(&text, "#!/bin/sh\n");
        while (text.length < BL_LAUNCH_SCRIPT_MAX - 1 + more) {
            bl_buf_append_char(&text, '\n');
        }
        assert_int_equal(read_text(&script, "s.sh", bl_buf_text(&text)), more ? BL_ETOOBIG : BL_OK);
        script_finish(&script);
    }
}

static void A21_the_command_line_goes_over_the_script(void **state)
{
    static const char *const sbatch[] = {"-n", "8", "--job-name=late", NULL};
    static const char *const baleen[] = {"--gpus", "4", NULL};
    static const char *const wrong[] = {"--gpus=x", NULL};
    struct script_text script;

    (void)state;
    script_expect_with((struct bl_script_request){.words = sbatch, .dialect = BL_SCRIPT_SBATCH},
                       "#SBATCH -n 2 -J early -c 2",
                       "{name:late,resources:{cpus:16},env:{SLURM_NTASKS:8,SLURM_NPROCS:8,SLURM_"
                       "CPUS_PER_TASK:2}}");
    script_expect_with((struct bl_script_request){.words = baleen}, "#SBATCH -G 2",
                       "{resources:{gpus:4},env:{SLURM_GPUS:2}}");
    script_read_with(&script, (struct bl_script_request){.words = wrong}, "");
    assert_string_equal(script.err.text,
                        "command line: --gpus: expected a whole number, found 'x'");
    assert_string_equal(script.err.field, "--gpus");
    script_finish(&script);
}

static void A21_a_command_may_take_the_place_of_a_script(void **state)
{
    static const char *const words[] = {"--wrap", "python train.py --x 'a b'", "-G1", NULL};
    struct bl_script_request request = {
        .directory = "/w", .words = words, .dialect = BL_SCRIPT_SBATCH};
    struct bl_arena arena = {0};
    struct bl_script script = {0};
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(bl_script_read(&request, &arena, &script, &err), BL_OK);
    assert_string_equal(script.job.launch.script,
                        "#!/bin/sh\n# made by --wrap\n\npython train.py --x 'a b'\n");
    assert_string_equal(script.job.core.name, "wrap");
    assert_int_equal(script.job.core.gpus_max, 1);
    request.words = NULL;
    assert_int_equal(bl_script_read(&request, &arena, &script, &err), BL_EINVAL);
    assert_string_equal(err.text, "expected a script");
    bl_arena_finish(&arena);
}

static void A21_arguments_come_behind_the_script(void **state)
{
    static const char *const arguments[] = {"--epochs", "3 4", "", NULL};
    struct script_text script;
    char **argv;

    (void)state;
    script_read_with(&script, (struct bl_script_request){.arguments = arguments}, "");
    assert_int_equal(script.status, BL_OK);
    argv = script.script.job.launch.argv;
    assert_int_equal(script.script.job.launch.argc, 4);
    assert_string_equal(argv[1], "--epochs");
    assert_string_equal(argv[2], "3 4");
    assert_string_equal(argv[3], "");
    assert_null(argv[4]);
    script_finish(&script);
}

static void words_that_are_not_utf8_are_refused(void **state)
{
    static const char *const words[] = {"\xFF", NULL};
    const struct bl_script_request rows[] = {{.arguments = words}, {.words = words}};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct script_text script;

        script_read_with(&script, rows[i], "");
        assert_int_equal(script.status, BL_EINVAL);
        form_expect_message(&script.err, "expected UTF-8 in the script's name", "");
        script_finish(&script);
    }
}

/* Scripts as people write them, each from another habit. */
static const char *const flavours[] = {
    "#!/bin/bash\n#SBATCH --job-name=train     # a comment\n#SBATCH -N 1 -n4\n"
    "#SBATCH\t--cpus-per-task 2\n#SBATCH --gres=gpu:a100:2\n#SBATCH --mem=16G\n"
    "#SBATCH -t 1-12:00:00\n\nmodule load cuda\nsrun python train.py\n",
    "#!/bin/bash -l\n#SBATCH -J sweep\n#SBATCH -a 0-9%2\n#SBATCH -o logs/%x_%A_%4a.out\n"
    "#SBATCH -e logs/%x_%A_%4a.err\nexport X=$SLURM_ARRAY_TASK_ID\n./run \"$X\"\n",
    "#!/bin/bash\n#SBATCH --signal=B:USR1@60\n#SBATCH --time=00:10:00\n#SBATCH --requeue\n"
    "trap 'echo caught; scontrol requeue $SLURM_JOB_ID' USR1\npython train.py &\nwait\n",
    "#!/usr/bin/env python3\n#SBATCH --gpus=1\n#SBATCH --export=NONE\nimport os\n",
    "#!/bin/bash\r\n#SBATCH --ntasks=1\r\n#SBATCH --output=out.txt\r\necho hi\r\n",
    "#!/bin/sh\n#SBATCH -d afterok:12:13,afterany:5\n#SBATCH --mail-type=END,FAIL\n"
    "cat <<'EOF' > job.sh\n#!/bin/sh\n#SBATCH -N 99\nEOF\nsbatch job.sh\n",
    "#!/bin/bash\n##SBATCH --gpus=8\n# SBATCH -N 4\n#SBATCH --comment=\"it's \\\"mine\\\"\"\n"
    "#SBATCH --begin=now+1hour -H\n:\n",
    "#!/bin/tcsh\n#SBATCH --nice=50 --exclusive\n#SBATCH --export=ALL,OMP_NUM_THREADS=4,A=b=c\n"
    "setenv A 1\n",
    "#!/bin/bash\n#SBATCH --gpus-per-node=2 --mem-per-gpu=20000\n#SBATCH --cpus-per-gpu=4\n"
    "#BALEEN --gpus 2-4 --ckpt USR1@90 --param layers=32\npython train.py\n",
    "#!/bin/bash\n#SBATCH -A nlp -p gpu -q high\n#SBATCH -D /data/run\n#SBATCH "
    "--ntasks-per-node=8\n"
    "#SBATCH --mem-per-cpu=2G\n    \t\nwhile read x; do echo \"$x\"; done <<EOF\n\ta\n  b\nEOF\n",
};

static void A21_scripts_of_ten_habits_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORM_ROWS(flavours); i++) {
        struct script_text script;

        if (read_text(&script, "s.sh", flavours[i]) != BL_OK) {
            fail_msg("%s", script.err.text);
        }
        script_finish(&script);
    }
}

static void print_json(struct bl_buf *out, const struct bl_tree *tree)
{
    struct bl_json json;

    bl_json_init(&json, out);
    bl_tree_put_json(&json, tree);
}

static void A21_an_exported_job_file_reads_back_to_the_same_job(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORM_ROWS(flavours); i++) {
        BL_AUTO_BUF yaml = {0};
        BL_AUTO_BUF first = {0};
        BL_AUTO_BUF second = {0};
        struct script_text script;
        struct form_text again;
        struct bl_jobspec job = {0};

        assert_int_equal(read_text(&script, "s.sh", flavours[i]), BL_OK);
        bl_tree_print_yaml(&yaml, script.script.tree);
        form_read_yaml(&again, bl_buf_text(&yaml));
        if (!again.tree || bl_jobspec_read(&again.source, again.tree, BL_JOBSPEC_LIVE, &again.arena,
                                           &job, &again.err) != BL_OK) {
            fail_msg("%s in: %s", again.err.text, bl_buf_text(&yaml));
        }
        print_json(&first, script.script.tree);
        print_json(&second, again.tree);
        assert_string_equal(bl_buf_text(&second), bl_buf_text(&first));
        assert_string_equal(job.launch.script, script.script.job.launch.script);
        form_finish(&again);
        script_finish(&script);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A21_the_text_is_kept_byte_for_byte),
        cmocka_unit_test(A21_lines_that_end_in_cr_lf_run_with_lf_and_a_warning),
        cmocka_unit_test(A21_flags_end_at_the_first_command),
        cmocka_unit_test(A21_defaults_are_slurms_for_scripts_with_its_lines_and_ours_for_others),
        cmocka_unit_test(what_is_no_script_is_refused),
        cmocka_unit_test(scripts_are_taken_up_to_their_ceiling_and_no_further),
        cmocka_unit_test(A21_the_command_line_goes_over_the_script),
        cmocka_unit_test(A21_a_command_may_take_the_place_of_a_script),
        cmocka_unit_test(A21_arguments_come_behind_the_script),
        cmocka_unit_test(words_that_are_not_utf8_are_refused),
        cmocka_unit_test(A21_scripts_of_ten_habits_are_read),
        cmocka_unit_test(A21_an_exported_job_file_reads_back_to_the_same_job),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
