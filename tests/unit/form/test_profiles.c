#include "bl_test.h"
#include "form/profiles.h"

static void a_placement_is_a_number_of_digits(void **state)
{
    static const struct {
        int32_t gpus[3];
        size_t nodes;
        int64_t key;
    } rows[] = {
        {{4, 4, 2}, 3, 442}, {{1}, 1, 1}, {{8, 8}, 2, 88}, {{10}, 1, 0}, {{4, 0}, 2, 0},
    };
    const int32_t many[17] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(bl_profile_key_placement(rows[i].gpus, rows[i].nodes), rows[i].key);
    }
    assert_int_equal(bl_profile_key_placement(many, 17), 0);
    assert_int_equal(bl_profile_key_gpus(442), 10);
}

/* An application on one GPU type with two batches of three and two epochs. */
static struct bl_profile_app *add_app(struct bl_profiles *profiles)
{
    struct bl_profile_app *app = bl_profiles_add_app(profiles, "net");
    struct bl_profile_device *device = bl_profiles_add_device(app, "T4");
    const struct bl_profile_row rows[] = {{2, 64, .4, .1}, {1, 32, .2, 0}, {1, 16, .1, 0}};

    for (size_t i = 0; i < 3; i++) {
        BL_VEC_PUSH(&device->placements, rows[i]);
    }
    BL_VEC_PUSH(&app->validation, (struct bl_profile_validation){.batch = 128});
    BL_VEC_PUSH(&app->validation, (struct bl_profile_validation){.batch = 32});
    for (size_t i = 0; i < 5; i++) {
        BL_VEC_PUSH(&app->validation.at[i / 3].epoch,
                    (struct bl_profile_epoch){.progress = (double)i + 1});
    }
    return app;
}

static void what_no_table_says_is_derived_from_the_measurements(void **state)
{
    struct bl_profiles profiles = {0};
    struct bl_profile_app *app = add_app(&profiles);
    const struct bl_profile_row *row;

    (void)state;
    assert_int_equal(bl_profile_settle(app, NULL), BL_OK);
    assert_true(app->batch_init == 32 && app->batch_max == 128);
    assert_int_equal(app->epochs, 2);
    assert_true(app->restart_s == 30 && app->calibration == 1);
    assert_true(app->device.at[0].batch_min == 16 && app->device.at[0].batch_max == 64);
    assert_true(app->validation.at[0].batch == 32);
    assert_int_equal(bl_profile_find_rows(&app->device.at[0].placements, 1, &row), 2);
    assert_true(row[0].batch == 16 && row[1].batch == 32);
    assert_int_equal(bl_profile_find_rows(&app->device.at[0].placements, 3, &row), 0);
    assert_ptr_equal(bl_profiles_find(&profiles, "net"), app);
    assert_null(bl_profiles_find(&profiles, "other"));
    assert_null(bl_profile_find_device(app, "A100"));
    bl_profiles_finish(&profiles);
}

static void twice_measured(struct bl_profile_app *app)
{
    BL_VEC_PUSH(&app->device.at[0].placements, (struct bl_profile_row){1, 16, .3, 0});
}

static void too_many_epochs(struct bl_profile_app *app)
{
    app->epochs = 3;
}

static void no_epochs(struct bl_profile_app *app)
{
    app->validation.at[1].epoch.count = 0;
}

static void too_large_a_batch(struct bl_profile_app *app)
{
    app->batch_max = 256;
}

static void nothing_placed(struct bl_profile_app *app)
{
    app->device.at[0].placements.count = 0;
}

static void what_cannot_be_replayed_is_refused(void **state)
{
    static const struct {
        void (*spoil)(struct bl_profile_app *app);
        const char *message;
    } rows[] = {
        {twice_measured, "net on T4: placements has two rows for the same place and a batch of 16"},
        {too_many_epochs, "net: has 3 epochs, its validation files only 2"},
        {no_epochs, "net: no epoch was measured (validation-BATCH.csv)"},
        {too_large_a_batch, "net: batches from 32 to 256, its validation files have 32 to 128"},
        {nothing_placed, "net on T4: no placement was measured"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_profiles profiles = {0};
        struct bl_profile_app *app = add_app(&profiles);
        struct bl_error err;

        rows[i].spoil(app);
        assert_int_not_equal(bl_profile_settle(app, &err), BL_OK);
        assert_string_equal(err.text, rows[i].message);
        bl_profiles_finish(&profiles);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_placement_is_a_number_of_digits),
        cmocka_unit_test(what_no_table_says_is_derived_from_the_measurements),
        cmocka_unit_test(what_cannot_be_replayed_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
