#include "script_test.h"

static void A21_a_type_of_gpu_is_found_whatever_its_case(void **state)
{
    static const char *const types[] = {"A100", "H100", NULL};
    const struct bl_script_request request = {.gpu_types = types};

    (void)state;
    script_expect_with(request, "#SBATCH --gres=gpu:a100:2",
                       "{resources:{gpus:2,gpu:{type:[A100]}}}");
    script_expect_with(request, "#BALEEN -g 1 --gpu-type h100,v100",
                       "{resources:{gpus:1,gpu:{type:[H100,v100]}}}");
    script_expect("#SBATCH --gres=gpu:a100:2", "{resources:{gpus:2,gpu:{type:[a100]}}}");
}

static void the_last_of_two_values_holds(void **state)
{
    (void)state;
    script_expect("#SBATCH -J a -J b --comment=x --comment=y", "{name:b,labels:{comment:y}}");
    script_expect("#BALEEN --param a=1 --param b=2 --param a=3", "{params:{a:3,b:2}}");
}

static void a_directory_is_below_the_one_of_the_submission_unless_absolute(void **state)
{
    (void)state;
    script_expect("#SBATCH -D a/b", "{workdir:/w/a/b}");
    script_expect("#BALEEN -D /a", "{workdir:/a}");
}

static void pairs_are_taken_up_to_their_ceiling_and_no_further(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        BL_AUTO_BUF lines = {0};
        struct script_text script;

        for (int i = 0; i < BL_JOBSPEC_ENV_MAX + more; i++) {
            bl_buf_printf(&lines, "#BALEEN --env A%d=1\n", i);
        }
        script_read(&script, bl_buf_text(&lines));
        assert_int_equal(script.status, more ? BL_EINVAL : BL_OK);
        if (more) {
            form_expect_message(&script.err, "dir/s.sh:8194: --env: expected at most 8192", "");
        }
        script_finish(&script);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A21_a_type_of_gpu_is_found_whatever_its_case),
        cmocka_unit_test(the_last_of_two_values_holds),
        cmocka_unit_test(a_directory_is_below_the_one_of_the_submission_unless_absolute),
        cmocka_unit_test(pairs_are_taken_up_to_their_ceiling_and_no_further),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
