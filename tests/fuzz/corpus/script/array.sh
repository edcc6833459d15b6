#!/bin/bash -l
#SBATCH -J sweep
#SBATCH -a 0-9%2
#SBATCH -o logs/%x_%A_%4a.out
#SBATCH -e logs/%x_%A_%4a.err
export X=$SLURM_ARRAY_TASK_ID
./run "$X"
