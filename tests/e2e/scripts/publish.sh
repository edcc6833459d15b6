#!/bin/bash
#SBATCH --job-name=publish
#SBATCH --dependency=afterok:2,afterany:1
#SBATCH --output=publish.out
touch published
