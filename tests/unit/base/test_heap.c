#include "base/heap.h"
#include "base/vec.h"
#include "bl_test.h"
#include "prop.h"

typedef BL_VEC(struct bl_heap_item) items;

static bool is_before(const struct bl_heap_item *a, const struct bl_heap_item *b)
{
    return a->time != b->time ? a->time < b->time : a->key < b->key;
}

/* Takes the smallest out of the model, which is a plain list. */
static struct bl_heap_item pop_from_model(items *model)
{
    size_t smallest = 0;
    struct bl_heap_item item;

    for (size_t i = 1; i < model->count; i++) {
        if (is_before(&model->at[i], &model->at[smallest])) {
            smallest = i;
        }
    }
    item = model->at[smallest];
    BL_VEC_REMOVE(model, smallest);
    return item;
}

static bool pop_agrees(struct bl_heap *heap, items *model)
{
    struct bl_heap_item expected;
    struct bl_heap_item popped = {0};
    const struct bl_heap_item *top = bl_heap_peek(heap);

    if (!model->count) {
        return !top && !bl_heap_pop(heap, &popped);
    }
    expected = pop_from_model(model);
    return top && top->time == expected.time && top->key == expected.key &&
           bl_heap_pop(heap, &popped) && popped.time == expected.time &&
           popped.key == expected.key && popped.value == expected.value;
}

/* Keys rise, as ids do; few distinct times make many ties. */
static bool pops_in_total_order(struct bl_prop *prop, void *context)
{
    static char places[16];
    struct bl_heap heap = {0};
    items model = {0};
    int64_t key = 0;
    bool held = true;

    (void)context;
    while (held && bl_prop_chance(prop, 990)) {
        if (bl_prop_chance(prop, 400)) {
            bl_prop_note(prop, "pop");
            held = pop_agrees(&heap, &model);
        } else {
            struct bl_heap_item item = {
                .time = bl_prop_between(prop, -3, 20), .key = key, .value = &places[key % 16]};

            bl_prop_note(prop, "push time %lld", (long long)item.time);
            bl_heap_push(&heap, item);
            BL_VEC_PUSH(&model, item);
            key++;
        }
        held = held && heap.count == model.count;
    }
    while (held && model.count) {
        held = pop_agrees(&heap, &model);
    }
    held = held && pop_agrees(&heap, &model);
    bl_heap_finish(&heap);
    BL_VEC_FINISH(&model);
    return held;
}

static void items_come_out_by_time_and_at_equal_times_by_key(void **state)
{
    (void)state;
    assert_true(bl_prop_holds("a heap sorts", 300, pops_in_total_order, NULL));
}

static void extreme_times_sort_like_others(void **state)
{
    struct bl_heap heap = {0};
    struct bl_heap_item out = {0};

    (void)state;
    bl_heap_push(&heap, (struct bl_heap_item){.time = INT64_MAX, .key = INT64_MIN});
    bl_heap_push(&heap, (struct bl_heap_item){.time = INT64_MIN, .key = INT64_MAX});
    bl_heap_push(&heap, (struct bl_heap_item){.time = INT64_MIN, .key = -1});
    assert_true(bl_heap_pop(&heap, &out));
    assert_int_equal(out.key, -1);
    assert_true(bl_heap_pop(&heap, &out));
    assert_int_equal(out.key, INT64_MAX);
    assert_true(bl_heap_pop(&heap, &out));
    assert_int_equal(out.time, INT64_MAX);
    bl_heap_finish(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_come_out_by_time_and_at_equal_times_by_key),
        cmocka_unit_test(extreme_times_sort_like_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
