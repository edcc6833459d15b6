#include "bl_test.h"
#include "core/place.h"
#include "scene.h"

/* Where job `id` would go on `gpus` GPUs: "0:3 1:1" as node and mask, "-" where it does not fit. */
static const char *again(const struct scene *scene, bl_job_id id, int32_t gpus)
{
    static char text[128];
    struct bl_alloc alloc;
    size_t length = 0;

    if (!bl_place_again(bl_core_cluster(scene->core), bl_core_find_job(scene->core, id), gpus,
                        &alloc)) {
        return "-";
    }
    for (uint32_t i = 0; i < alloc.part_count; i++) {
        const struct bl_alloc_part *part = &bl_alloc_parts(&alloc)[i];

        length += (size_t)snprintf(text + length, sizeof text - length, "%s%d:%llx", i ? " " : "",
                                   (int)part->node, (unsigned long long)part->gpu_mask);
    }
    bl_alloc_finish(&alloc);
    return text;
}

static void a_job_keeps_what_it_has_and_grows_beside_it(void **state)
{
    struct scene s = scene_new("2x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2");
    scene_event(&s, "t=0 submit id=2 gpus=2");
    scene_event(&s, "t=0 end id=1");
    assert_string_equal(scene_where(&s, 2), "n1:2,3");
    assert_string_equal(again(&s, 2, 1), "0:4");
    assert_string_equal(again(&s, 2, 2), "0:c");
    assert_string_equal(again(&s, 2, 4), "0:f");
    assert_string_equal(again(&s, 2, 8), "0:ff");
    assert_string_equal(again(&s, 2, 12), "0:ff 1:f");
    assert_string_equal(again(&s, 2, 17), "-");
    scene_free(&s);
}

/* Job 1 has two GPUs of n1, where job 2 has six: only n2 holds four together. */
static void a_job_that_cannot_grow_where_it_is_moves(void **state)
{
    struct scene s = scene_new("2x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2 nodes=1");
    scene_event(&s, "t=0 submit id=2 gpus=6");
    assert_string_equal(again(&s, 1, 4), "1:f");
    assert_string_equal(again(&s, 1, 9), "-");
    scene_event(&s, "t=0 node name=n2 state=drained");
    assert_string_equal(again(&s, 1, 4), "-");
    scene_free(&s);
}

/* Sixteen CPUs a GPU in the books; all of them are free for the job's own next size. */
static void its_own_cpus_count_as_free_for_it(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2 cpus=64");
    assert_string_equal(again(&s, 1, 4), "0:f");
    scene_free(&s);
}

static void counted_gpus_have_no_names(void **state)
{
    struct scene s = scene_new("1x100c", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=60");
    assert_string_equal(again(&s, 1, 100), "0:0");
    assert_string_equal(again(&s, 1, 101), "-");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_keeps_what_it_has_and_grows_beside_it),
        cmocka_unit_test(a_job_that_cannot_grow_where_it_is_moves),
        cmocka_unit_test(its_own_cpus_count_as_free_for_it),
        cmocka_unit_test(counted_gpus_have_no_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
