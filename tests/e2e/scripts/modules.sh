#!/bin/bash -l
#SBATCH --job-name=modules
#SBATCH --partition=gpu
#SBATCH --account=proj-42
#SBATCH --qos=normal
#SBATCH --exclusive
#SBATCH --nodes=1
#SBATCH --time=5
#SBATCH --output=%x.%j.%N.out

module() {
    case "$1" in
        purge) LOADED=() ;;
        load)  shift; LOADED+=("$@") ;;
        list)  printf '%s\n' "${LOADED[@]}" ;;
    esac
}

activate() {
    export CONDA_PREFIX=$HOME/envs/$1 PATH="$HOME/envs/$1/bin:$PATH"
}

module purge
module load cuda/12.4 gcc/12
module load openmpi
activate torch

echo "account ${SLURM_JOB_ACCOUNT} partition ${SLURM_JOB_PARTITION}"
module list | sort | while read -r name; do
    echo "loaded $name"
done
diff <(module list) <(printf '%s\n' cuda/12.4 gcc/12 openmpi) && echo "same modules"
[[ $CONDA_PREFIX == */envs/torch ]] && echo "env ${CONDA_PREFIX##*/}"
srun hostname 2>/dev/null || echo "no srun here"
