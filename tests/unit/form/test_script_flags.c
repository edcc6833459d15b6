#include "script_test.h"

static void A21_flags_are_found_in_every_spelling_of_getopt(void **state)
{
    static const char *const rows[] = {
        "#SBATCH -n4",          "#SBATCH -n 4",
        "#SBATCH --ntasks=4",   "#SBATCH --ntasks 4",
        "#SBATCH\t--ntasks\t4", "#SBATCH -Qn4",
        "#SBATCH -Qvn 4",       "#SBATCH  --ntasks '4' # tasks",
        "#SBATCH--ntasks=4",    "#SBATCH -n 2\n#SBATCH -n 4",
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        script_expect(rows[i], "{resources:{cpus:4},env:{SLURM_NTASKS:4,SLURM_NPROCS:4}}");
    }
}

static void A21_a_beginning_is_enough_when_no_other_flag_has_it(void **state)
{
    (void)state;
    script_expect("#SBATCH --job=a --out b --no-req", "{name:a,requeue:no,log:b}");
    script_expect_refusal("#SBATCH --gpus-per=2",
                          "dir/s.sh:2: --gpus-per: it may stand for --gpus-per-node or "
                          "--gpus-per-");
    script_expect("#SBATCH --mem=1G", "{resources:{mem:1G},env:{SLURM_MEM_PER_NODE:1024}}");
}

static void A21_unknown_flags_warn_and_change_nothing(void **state)
{
    static const struct script_row rows[] = {
        {"#SBATCH --gpuss=2", "{} | dir/s.sh:2: --gpuss is not known; the job runs without it (did "
                              "you mean --gpus?)"},
        {"#SBATCH --zzzzzzzz a b -J x",
         "{name:x} | dir/s.sh:2: --zzzzzzzz is not known; the job runs without it"},
        {"#SBATCH -Z 4 -J x", "{name:x} | dir/s.sh:2: -Z is not known; the job runs without it"},
        {"#SBATCH --", "{} | dir/s.sh:2: -- is not known; the job runs without it"},
    };

    (void)state;
    script_expect_rows(rows, FORM_ROWS(rows));
}

static void unknown_flags_of_our_own_are_refused(void **state)
{
    static const struct script_row rows[] = {
        {"#BALEEN --gpuss 2", "dir/s.sh:2: --gpuss: unknown flag, did you mean --gpus?"},
        {"#BALEEN --zzzzzzzz", "dir/s.sh:2: --zzzzzzzz: unknown flag"},
        {"#BALEEN -z", "dir/s.sh:2: -z: unknown flag"},
    };
    struct script_text script;

    (void)state;
    script_refuse_rows(rows, FORM_ROWS(rows));
    script_read(&script, rows[0].lines);
    assert_string_equal(script.err.hint, "write --gpus");
    assert_string_equal(script.err.field, "--gpuss");
    script_finish(&script);
}

static void values_are_demanded_and_refused_by_the_table(void **state)
{
    static const struct script_row rows[] = {
        {"#SBATCH -n", "dir/s.sh:2: -n: expected a value behind it"},
        {"#SBATCH --ntasks", "dir/s.sh:2: --ntasks: expected a value behind it"},
        {"#SBATCH --ntasks=", "dir/s.sh:2: --ntasks: expected a whole number, found ''"},
        {"#SBATCH --hold=yes", "dir/s.sh:2: --hold: expected no value, found 'yes'"},
        {"#SBATCH --mem 16 G", "dir/s.sh:2: expected a flag, found 'G'"},
        {"#SBATCH -J a b", "dir/s.sh:2: expected a flag, found 'b'"},
        {"#SBATCH -", "dir/s.sh:2: expected a flag, found '-'"},
        {"#BALEEN gpus", "dir/s.sh:2: expected a flag, found 'gpus'"},
    };

    (void)state;
    script_refuse_rows(rows, FORM_ROWS(rows));
}

static void warnings_end_at_their_ceiling(void **state)
{
    BL_AUTO_BUF lines = {0};
    struct script_text script;

    (void)state;
    for (int i = 0; i < BL_SCRIPT_WARNINGS_MAX + 5; i++) {
        bl_buf_append_text(&lines, "#SBATCH --mail-user=me\n");
    }
    script_read(&script, bl_buf_text(&lines));
    assert_int_equal(script.status, BL_OK);
    assert_int_equal(script.script.warning_count, BL_SCRIPT_WARNINGS_MAX);
    script_finish(&script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A21_flags_are_found_in_every_spelling_of_getopt),
        cmocka_unit_test(A21_a_beginning_is_enough_when_no_other_flag_has_it),
        cmocka_unit_test(A21_unknown_flags_warn_and_change_nothing),
        cmocka_unit_test(unknown_flags_of_our_own_are_refused),
        cmocka_unit_test(values_are_demanded_and_refused_by_the_table),
        cmocka_unit_test(warnings_end_at_their_ceiling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
