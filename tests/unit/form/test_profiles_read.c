#include "bl_test.h"
#include "bytes.h"
#include "form/profiles.h"

struct read {
    struct bl_profiles profiles;
    struct bl_profile_app *app;
    struct bl_profile_device *device;
    struct bl_error err;
};

static void begin(struct read *read)
{
    *read = (struct read){0};
    read->app = bl_profiles_add_app(&read->profiles, "net");
    read->device = bl_profiles_add_device(read->app, "T4");
}

enum kind { PLACEMENTS, SCALABILITY, VALIDATION, APPS, GENERIC };

static int read_text(struct read *read, enum kind kind, const char *text)
{
    struct kit_bytes bytes = kit_text(text);
    struct bl_byte_source source = kit_bytes_source("t", &bytes);

    switch (kind) {
    case PLACEMENTS:
        return bl_profiles_read_placements(read->device, &source, &read->err);
    case SCALABILITY:
        return bl_profiles_read_scalability(read->device, &source, &read->err);
    case VALIDATION:
        return bl_profiles_read_validation(read->app, 32, &source, &read->err);
    case APPS:
        return bl_profiles_read_apps(&read->profiles, &source, &read->err);
    case GENERIC:
        return bl_profiles_read_generic(&read->profiles, &source, &read->err);
    }
    return BL_EINVAL;
}

#define PLACES "placement,local_bsz,step_time,sync_time\n"
#define EPOCHS "progress,iteration,metric,grad_sqr,grad_var\n"
#define LIMITS                                                                                     \
    "app,gpu,init_batch_size,max_batch_size,min_local_bsz,max_local_bsz,max_epochs,restart_s,"     \
    "calibration\n"
#define TIMES "gpu,app,num_nodes,num_replicas,local_bsz,step_time_s,sync_time_s\n"

static void every_kind_of_file_is_read(void **state)
{
    struct read read;

    (void)state;
    begin(&read);
    assert_int_equal(read_text(&read, PLACEMENTS, PLACES "442,32,0.5,0.1\n1,16,0.2,0\n"), BL_OK);
    assert_int_equal(read.device->placements.count, 2);
    assert_int_equal(read.device->placements.at[0].key, 442);
    assert_true(read.device->placements.at[0].sync_s == 0.1);
    assert_int_equal(
        read_text(&read, SCALABILITY,
                  "step_time,sync_time,local_bsz,num_replicas,num_nodes\n.7,.2,8,6,3\n"),
        BL_OK);
    assert_int_equal(read.device->scalability.at[0].key, bl_profile_key_counts(3, 6));
    assert_true(read.device->scalability.at[0].step_s == 0.7);
    assert_int_equal(read_text(&read, VALIDATION, EPOCHS "10,9,.5,1,2\n20,19,.6,3,4\n"), BL_OK);
    assert_int_equal(read.app->validation.at[0].epoch.count, 2);
    assert_true(read.app->validation.at[0].epoch.at[1].grad_var == 4);
    assert_int_equal(read_text(&read, APPS,
                               LIMITS "net,T4,32,512,8,64,2,80,0.5\n"
                                      "net,V9,1,2,3,4,5,6,7\nx,T4,1,2,3,4,5,6,7\n"),
                     BL_OK);
    assert_true(read.app->batch_max == 512 && read.app->restart_s == 80);
    assert_true(read.device->batch_min == 8 && read.app->calibration == 0.5);
    assert_int_equal(read_text(&read, GENERIC, TIMES "T4,net,5,9,32,0.3,0.1\nT4,x,5,9,32,1,0\n"),
                     BL_OK);
    assert_int_equal(read.device->generic.count, 1);
    bl_profiles_finish(&read.profiles);
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
    static const struct {
        enum kind kind;
        const char *text;
        const char *message;
    } rows[] = {
        {PLACEMENTS, "placement,local_bsz\n", "t:1: the header line has no column 'step_time'"},
        {PLACEMENTS, PLACES "40,32,1,0\n",
         "t:2: field 1 (placement): expected 1 to 16 digits, each the GPUs of a node, found '40'"},
        {PLACEMENTS, PLACES "4,0,1,0\n",
         "t:2: field 2 (local_bsz): expected a number from 1 to 1e+09, found '0'"},
        {PLACEMENTS, PLACES "4,32,0,0\n",
         "t:2: field 3 (step_time): expected a time above 0, found '0'"},
        {PLACEMENTS, PLACES "4,32,nan,0\n",
         "t:2: field 3 (step_time): expected a number from 0 to 1e+09, found 'nan'"},
        {PLACEMENTS, PLACES "4,32,inf,0\n",
         "t:2: field 3 (step_time): expected a number from 0 to 1e+09, found 'inf'"},
        {PLACEMENTS, PLACES "4,32,1,2\n",
         "t:2: field 4 (sync_time): expected at most the time of the step, found '2'"},
        {SCALABILITY, "num_nodes,num_replicas,local_bsz,step_time,sync_time\n3,2,8,1,0\n",
         "t:2: field 2 (num_replicas): expected a whole number from 3 to 4096, found '2'"},
        {VALIDATION, EPOCHS "10,9,.5,1,2\n10,19,.6,3,4\n",
         "t:3: field 1 (progress): expected progress that grows from epoch to epoch, found '10'"},
        {VALIDATION, EPOCHS "10,9,.5,x,2\n",
         "t:2: field 4 (grad_sqr): expected a number from -1e+300 to 1e+300, found 'x'"},
        {APPS, LIMITS "net,T4,32,512,8,4,2,80,0.5\n",
         "t:2: field 6 (max_local_bsz): expected at least min_local_bsz, found '4'"},
        {APPS, LIMITS "net,T4,32,512,8,64,0,80,0.5\n",
         "t:2: field 7 (max_epochs): expected a whole number from 1 to 10000, found '0'"},
        {GENERIC, TIMES "T4,net,0,9,32,0.3,0.1\n",
         "t:2: field 3 (num_nodes): expected a whole number from 1 to 4096, found '0'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct read read;

        begin(&read);
        assert_int_not_equal(read_text(&read, rows[i].kind, rows[i].text), BL_OK);
        assert_string_equal(read.err.text, rows[i].message);
        bl_profiles_finish(&read.profiles);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_file_is_read),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
