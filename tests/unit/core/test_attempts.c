#include "bl_test.h"
#include "scene.h"

static void print_where(struct bl_buf *out, const struct bl_alloc *alloc)
{
    for (uint32_t i = 0; i < alloc->part_count; i++) {
        const struct bl_alloc_part *part = &bl_alloc_parts(alloc)[i];

        bl_buf_printf(out, " n%d:%llx", part->node + 1, (unsigned long long)part->gpu_mask);
    }
}

/* "1 preempted 0-60 n1:3; 2 …": seconds, GPUs as hexadecimal masks. */
static void check(const struct scene *s, bl_job_id id, const char *expected)
{
    const struct bl_job_attempt *attempt = NULL;
    size_t count = bl_job_earlier_attempts(bl_core_find_job(s->core, id), &attempt);
    BL_AUTO_BUF text = {0};

    for (size_t i = 0; i < count; i++, attempt++) {
        bl_buf_printf(&text, "%s%d %s %lld-%lld", i ? "; " : "", attempt->number,
                      bl_attempt_outcome_name(bl_attempt_outcome(attempt)),
                      (long long)(attempt->running_at / BL_SECOND),
                      (long long)(attempt->ended_at / BL_SECOND));
        print_where(&text, &attempt->alloc);
    }
    assert_string_equal(bl_buf_text(&text), expected);
}

static void tell(struct scene *s, const char *lines)
{
    BL_AUTO_FREE char *copy = bl_copy_text(lines);
    char *rest = copy;
    char *line;

    while ((line = strsep(&rest, "\n"))) {
        scene_event(s, line);
    }
}

static void A1_every_way_to_be_put_back_is_remembered_with_its_place(void **state)
{
    static const struct {
        const char *submit, *events, *expected;
    } rows[] = {
        {"gpus=2", "t=2m requeue id=1\nt=3m end id=1 signal=15", "1 requeued 60-180 n1:3"},
        {"gpus=2", "t=3m end id=1 code=85", "1 requeued 60-180 n1:3"},
        {"gpus=2 restart=1", "t=3m end id=1 lost=1", "1 lost 60-180 n1:3"},
        {"gpus=2 retries=2", "t=3m end id=1 code=7", "1 failed 60-180 n1:3"},
        {"gpus=2", "t=3m fail id=1", "1 start_failed 60-180 n1:3"},
        {"gpus=2 restart=1", "t=2m lose name=n1 mask=1\nt=3m end id=1 signal=15",
         "1 lost 60-180 n1:3"},
        {"gpus=2-4", "t=2m resize id=1 gpus=2\nt=3m end id=1 code=85", "1 resized 60-180 n1:f"},
        {"gpus=2-4", "t=3m end id=1 code=0", ""},
        {"gpus=2-4", "t=2m cancel id=1\nt=3m end id=1 signal=15", ""},
        {"gpus=2-4", "t=2m resize id=1 gpus=2\nt=3m cancel id=1\nt=4m end id=1 signal=15", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scene s = scene_new("1x4:A100", "fifo");
        BL_AUTO_BUF line = {0};

        bl_buf_printf(&line, "t=1m submit id=1 limit=9h %s", rows[i].submit);
        scene_event(&s, bl_buf_text(&line));
        tell(&s, rows[i].events);
        check(&s, 1, rows[i].expected);
        assert_null(bl_job_open_attempt(bl_core_find_job(s.core, 1)));
        scene_free(&s);
    }
}

/* Old and new GPUs are booked together, and still it is known which were the old ones. */
static void A1_what_a_job_grew_from_is_remembered(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");
    const struct bl_job_attempt *open;

    (void)state;
    tell(&s, "t=0 submit id=1 gpus=2-6 limit=9h\nt=1m resize id=1 gpus=2\nt=2m end id=1 code=85\n"
             "t=3m resize id=1 gpus=5");
    open = bl_job_open_attempt(bl_core_find_job(s.core, 1));
    assert_non_null(open);
    assert_int_equal(open->alloc.single.gpu_mask, 0x3);
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3,4");
    check(&s, 1, "1 resized 0-120 n1:3f");
    scene_event(&s, "t=4m end id=1 code=85");
    check(&s, 1, "1 resized 0-120 n1:3f; 2 resized 120-240 n1:3");
    scene_event(&s, "t=5m end id=1 code=0");
    check(&s, 1, "1 resized 0-120 n1:3f; 2 resized 120-240 n1:3");
    scene_free(&s);
}

static void the_code_of_one_attempt_is_not_that_of_the_next(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    const struct bl_job_attempt *attempt = NULL;

    (void)state;
    tell(&s, "t=1m submit id=1 gpus=2 retries=5\nt=2m end id=1 code=7\nt=2h round\n"
             "t=2h end id=1 lost=1");
    assert_int_equal(bl_job_earlier_attempts(bl_core_find_job(s.core, 1), &attempt), 1);
    assert_true(attempt->has_exit_code);
    assert_int_equal(attempt->exit_code, 7);
    assert_int_equal(attempt->reason.code, BL_REASON_EXIT);
    assert_string_equal(scene_state(&s, 1), "lost");
    scene_free(&s);
}

static void the_latest_are_kept_and_the_others_counted(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    const struct bl_job_attempt *first = NULL;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2");
    for (int i = 0; i < BL_ATTEMPTS_MAX + 3; i++) {
        scene_event(&s, "requeue id=1");
        scene_event(&s, "end id=1 signal=15");
    }
    assert_int_equal(bl_job_earlier_attempts(bl_core_find_job(s.core, 1), &first), BL_ATTEMPTS_MAX);
    assert_int_equal(first->number, 4);
    assert_int_equal(bl_core_find_job(s.core, 1)->attempts->left_out, 3);
    scene_free(&s);
}

static void a_copy_that_looks_ahead_carries_none(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    struct bl_core *fork;

    (void)state;
    tell(&s, "t=0 submit id=1 gpus=2\nt=1m requeue id=1\nt=2m end id=1 signal=15");
    fork = bl_core_fork(s.core);
    assert_null(bl_core_find_job(fork, 1)->attempts);
    bl_core_destroy(fork);
    check(&s, 1, "1 requeued 0-120 n1:3");
    scene_free(&s);
}

/* Rows of a record that somebody changed; the job itself stays. */
static void places_that_cannot_be_are_left_out(void **state)
{
    static const struct bl_alloc_part parts[] = {
        {.node = 0, .gpus = 2, .gpu_mask = 0x3},
        {.node = 1, .gpus = 1, .gpu_mask = 0x1},
        {.node = -1, .gpus = 1, .gpu_mask = 0x1},
        {.node = 0, .gpus = 1, .gpu_mask = 0x3},
        {.node = 0, .gpus = -1},
        {.node = 0, .gpus = INT32_MAX},
    };

    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct bl_job_attempt attempt = {.number = 1,
                                         .alloc = {.part_count = 1, .single = parts[i]}};
        struct bl_job_attempts past = {.list = {.at = &attempt, .count = 1}};
        struct bl_job job = {.id = 1};

        bl_attempts_restore(&job, &past, 1);
        assert_int_equal(job.attempts->list.at[0].alloc.part_count, i == 0);
        bl_attempts_destroy(job.attempts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A1_every_way_to_be_put_back_is_remembered_with_its_place),
        cmocka_unit_test(A1_what_a_job_grew_from_is_remembered),
        cmocka_unit_test(the_code_of_one_attempt_is_not_that_of_the_next),
        cmocka_unit_test(the_latest_are_kept_and_the_others_counted),
        cmocka_unit_test(a_copy_that_looks_ahead_carries_none),
        cmocka_unit_test(places_that_cannot_be_are_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
