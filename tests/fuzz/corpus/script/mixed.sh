#!/bin/bash
#SBATCH --gpus-per-node=2 --mem-per-gpu=20000
#SBATCH --cpus-per-gpu=4
#BALEEN --gpus 2-4 --ckpt USR1@90 --param layers=32
python train.py
