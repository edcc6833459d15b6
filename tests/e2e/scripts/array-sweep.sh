#!/bin/bash
#SBATCH --job-name=lr-sweep
#SBATCH --array=1-5%2
#SBATCH --output=logs/%A_%a.out
#SBATCH --error=logs/%A_%a.err
#SBATCH --time=00:10:00
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G

# One line of the table for each element.
PARAMS=$(sed -n "${SLURM_ARRAY_TASK_ID}p" <<'TABLE'
0.1   sgd
0.01  sgd
0.1   adam
0.01  adam
0.001 adam
TABLE
)
read -r LR OPT <<< "$PARAMS"

echo "task ${SLURM_ARRAY_TASK_ID} of ${SLURM_ARRAY_TASK_COUNT}" \
     "(${SLURM_ARRAY_TASK_MIN}..${SLURM_ARRAY_TASK_MAX}): lr=$LR opt=$OPT"
echo "warning: seed not set" >&2
mkdir -p results
echo "$LR,$OPT" > "results/${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}.csv"

if [ "$SLURM_ARRAY_TASK_ID" -eq "$SLURM_ARRAY_TASK_MAX" ]; then
    touch results/last
fi
