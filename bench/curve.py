#!/usr/bin/env python3
"""How well the model of step times fits public profiles, and how long a fit takes.

    bench/curve.py [BUILD] [--json]

One line for each application and GPU type of BALEEN_DATA/elastic/sia/profiles: mean errors (of the
logarithm of time) where neighbours are known, at the next doubling of GPUs, from another GPU type
and a single GPU of this one, and from that GPU alone; how often the measured time lies within the
interval that should hold nine of ten; microseconds for a fit of twenty points. The last line is the
mean. Exit 1 when a limit is passed. Without BALEEN_DATA there is nothing to measure."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

COLUMNS = ["inside_error", "inside_covered", "next_error", "next_covered", "other_error",
           "alone_error", "fit_us"]
# A pipeline over several GPUs is one replica there: another model.
LEFT_OUT = {"gpt_pmp"}

# Of the means: (least, most).
LIMITS = {"inside_error": (0, 0.10), "next_error": (0, 0.11), "inside_covered": (0.8, 1),
          "next_covered": (0.8, 1), "fit_us": (0, 100)}


def rows_of(folder, gpu):
    """(GPUs, nodes, batch, step, sync) of each measured point, as text."""
    with open(folder / f"placements-{gpu}.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            digits = row["placement"]
            yield (sum(map(int, digits)), len(digits), row["local_bsz"], row["step_time"],
                   row["sync_time"])
    with open(folder / f"scalability-{gpu}.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield (row["num_replicas"], row["num_nodes"], row["local_bsz"], row["step_time"],
                   row["sync_time"])


def points(profiles):
    """The lines that bench/curve reads."""
    lines = []
    for folder in sorted(path for path in profiles.iterdir() if path.name not in LEFT_OUT):
        for path in sorted(folder.glob("placements-*.csv")):
            gpu = path.stem.split("-", 1)[1]
            if any(int(row[0]) > 8 for row in rows_of(folder, gpu)):
                lines += [" ".join(map(str, (folder.name, gpu, *row)))
                          for row in rows_of(folder, gpu) if int(row[0]) >= int(row[1])]
    return "\n".join(lines) + "\n"


def measure(program, profiles):
    """What bench/curve says of each group."""
    done = subprocess.run([program], input=points(Path(profiles)), capture_output=True, text=True,
                          check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def means(groups):
    """The mean of each column over the groups that have it."""
    return {name: sum(found) / len(found) for name in COLUMNS
            if (found := [group[name] for group in groups if name in group])}


def main():
    words = [word for word in sys.argv[1:] if word != "--json"]
    build = Path(words[0] if words else Path(__file__).resolve().parent.parent / "build")
    data = os.environ.get("BALEEN_DATA")
    if not data:
        print("BALEEN_DATA names no folder of public profiles: nothing to measure")
        return 0
    subprocess.run(["ninja", "-C", str(build), "bench/curve"], check=True,
                   stdout=subprocess.DEVNULL)
    groups = measure(build / "bench" / "curve", Path(data, "elastic/sia/profiles"))
    mean = means(groups)
    if "--json" in sys.argv:
        print(json.dumps({"groups": groups, "mean": mean}))
    else:
        print(f"{'application':14}{'type':10}" + "".join(f"{name:>16}" for name in COLUMNS))
        for group in [*groups, {"application": "mean", "type": "", **mean}]:
            print(f"{group['application']:14}{group['type']:10}" + "".join(
                f"{group[name]:16.3f}" if name in group else f"{'-':>16}" for name in COLUMNS))
    passed = [name for name, (least, most) in LIMITS.items() if not least <= mean[name] <= most]
    for name in passed:
        print(f"{name}: {mean[name]:.3f} is outside of {LIMITS[name]}")
    return 1 if passed else 0


if __name__ == "__main__":
    sys.exit(main())
