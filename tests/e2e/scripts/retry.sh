#!/bin/bash
#SBATCH --job-name=stage
#SBATCH --no-requeue
#SBATCH --output=stage.out
#SBATCH --hold
#SBATCH --nice=100
#SBATCH --begin=now
set -o errexit -o nounset
echo "restart ${SLURM_RESTART_COUNT}"
false
echo "not reached"
