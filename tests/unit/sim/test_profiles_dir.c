#include "sim/profiles_dir.h"

#include "bl_test.h"
#include "os/fs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct bl_node_spec nodes[] = {{.name = "a", .gpu_type = "T4", .gpus = 4}};
static const struct bl_clusterspec machine = {nodes, 1};

struct folder {
    char path[64];
};

static struct folder make_folder(void)
{
    struct folder folder = {"/tmp/baleen-profiles-XXXXXX"};

    assert_non_null(mkdtemp(folder.path));
    return folder;
}

static void write_file(const struct folder *folder, const char *name, const char *text)
{
    BL_AUTO_BUF path = {0};
    char *slash;

    bl_buf_printf(&path, "%s/%s", folder->path, name);
    slash = strrchr(path.text, '/');
    *slash = '\0';
    assert_int_equal(bl_fs_make_dirs(path.text, 0700, NULL), BL_OK);
    *slash = '/';
    assert_int_equal(bl_fs_write_atomic(path.text, 0600, text, strlen(text), NULL), BL_OK);
}

#define PLACES "placement,local_bsz,step_time,sync_time\n1,32,0.1,0\n"
#define EPOCHS "progress,iteration,grad_sqr,grad_var\n100,100,1,0\n"

static void applications_and_tables_are_found(void **state)
{
    struct folder folder = make_folder();
    struct bl_profiles profiles = {0};
    const struct bl_profile_app *net;

    (void)state;
    write_file(&folder, "net/placements-T4.csv", PLACES);
    write_file(&folder, "net/placements-A100.csv", "never read\n");
    write_file(&folder, "net/validation-32.csv", EPOCHS);
    write_file(&folder, "net/notes.txt", "other files may lie there\n");
    write_file(&folder, "README", "as here\n");
    write_file(&folder, "tables/apps.csv",
               "app,gpu,init_batch_size,max_batch_size,min_local_bsz,max_local_bsz,max_epochs,"
               "restart_s,calibration\nnet,T4,32,32,32,32,1,77,1\n");
    assert_int_equal(bl_sim_read_profiles(folder.path, &machine, &profiles, NULL), BL_OK);
    net = bl_profiles_find(&profiles, "net");
    assert_non_null(net);
    assert_null(net->fault);
    assert_true(net->restart_s == 77);
    assert_int_equal(net->device.count, 1);
    bl_profiles_finish(&profiles);
    bl_fs_remove_tree(folder.path, NULL);
}

static void a_fault_belongs_to_its_application(void **state)
{
    static const struct {
        const char *file, *text, *fault; /* the end of the message */
    } rows[] = {
        {"bad/placements-T4.csv", "placement,local_bsz,step_time,sync_time\n1,32,x,0\n",
         "/bad/placements-T4.csv:2: field 3 (step_time): expected a number from 0 to 1e+09, found "
         "'x'"},
        {"bad/validation-x.csv", EPOCHS,
         "/bad/validation-x.csv: expected a batch size behind 'validation-'"},
        {"bad/notes.txt", "", "bad: no epoch was measured (validation-BATCH.csv)"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct folder folder = make_folder();
        struct bl_profiles profiles = {0};
        const char *fault;

        write_file(&folder, "net/placements-T4.csv", PLACES);
        write_file(&folder, "net/validation-32.csv", EPOCHS);
        write_file(&folder, rows[i].file, rows[i].text);
        assert_int_equal(bl_sim_read_profiles(folder.path, &machine, &profiles, NULL), BL_OK);
        assert_null(bl_profiles_find(&profiles, "net")->fault);
        fault = bl_profiles_find(&profiles, "bad")->fault;
        assert_non_null(fault);
        assert_true(strlen(fault) >= strlen(rows[i].fault));
        assert_string_equal(fault + strlen(fault) - strlen(rows[i].fault), rows[i].fault);
        bl_profiles_finish(&profiles);
        bl_fs_remove_tree(folder.path, NULL);
    }
}

static void a_folder_without_profiles_is_an_error(void **state)
{
    struct folder folder = make_folder();
    struct bl_profiles profiles = {0};
    struct bl_error err;

    (void)state;
    assert_int_equal(bl_sim_read_profiles(folder.path, &machine, &profiles, &err), BL_ENOTFOUND);
    assert_non_null(strstr(err.text, "there is no folder of an application in it"));
    assert_int_equal(bl_sim_read_profiles("/nowhere/at/all", &machine, &profiles, &err),
                     BL_ESYSTEM);
    bl_profiles_finish(&profiles);
    bl_fs_remove_tree(folder.path, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(applications_and_tables_are_found),
        cmocka_unit_test(a_fault_belongs_to_its_application),
        cmocka_unit_test(a_folder_without_profiles_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
