#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --output=out.txt
echo hi
