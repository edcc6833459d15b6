#!/bin/sh
#SBATCH --export=SECRET,EPOCHS=3 --output=named-env.out --job-name=named-env
echo "secret=${SECRET:-unset} other=${OTHER:-unset} epochs=$EPOCHS"
