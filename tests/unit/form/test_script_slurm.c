#include "script_test.h"

static void A21_tasks_and_their_cpus_become_cpus(void **state)
{
    static const struct script_row rows[] = {
        {"#SBATCH -N1", "{resources:{nodes:1}}"},
        {"#SBATCH --nodes=1-4", "{resources:{nodes:4}}"},
        {"#SBATCH -n 4 -c 2", "{resources:{cpus:8},env:{SLURM_NTASKS:4,SLURM_NPROCS:4,"
                              "SLURM_CPUS_PER_TASK:2}}"},
        {"#SBATCH -c 6", "{resources:{cpus:6},env:{SLURM_CPUS_PER_TASK:6}}"},
        {"#SBATCH --ntasks-per-node=4",
         "{resources:{cpus:4},env:{SLURM_NTASKS_PER_NODE:4,SLURM_NTASKS:4,SLURM_NPROCS:4}}"},
        {"#SBATCH -n2 --ntasks-per-node=4",
         "{resources:{cpus:2},env:{SLURM_NTASKS:2,SLURM_NPROCS:2,SLURM_NTASKS_PER_NODE:4}}"},
        {"#SBATCH --gpus=2 --cpus-per-gpu=4",
         "{resources:{gpus:2,cpus:4/gpu},env:{SLURM_GPUS:2,SLURM_CPUS_PER_GPU:4}}"},
    };

    (void)state;
    script_expect_rows(rows, FORM_ROWS(rows));
}

static void A21_gpus_are_counted_in_every_way_that_slurm_has(void **state)
{
    static const struct script_row rows[] = {
        {"#SBATCH --gres=gpu", "{resources:{gpus:1}}"},
        {"#SBATCH --gres=gpu:2", "{resources:{gpus:2}}"},
        {"#SBATCH --gres=gpu:A100", "{resources:{gpus:1,gpu:{type:[A100]}}}"},
        {"#SBATCH --gres=gpu:A100:4", "{resources:{gpus:4,gpu:{type:[A100]}}}"},
        {"#SBATCH --gres gres/gpu:A100:4(S:0-1)", "{resources:{gpus:4,gpu:{type:[A100]}}}"},
        {"#SBATCH --gres=none", "{resources:{gpus:0}}"},
        {"#SBATCH -G H100:2", "{resources:{gpus:2,gpu:{type:[H100]}},env:{SLURM_GPUS:H100:2}}"},
        {"#SBATCH --gpus-per-node=2", "{resources:{gpus:2},env:{SLURM_GPUS_PER_NODE:2}}"},
        {"#SBATCH -n 2 --gpus-per-task=2 -G 4",
         "{resources:{gpus:4,cpus:2},env:{SLURM_NTASKS:2,SLURM_NPROCS:2,SLURM_GPUS_PER_TASK:2,"
         "SLURM_GPUS:4}}"},
    };

    (void)state;
    script_expect_rows(rows, FORM_ROWS(rows));
}

static void A21_memory_without_a_unit_is_mebibytes(void **state)
{
    static const struct script_row rows[] = {
        {"#SBATCH --mem=4000", "{resources:{mem:4000MiB},env:{SLURM_MEM_PER_NODE:4000}}"},
        {"#SBATCH --mem=16G", "{resources:{mem:16G},env:{SLURM_MEM_PER_NODE:16384}}"},
        {"#SBATCH -G2 --mem-per-gpu=8G",
         "{resources:{gpus:2,mem:8G/gpu},env:{SLURM_GPUS:2,SLURM_MEM_PER_GPU:8192}}"},
        {"#SBATCH -c4 --mem-per-cpu=1000",
         "{resources:{cpus:4,mem:4194304000},env:{SLURM_CPUS_PER_TASK:4,SLURM_MEM_PER_CPU:1000}}"},
        {"#SBATCH --mem-per-cpu=1G", "{resources:{mem:1073741824},env:{SLURM_MEM_PER_CPU:1024}}"},
        {"#SBATCH -G2 --cpus-per-gpu=2 --mem-per-cpu=1G",
         "{resources:{gpus:2,cpus:2/gpu,mem:4294967296},env:{SLURM_GPUS:2,SLURM_CPUS_PER_GPU:2,"
         "SLURM_MEM_PER_CPU:1024}}"},
    };

    (void)state;
    script_expect_rows(rows, FORM_ROWS(rows));
}

static void A21_our_own_flags_go_over_those_of_sbatch(void **state)
{
    static const struct script_row rows[] = {
        {"#BALEEN --gpus 2-8 --mem 9G\n#SBATCH --gres=gpu:4 --mem=1G -c 3",
         "{resources:{gpus:2-8,mem:9G,cpus:3},env:{SLURM_CPUS_PER_TASK:3,"
         "SLURM_MEM_PER_NODE:1024}}"},
        {"#SBATCH -G 2\n#BALEEN --gpus 4", "{resources:{gpus:4},env:{SLURM_GPUS:2}}"},
    };

    (void)state;
    script_expect_rows(rows, FORM_ROWS(rows));
}

static void what_one_node_cannot_be_is_refused(void **state)
{
    static const struct script_row rows[] = {
        {"#SBATCH -N 2", "dir/s.sh:2: -N: a job that must have 2 nodes is not supported"},
        {"#SBATCH -N 2-4", "-N: a job that must have 2 nodes is not supported"},
        {"#SBATCH -N 4-1", "-N: expected a whole number from 4 to"},
        {"#SBATCH -N x", "-N: expected a whole number, found 'x'"},
        {"#SBATCH -n 0", "-n: expected a whole number from 1 to 1000000"},
        {"#SBATCH -n 8\n#SBATCH --ntasks-per-node=4\n",
         "dir/s.sh:3: --ntasks-per-node: 8 tasks, 4 on each node, need several nodes"},
        {"#SBATCH --cpus-per-gpu=4", "dir/s.sh:2: --cpus-per-gpu: the job asks for no GPU"},
        {"#SBATCH -n1000000 -c1000000", "dir/s.sh:2: cpus: expected at most 1048576 CPUs"},
        {"#SBATCH -G 2\n#SBATCH --gres=gpu:3\n",
         "dir/s.sh:3: --gpus-per-node: it makes 3 GPUs, where another flag makes 2"},
        {"#SBATCH -n1000000 --gpus-per-task=1000000", "--gpus-per-task: expected at most"},
        {"#SBATCH -G a:1,b:2", "-G: GPUs of several types at once are not supported"},
        {"#SBATCH -G a:b:2", "-G: expected a whole number, found 'b:2'"},
        {"#SBATCH --gres=nvme:1", "--gres: expected gpu[:TYPE][:COUNT] alone, found 'nvme:1'"},
        {"#SBATCH --gres=gpu:1,nvme:1", "--gres: expected gpu[:TYPE][:COUNT] alone"},
        {"#SBATCH --gres=gpux", "--gres: expected gpu[:TYPE][:COUNT] alone"},
        {"#SBATCH --gres=gpu::2", "--gres: expected types of GPUs like A100,H100, found ''"},
        {"#SBATCH --mem=x", "--mem: expected a size"},
        {"#SBATCH --mem=0", "--mem: all the memory of a node is not supported"},
        {"#SBATCH --mem=1G --mem-per-cpu=1G",
         "dir/s.sh:2: --mem: expected one of --mem, --mem-per-cpu and --mem-per-gpu"},
        {"#SBATCH --mem-per-gpu=1G", "dir/s.sh:2: mem: expected an amount for the whole job"},
        {"#SBATCH -c 1000 --mem-per-cpu=100T", "--mem-per-cpu: 100T for 1000 CPUs is more than"},
    };

    (void)state;
    script_refuse_rows(rows, FORM_ROWS(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A21_tasks_and_their_cpus_become_cpus),
        cmocka_unit_test(A21_gpus_are_counted_in_every_way_that_slurm_has),
        cmocka_unit_test(A21_memory_without_a_unit_is_mebibytes),
        cmocka_unit_test(A21_our_own_flags_go_over_those_of_sbatch),
        cmocka_unit_test(what_one_node_cannot_be_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
