#!/bin/tcsh
#SBATCH --nice=50 --exclusive
#SBATCH --export=ALL,OMP_NUM_THREADS=4,A=b=c
setenv A 1
