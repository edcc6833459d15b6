#!/usr/bin/env python3
"""Policies on the workloads of Sia: mean completion times, policy by trace.

    bench/elastic.py [BUILD] [--json] [POLICY…]

Builds the simulator for release (BUILD-release) and prints one row a policy: the mean completion
time of each trace in hours and, behind it, means over the traces: the ratio to Sia in its authors'
simulator, the 99th percentile, restarts and GPU-hours a job, and CPU seconds of a replay. The last
row is below what no scheduler can come (baleen sim --bound). Exit 1 when a policy came below it, or
when a replay takes longer than its limit. The data is found by BALEEN_DATA; without it nothing is measured."""

import json
import os
import subprocess
import sys
from pathlib import Path

from replay import build_release

ROOT = Path(__file__).resolve().parent.parent
POLICIES = ["easy", "las", "equal", "sia", "whale"]
# Mean completion time, seconds, of Sia in its authors' simulator (docs/benchmarks.md).
TRACES = {"philly/workload-1": 1965.7, "philly/workload-2": 2707.1, "philly/workload-3": 2105.0,
          "philly/workload-4": 2465.3, "philly/workload-5": 2547.7, "philly/workload-6": 2076.2,
          "saturn/workload-1": 2098.0, "saturn/workload-2": 2554.1, "saturn/workload-3": 2702.0}
CPU_MOST = {"sia": 0.4}  # seconds of one replay, on a machine that others use as well


def replay(program, data, trace, policies, *flags):
    """The figures of each policy on one trace."""
    words = [word for policy in policies for word in ("--policy", policy)]
    done = subprocess.run([program, "--format", "sia", "--cluster", data / "het64.yaml", "--trace",
                           data / "workloads" / f"{trace}.csv", "--profiles", data / "profiles",
                           "--json", *flags, *words], check=True, capture_output=True, text=True)
    rows = json.loads(done.stdout)
    return rows if isinstance(rows, list) else [rows]


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


def bound_of(program, data, trace):
    """Seconds; of a replay of its own: its time is no policy's."""
    return replay(program, data, trace, ["fifo"], "--bound")[0]["bound_avg_jct_s"]


def print_bounds(bounds):
    times = "".join(f"{bound / 3600:>10.3f}" for bound in bounds.values())
    ratio = mean(bound / TRACES[trace] for trace, bound in bounds.items())
    print(f"{'bound':<12}{times}{ratio:>10.3f}")


def count_below(found, bounds):
    """Rows that are better than can be, told."""
    below = [(policy, trace) for policy, rows in found.items() for trace, row in rows.items()
             if row["avg_jct_s"] < bounds[trace]]
    for policy, trace in below:
        print(f"{policy} on {trace}: a mean of {found[policy][trace]['avg_jct_s']} s is below the "
              f"bound of {bounds[trace]} s")
    return len(below)


def print_table(found):
    names = [trace.replace("/workload-", " ") for trace in TRACES]
    print(f"{'policy':<12}" + "".join(f"{name:>10}" for name in names) +
          "     ratio  p99 h  restarts  GPU-h   CPU s")
    for policy, rows in found.items():
        times = "".join(f"{row['avg_jct_s'] / 3600:>10.3f}" for row in rows.values())
        ratio = mean(rows[trace]["avg_jct_s"] / TRACES[trace] for trace in TRACES)
        p99 = mean(row["p99_jct_s"] for row in rows.values()) / 3600
        restarts = mean(row["restarts"] / row["jobs"] for row in rows.values())
        hours = mean(row["gpu_hours"] / row["jobs"] for row in rows.values())
        cpu = mean(row["cpu_s"] for row in rows.values())
        print(f"{policy:<12}{times}{ratio:>10.3f}{p99:>7.2f}{restarts:>10.2f}{hours:>7.2f}"
              f"{cpu:>8.3f}")


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    build = words[0] if words else ROOT / "build"
    policies = words[1:] or POLICIES
    if "BALEEN_DATA" not in os.environ:
        print("BALEEN_DATA names no folder of public logs: nothing is measured")
        return 0
    data = Path(os.environ["BALEEN_DATA"], "elastic", "sia")
    program = build_release(build)
    found = {policy: {} for policy in policies}
    for trace in TRACES:
        for policy, row in zip(policies, replay(program, data, trace, policies)):
            found[policy][trace] = row
    bounds = {trace: bound_of(program, data, trace) for trace in TRACES}
    if "--json" in sys.argv:
        print(json.dumps({**found, "bound": bounds}))
    else:
        print_table(found)
        print_bounds(bounds)
    late = count_below(found, bounds)
    for policy, most in CPU_MOST.items():
        cpu = max((row["cpu_s"] for row in found.get(policy, {}).values()), default=0)
        if cpu > most:
            late += 1
            print(f"{policy}: a replay took {cpu:.2f} s of CPU, at most {most} s are allowed")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
