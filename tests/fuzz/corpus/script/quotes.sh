#!/bin/bash
##SBATCH --gpus=8
# SBATCH -N 4
#SBATCH --comment="it's \"mine\""
#SBATCH --begin=now+1hour -H
:
