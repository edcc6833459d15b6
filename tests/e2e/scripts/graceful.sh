#!/bin/bash
#SBATCH -J graceful -o graceful.out --time=1:00:00
SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/job.$SLURM_JOB_ID.XXXXXX")
echo "$SCRATCH" > scratch
cleanup() {
    rm -rf "$SCRATCH"
    echo "cleaned up"
}
trap cleanup EXIT
trap 'echo "asked to stop"; exit 143' TERM INT
touch "$SCRATCH/part"
echo ready
while :; do sleep 0.1; done
