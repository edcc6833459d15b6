/* What a job writes, where it runs, and what is made for it. */
#include "conformance.h"

#include "os/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void output_and_errors_go_to_the_log_in_their_order(struct kit *kit)
{
    run_job(kit, 1, &(struct kit_job){.script = "echo one; echo two >&2; echo three"});
    expect_file(kit, "name-1.1.log", "one\ntwo\nthree\n");
}

static void errors_go_elsewhere_when_asked(struct kit *kit)
{
    run_job(kit, 1,
            &(struct kit_job){
                .script = "echo out; echo err >&2", .log = "%x.out", .error = "d/%j.err"});
    expect_file(kit, "name.out", "out\n");
    expect_file(kit, "d/1.err", "err\n");
}

static void errors_may_name_the_log_itself(struct kit *kit)
{
    run_job(kit, 1,
            &(struct kit_job){.script = "echo out; echo err >&2", .log = "both", .error = "both"});
    expect_file(kit, "both", "out\nerr\n");
}

static void a_log_is_added_to(struct kit *kit)
{
    for (int32_t attempt = 1; attempt <= 2; attempt++) {
        kit->event_count = 0;
        run_job(kit, 1,
                &(struct kit_job){
                    .script = "echo $BALEEN_ATTEMPT", .log = "a/b/same.log", .attempt = attempt});
    }
    expect_file(kit, "a/b/same.log", "1\n2\n");
}

static void each_attempt_may_have_its_own_log(struct kit *kit)
{
    for (int32_t attempt = 1; attempt <= 2; attempt++) {
        kit->event_count = 0;
        run_job(kit, 1, &(struct kit_job){.script = "echo me", .attempt = attempt});
    }
    expect_file(kit, "name-1.1.log", "me\n");
    expect_file(kit, "name-1.2.log", "me\n");
}

static void the_words_of_a_log_stand_for_the_job(struct kit *kit)
{
    static const struct bl_array_range range = {.first = 5, .last = 9, .step = 2};
    static const struct bl_job array = {.id = 30,
                                        .spec = {.array = &range, .array_range_count = 1}};

    run_job(kit, 32,
            &(struct kit_job){
                .script = "echo x", .log = "%A_%a-%4a-%j-%r-%u-%N%%.log", .array = &array});
    expect_file(kit, "30_7-0007-32-1-me-node2%.log", "x\n");
}

static void a_name_with_odd_characters_stays_in_its_directory(struct kit *kit)
{
    run_job(kit, 1,
            &(struct kit_job){.script = "echo x", .name = "../ä b'\"$(id)\\;*", .log = "%x.log"});
    expect_file(kit, ".._ä b'\"$(id)\\;*.log", "x\n");
    run_job(kit, 2, &(struct kit_job){.script = "echo y", .name = "..", .log = "%x"});
    expect_file(kit, "__", "y\n");
}

static void a_directory_may_have_odd_characters(struct kit *kit)
{
    BL_AUTO_BUF path = {0};

    bl_buf_printf(&path, "%s/ä b'\"$(id)\\;*\n", kit->work);
    assert_int_equal(mkdir(bl_buf_text(&path), 0755), 0);
    run_job(kit, 1,
            &(struct kit_job){
                .script = "pwd > here; echo x", .workdir = bl_buf_text(&path), .log = "log"});
    bl_buf_append_text(&path, "\n");
    expect_file(kit, "ä b'\"$(id)\\;*\n/here", bl_buf_text(&path));
    expect_file(kit, "ä b'\"$(id)\\;*\n/log", "x\n");
}

static void a_job_runs_in_its_directory(struct kit *kit)
{
    run_job(kit, 1, &(struct kit_job){.script = "pwd", .workdir = "/usr", .log = "/dev/null"});
    expect_story(kit, 1, "started; exited 0");
    run_job(kit, 2, &(struct kit_job){.script = "test \"$(pwd)\" = \"$(pwd -P)\" && touch here"});
    expect_file(kit, "here", "");
    expect_story(kit, 2, "started; exited 0");
}

static void output_is_whole(struct kit *kit)
{
    struct stat about;
    char path[256];

    run_job(kit, 1, &(struct kit_job){.script = "head -c 8000000 /dev/zero", .log = "big"});
    snprintf(path, sizeof path, "%s/big", kit->work);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_size, 8000000);
}

static void input_is_empty(struct kit *kit)
{
    run_job(kit, 1, &(struct kit_job){.script = "cat; echo end"});
    expect_file(kit, "name-1.1.log", "end\n");
}

static void a_job_inherits_no_descriptor(struct kit *kit)
{
    run_job(kit, 1,
            &(struct kit_job){.script = "for f in /proc/self/fd/*; do echo $f; done | wc -l"});
    expect_line(kit, "name-1.1.log", "4"); /* three, and the one that lists */
}

static void what_is_made_is_for_all_to_read(struct kit *kit)
{
    run_job(kit, 1, &(struct kit_job){.script = "umask; : > file; stat -c %a file"});
    expect_file(kit, "name-1.1.log", "0022\n644\n");
}

static void a_script_is_run_from_a_file_with_its_arguments(struct kit *kit)
{
    static const char *const argv[] = {"script", "a b", "", "*", "ü\n", "$HOME", NULL};

    run_job(kit, 1,
            &(struct kit_job){.argv = argv,
                              .file = "#!/bin/sh\nfor word; do printf '<%s>' \"$word\"; done\n"});
    expect_file(kit, "name-1.1.log", "<a b><><*><ü\n><$HOME>");
}

static void a_script_may_be_in_another_language(struct kit *kit)
{
    static const char *const argv[] = {"script", NULL};

    run_job(kit, 1,
            &(struct kit_job){.argv = argv, .file = "#!/usr/bin/awk -f\nBEGIN { print 6 * 7 }\n"});
    expect_file(kit, "name-1.1.log", "42\n");
}

static void arguments_arrive_as_they_are(struct kit *kit)
{
    static const char *const argv[] = {"printf", "<%s>",  "a  b", "",   "*",
                                       "ü\n",    "$HOME", "\xff", "--", NULL};

    run_job(kit, 1, &(struct kit_job){.argv = argv});
    expect_file(kit, "name-1.1.log", "<a  b><><*><ü\n><$HOME><\xff><-->");
}

static void a_job_has_a_directory_of_its_own(struct kit *kit)
{
    run_job(kit, 1,
            &(struct kit_job){.script = "cd $BALEEN_DIR && echo x > mine && stat -c %a . && "
                                        "test -s alloc.json && echo good"});
    expect_file(kit, "name-1.1.log", "700\ngood\n");
}

static void the_directory_is_kept_from_attempt_to_attempt(struct kit *kit)
{
    run_job(kit, 1,
            &(struct kit_job){.script = "echo saved > $BALEEN_DIR/checkpoint\n"
                                        "echo 5 > $BALEEN_PROGRESS"});
    kit->event_count = 0;
    run_job(kit, 1,
            &(struct kit_job){.script = "cat $BALEEN_DIR/checkpoint; test -e $BALEEN_PROGRESS || "
                                        "echo anew",
                              .attempt = 2});
    expect_file(kit, "name-1.2.log", "saved\nanew\n");
}

static void a_job_that_is_forgotten_leaves_no_file(struct kit *kit)
{
    const struct bl_engine *engine = kit->fixture->engine;
    bl_time until = bl_clock_monotonic() + BL_MINUTE;
    char line[256];

    run_job(kit, 1,
            &(struct kit_job){.script = "echo dir $BALEEN_DIR; mkdir -p $BALEEN_DIR/a/b; "
                                        "echo x > $BALEEN_DIR/a/b/c; chmod 0 $BALEEN_DIR/a"});
    kit_wait_line(kit, "name-1.1.log", "dir ", line);
    engine->forget(kit->engine, 1, 1);
    for (int i = 0; i < 2; i++) {
        engine->forget_job(kit->engine, 1);
        while (access(line + 4, F_OK) == 0) {
            kit_turn(kit, until, "the directory to go");
        }
    }
    settle(kit);
}

const struct conformance_case conformance_files[] = {
    CASE(output_and_errors_go_to_the_log_in_their_order, NEEDS_PROCESSES),
    CASE(errors_go_elsewhere_when_asked, NEEDS_PROCESSES),
    CASE(errors_may_name_the_log_itself, NEEDS_PROCESSES),
    CASE(a_log_is_added_to, NEEDS_PROCESSES),
    CASE(each_attempt_may_have_its_own_log, NEEDS_PROCESSES),
    CASE(the_words_of_a_log_stand_for_the_job, NEEDS_PROCESSES),
    CASE(a_name_with_odd_characters_stays_in_its_directory, NEEDS_PROCESSES),
    CASE(a_directory_may_have_odd_characters, NEEDS_PROCESSES),
    CASE(a_job_runs_in_its_directory, NEEDS_PROCESSES),
    CASE(output_is_whole, NEEDS_PROCESSES),
    CASE(input_is_empty, NEEDS_PROCESSES),
    CASE(a_job_inherits_no_descriptor, NEEDS_PROCESSES),
    CASE(what_is_made_is_for_all_to_read, NEEDS_PROCESSES),
    CASE(a_script_is_run_from_a_file_with_its_arguments, NEEDS_PROCESSES),
    CASE(a_script_may_be_in_another_language, NEEDS_PROCESSES),
    CASE(arguments_arrive_as_they_are, NEEDS_PROCESSES),
    CASE(a_job_has_a_directory_of_its_own, NEEDS_PROCESSES),
    CASE(the_directory_is_kept_from_attempt_to_attempt, NEEDS_PROCESSES),
    CASE(a_job_that_is_forgotten_leaves_no_file, NEEDS_PROCESSES | NEEDS_RESTART),
    {0},
};
