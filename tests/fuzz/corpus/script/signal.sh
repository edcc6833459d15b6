#!/bin/bash
#SBATCH --signal=B:USR1@60
#SBATCH --time=00:10:00
#SBATCH --requeue
trap 'echo caught; scontrol requeue $SLURM_JOB_ID' USR1
python train.py &
wait
