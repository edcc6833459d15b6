#!/bin/sh
#SBATCH --job-name=some-env
#SBATCH --export=ALL,LR=0.1,TAG=v=2
#SBATCH --output=some-env.out
echo "secret=${SECRET:-unset} lr=$LR tag=$TAG"
