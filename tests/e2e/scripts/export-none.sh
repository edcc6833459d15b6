#!/bin/sh
#SBATCH --job-name=clean-env
#SBATCH --export=NONE
#SBATCH --output=clean-env.out
echo "secret=${SECRET:-unset}"
echo "job=$SLURM_JOB_NAME"
command -v cat > /dev/null && echo "path works"
