#!/bin/bash
#SBATCH --job-name=fit
#SBATCH --dependency=afterok:1
#SBATCH --output=fit.out
set -e
awk '{ sum += $1 } END { print sum }' data.txt > model.txt
# a stage that fails after having written its result
test -s no-such-file
