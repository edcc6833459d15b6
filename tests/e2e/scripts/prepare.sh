#!/bin/bash
#SBATCH --job-name=prepare
#SBATCH --ntasks=1
#SBATCH --output=prepare.out
set -e
while [ ! -e data.ready ]; do sleep 0.05; done
seq 1 10 > data.txt
