#include "form_test.h"

static const char *const keys[] = {"name", "resources", "gpus", "want", "workdir", NULL};

static void the_nearest_word_is_found_and_far_ones_are_not(void **state)
{
    static const struct {
        const char *word;
        const char *nearest;
    } rows[] = {
        {"nmae", "name"},        {"resource", "resources"}, {"gpu", "gpus"}, {"wnat", "want"},
        {"work_dir", "workdir"}, {"colour", NULL},          {"", NULL},      {"x", NULL},
        {"name", "name"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        const char *nearest = bl_nearest_word(rows[i].word, keys);

        if (rows[i].nearest ? !nearest || strcmp(nearest, rows[i].nearest) != 0 : !!nearest) {
            fail_msg("'%s' is near '%s'", rows[i].word, nearest ? nearest : "nothing");
        }
    }
}

static void a_word_longer_than_the_ceiling_is_near_nothing(void **state)
{
    char word[BL_TREE_WORD_MAX + 2];
    char twin[BL_TREE_WORD_MAX + 1];
    const char *const words[] = {twin, NULL};

    (void)state;
    memset(word, 'a', sizeof word);
    memset(twin, 'a', sizeof twin);
    word[BL_TREE_WORD_MAX + 1] = '\0';
    twin[BL_TREE_WORD_MAX] = '\0';
    assert_null(bl_nearest_word(word, words));
    word[BL_TREE_WORD_MAX] = '\0';
    assert_ptr_equal(bl_nearest_word(word, words), twin);
}

static void find_gives_the_child_and_null_for_what_is_absent(void **state)
{
    struct form_text text;

    (void)state;
    form_read_yaml(&text, "{name: x, gpus: [1]}");
    assert_string_equal(bl_tree_find(text.tree, "name")->text, "x");
    assert_null(bl_tree_find(text.tree, "nam"));
    assert_null(bl_tree_find(bl_tree_find(text.tree, "gpus"), "name"));
    form_finish(&text);
}

static void a_failure_names_file_line_and_key(void **state)
{
    struct form_text text;

    (void)state;
    form_read_yaml(&text, "name: x\ngpus: y\n");
    assert_int_equal(bl_tree_fail(&text.source, &text.tree->child[1], &text.err, "found '%s'", "y"),
                     BL_EINVAL);
    assert_string_equal(text.err.text, "test:2: gpus: found 'y'");
    assert_string_equal(text.err.field, "gpus");
    form_finish(&text);
}

static void an_unknown_key_is_refused_with_a_suggestion(void **state)
{
    struct form_text text;

    (void)state;
    form_read_yaml(&text, "name: x\ngpsu: 4\n");
    assert_int_equal(bl_tree_check_keys(&text.source, text.tree, keys, &text.err), BL_EINVAL);
    assert_string_equal(text.err.text, "test:2: gpsu: unknown key, did you mean 'gpus'?");
    assert_string_equal(text.err.field, "gpsu");
    assert_string_equal(text.err.hint, "write 'gpus'");
    form_finish(&text);
}

static void what_is_no_map_has_no_keys_to_check(void **state)
{
    struct form_text text;

    (void)state;
    form_read_yaml(&text, "[a]");
    assert_int_equal(bl_tree_check_keys(&text.source, text.tree, keys, &text.err), BL_EINVAL);
    form_expect_message(&text.err, "expected a map of keys and values, found a list", "[a]");
    form_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_word_is_found_and_far_ones_are_not),
        cmocka_unit_test(a_word_longer_than_the_ceiling_is_near_nothing),
        cmocka_unit_test(find_gives_the_child_and_null_for_what_is_absent),
        cmocka_unit_test(a_failure_names_file_line_and_key),
        cmocka_unit_test(an_unknown_key_is_refused_with_a_suggestion),
        cmocka_unit_test(what_is_no_map_has_no_keys_to_check),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
