/* A small profiled application for tests of the world: "net", of two epochs of 100 iterations at a
 * batch of 32, whose gradient has no noise, so that an iteration is an iteration at any batch. On
 * T4 nodes of four a step takes 0.1 s on one GPU, and 0.2 s on two, half of it synchronisation. */
#ifndef BL_TEST_NET_H
#define BL_TEST_NET_H

#include "bl_test.h"
#include "form/profiles.h"

static inline struct bl_profile_app *net_add(struct bl_profiles *profiles)
{
    struct bl_profile_app *app = bl_profiles_add_app(profiles, "net");
    struct bl_profile_device *device = bl_profiles_add_device(app, "T4");
    const struct bl_profile_row placements[] = {
        {1, 16, .1, 0},  {1, 64, .1, 0},   {2, 16, .2, .1},
        {2, 64, .2, .1}, {11, 16, .4, .3}, {11, 32, .4, .3},
    };

    for (size_t i = 0; i < sizeof placements / sizeof placements[0]; i++) {
        BL_VEC_PUSH(&device->placements, placements[i]);
    }
    BL_VEC_PUSH(&device->scalability,
                (struct bl_profile_row){bl_profile_key_counts(3, 6), 32, .5, .3});
    BL_VEC_PUSH(&device->generic, (struct bl_profile_row){bl_profile_key_counts(5, 5), 32, .7, .3});
    for (int batch = 32; batch <= 128; batch *= 2) {
        struct bl_profile_validation validation = {.batch = batch};

        BL_VEC_PUSH(&validation.epoch, (struct bl_profile_epoch){100, 3200.0 / batch, 1, 0});
        BL_VEC_PUSH(&validation.epoch, (struct bl_profile_epoch){200, 6400.0 / batch, 1, 0});
        BL_VEC_PUSH(&app->validation, validation);
    }
    app->restart_s = 5;
    assert_int_equal(bl_profile_settle(app, NULL), BL_OK);
    return app;
}

#endif
