#!/bin/sh
#SBATCH -G a100:2 -n4 -c2 --gpus-per-task=1 --ntasks-per-node=4 --mem-per-cpu=1G -J x -p gpu --nice=3
#SBATCH -t 1-2:3 --open-mode=append -D x --hold --parsable -W -i /dev/null -o %J%4n%%
