#include "core/layout.h"

#include "base/buf.h"
#include "bl_test.h"
#include "prop.h"

#include <stdio.h>

enum { JOBS_MAX = 40 };

struct scene {
    struct bl_cluster cluster;
    struct bl_arena arena;
    struct bl_job job[JOBS_MAX];
    struct bl_layout_item item[JOBS_MAX];
    size_t count;
};

static void add_nodes(struct scene *s, const char *type, int32_t nodes, int32_t gpus)
{
    for (int32_t i = 0; i < nodes; i++) {
        char name[16];
        struct bl_node_spec spec = {.name = name, .gpu_type = type, .gpus = gpus};

        snprintf(name, sizeof name, "n%zu", s->cluster.node_count);
        bl_cluster_add_node(&s->cluster, &spec);
    }
}

/* A job that holds the lowest free GPUs of a node (gpus 0 = none), and is to have `to`. */
static void add_job(struct scene *s, int32_t node, int32_t gpus, int32_t to)
{
    struct bl_job *job = &s->job[s->count];
    uint64_t mask = 0;

    *job = (struct bl_job){.id = (bl_job_id)s->count + 1, .pool = -1};
    job->spec.gpus_min = 1;
    job->spec.gpus_want = to;
    job->spec.gpus_max = 64;
    for (int g = 0; __builtin_popcountll(mask) < gpus; g++) {
        mask |= s->cluster.node[node].free_gpu_mask & (UINT64_C(1) << g);
    }
    if (gpus > 0) {
        job->alloc = (struct bl_alloc){1, {node, gpus, mask, 0, 0}, NULL};
        bl_cluster_take(&s->cluster, &job->alloc);
    }
    s->item[s->count++] = (struct bl_layout_item){.job = job, .type = 0, .gpus = to};
}

static void finish(struct scene *s)
{
    bl_arena_finish(&s->arena);
    bl_cluster_finish(&s->cluster);
}

/* "1:n0x4 2:n1x2+n2x4", "-" for who has no place. */
static const char *told(const struct scene *s, struct bl_buf *out)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct bl_layout_item *item = &s->item[i];

        bl_buf_printf(out, "%s%zu:%s", i ? " " : "", i + 1, item->part_count ? "" : "-");
        for (size_t k = 0; k < item->part_count; k++) {
            bl_buf_printf(out, "%sn%dx%d", k ? "+" : "", item->part[k].node, item->part[k].gpus);
        }
    }
    return bl_buf_text(out);
}

static void who_keeps_its_count_keeps_its_place(void **state)
{
    struct scene s = {0};
    BL_AUTO_BUF out = {0};

    (void)state;
    add_nodes(&s, "T4", 2, 4);
    add_job(&s, 1, 2, 2);
    add_job(&s, 0, 1, 4);
    add_job(&s, 0, 0, 1);
    bl_layout_make(&s.cluster, &s.arena, s.item, s.count);
    assert_string_equal(told(&s, &out), "1:n1x2 2:n0x4 3:n1x1");
    assert_false(bl_layout_moves(&s.item[0]));
    assert_true(bl_layout_moves(&s.item[1]));
    finish(&s);
}

static void smaller_jobs_move_where_the_pieces_are_too_small(void **state)
{
    struct scene s = {0};
    BL_AUTO_BUF out = {0};

    (void)state;
    add_nodes(&s, "T4", 2, 4);
    add_job(&s, 0, 1, 1);
    add_job(&s, 1, 2, 2);
    add_job(&s, 0, 0, 4);
    bl_layout_make(&s.cluster, &s.arena, s.item, s.count);
    assert_string_equal(told(&s, &out), "1:n1x1 2:n1x2 3:n0x4");
    finish(&s);
}

static void what_is_fixed_stays_and_the_rest_goes_round_it(void **state)
{
    struct scene s = {0};
    BL_AUTO_BUF out = {0};

    (void)state;
    add_nodes(&s, "T4", 2, 4);
    add_job(&s, 0, 1, 1);
    add_job(&s, 1, 1, 1);
    add_job(&s, 0, 0, 4);
    s.item[0].is_fixed = true;
    s.item[1].is_fixed = true;
    bl_layout_make(&s.cluster, &s.arena, s.item, s.count);
    assert_string_equal(told(&s, &out), "1:n0x1 2:n1x1 3:-");
    finish(&s);
}

static void several_nodes_are_whole_ones(void **state)
{
    struct scene s = {0};
    BL_AUTO_BUF out = {0};

    (void)state;
    add_nodes(&s, "T4", 3, 4);
    add_nodes(&s, "A100", 2, 8);
    add_job(&s, 1, 1, 1);
    add_job(&s, 0, 0, 8);
    add_job(&s, 0, 0, 16);
    s.item[2].type = 1;
    bl_layout_make(&s.cluster, &s.arena, s.item, s.count);
    assert_string_equal(told(&s, &out), "1:n1x1 2:n0x4+n2x4 3:n3x8+n4x8");
    finish(&s);
}

static void a_place_is_taken_by_name_once_it_is_free(void **state)
{
    struct scene s = {0};
    struct bl_alloc alloc;

    (void)state;
    add_nodes(&s, "T4", 1, 4);
    add_job(&s, 0, 1, 2);
    add_job(&s, 0, 2, 1);
    bl_layout_make(&s.cluster, &s.arena, s.item, s.count);
    assert_true(bl_layout_try(&s.cluster, &s.item[0], &alloc));
    assert_int_equal(alloc.single.gpu_mask, 0x9); /* its own and the free one */
    bl_alloc_finish(&alloc);
    assert_true(bl_layout_try(&s.cluster, &s.item[1], &alloc));
    assert_int_equal(alloc.single.gpu_mask, 0x2); /* the lower one of its own */
    bl_alloc_finish(&alloc);
    s.item[0].gpus = 4;
    bl_layout_make(&s.cluster, &s.arena, s.item, 1);
    assert_false(bl_layout_try(&s.cluster, &s.item[0], &alloc));
    finish(&s);
}

/* The lemma: equal nodes of 2^m GPUs, counts of powers of two or whole nodes. */
static bool every_fitting_set_finds_a_place(struct bl_prop *prop, void *context)
{
    struct scene s = {0};
    int32_t free_gpus[8];
    int64_t left = 64;
    bool holds = true;

    (void)context;
    add_nodes(&s, "A100", 8, 8);
    for (int i = 0; i < 8; i++) {
        free_gpus[i] = 8;
    }
    while (s.count < JOBS_MAX && left > 0) {
        int32_t to = 1 << bl_prop_between(prop, 0, 4);
        int32_t node = (int32_t)bl_prop_between(prop, 0, 7);
        int32_t held = (int32_t)bl_prop_between(prop, 0, 3);

        held = held && to <= 8 && bl_prop_between(prop, 0, 1) ? to : held;
        held = held <= free_gpus[node] ? held : 0;
        if (to <= left) {
            add_job(&s, node, held, to);
            free_gpus[node] -= held;
            left -= to;
        } else {
            break;
        }
    }
    bl_layout_make(&s.cluster, &s.arena, s.item, s.count);
    for (int i = 0; i < 8; i++) {
        free_gpus[i] = 8;
    }
    for (size_t i = 0; i < s.count; i++) {
        int32_t sum = 0;

        for (size_t k = 0; k < s.item[i].part_count; k++) {
            free_gpus[s.item[i].part[k].node] -= s.item[i].part[k].gpus;
            holds = holds && free_gpus[s.item[i].part[k].node] >= 0;
            sum += s.item[i].part[k].gpus;
        }
        holds = holds && sum == s.item[i].gpus;
    }
    finish(&s);
    return holds;
}

static void every_set_of_counts_that_fits_in_number_finds_a_place(void **state)
{
    (void)state;
    assert_true(bl_prop_holds("every set of counts that fits finds a place", 2000,
                              every_fitting_set_finds_a_place, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_keeps_its_count_keeps_its_place),
        cmocka_unit_test(smaller_jobs_move_where_the_pieces_are_too_small),
        cmocka_unit_test(what_is_fixed_stays_and_the_rest_goes_round_it),
        cmocka_unit_test(several_nodes_are_whole_ones),
        cmocka_unit_test(a_place_is_taken_by_name_once_it_is_free),
        cmocka_unit_test(every_set_of_counts_that_fits_in_number_finds_a_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
