#include "script_test.h"

static void A21_lines_of_our_own_take_the_flags_of_run(void **state)
{
    static const struct script_row rows[] = {
        {"#BALEEN", "{}"},
        {"#BALEEN --gpus 2-8 --want 4 --gpu-type A100,H100 --gpu-mem 40GB",
         "{resources:{gpus:2-8,want:4,gpu:{type:[A100,H100],mem:40GB}}}"},
        {"#BALEEN -g 1 --cpus 8/gpu --mem=64GB -N 2",
         "{resources:{gpus:1,cpus:8/gpu,mem:64GB,nodes:2}}"},
        {"#BALEEN -t 2h30m -J tiny --project nlp --class interactive --kind notebook --pool big",
         "{name:tiny,project:nlp,class:interactive,kind:notebook,pool:big,time:{limit:2h30m}}"},
        {"#BALEEN --reservation r17", "{reservation:r17}"},
        {"#BALEEN -t 2h --promise", "{time:{limit:2h},promise:yes}"},
        {"#BALEEN --preemptible --priority -3 --requeue --retries 2 --hold",
         "{class:preemptible,priority:-3,retries:2,hold:yes}"},
        {"#BALEEN --requeue --no-requeue", "{requeue:no}"},
        {"#BALEEN --after 7,8:any --after prep:ok", "{after:[7,8:any,prep:ok]}"},
        {"#BALEEN --array 0-9%2 --not-before 2h", "{array:0-9%2,not_before:2h}"},
        {"#BALEEN --ckpt USR1@90", "{checkpoint:{signal:USR1@90}}"},
        {"#BALEEN --param layers=32 --param lr=1e-3 --label team=cv --env A=b=c",
         "{params:{layers:32,lr:1e-3},labels:{team:cv},env:{A:b=c}}"},
        {"#BALEEN -o %x.log --error %x.err -D sub", "{workdir:/w/sub,log:%x.log,error:%x.err}"},
    };

    (void)state;
    script_expect_rows(rows, FORM_ROWS(rows));
}

static void wrong_values_are_refused_at_their_flag(void **state)
{
    static const struct script_row rows[] = {
        {"#BALEEN --gpus x", "dir/s.sh:2: --gpus: expected a whole number, found 'x'"},
        {"#BALEEN --gpus 8-2", "--gpus: expected a number of GPUs like 4, a range"},
        {"#BALEEN --cpus x", "--cpus: expected"},
        {"#BALEEN --mem x", "--mem: expected a size"},
        {"#BALEEN --time 0", "--time: expected a time over zero, found '0'"},
        {"#BALEEN --time x", "--time: expected a time like 30 (minutes)"},
        {"#BALEEN --after 7:later", "--after: expected ok, any, fail or each behind the ':'"},
        {"#BALEEN --after 7,,8", "--after: expected a job like 17, 17:any or prep:ok, found ''"},
        {"#BALEEN --array x", "--array: expected indices like"},
        {"#BALEEN --ckpt x", "--ckpt: expected a signal that a program can handle"},
        {"#BALEEN --not-before 30", "--not-before: expected an instant like"},
        {"#BALEEN --param x", "--param: expected NAME=VALUE, found 'x'"},
        {"#BALEEN --gpu-type A,,B", "--gpu-type: expected types of GPUs like A100,H100"},
        {"#BALEEN --log %q", "--log: expected a path with"},
        {"#BALEEN --class fast", "dir/s.sh:2: class: expected one of interactive, batch"},
        {"#BALEEN -g 2 --want 4", "dir/s.sh:2: want: expected a whole number from 2 to 2"},
        {"#BALEEN --gpu-mem 4G", "dir/s.sh:2: gpu: the job asks for no GPU"},
    };

    (void)state;
    script_refuse_rows(rows, FORM_ROWS(rows));
}

static void flags_of_later_versions_are_refused(void **state)
{
    static const char *const flags[] = {"deadline", "expect", "notify", "share"};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(flags); i++) {
        BL_AUTO_BUF line = {0};
        BL_AUTO_BUF message = {0};

        bl_buf_printf(&line, "#BALEEN --%s x", flags[i]);
        bl_buf_printf(&message, "dir/s.sh:2: --%s: not supported by this version yet", flags[i]);
        script_expect_refusal(bl_buf_text(&line), bl_buf_text(&message));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A21_lines_of_our_own_take_the_flags_of_run),
        cmocka_unit_test(wrong_values_are_refused_at_their_flag),
        cmocka_unit_test(flags_of_later_versions_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
