#include "base/map.h"
#include "base/vec.h"
#include "bl_test.h"
#include "prop.h"

/* The model: live entries in the order of insertion. Values point into `places`. */
struct model {
    BL_VEC(struct bl_map_entry) live;
};

static char places[1024];

static size_t find_in_model(const struct model *model, int64_t key)
{
    size_t at = 0;

    while (at < model->live.count && model->live.at[at].key != key) {
        at++;
    }
    return at;
}

static bool change_both(struct bl_prop *prop, struct bl_map *map, struct model *model, int64_t key)
{
    size_t at = find_in_model(model, key);
    bool held;

    if (at == model->live.count) {
        void *value = &places[bl_prop_between(prop, 0, (int64_t)sizeof places - 1)];

        bl_prop_note(prop, "insert %lld", (long long)key);
        bl_map_insert(map, key, value);
        BL_VEC_PUSH(&model->live, (struct bl_map_entry){key, value});
        return true;
    }
    bl_prop_note(prop, "remove %lld", (long long)key);
    held = bl_map_remove(map, key) == model->live.at[at].value && !bl_map_remove(map, key);
    BL_VEC_REMOVE(&model->live, at);
    return held;
}

static bool agree(const struct bl_map *map, const struct model *model, int64_t absent)
{
    size_t cursor = 0;

    if (map->count != model->live.count) {
        return false;
    }
    for (size_t i = 0; i < model->live.count; i++) {
        const struct bl_map_entry *entry = &model->live.at[i];

        if (bl_map_find(map, entry->key) != entry->value ||
            bl_map_next(map, &cursor) != entry->value) {
            return false;
        }
    }
    return !bl_map_next(map, &cursor) &&
           (find_in_model(model, absent) < model->live.count || !bl_map_find(map, absent));
}

/* Few keys make for many removals and probe chains that wrap; keys 2^32 apart meet in one slot. */
static bool is_an_ordered_dictionary(struct bl_prop *prop, void *context)
{
    struct bl_map map = {0};
    struct model model = {0};
    int64_t keys = bl_prop_between(prop, 1, 120);
    int64_t stride = bl_prop_chance(prop, 500) ? INT64_C(1) << 32 : 1;
    bool held = true;

    (void)context;
    while (held && bl_prop_chance(prop, 990)) {
        int64_t key = bl_prop_between(prop, -keys, keys) * stride;

        held = change_both(prop, &map, &model, key) && agree(&map, &model, key + 1);
    }
    bl_map_finish(&map);
    BL_VEC_FINISH(&model.live);
    return held;
}

static void random_inserts_and_removals_agree_with_a_list_also_in_order(void **state)
{
    (void)state;
    assert_true(
        bl_prop_holds("a map is an ordered dictionary", 200, is_an_ordered_dictionary, NULL));
}

static void an_empty_map_finds_removes_and_walks_nothing(void **state)
{
    struct bl_map map = {0};
    size_t cursor = 0;

    (void)state;
    assert_null(bl_map_find(&map, 0));
    assert_null(bl_map_remove(&map, 0));
    assert_null(bl_map_next(&map, &cursor));
    bl_map_finish(&map);
}

static void extreme_keys_are_keys_like_others(void **state)
{
    static const int64_t rows[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
    struct bl_map map = {0};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bl_map_insert(&map, rows[i], &places[i]);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_ptr_equal(bl_map_find(&map, rows[i]), &places[i]);
    }
    bl_map_finish(&map);
}

static void coming_and_going_for_long_takes_no_more_memory(void **state)
{
    struct bl_map map = {0};

    (void)state;
    for (int64_t key = 0; key < 100000; key++) {
        bl_map_insert(&map, key, &places[0]);
        if (key >= 10) {
            assert_ptr_equal(bl_map_remove(&map, key - 10), &places[0]);
        }
    }
    assert_int_equal(map.count, 10);
    assert_true(map.entry_capacity <= 64);
    bl_map_finish(&map);
}

static void a_map_that_owns_frees_what_is_left_in_it(void **state)
{
    struct bl_map map = {0};

    (void)state;
    bl_map_insert(&map, 1, strdup("one"));
    bl_map_insert(&map, 2, strdup("two"));
    free(bl_map_remove(&map, 1));
    bl_map_finish_owned(&map); /* the address sanitizer tells if it does not, or does twice */
    assert_int_equal(map.count, 0);
    assert_null(bl_map_find(&map, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inserts_and_removals_agree_with_a_list_also_in_order),
        cmocka_unit_test(an_empty_map_finds_removes_and_walks_nothing),
        cmocka_unit_test(extreme_keys_are_keys_like_others),
        cmocka_unit_test(coming_and_going_for_long_takes_no_more_memory),
        cmocka_unit_test(a_map_that_owns_frees_what_is_left_in_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
