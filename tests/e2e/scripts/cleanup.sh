#!/bin/bash
#SBATCH --job-name=cleanup
#SBATCH -d afternotok:2
#SBATCH --output=cleanup.out
echo "fit failed, model was $(cat model.txt)"
