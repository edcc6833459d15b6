#include "base/vec.h"
#include "bl_test.h"
#include "prop.h"

enum { MODEL_MAX = 400 };

typedef BL_VEC(int) numbers;

struct model {
    int at[MODEL_MAX];
    size_t count;
};

static void insert_into_model(struct model *model, size_t index, int value)
{
    for (size_t i = model->count; i > index; i--) {
        model->at[i] = model->at[i - 1];
    }
    model->at[index] = value;
    model->count++;
}

static void remove_from_model(struct model *model, size_t index)
{
    for (size_t i = index; i + 1 < model->count; i++) {
        model->at[i] = model->at[i + 1];
    }
    model->count--;
}

static void change_both(struct bl_prop *prop, numbers *vec, struct model *model)
{
    int value = (int)bl_prop_between(prop, -1000, 1000);
    size_t index = (size_t)bl_prop_between(prop, 0, (int64_t)model->count);

    switch (bl_prop_between(prop, 0, 2)) {
    case 0:
        bl_prop_note(prop, "push %d", value);
        BL_VEC_PUSH(vec, value);
        insert_into_model(model, model->count, value);
        break;
    case 1:
        bl_prop_note(prop, "insert %d at %zu", value, index);
        BL_VEC_INSERT(vec, index, value);
        insert_into_model(model, index, value);
        break;
    default:
        if (index < model->count) {
            bl_prop_note(prop, "remove at %zu", index);
            BL_VEC_REMOVE(vec, index);
            remove_from_model(model, index);
        }
    }
}

static bool behaves_like_an_array(struct bl_prop *prop, void *context)
{
    numbers vec = {0};
    struct model model = {.count = 0};
    bool held = true;

    (void)context;
    while (held && model.count < MODEL_MAX && bl_prop_chance(prop, 980)) {
        change_both(prop, &vec, &model);
        held = vec.count == model.count && vec.capacity >= vec.count;
        for (size_t i = 0; held && i < model.count; i++) {
            held = vec.at[i] == model.at[i];
        }
    }
    BL_VEC_FINISH(&vec);
    return held;
}

static void pushes_inserts_and_removals_behave_like_an_array(void **state)
{
    (void)state;
    assert_true(bl_prop_holds("a vector is an array", 300, behaves_like_an_array, NULL));
}

static void a_struct_literal_can_be_pushed_into_reserved_room(void **state)
{
    struct pair {
        int a, b;
    };
    BL_VEC(struct pair) pairs = {0};
    struct pair *before;

    (void)state;
    BL_VEC_RESERVE(&pairs, 100);
    before = pairs.at;
    for (int i = 0; i < 100; i++) {
        BL_VEC_PUSH(&pairs, (struct pair){i, 2 * i});
    }
    assert_ptr_equal(pairs.at, before);
    assert_int_equal(pairs.at[99].b, 198);
    BL_VEC_FINISH(&pairs);
}

static void a_finished_vector_is_empty_and_usable(void **state)
{
    numbers vec = {0};

    (void)state;
    BL_VEC_PUSH(&vec, 1);
    BL_VEC_FINISH(&vec);
    assert_null(vec.at);
    assert_int_equal(vec.count, 0);
    BL_VEC_PUSH(&vec, 2);
    assert_int_equal(vec.at[0], 2);
    BL_VEC_FINISH(&vec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_inserts_and_removals_behave_like_an_array),
        cmocka_unit_test(a_struct_literal_can_be_pushed_into_reserved_room),
        cmocka_unit_test(a_finished_vector_is_empty_and_usable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
