#!/bin/bash
#SBATCH -J fold
#SBATCH -a 0-8:4,15
#SBATCH -o fold_%a.log
idx=$SLURM_ARRAY_TASK_ID
case $idx in
    0)  exit 0 ;;
    15) exit 3 ;;
    *)  echo "fold $idx step $SLURM_ARRAY_TASK_STEP job $SLURM_JOB_ID" ;;
esac
