#include "script_test.h"

static void A21_dependencies_of_sbatch_become_ours(void **state)
{
    static const struct script_row rows[] = {
        {"#SBATCH -d afterok:12:13", "{after:[12:ok,13:ok]}"},
        {"#SBATCH --dependency=afterok:12,afterany:5,afternotok:9", "{after:[12:ok,5:any,9:fail]}"},
        {"#SBATCH -a 0-3 -d aftercorr:7", "{array:0-3,after:[7:each]}"},
    };

    (void)state;
    script_expect_rows(rows, FORM_ROWS(rows));
}

static void other_dependencies_are_refused(void **state)
{
    static const struct script_row rows[] = {
        {"#SBATCH -d singleton", "dir/s.sh:2: -d: expected afterok:ID, afterany:ID,"},
        {"#SBATCH -d after:7", "-d: expected afterok:ID, afterany:ID,"},
        {"#SBATCH -d afterok", "-d: expected afterok:ID"},
        {"#SBATCH -d afterok:", "-d: expected afterok:ID"},
        {"#SBATCH -d ''", "-d: expected afterok:ID"},
        {"#SBATCH -d afterok:x", "-d: expected the id of a job, found 'x'"},
        {"#SBATCH -d afterok:12_3", "-d: expected the id of a job, found '12_3'"},
        {"#SBATCH -d afterok:1::2", "-d: expected the id of a job, found ''"},
        {"#SBATCH -d afterok:1?afterok:2", "-d: one of several dependencies ('?') is"},
        {"#SBATCH -d aftercorr:7", "dir/s.sh:2: after: 7:each is for arrays: the job has no array"},
    };

    (void)state;
    script_refuse_rows(rows, FORM_ROWS(rows));
}

static void A21_the_instants_of_sbatch_become_ours(void **state)
{
    static const struct script_row rows[] = {
        {"#SBATCH --begin=16:00", "{not_before:16:00}"},
        {"#SBATCH -b 8:30", "{not_before:08:30}"},
        {"#SBATCH -b now+60", "{not_before:60s}"},
        {"#SBATCH -b now+1hour", "{not_before:1h}"},
        {"#SBATCH -b now+2days", "{not_before:2d}"},
        {"#SBATCH -b now+3weeks", "{not_before:3w}"},
        {"#SBATCH -b now+5min", "{not_before:5m}"},
        {"#SBATCH -b 2026-12-01T08:30", "{not_before:2026-12-01T08:30}"},
        {"#SBATCH -b 2026-12-01", "{not_before:2026-12-01}"},
        {"#SBATCH -b midnight", "{not_before:00:00}"},
        {"#SBATCH -b Teatime", "{not_before:16:00}"},
        {"#SBATCH -b 16:00 -b now", "{}"},
    };

    (void)state;
    script_expect_rows(rows, FORM_ROWS(rows));
}

static void other_instants_are_refused(void **state)
{
    static const char *const values[] = {"tomorrow", "010127", "01/20/27", "now+1fortnight",
                                         "now+",     "4PM",    "''",       "now+99999999999days"};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(values); i++) {
        BL_AUTO_BUF line = {0};

        bl_buf_printf(&line, "#SBATCH --begin=%s", values[i]);
        script_expect_refusal(bl_buf_text(&line), "dir/s.sh:2: --begin: expected an instant like "
                                                  "16:00, 2026-12-01T08:30 or now+2hours, found '");
    }
}

static void A21_the_environment_is_let_in_as_export_says(void **state)
{
    static const struct script_row rows[] = {
        {"#SBATCH --export=ALL", "{inherit_env:yes}"},
        {"#SBATCH --export=NONE", "{inherit_env:no}"},
        {"#SBATCH --export=nil", "{inherit_env:no}"},
        {"#SBATCH --export=ALL,A=1,B=x=y", "{env:{A:1,B:x=y},inherit_env:yes}"},
        {"#SBATCH --export=PATH,A=1,LANG", "{env:{A:1},inherit_env:[PATH,LANG]}"},
        {"#SBATCH --export=A=1 --export=A=2", "{env:{A:2},inherit_env:[]}"},
        {"#SBATCH --export=A=", "{env:{A:},inherit_env:[]}"},
        {"#SBATCH --export='A=a b'", "{env:{A:a b},inherit_env:[]}"},
    };

    (void)state;
    script_expect_rows(rows, FORM_ROWS(rows));
    script_expect_refusal("#SBATCH --export==1", "--export: expected NAME=VALUE, found '=1'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A21_dependencies_of_sbatch_become_ours),
        cmocka_unit_test(other_dependencies_are_refused),
        cmocka_unit_test(A21_the_instants_of_sbatch_become_ours),
        cmocka_unit_test(other_instants_are_refused),
        cmocka_unit_test(A21_the_environment_is_let_in_as_export_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
