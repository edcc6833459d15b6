#include "script_test.h"

static void A21_the_flags_of_sbatch_keep_their_meaning(void **state)
{
    static const struct script_row rows[] = {
        {"#SBATCH", "{}"},
        {"#SBATCH -J train --account=nlp", "{name:train,project:nlp,env:{SLURM_JOB_ACCOUNT:nlp}}"},
        {"#SBATCH -t 30", "{time:{limit:30}}"},
        {"#SBATCH --time=1-12", "{time:{limit:1-12}}"},
        {"#SBATCH -t 0", "{}"},
        {"#SBATCH -t 10\n#SBATCH -t UNLIMITED", "{}"},
        {"#SBATCH -o out.%j -e err.%4j", "{log:out.%j,error:err.%4j}"},
        {"#SBATCH -o %x_%A_%a.%N.%u -e %x_%A_%a.%N.%u", "{log:%x_%A_%a.%N.%u}"},
        {"#SBATCH -o %J.%n.%4t.%s.%%", "{log:%j.0.0.batch.%%}"},
        {"#SBATCH -a 0-9%2", "{array:0-9%2}"},
        {"#SBATCH -D sub", "{workdir:/w/sub}"},
        {"#SBATCH --chdir=/data", "{workdir:/data}"},
        {"#SBATCH -H --no-requeue", "{requeue:no,hold:yes}"},
        {"#SBATCH --no-requeue\n#SBATCH --requeue", "{}"},
        {"#SBATCH --nice", "{priority:-100}"},
        {"#SBATCH --nice=5", "{priority:-5}"},
        {"#SBATCH --nice=-5", "{priority:5}"},
        {"#SBATCH --signal=B:USR1@90", "{checkpoint:{signal:B:USR1@90}}"},
        {"#SBATCH --reservation=r17", "{reservation:r17}"},
        {"#SBATCH --signal SIGTERM", "{checkpoint:{signal:SIGTERM}}"},
        {"#SBATCH --signal=R:10@5", "{checkpoint:{signal:10@5}}"},
        {"#SBATCH --comment=\"my first run\"", "{labels:{comment:my first run}}"},
        {"#SBATCH -i /dev/null --open-mode=append -kQv --ignore-pbs --use-min-nodes", "{}"},
    };

    (void)state;
    script_expect_rows(rows, FORM_ROWS(rows));
}

static void A21_flags_that_change_nothing_are_warned_about(void **state)
{
    static const char *const flags[] = {
        "--mail-type=ALL", "--mail-user=me", "--exclusive",    "--exclusive=user", "--time-min=5",
        "--reservation=r", "--profile=all",  "--hint=compute", "--get-user-env",   "--mincpus=4",
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(flags); i++) {
        BL_AUTO_BUF line = {0};
        BL_AUTO_BUF expected = {0};

        bl_buf_printf(&line, "#SBATCH %s", flags[i]);
        bl_buf_printf(&expected,
                      "{} | dir/s.sh:2: %.*s is not acted on by this version; the job runs "
                      "without it",
                      (int)strcspn(flags[i], "="), flags[i]);
        script_expect(bl_buf_text(&line), bl_buf_text(&expected));
    }
    script_expect("#SBATCH --open-mode=truncate", "{} | dir/s.sh:2: --open-mode=truncate: logs are "
                                                  "never truncated; the job appends");
    script_expect("#SBATCH -q high", "{env:{SLURM_JOB_QOS:high}} | dir/s.sh:2: -q is not acted "
                                     "on by this version; the job runs without it");
}

static void A21_flags_that_would_change_the_job_are_refused(void **state)
{
    static const char *const flags[] = {
        "--deadline=noon", "--nodelist=n1", "--exclude=n1", "--constraint=a100", "--input=in.txt",
        "--licenses=x",    "--container=c", "--uid=0",      "--tres-per-task=x", "--export-file=f",
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(flags); i++) {
        BL_AUTO_BUF line = {0};
        BL_AUTO_BUF expected = {0};

        bl_buf_printf(&line, "#SBATCH %s", flags[i]);
        bl_buf_printf(&expected,
                      "dir/s.sh:2: %.*s: not supported by this version yet, and the job would not "
                      "be the same",
                      (int)strcspn(flags[i], "="), flags[i]);
        script_expect_refusal(bl_buf_text(&line), bl_buf_text(&expected));
    }
}

static void wrong_values_are_refused_at_their_flag(void **state)
{
    static const struct script_row rows[] = {
        {"#SBATCH -t abc", "dir/s.sh:2: -t: expected a time like 30 (minutes)"},
        {"\n#SBATCH -a 0-", "dir/s.sh:3: -a: expected indices like 0-9"},
        {"#SBATCH --signal=KILL@5", "--signal: expected a signal that a program can handle"},
        {"#SBATCH --nice=x", "--nice: expected a whole number, found 'x'"},
        {"#SBATCH -o %b", "-o: expected a path with %x, %j, %A, %a, %r, %u, %N and %% alone"},
        {"#SBATCH -o ''", "-o: expected a path with"},
        {"#SBATCH -o x%", "-o: expected a path with"},
        {"#SBATCH --open-mode=w", "--open-mode: expected append or truncate, found 'w'"},
        {"#SBATCH -D ''", "-D: expected a directory, found ''"},
        {"#SBATCH -J ''", "dir/s.sh:2: name: expected a name of 1 to 255 bytes, found ''"},
        {"#SBATCH --wrap=ls", "--wrap: expected a script or --wrap, found both"},
        {"#SBATCH hetjob", "dir/s.sh:2: jobs of several parts are not supported by this version"},
        {"#SBATCH -J 'x", "dir/s.sh:2: a quote (') is not closed"},
    };

    (void)state;
    script_refuse_rows(rows, FORM_ROWS(rows));
}

static void A21_a_partition_is_a_pool_where_there_is_one(void **state)
{
    static const char *const pools[] = {"main", "big", NULL};
    const struct bl_script_request request = {.pools = pools};

    (void)state;
    script_expect_with(request, "#SBATCH -p big", "{pool:big,env:{SLURM_JOB_PARTITION:big}}");
    script_expect_with(request, "#SBATCH -p gpu,main",
                       "{pool:main,env:{SLURM_JOB_PARTITION:gpu,main}}");
    script_expect_with(request, "#SBATCH -p gpu",
                       "{env:{SLURM_JOB_PARTITION:gpu}} | dir/s.sh:2: -p: there is no "
                       "pool 'gpu'; the job may run on any node");
    script_expect("#SBATCH -p big",
                  "{env:{SLURM_JOB_PARTITION:big}} | dir/s.sh:2: -p: there is no pool "
                  "'big'; the job may run on any node");
}

static void several_pools_are_refused(void **state)
{
    static const char *const pools[] = {"main", "big", NULL};
    struct script_text script;

    (void)state;
    script_read_with(&script, (struct bl_script_request){.pools = pools}, "#SBATCH -p big,main");
    form_expect_message(&script.err, "-p: expected one pool, found both big and main", "");
    script_finish(&script);
}

static void flags_for_the_submitting_program_are_handed_on(void **state)
{
    struct script_text script;

    (void)state;
    script_read(&script, "#SBATCH --parsable -W");
    assert_true(script.script.parsable && script.script.wait && !script.script.test_only);
    script_finish(&script);
    script_read(&script, "#SBATCH --test-only");
    assert_true(script.script.test_only && !script.script.wait);
    script_finish(&script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A21_the_flags_of_sbatch_keep_their_meaning),
        cmocka_unit_test(A21_flags_that_change_nothing_are_warned_about),
        cmocka_unit_test(A21_flags_that_would_change_the_job_are_refused),
        cmocka_unit_test(wrong_values_are_refused_at_their_flag),
        cmocka_unit_test(A21_a_partition_is_a_pool_where_there_is_one),
        cmocka_unit_test(several_pools_are_refused),
        cmocka_unit_test(flags_for_the_submitting_program_are_handed_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
