#!/bin/bash
#SBATCH --job-name=resume
#SBATCH --time=02:00:00
#SBATCH --signal=B:USR1@60
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=resume.log
#SBATCH --gpus=1

CKPT=checkpoint.txt
step=0

save() {
    echo "$step" > "$CKPT"
    echo "signal in attempt ${SLURM_RESTART_COUNT:-0}: saved step"
    exit 0
}
trap save USR1

if [ -f "$CKPT" ]; then
    step=$(cat "$CKPT")
    echo "resumed, restart ${SLURM_RESTART_COUNT}"
else
    echo "fresh start, restart ${SLURM_RESTART_COUNT:-0}"
fi

# The shell hears a signal only between commands, or in wait.
while true; do
    sleep 0.1 &
    wait $!
    step=$((step + 1))
    echo "$step" > "$CKPT.running"
done
