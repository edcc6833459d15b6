#include "bl_test.h"
#include "core/predict_traits.h"

static struct bl_traits traits_of(struct bl_job_spec spec)
{
    struct bl_traits traits;

    bl_traits_of(&spec, &traits);
    return traits;
}

static void names_and_commands_are_the_same_but_for_their_numbers(void **state)
{
    static const struct {
        const char *a, *b;
        bool is_same;
    } rows[] = {
        {"run-17", "run-18", true},  {"run-7", "run-100", true}, {"run-7", "run-x", false},
        {"run7a", "run7b", false},   {"1", "22", true},          {"", NULL, true},
        {"\xff\x01", "\xff", false}, {"a1b2", "a9b8", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_traits a = traits_of((struct bl_job_spec){.name = rows[i].a});
        struct bl_traits b = traits_of((struct bl_job_spec){.name = rows[i].b});

        assert_int_equal(a.name == b.name, rows[i].is_same);
    }
}

/* Words apart by spaces. */
static int64_t command_of(const char *text)
{
    char words[64];
    char *word[8];
    size_t count = 0;
    char *rest = words;
    struct bl_clues clues = {0};

    snprintf(words, sizeof words, "%s", text);
    while (*rest) {
        word[count++] = rest;
        rest += strcspn(rest, " ");
        if (*rest) {
            *rest++ = '\0';
        }
    }
    bl_clues_set_command(&clues, word, count);
    return clues.command;
}

static void a_command_counts_by_its_words(void **state)
{
    (void)state;
    assert_true(command_of("train --epochs 3") != 0);
    assert_true(command_of("train --epochs 3") == command_of("train --epochs 40"));
    assert_true(command_of("train --epochs 3") != command_of("train--epochs 3"));
    assert_int_equal(command_of(""), 0);
}

static void parameters_are_numbers_in_order_of_name_or_words(void **state)
{
    struct bl_clues a = {0};
    struct bl_clues b = {0};

    (void)state;
    bl_clues_add_param(&a, "layers=32");
    bl_clues_add_param(&a, "batch=64");
    bl_clues_add_param(&a, "net=vit");
    bl_clues_add_param(&b, "net=vit");
    bl_clues_add_param(&b, "batch=64");
    bl_clues_add_param(&b, "layers=32");
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(a.param_count, 2);
    bl_clues_add_param(&a, "net=bert");
    assert_true(a.variant != b.variant);
}

static void what_is_no_number_above_0_is_a_word(void **state)
{
    static const char *const rows[] = {"a",       "a=",    "=",     "a=x",  "a=-1", "a=0",
                                       "a=1e999", "a=nan", "a=inf", "a=3x", "=\xff"};
    struct bl_clues clues = {0};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bl_clues_add_param(&clues, rows[i]);
        assert_int_equal(clues.param_count, 0);
    }
    for (int i = 0; i < 2 * BL_CLUES_PARAMS_MAX; i++) {
        bl_clues_add_param(&clues, "x=1e-300");
    }
    assert_int_equal(clues.param_count, BL_CLUES_PARAMS_MAX);
}

static void kinds_look_at_what_their_names_say(void **state)
{
    struct bl_traits job = traits_of((struct bl_job_spec){
        .user = "ann", .gpus_want = 4, .limit = BL_HOUR, .cpu_milli = {1000, false}});
    struct bl_traits wide = job;
    struct bl_traits none = {0};

    (void)state;
    wide.gpus = 8;
    assert_true(bl_traits_key(&job, BL_KIN_USER) == bl_traits_key(&wide, BL_KIN_USER));
    assert_true(bl_traits_key(&job, BL_KIN_USER_SIZE) != bl_traits_key(&wide, BL_KIN_USER_SIZE));
    assert_true(bl_traits_key(&job, BL_KIN_USER_LIMIT) == bl_traits_key(&wide, BL_KIN_USER_LIMIT));
    assert_int_equal(bl_traits_key(&job, BL_KIN_USER_NAME), 0);
    assert_int_equal(bl_traits_key(&job, BL_KIN_PROJECT), 0);
    assert_int_equal(bl_traits_key(&none, BL_KIN_LIMIT), 0);
    assert_true(bl_traits_key(&none, BL_KIN_ALL) == bl_traits_key(&job, BL_KIN_ALL));
    assert_int_equal(bl_traits_text(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_commands_are_the_same_but_for_their_numbers),
        cmocka_unit_test(a_command_counts_by_its_words),
        cmocka_unit_test(parameters_are_numbers_in_order_of_name_or_words),
        cmocka_unit_test(what_is_no_number_above_0_is_a_word),
        cmocka_unit_test(kinds_look_at_what_their_names_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
