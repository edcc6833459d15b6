#!/bin/bash
#SBATCH --job-name=train     # a comment
#SBATCH -N 1 -n4
#SBATCH	--cpus-per-task 2
#SBATCH --gres=gpu:a100:2
#SBATCH --mem=16G
#SBATCH -t 1-12:00:00

module load cuda
srun python train.py
