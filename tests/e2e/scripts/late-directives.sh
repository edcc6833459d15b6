#!/bin/bash

# A remark before the first directive.
#SBATCH --job-name=early
##SBATCH --job-name=disabled
# SBATCH --job-name=a-remark
#SBATCH --output=early.out
   
#SBATCH --gpus=1

echo "first command"
#SBATCH --job-name=late
#SBATCH --gpus=8
#SBATCH --output=late.out
echo "name $SLURM_JOB_NAME gpus $SLURM_GPUS"
cat <<'EOF'
#SBATCH --output=in-a-document.out
EOF
