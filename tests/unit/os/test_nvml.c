#include "os/nvml.h"
#include "bl_test.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void list(struct bl_nvml_list *out)
{
    struct bl_error err = {0};

    if (bl_nvml_list(out, &err)) {
        fail_msg("%s", err.text);
    }
}

static void P2_gpus_come_in_order_of_the_bus_whatever_the_library_says(void **state)
{
    struct bl_nvml_list gpus = {0};

    (void)state;
    setenv("FAKE_NVML",
           "0:af:0|NVIDIA A100-SXM4-80GB|GPU-c|85899345920\n"
           "1:1:0|NVIDIA H200|GPU-e|150754820096\n"
           "0:3b:1|NVIDIA GeForce RTX 4090|GPU-b|25757220864\n"
           "0:3b:0|NVIDIA A100-SXM4-80GB|GPU-a|85899345920\n"
           "0:d8:0|NVIDIA GB10|GPU-d|-1\n",
           1);
    list(&gpus);
    assert_int_equal(gpus.gpus.count, 5);
    for (size_t i = 0; i < 5; i++) {
        char expected[] = {'G', 'P', 'U', '-', (char)('a' + (int)i), '\0'};

        assert_string_equal(gpus.gpus.at[i].uuid, expected);
    }
    assert_int_equal(gpus.gpus.at[0].mem_bytes, INT64_C(85899345920));
    assert_int_equal(gpus.gpus.at[3].mem_bytes, 0); /* not told */
    assert_string_equal(gpus.gpus.at[1].name, "NVIDIA GeForce RTX 4090");
    assert_string_equal(gpus.gpus.at[1].bus_id, "00000000:3B:01.0");
    bl_nvml_list_finish(&gpus);
}

static void a_machine_without_gpus_has_none(void **state)
{
    struct bl_nvml_list gpus = {0};

    (void)state;
    setenv("FAKE_NVML", "", 1);
    list(&gpus);
    assert_int_equal(gpus.gpus.count, 0);
    bl_nvml_list_finish(&gpus);
}

static void a_driver_that_is_not_loaded_is_an_error_in_words(void **state)
{
    struct bl_nvml_list gpus = {0};
    struct bl_error err = {0};

    (void)state;
    setenv("FAKE_NVML_INIT", "9", 1);
    assert_int_equal(bl_nvml_list(&gpus, &err), BL_ESYSTEM);
    unsetenv("FAKE_NVML_INIT");
    assert_string_equal(err.text, "NVML cannot reach the driver: Driver Not Loaded");
    assert_int_equal(gpus.gpus.count, 0);
}

static void a_gpu_that_does_not_answer_is_named(void **state)
{
    struct bl_nvml_list gpus = {0};
    struct bl_error err = {0};

    (void)state;
    setenv("FAKE_NVML", "0:1:0|NVIDIA H200|GPU-a|1\n0:2:0|lost|GPU-b|1\n", 1);
    assert_int_equal(bl_nvml_list(&gpus, &err), BL_ESYSTEM);
    assert_string_equal(err.text, "GPU 1: NVML cannot describe a GPU: GPU is lost");
    assert_int_equal(gpus.gpus.count, 0);
}

static void write_use(char *path, const char *text)
{
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    setenv("FAKE_NVML_USE", path, 1);
}

static void what_gpus_do_is_told_as_far_as_the_driver_knows(void **state)
{
    char path[] = "/tmp/baleen-nvml-XXXXXX";
    struct bl_nvml_uses uses = {0};
    struct bl_error err = {0};

    (void)state;
    setenv("FAKE_NVML",
           "0:1:0|NVIDIA H200|GPU-a|1000\n0:2:0|lost|GPU-b|1000\n0:3:0|NVIDIA H200|GPU-c|-1\n", 1);
    write_use(path, "GPU-a 93 400 61 350000\n");
    assert_int_equal(bl_nvml_measure(&uses, &err), BL_OK);
    assert_int_equal(uses.gpus.count, 2);
    assert_string_equal(uses.gpus.at[0].uuid, "GPU-a");
    assert_int_equal(uses.gpus.at[0].busy_percent, 93);
    assert_int_equal(uses.gpus.at[0].temperature_c, 61);
    assert_int_equal(uses.gpus.at[0].power_mw, 350000);
    assert_int_equal(uses.gpus.at[0].mem_used_bytes, 400);
    assert_int_equal(uses.gpus.at[0].mem_bytes, 1000);
    assert_string_equal(uses.gpus.at[1].uuid, "GPU-c");
    assert_int_equal(uses.gpus.at[1].busy_percent, -1);
    assert_int_equal(uses.gpus.at[1].temperature_c, -1);
    assert_int_equal(uses.gpus.at[1].power_mw, -1);
    assert_int_equal(uses.gpus.at[1].mem_used_bytes, -1);
    bl_nvml_uses_finish(&uses);
    unsetenv("FAKE_NVML_USE");
    unlink(path);
}

static void a_driver_that_cannot_be_asked_says_so(void **state)
{
    struct bl_nvml_uses uses = {0};
    struct bl_error err = {0};

    (void)state;
    setenv("FAKE_NVML_INIT", "9", 1);
    assert_int_equal(bl_nvml_measure(&uses, &err), BL_ESYSTEM);
    unsetenv("FAKE_NVML_INIT");
    assert_string_equal(err.text, "NVML cannot reach the driver: Driver Not Loaded");
}

static void P11_who_computes_on_a_gpu_is_told_by_the_driver(void **state)
{
    struct bl_nvml_processes who = {0};

    (void)state;
    setenv("FAKE_NVML", "0:1:0|NVIDIA H200|GPU-a|1\n0:2:0|NVIDIA H200|GPU-b|1\n", 1);
    setenv("FAKE_NVML_WHO", "GPU-b 4711\nGPU-a 12\nGPU-b 13\n", 1);
    assert_int_equal(bl_nvml_who(&who, NULL), BL_OK);
    unsetenv("FAKE_NVML_WHO");
    assert_int_equal(who.all.count, 3);
    assert_string_equal(who.all.at[0].uuid, "GPU-a");
    assert_int_equal(who.all.at[0].pid, 12);
    assert_string_equal(who.all.at[2].uuid, "GPU-b");
    assert_int_equal(who.all.at[1].pid + who.all.at[2].pid, 4711 + 13);
    bl_nvml_processes_finish(&who);
    assert_int_equal(bl_nvml_who(&who, NULL), BL_OK);
    assert_int_equal(who.all.count, 0);
    bl_nvml_processes_finish(&who);
}

static void models_get_the_names_that_people_use(void **state)
{
    static const struct {
        const char *name;
        const char *expected;
    } rows[] = {
        {"NVIDIA A100-SXM4-80GB", "A100"},
        {"NVIDIA A100 80GB PCIe", "A100"},
        {"A100-PCIE-40GB", "A100"},
        {"NVIDIA H100 80GB HBM3", "H100"},
        {"NVIDIA H100 NVL", "H100"},
        {"NVIDIA H200", "H200"},
        {"NVIDIA B200", "B200"},
        {"NVIDIA GH200 480GB", "GH200"},
        {"Tesla V100-SXM2-32GB", "V100"},
        {"Tesla P100-PCIE-16GB", "P100"},
        {"Tesla T4", "T4"},
        {"NVIDIA L40S", "L40S"},
        {"NVIDIA GeForce RTX 4090", "RTX4090"},
        {"NVIDIA GeForce RTX 4090 Laptop GPU", "RTX4090"},
        {"NVIDIA GeForce RTX 3090 Ti", "RTX3090Ti"},
        {"NVIDIA GeForce GTX 1080 Ti", "GTX1080Ti"},
        {"NVIDIA RTX A6000", "A6000"},
        {"NVIDIA RTX 6000 Ada Generation", "RTX6000Ada"},
        {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "RTXPRO6000"},
        {"Quadro RTX 8000", "RTX8000"},
        {"NVIDIA TITAN RTX", "TITANRTX"},
        {"NVIDIA", "GPU"},
        {"", "GPU"},
        {"  NVIDIA   A30  ", "A30"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF text = {0};

        bl_nvml_short_name(rows[i].name, &text);
        if (strcmp(bl_buf_text(&text), rows[i].expected) != 0) {
            fail_msg("'%s' became '%s'", rows[i].name, bl_buf_text(&text));
        }
    }
}

static void a_machine_without_the_library_has_no_gpu_and_no_error(void **state)
{
    struct bl_nvml_list gpus = {0};
    struct bl_nvml_uses uses = {0};
    struct bl_error err = {0};
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);

    (void)state;
    if (library) {
        dlclose(library);
        BL_SKIP("this machine has the library");
    }
    list(&gpus);
    assert_int_equal(gpus.gpus.count, 0);
    assert_int_equal(bl_nvml_measure(&uses, &err), BL_ENOTFOUND);
    assert_string_equal(err.text, "libnvidia-ml.so.1 is not on this machine");
}

/* With any argument: the tests for which no library is played. */
int main(int argc, char **argv)
{
    const struct CMUnitTest with_library[] = {
        cmocka_unit_test(P2_gpus_come_in_order_of_the_bus_whatever_the_library_says),
        cmocka_unit_test(a_machine_without_gpus_has_none),
        cmocka_unit_test(a_driver_that_is_not_loaded_is_an_error_in_words),
        cmocka_unit_test(a_gpu_that_does_not_answer_is_named),
        cmocka_unit_test(what_gpus_do_is_told_as_far_as_the_driver_knows),
        cmocka_unit_test(a_driver_that_cannot_be_asked_says_so),
        cmocka_unit_test(P11_who_computes_on_a_gpu_is_told_by_the_driver),
        cmocka_unit_test(models_get_the_names_that_people_use),
    };
    const struct CMUnitTest without_library[] = {
        cmocka_unit_test(a_machine_without_the_library_has_no_gpu_and_no_error),
    };

    (void)argv;
    return argc > 1 ? cmocka_run_group_tests(without_library, NULL, NULL)
                    : cmocka_run_group_tests(with_library, NULL, NULL);
}
