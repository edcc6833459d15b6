#!/bin/sh
#SBATCH --gpus-per=2 --zzz 1 -Z "a
