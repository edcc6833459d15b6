#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=a100:4
#SBATCH --cpus-per-task=2
#SBATCH --mem-per-gpu=2G
#SBATCH --job-name=four
#SBATCH --output=four-%j.out
#SBATCH --error=four-%j.err

IFS=',' read -r -a GPUS <<< "$CUDA_VISIBLE_DEVICES"
echo "${#GPUS[@]} gpus, $SLURM_NTASKS tasks, $SLURM_CPUS_PER_TASK cpus each"

pids=()
for i in "${!GPUS[@]}"; do
    (
        export CUDA_VISIBLE_DEVICES=${GPUS[$i]} LOCAL_RANK=$i
        echo "worker $LOCAL_RANK" > "worker-$i.txt"
        [ "$i" -ne 3 ] || { echo "worker 3 failed" >&2; exit 7; }
    ) &
    pids+=($!)
done

status=0
for pid in "${pids[@]}"; do
    wait "$pid" || status=$?
done
exit $status
