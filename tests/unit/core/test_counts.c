#include "bl_test.h"
#include "core/counts.h"
#include "scene.h"

static const char *text_of(const int32_t *gpus, size_t count)
{
    static char text[256];
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < count && length < sizeof text - 16; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%d", i ? " " : "",
                                   (int)gpus[i]);
    }
    return text;
}

static void A2_legal_counts_follow_the_job_and_the_size_of_the_pool(void **state)
{
    static const int32_t listed[] = {2, 4, 8};
    static const struct {
        struct bl_job_spec spec;
        struct bl_count_pool pool;
        const char *counts;
    } rows[] = {
        {{.gpus_min = 4, .gpus_max = 4}, {64, 8, BL_COUNTS_AUTO}, "4"},
        {{.gpus_min = 2, .gpus_max = 6}, {64, 8, BL_COUNTS_AUTO}, "2 3 4 5 6"},
        {{.gpus_min = 2, .gpus_max = 9}, {6, 4, BL_COUNTS_AUTO}, "2 3 4 5 6"},
        {{.gpus_min = 3, .gpus_max = 28}, {128, 8, BL_COUNTS_AUTO}, "3 4 8 16 24 28"},
        {{.gpus_min = 1, .gpus_max = 16}, {128, 6, BL_COUNTS_AUTO}, "1 2 4 6 12 16"},
        {{.gpus_min = 1, .gpus_max = 32}, {1000, 1000, BL_COUNTS_AUTO}, "1 2 4 8 16 32"},
        {{.gpus_min = 2, .gpus_max = 8, .gpu_count = listed, .gpu_count_count = 3},
         {128, 8, BL_COUNTS_AUTO},
         "2 4 8"},
        {{.gpus_min = 2, .gpus_max = 8, .gpu_count = listed, .gpu_count_count = 3},
         {6, 3, BL_COUNTS_AUTO},
         "2 4"},
        {{.gpus_min = 2, .gpus_max = 6}, {64, 8, BL_COUNTS_POW2}, "2 4 6"},
        {{.gpus_min = 1, .gpus_max = 24}, {24, 8, BL_COUNTS_POW2}, "1 2 4 8 16 24"},
        {{.gpus_min = 60, .gpus_max = 66}, {128, 8, BL_COUNTS_ALL}, "60 61 62 63 64 65 66"},
        {{.gpus_min = 2, .gpus_max = 8, .gpu_count = listed, .gpu_count_count = 3},
         {64, 8, BL_COUNTS_ALL},
         "2 4 8"},
        /* counts that no node has any more: the least one stays, and waits */
        {{.gpus_min = 8, .gpus_max = 16}, {4, 4, BL_COUNTS_AUTO}, "8"},
        {{.gpus_min = 2, .gpus_max = 8, .gpu_count = listed, .gpu_count_count = 3},
         {0, 0, BL_COUNTS_AUTO},
         "2"},
    };
    int32_t out[BL_COUNTS_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t count = bl_job_counts(&rows[i].spec, &rows[i].pool, out);

        assert_string_equal(text_of(out, count), rows[i].counts);
    }
}

static void a_huge_range_stays_under_the_ceiling_and_keeps_both_ends(void **state)
{
    struct bl_job_spec spec = {.gpus_min = 1, .gpus_max = 1 << 20};
    struct bl_count_pool pool = {1 << 20, 8, BL_COUNTS_AUTO};
    int32_t out[BL_COUNTS_MAX];
    size_t count = bl_job_counts(&spec, &pool, out);

    (void)state;
    assert_int_equal(count, BL_COUNTS_MAX);
    assert_int_equal(out[0], 1);
    assert_int_equal(out[count - 1], 1 << 20);
}

static void a_count_is_legal_in_the_range_or_in_the_list(void **state)
{
    static const int32_t listed[] = {2, 4, 8};
    struct bl_job_spec range = {.gpus_min = 2, .gpus_max = 8};
    struct bl_job_spec list = {
        .gpus_min = 2, .gpus_max = 8, .gpu_count = listed, .gpu_count_count = 3};

    (void)state;
    assert_true(bl_job_is_legal_count(&range, 3));
    assert_false(bl_job_is_legal_count(&range, 9));
    assert_true(bl_job_is_legal_count(&list, 4));
    assert_false(bl_job_is_legal_count(&list, 3));
}

static const char *choices_of(const struct scene *s, enum bl_counts counts)
{
    struct bl_view view = {.cluster = bl_core_cluster(s->core)};
    int32_t out[BL_COUNTS_MAX];

    return text_of(out, bl_job_choices(&view, bl_core_find_job(s->core, 1), counts, out));
}

/* The pool is what may hold the job: nodes that are up, of its types. */
static void choices_are_those_of_the_nodes_that_suit_unless_somebody_wished(void **state)
{
    struct scene s = scene_new("2x4:A100 1x8:V100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=5-12 type=A100");
    assert_string_equal(choices_of(&s, BL_COUNTS_AUTO), "5 6 7 8");
    assert_string_equal(choices_of(&s, BL_COUNTS_POW2), "5 8");
    scene_event(&s, "t=0 node name=n2 state=down");
    assert_string_equal(choices_of(&s, BL_COUNTS_AUTO), "5");
    scene_event(&s, "t=0 resize id=1 gpus=9");
    assert_string_equal(choices_of(&s, BL_COUNTS_POW2), "9");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A2_legal_counts_follow_the_job_and_the_size_of_the_pool),
        cmocka_unit_test(a_huge_range_stays_under_the_ceiling_and_keeps_both_ends),
        cmocka_unit_test(a_count_is_legal_in_the_range_or_in_the_list),
        cmocka_unit_test(choices_are_those_of_the_nodes_that_suit_unless_somebody_wished),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
