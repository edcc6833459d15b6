#!/usr/bin/env python3
#SBATCH --gpus=1
#SBATCH --export=NONE
import os
