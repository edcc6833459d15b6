#!/bin/sh
#SBATCH -d afterok:12:13,afterany:5
#SBATCH --mail-type=END,FAIL
cat <<'EOF' > job.sh
#!/bin/sh
#SBATCH -N 99
EOF
sbatch job.sh
