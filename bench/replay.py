#!/usr/bin/env python3
"""How much CPU time replays cost: two public logs and a million made-up jobs, under EASY.

    bench/replay.py [BUILD] [--json]

Builds the simulator for release (BUILD-release, link-time optimisation) and prints one line a
figure: CPU seconds of the replay as the simulator measures them (reading and unpacking included,
starting the program not), the best of several runs, its limit, and the ratio to a plain Python
program that was measured beside it. Exit 1 when a limit is passed. The public logs are found by
BALEEN_DATA; without it they are left out."""

import gzip
import heapq
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNS = 25
JOBS = 1_000_000
SLOTS = 1024
LOAD = 0.9
LIMITS = {"KTH-SP2": 0.03, "SDSC-BLUE": 0.5, "synthetic": 10.0}


def build_release(build):
    """The simulator, built for release beside the given build folder."""
    folder = Path(f"{build}-release")
    quiet = {"check": True, "stdout": subprocess.DEVNULL}
    if not (folder / "build.ninja").exists():
        subprocess.run(["meson", "setup", str(folder), str(ROOT), "--buildtype=release",
                        "-Db_lto=true", "-Dtests=disabled"], **quiet)
    subprocess.run(["ninja", "-C", str(folder), "src/sim/baleen-sim"], **quiet)
    return folder / "src" / "sim" / "baleen-sim"


def replay(program, path, runs):
    """The best CPU seconds of some runs, and the figures."""
    best = None
    for _ in range(runs):
        done = subprocess.run([program, "--trace", path, "--policy", "easy", "--json"],
                              check=True, capture_output=True, text=True)
        found = json.loads(done.stdout)
        best = found if best is None or found["cpu_s"] < best["cpu_s"] else best
    return best


def read_swf(path):
    """(submit, run, processors, estimate) of each job, and the size of the machine."""
    jobs, size = [], 0
    opened = gzip.open(path, "rt") if str(path).endswith(".gz") else open(path, encoding="ascii")
    with opened as file:
        for line in file:
            if line.startswith("; MaxProcs:"):
                size = int(line.split()[2])
            if not line.startswith(";"):
                field = line.split()
                jobs.append((int(field[1]), int(field[3]), int(field[7]), int(field[8])))
    return jobs, size


def python_pass(now, queue, running, free):
    """One pass of EASY; answers who starts. `running` holds (planned end, processors)."""
    started = []
    free += sum(size for end, size in running if end <= now)
    running = [one for one in running if one[0] > now]
    while queue and queue[0][2] <= free:
        job = queue.pop(0)
        free -= job[2]
        running.append((now + job[3], job[2]))
        started.append(job)
    if not queue:
        return started
    spare = free
    for shadow, size in sorted(running):
        spare += size
        if spare >= queue[0][2]:
            break
    extra = free + sum(size for end, size in running if end <= shadow) - queue[0][2]
    for job in queue[1:]:
        if job[2] <= free and (now + job[3] <= shadow or job[2] <= extra):
            if now + job[3] > shadow:
                extra -= job[2]
            free -= job[2]
            started.append(job)
            queue.remove(job)
    return started


def python_replay(path):
    """A straightforward EASY in Python; answers the mean wait."""
    jobs, size = read_swf(path)
    events = [(job[0], 0, index, job) for index, job in enumerate(jobs)]
    heapq.heapify(events)
    queue, running, waited, order = [], {}, 0, len(jobs)
    while events:
        now, is_end, _, job = heapq.heappop(events)
        if is_end:
            del running[id(job)]
        else:
            queue.append(job)
        free = size - sum(one[1] for one in running.values())
        for job in python_pass(now, queue, list(running.values()), free):
            running[id(job)] = (now + job[3], job[2])
            waited += now - job[0]
            order += 1
            heapq.heappush(events, (now + job[1], 1, order, job))
    return waited / len(jobs)


def measured(function, *words):
    """CPU seconds of one call, and its answer."""
    began = time.process_time()
    answer = function(*words)
    return time.process_time() - began, answer


def write_synthetic(path):
    """A million jobs at a load of nine tenths, always the same."""
    rng = random.Random(7)
    sizes = [2 ** rng.choice((0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 6, 7)) for _ in range(JOBS)]
    runs = [max(1, min(172800, int(rng.lognormvariate(6.5, 1.6)))) for _ in range(JOBS)]
    gap = sum(size * run for size, run in zip(sizes, runs)) / JOBS / (SLOTS * LOAD)
    now = 0.0
    with open(path, "w", encoding="ascii") as file:
        file.write(f"; MaxProcs: {SLOTS}\n")
        for number, (size, run) in enumerate(zip(sizes, runs), 1):
            now += rng.expovariate(1 / gap)
            limit = int(run * rng.uniform(1, 10)) + 60
            file.write(f"{number} {int(now)} -1 {run} {size} -1 -1 {size} {limit} -1 1 "
                       f"{rng.randrange(200)} -1 -1 -1 -1 -1 -1\n")


def public_figures(program):
    """The two public logs; nothing without BALEEN_DATA."""
    folder = Path(os.environ.get("BALEEN_DATA", "/nowhere"), "traces", "swf")
    for log in ("KTH-SP2", "SDSC-BLUE"):
        path = folder / f"{log}.sc15.swf.gz"
        if not path.exists():
            print(f"{log}: left out, BALEEN_DATA has no such log", file=sys.stderr)
            continue
        found = replay(program, path, RUNS)
        if log == "KTH-SP2":
            seconds, mean_wait = measured(python_replay, path)
            assert abs(mean_wait - found["avg_wait_s"]) < 1e-6, "the two replays disagree"
            yield log, found, "a plain EASY in Python", seconds
        else:
            yield log, found, "reading the log in Python", measured(read_swf, path)[0]


def synthetic_figures(program):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "synthetic.swf")
        write_synthetic(path)
        found = replay(program, path, 2)
        yield "synthetic", found, "reading the log in Python", measured(read_swf, path)[0]


def main():
    words = [word for word in sys.argv[1:] if word != "--json"]
    program = build_release(Path(words[0] if words else ROOT / "build").resolve())
    rows = []
    for figures in (public_figures, synthetic_figures):
        for name, found, baseline, seconds in figures(program):
            rows.append({"log": name, "jobs": found["jobs"], "cpu_s": found["cpu_s"],
                         "limit_s": LIMITS[name], "baseline": baseline, "baseline_s": seconds,
                         "events_per_s": round(found["events"] / found["cpu_s"])})
            if "--json" not in sys.argv:
                print(f"{name}: {found['jobs']} jobs in {found['cpu_s']:.3f} CPU s "
                      f"(at most {LIMITS[name]}), {rows[-1]['events_per_s']:,} events/s; "
                      f"{baseline}: {seconds:.3f} s, ratio {found['cpu_s'] / seconds:.3f}",
                      flush=True)
    if "--json" in sys.argv:
        print(json.dumps(rows))
    sys.exit(1 if any(row["cpu_s"] > row["limit_s"] for row in rows) else 0)


if __name__ == "__main__":
    main()
