#!/bin/bash
#SBATCH --job-name=windows
#SBATCH	--time=00:05:00
#SBATCH   -o    windows.out   
#SBATCH --comment="two words"   # and a remark

cat <<EOF
hello from $SLURM_JOB_NAME
EOF
if [ "$1" = "x y" ]; then
    echo "argument kept"
fi
