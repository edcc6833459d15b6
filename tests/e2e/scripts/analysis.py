#!/usr/bin/env python3
#SBATCH --job-name=analysis
#SBATCH --time=0-00:30
#SBATCH --output=analysis-%4j.out
"""A script in Python that carries its own directives."""
import os
import sys

print(os.environ["SLURM_JOB_ID"], sys.argv[1:], os.getcwd() == os.environ["SLURM_SUBMIT_DIR"])
sys.exit(0 if "SLURM_ARRAY_TASK_ID" not in os.environ else 1)
