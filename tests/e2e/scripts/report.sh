#!/bin/bash
#SBATCH --job-name=report
#SBATCH --dependency=afterany:2:3
#SBATCH --output=report.out
cat <<END
report of $(whoami)
model: $(cat model.txt)
END
