#include "base/rng.h"
#include "bl_test.h"
#include "core/solve_parts.h"

#include <math.h>

enum { ITEMS = 4, MOVES = 3, TYPES = 2, CASES = 2000 };

/* Some jobs with some moves each, at prices of 1 a GPU. */
struct scene {
    struct bl_solver *solver;
    struct bl_solve_item item[ITEMS];
    double price[BL_SOLVE_TYPES_MAX];
    int64_t slack[BL_SOLVE_TYPES_MAX]; /* when all stay */
};

static void draw_item(struct bl_rng *rng, struct scene *scene, size_t job)
{
    struct bl_solver *solver = scene->solver;

    scene->item[job] = (struct bl_solve_item){solver->moves.count, MOVES};
    solver->post.at[job] = (struct bl_solve_post){.type = (int32_t)bl_rng_between(rng, -1, 1),
                                                  .gpus = (int32_t)bl_rng_between(rng, 1, 8)};
    for (int k = 0; k < MOVES; k++) {
        struct bl_solve_move move = {.job = job,
                                     .type = (int32_t)bl_rng_between(rng, -1, 1),
                                     .gpus = (int32_t)bl_rng_between(rng, 1, 8),
                                     .loss = (double)bl_rng_between(rng, 0, 400) / 100};

        BL_VEC_PUSH(&solver->moves, move);
    }
}

static struct scene draw_scene(struct bl_rng *rng)
{
    struct scene scene = {.solver = bl_solver_create(), .price = {1, 1}};

    scene.solver->types = TYPES;
    BL_VEC_RESERVE(&scene.solver->post, ITEMS);
    for (size_t job = 0; job < ITEMS; job++) {
        draw_item(rng, &scene, job);
    }
    for (int32_t t = 0; t < TYPES; t++) {
        scene.slack[t] = bl_rng_between(rng, -8, 8);
    }
    return scene;
}

static void use(int64_t *slack, int32_t type, int64_t gpus)
{
    if (type >= 0) {
        slack[type] -= gpus;
    }
}

/* The least that the items from `next` on can make of it, all ways tried; HUGE_VAL = none fits. */
static double least_loss(const struct scene *scene, size_t next, const int64_t *slack)
{
    double least;

    if (next == ITEMS) {
        return slack[0] < 0 || slack[1] < 0 ? HUGE_VAL : (double)(slack[0] + slack[1]);
    }
    least = least_loss(scene, next + 1, slack);
    for (size_t k = 0; k < MOVES; k++) {
        const struct bl_solve_move *move = &scene->solver->moves.at[scene->item[next].first + k];
        const struct bl_solve_post *post = &scene->solver->post.at[next];
        int64_t after[TYPES] = {slack[0], slack[1]};

        use(after, post->type, -post->gpus);
        use(after, move->type, move->gpus);
        least = fmin(least, move->loss + least_loss(scene, next + 1, after));
    }
    return least;
}

static void what_can_be_reached_is_never_hopeless(void **state)
{
    struct bl_rng rng;
    int hopeless = 0;

    (void)state;
    bl_rng_seed(&rng, 1);
    for (int i = 0; i < CASES; i++) {
        struct scene scene = draw_scene(&rng);
        struct bl_solve_outlook outlook;

        bl_solve_look_out(scene.solver, scene.price, scene.item, ITEMS, &outlook);
        for (size_t next = 0; next <= ITEMS; next++) {
            double least = least_loss(&scene, next, scene.slack);

            assert_false(bl_solve_is_hopeless(&outlook, next, least + 1e-9, scene.slack));
            /* half of it is seen to be too little in one of fifteen */
            hopeless += bl_solve_is_hopeless(&outlook, next, least * 0.5 - 1e-9, scene.slack);
        }
        bl_solve_outlook_finish(&outlook);
        bl_solver_destroy(scene.solver);
    }
    assert_true(hopeless > CASES / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_can_be_reached_is_never_hopeless),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
