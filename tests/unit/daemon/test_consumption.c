#include "bl_test.h"
#include "base/buf.h"
#include "daemon/consumption.h"
#include "form/record.h"

#include <math.h>
#include <stdlib.h>

#define T0 (1000000 * BL_SECOND)

static bl_time minute(int minutes)
{
    return T0 + minutes * BL_MINUTE;
}

static void feed(struct bl_ledger *ledger, struct bl_event event)
{
    BL_AUTO_BUF record = {0};

    bl_record_write(&record, &event, NULL);
    assert_int_equal(
        bl_ledger_apply(ledger, ledger->seq + 1, bl_buf_text(&record), record.length, NULL), BL_OK);
}

static void round_at(struct bl_ledger *ledger, int at)
{
    feed(ledger, (struct bl_event){.kind = BL_EVENT_ROUND, .at = minute(at)});
}

static void add_node(struct bl_ledger *ledger, const char *name, const char *type, int64_t price)
{
    feed(ledger, (struct bl_event){.kind = BL_EVENT_NODE_ADDED,
                                   .at = T0,
                                   .u.node = {.name = name,
                                              .gpus = 4,
                                              .gpu_type = type,
                                              .cpu_milli = 64000,
                                              .price_micros = price,
                                              .mem_bytes = INT64_C(1) << 40}});
}

static void submit(struct bl_ledger *ledger, int at, bl_job_id id, struct bl_job_spec spec)
{
    spec.gpus_min = spec.gpus_max = spec.gpus_want;
    feed(ledger,
         (struct bl_event){
             .kind = BL_EVENT_JOB_SUBMITTED, .job = id, .at = minute(at), .u.submitted = spec});
    round_at(ledger, at);
}

static void end(struct bl_ledger *ledger, int at, bl_job_id id, int32_t code)
{
    feed(ledger, (struct bl_event){.kind = BL_EVENT_JOB_ENDED,
                                   .job = id,
                                   .attempt = 1,
                                   .at = minute(at),
                                   .u.ended = {.cause = BL_END_EXITED, .code = code}});
    round_at(ledger, at);
}

/* Four A100 that cost 8 an hour together, and four V100. Ann of nlp: job 1 on all A100 from 0 to
 * 60 minutes, well; job 2 on two A100, asked for at 30, from 60 to 70, badly. Bob of cv: job 3 on a
 * V100 from 10 on. */
static struct bl_ledger *story(void)
{
    struct bl_ledger *ledger = bl_ledger_create();
    struct bl_job_spec ann = {.name = "a",
                              .user = "ann",
                              .project = "nlp",
                              .job_class = BL_CLASS_BATCH,
                              .gpu_type = {"A100"},
                              .gpu_type_count = 1,
                              .gpus_want = 4};
    struct bl_job_spec bob = {.name = "b",
                              .user = "bob",
                              .project = "cv",
                              .job_class = BL_CLASS_PREEMPTIBLE,
                              .gpu_type = {"V100"},
                              .gpu_type_count = 1,
                              .gpus_want = 1};

    feed(ledger, (struct bl_event){.kind = BL_EVENT_POLICY_SET,
                                   .at = T0,
                                   .u.policy = {.policy = bl_policy_find("fifo")}});
    add_node(ledger, "n1", "A100", 8000000);
    add_node(ledger, "n2", "V100", 0);
    submit(ledger, 0, 1, ann);
    submit(ledger, 10, 3, bob);
    ann.gpus_want = 2;
    submit(ledger, 30, 4, ann);
    end(ledger, 60, 1, 0);
    end(ledger, 70, 4, 1);
    return ledger;
}

struct told {
    struct bl_arena arena;
    struct bl_consumption all;
};

static struct told tell(const struct bl_ledger *ledger, struct bl_consumption_wish wish)
{
    struct told told = {0};

    wish.now = minute(100);
    told.all = bl_consumption_make(ledger, &wish, &told.arena);
    return told;
}

static void C6_each_user_has_a_row_with_what_was_held_in_the_window(void **state)
{
    struct bl_ledger *ledger = story();
    struct told told = tell(
        ledger,
        (struct bl_consumption_wish){.by = {[BL_BY_USER] = true}, .from = T0, .to = minute(100)});
    const struct bl_consumer *ann = &told.all.row[0];
    const struct bl_consumer *bob = &told.all.row[1];

    (void)state;
    assert_int_equal(told.all.count, 2);
    assert_string_equal(ann->word[BL_BY_USER], "ann");
    assert_null(ann->word[BL_BY_PROJECT]);
    assert_int_equal(ann->jobs, 2);
    assert_int_equal(ann->started, 2);
    assert_int_equal(ann->ended_as[BL_JOB_COMPLETED], 1);
    assert_int_equal(ann->ended_as[BL_JOB_FAILED], 1);
    assert_true(ann->gpu_s == 60.0 * (4 * 60 + 2 * 10));
    assert_true(fabs(ann->cost - (8 + 4 / 6.0)) < 1e-9);
    assert_true(ann->wait_mean_s == 900);
    assert_true(ann->wait_p50_s == 0);
    assert_true(ann->wait_p90_s == 1800);
    assert_true(ann->slowdown == (1 + 4) / 2.0);
    assert_string_equal(bob->word[BL_BY_USER], "bob");
    assert_true(bob->gpu_s == 60.0 * 90);
    assert_true(isnan(bob->slowdown));
    assert_int_equal(told.all.total.jobs, 3);
    assert_true(told.all.total.gpu_s == ann->gpu_s + bob->gpu_s);
    assert_int_equal(told.all.whole_since, 0);
    bl_arena_finish(&told.arena);
    bl_ledger_destroy(ledger);
}

static void a_window_cuts_what_reaches_over_its_ends(void **state)
{
    struct bl_ledger *ledger = story();
    struct told told =
        tell(ledger, (struct bl_consumption_wish){
                         .by = {[BL_BY_USER] = true}, .from = minute(30), .to = minute(65)});
    const struct bl_consumer *ann = &told.all.row[0];

    (void)state;
    assert_true(ann->gpu_s == 60.0 * (4 * 30 + 2 * 5));
    assert_int_equal(ann->submitted, 1);
    assert_int_equal(ann->started, 1);
    assert_int_equal(ann->ended_as[BL_JOB_COMPLETED], 1);
    assert_int_equal(ann->ended_as[BL_JOB_FAILED], 0);
    assert_true(ann->wait_mean_s == 1800);
    bl_arena_finish(&told.arena);
    bl_ledger_destroy(ledger);
}

static void print_rows(struct bl_buf *out, const struct bl_consumption *all)
{
    for (size_t i = 0; i < all->count; i++) {
        for (int by = 0; by < BL_BY_COUNT; by++) {
            bl_buf_printf(out, "%s ", all->row[i].word[by] ? all->row[i].word[by] : "-");
        }
        bl_buf_printf(out, "%d; ", (int)all->row[i].jobs);
    }
}

static void rows_are_told_apart_by_what_is_asked_for(void **state)
{
    static const struct {
        bool by[BL_BY_COUNT];
        const char *rows;
    } rows[] = {
        {{[BL_BY_PROJECT] = true}, "- nlp - - - 2; - cv - - - 1; "},
        {{[BL_BY_CLASS] = true}, "- - - batch - 2; - - - preemptible - 1; "},
        {{[BL_BY_KIND] = true}, "- - train - - 3; "},
        {{[BL_BY_NODE_TYPE] = true}, "- - - - A100 2; - - - - V100 1; "},
        {{[BL_BY_USER] = true, [BL_BY_NODE_TYPE] = true}, "ann - - - A100 2; bob - - - V100 1; "},
    };
    struct bl_ledger *ledger = story();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_consumption_wish wish = {.from = T0, .to = minute(100)};
        struct told told;
        BL_AUTO_BUF text = {0};

        memcpy(wish.by, rows[i].by, sizeof wish.by);
        told = tell(ledger, wish);
        print_rows(&text, &told.all);
        assert_string_equal(bl_buf_text(&text), rows[i].rows);
        bl_arena_finish(&told.arena);
    }
    bl_ledger_destroy(ledger);
}

/* Cid books two V100 from minute 40 to 80; a job of the booking is on one of them from 50 to 60. */
static void C6_what_was_booked_and_what_of_it_was_used(void **state)
{
    static const struct bl_slot slot = {T0 + 40 * BL_MINUTE, T0 + 80 * BL_MINUTE};
    static const struct bl_booking_spec spec = {
        .id = 1, .user = "cid", .gpus = 2, .gpu_type = "V100", .slot = &slot, .slot_count = 1};
    struct bl_job_spec job = {
        .name = "c", .user = "cid", .gpus_want = 1, .reservation = 1, .limit = 20 * BL_MINUTE};
    struct bl_ledger *booked = bl_ledger_create();
    struct told told;

    (void)state;
    feed(booked, (struct bl_event){.kind = BL_EVENT_POLICY_SET,
                                   .at = T0,
                                   .u.policy = {.policy = bl_policy_find("fifo")}});
    add_node(booked, "n2", "V100", 0);
    feed(booked, (struct bl_event){.kind = BL_EVENT_RESERVED, .at = T0, .u.reserved = &spec});
    round_at(booked, 40);
    submit(booked, 50, 1, job);
    end(booked, 60, 1, 0);
    told = tell(booked, (struct bl_consumption_wish){
                            .by = {[BL_BY_USER] = true}, .from = T0, .to = minute(70)});
    assert_int_equal(told.all.count, 1);
    assert_true(told.all.row[0].reserved_gpu_s == 2 * 30 * 60.0);
    assert_true(told.all.row[0].reserved_used_gpu_s == 600);
    assert_true(told.all.total.reserved_gpu_s == 2 * 30 * 60.0);
    bl_arena_finish(&told.arena);
    bl_ledger_destroy(booked);
}

static void what_left_memory_is_told_to_be_missing(void **state)
{
    struct bl_ledger *ledger = story();
    struct bl_event forget = {.kind = BL_EVENT_JOBS_FORGOTTEN, .at = minute(80)};
    struct told told;

    (void)state;
    forget.u.forgotten.before = minute(65);
    feed(ledger, forget);
    told = tell(ledger, (struct bl_consumption_wish){
                            .by = {[BL_BY_USER] = true}, .from = T0, .to = minute(100)});
    assert_int_equal(told.all.whole_since, minute(65));
    assert_int_equal(told.all.total.jobs, 2);
    bl_arena_finish(&told.arena);
    bl_ledger_destroy(ledger);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C6_each_user_has_a_row_with_what_was_held_in_the_window),
        cmocka_unit_test(a_window_cuts_what_reaches_over_its_ends),
        cmocka_unit_test(rows_are_told_apart_by_what_is_asked_for),
        cmocka_unit_test(C6_what_was_booked_and_what_of_it_was_used),
        cmocka_unit_test(what_left_memory_is_told_to_be_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
