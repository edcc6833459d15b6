"""Step times of placements that nobody measured, asked for one by one.

    python3 tests/replay/steptimes.py PROFILES WORKLOAD… > tables/steptime_generic.csv

The simulator of Pollux interpolates between the measured numbers of nodes, GPUs and the batch with
scipy's LinearNDInterpolator, made anew for every question. Where the grid of measurements is
degenerate several simplices hold the same point, and which one answers depends on where the search
for it begins: asked in one go, some points get another answer. This asks as the published simulator
did, for the batches that fixed-batch jobs of the given workloads can come to. Needs scipy."""

import csv
import math
import sys
from pathlib import Path

GPU, PER_NODE, MEASURED_NODES, NODES = "aws", 4, 4, 16


def largest_batch(app, measured):
    """Of one micro-step; the published simulator takes less for one application."""
    return 8 if app == "yolov3" else measured


def points(folder):
    """Measured (nodes, GPUs, batch) with step and synchronisation, as the simulator gathers them:
    means over the placements with the same numbers in rising order, then the scalability rows."""
    sums = {}
    with open(folder / f"placements-{GPU}.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            digits = row["placement"]
            key = (len(digits), sum(map(int, digits)), int(row["local_bsz"]))
            sums.setdefault(key, []).append((float(row["step_time"]), float(row["sync_time"])))
    yield from ((key, tuple(math.fsum(column) / len(column) for column in zip(*rows)))
                for key, rows in sorted(sums.items()))
    with open(folder / f"scalability-{GPU}.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield ((int(row["num_nodes"]), int(row["num_replicas"]), int(row["local_bsz"])),
                   (float(row["step_time"]), float(row["sync_time"])))


def wanted(batches, most, most_of_all):
    """(nodes, GPUs, batch of a micro-step) of jobs with these global batches."""
    for nodes in range(MEASURED_NODES + 1, NODES + 1):
        for gpus in range(nodes, PER_NODE * nodes + 1):
            for batch in batches:
                local = math.ceil(batch / gpus - 1e-8)
                steps = math.ceil(local / most - 1e-8)
                yield nodes, gpus, min(math.ceil(local / steps - 1e-8),
                                       int(most_of_all / (gpus * steps)))


def write(profiles, workloads, out):
    """The table, for the applications and batches of these workloads."""
    from scipy.interpolate import LinearNDInterpolator  # pylint: disable=import-outside-toplevel

    batches = {}
    for workload in workloads:
        with open(workload, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["application"] != "ncf":  # never on more than one node
                    batches.setdefault(row["application"], set()).add(int(row["batch_size"]))
    out.write("gpu,app,num_nodes,num_replicas,local_bsz,step_time_s,sync_time_s\n")
    for app, sizes in sorted(batches.items()):
        known = list(points(Path(profiles, app)))
        ask = LinearNDInterpolator([key for key, _ in known], [times for _, times in known])
        most = largest_batch(app, max(key[2] for key, _ in known if key[0] == 1))
        most_of_all = max(int(path.name.split("-")[1].split(".")[0])
                          for path in Path(profiles, app).glob("validation-*.csv"))
        for point in sorted(set(wanted(sizes, most, most_of_all))):
            step, sync = map(float, ask([point])[0])
            if step == step:  # inside what was measured
                out.write(f"{GPU},{app},{','.join(map(str, point))},{step!r},{sync!r}\n")


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2:], sys.stdout)
