#include "conformance.h"

#include "os/clock.h"
#include "os/fs.h"
#include "os/proc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE BL_MINUTE
#define LONG_RUN (365 * BL_DAY)

enum { RUNS_MAX = 1024, TITLE_BYTES = 160 };

const struct kit_job lasting = {.script = "exec sleep 1000", .takes = LONG_RUN};
const struct kit_job brief = {.script = "exit 0", .takes = BL_SECOND};

static const struct conformance_case *const tables[] = {
    conformance_start, conformance_fail,   conformance_end,   conformance_stop,
    conformance_save,  conformance_signal, conformance_adopt, conformance_lose,
    conformance_files, conformance_env,    conformance_nodes};

/* ---- what cases are written with ---- */

void wait_started(struct kit *kit, int64_t id)
{
    kit_wait(kit, BL_EVENT_JOB_STARTED, id);
}

void wait_ended(struct kit *kit, int64_t id)
{
    kit_wait(kit, BL_EVENT_JOB_ENDED, id);
}

void run_job(struct kit *kit, int64_t id, const struct kit_job *job)
{
    kit_start(kit, id, job);
    wait_ended(kit, id);
}

/* Another job comes to its end meanwhile. */
static void run_marker(struct kit *kit, bl_time takes)
{
    int64_t id = MARKER;

    for (size_t i = 0; i < kit->event_count; i++) {
        id += kit->event[i].job >= MARKER && kit->event[i].kind == BL_EVENT_JOB_ENDED;
    }
    run_job(kit, id, &(struct kit_job){.script = "exit 0", .takes = takes});
}

void settle(struct kit *kit)
{
    run_marker(kit, BL_DAY);
}

void settle_for_good(struct kit *kit)
{
    run_marker(kit, 2 * LONG_RUN);
}

void expect_story(const struct kit *kit, int64_t id, const char *expected)
{
    BL_AUTO_FREE char *story = kit_story_of(kit, id);

    assert_string_equal(story, expected);
}

void expect_in_the_end(struct kit *kit, int64_t id, const char *expected)
{
    settle_for_good(kit);
    expect_story(kit, id, expected);
}

void expect_one_end(const struct kit *kit, int64_t id, const char *expected)
{
    BL_AUTO_BUF after_start = {0};
    BL_AUTO_FREE char *story = kit_story_of(kit, id);

    bl_buf_printf(&after_start, "started; %s", expected);
    if (strcmp(story, expected) != 0) { /* it may have been ended before it was told to live */
        assert_string_equal(story, bl_buf_text(&after_start));
    }
}

void expect_file(const struct kit *kit, const char *name, const char *expected)
{
    BL_AUTO_FREE char *text = kit_read(kit, name);

    assert_string_equal(text, expected);
}

void expect_line(struct kit *kit, const char *name, const char *line)
{
    char found[256];

    kit_wait_line(kit, name, line, found);
    assert_string_equal(found, line);
}

void touch(const struct kit *kit, const char *name)
{
    BL_AUTO_BUF path = {0};

    bl_buf_printf(&path, "%s/%s", kit->work, name);
    assert_int_equal(bl_fs_write_atomic(bl_buf_text(&path), 0644, "", 0, NULL), BL_OK);
}

void expect_gone(struct kit *kit, const char *name)
{
    struct bl_proc proc;
    char line[256];

    kit_wait_line(kit, name, "pid ", line);
    if (bl_proc_read((pid_t)strtol(line + 4, NULL, 10), &proc)) {
        assert_int_equal(proc.state, 'Z');
    }
}

void wait_gone(struct kit *kit, int64_t id)
{
    bl_time until = bl_clock_monotonic() + PATIENCE;

    while (kit_count(kit, id)) {
        kit_turn(kit, until, "the job's processes to end");
    }
}

void go_away(struct kit *kit)
{
    kit_close_engine(kit);
    kit->event_count = 0;
}

/* ---- running them ---- */

struct run {
    const struct kit_fixture *fixture;
    int variant;
    const struct conformance_case *row;
    char title[TITLE_BYTES];
    struct kit *kit;
};

static bool is_about(const struct conformance_skip *skip, const struct run *run)
{
    const char *variant = run->fixture->variants[run->variant];

    return strcmp(skip->engine, run->fixture->engine->name) == 0 &&
           (!skip->variant || strcmp(skip->variant, variant) == 0) &&
           (skip->name ? strcmp(skip->name, run->row->name) == 0
                       : (skip->needs & run->row->needs) != 0);
}

static const char *reason_to_skip(const struct run *run)
{
    for (const struct conformance_skip *skip = conformance_skips; skip->engine; skip++) {
        if (is_about(skip, run)) {
            return skip->reason;
        }
    }
    return NULL;
}

static int set_up(void **state)
{
    struct run *run = *state;

    if (!reason_to_skip(run)) {
        run->kit = bl_alloc_zero(sizeof *run->kit);
        kit_open(run->kit, run->fixture, run->variant);
    }
    return 0;
}

static void carry_out(void **state)
{
    struct run *run = *state;
    const char *reason = reason_to_skip(run);

    if (reason) {
        BL_SKIP(reason);
    }
    run->row->run(run->kit);
}

static int tear_down(void **state)
{
    struct run *run = *state;

    if (run->kit) {
        kit_close(run->kit);
        free(run->kit);
    }
    return 0;
}

static size_t add_runs(struct run *runs, const struct kit_fixture *fixture, int variant)
{
    size_t count = 0;

    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        for (const struct conformance_case *row = tables[i]; row->name; row++) {
            struct run *run = &runs[count++];

            *run = (struct run){.fixture = fixture, .variant = variant, .row = row};
            snprintf(run->title, sizeof run->title, "%s%s%s", row->name, variant ? "_" : "",
                     fixture->variants[variant]);
        }
    }
    return count;
}

/* A row of the list of skips that skips nothing is one that was forgotten. */
static void every_skip_is_of_something(void **state)
{
    static struct run runs[RUNS_MAX];

    (void)state;
    for (const struct conformance_skip *skip = conformance_skips; skip->engine; skip++) {
        bool used = false;

        for (const struct kit_fixture *const *at = conformance_fixtures; *at; at++) {
            for (int variant = 0; (*at)->variants[variant]; variant++) {
                size_t count = add_runs(runs, *at, variant);

                for (size_t i = 0; i < count; i++) {
                    used = used || is_about(skip, &runs[i]);
                }
            }
        }
        if (!used) {
            fail_msg("nothing is skipped because '%s'", skip->reason);
        }
    }
}

static int run_engine(const struct kit_fixture *fixture)
{
    static struct run runs[RUNS_MAX];
    static struct CMUnitTest tests[RUNS_MAX + 1];
    size_t count = 0;

    for (int variant = 0; fixture->variants[variant]; variant++) {
        count += add_runs(runs + count, fixture, variant);
    }
    for (size_t i = 0; i < count; i++) {
        tests[i] = (struct CMUnitTest){.name = runs[i].title,
                                       .test_func = carry_out,
                                       .setup_func = set_up,
                                       .teardown_func = tear_down,
                                       .initial_state = &runs[i]};
    }
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(every_skip_is_of_something);
    return _cmocka_run_group_tests(fixture->engine->name, tests, count, NULL, NULL);
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        cmocka_set_test_filter(argv[2]); /* one case, by hand */
    }
    for (const struct kit_fixture *const *at = conformance_fixtures; argc >= 2 && *at; at++) {
        if (strcmp((*at)->engine->name, argv[1]) == 0) {
            return run_engine(*at);
        }
    }
    fprintf(stderr, "give the name of an engine and, if you like, a pattern of cases\n");
    return 2;
}
