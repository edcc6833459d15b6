#!/bin/bash
#SBATCH -A nlp -p gpu -q high
#SBATCH -D /data/run
#SBATCH --ntasks-per-node=8
#SBATCH --mem-per-cpu=2G
    	
while read x; do echo "$x"; done <<EOF
	a
  b
EOF
