#!/usr/bin/env python3
"""What a forecast of a long queue costs, and whom: jobs that wait on 1,000 busy GPUs of a real daemon.

    bench/forecaster.py BUILD [--json] [--jobs N] [--policy NAME]

For each policy: how long after the last change the first answer and 16 sampled runs are told, answers to
readers meanwhile, and what a round of decisions takes beside forecasts and without. Prints one line a
figure with its limit; exit 1 when a limit is passed. cpu_run_s is processor time of one run: what a busy
machine hides."""

import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from daemon import Connection, Daemon, cpu_s, end_jobs, load, memory_mb, until

NODES = 125
GPUS = 8
USERS_LIMITS = [6, 10, 20, 45, 60, 90, 120, 240, 480, 1440]  # minutes
SIZES = [1, 1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8]
RUNS = 16
CHANGES = 40
# policy -> (first answer, sampled runs), seconds at the most
LIMITS = {"easy": (1.0, 30.0), "whale": (5.0, 30.0)}
P99_MS = 20.0


def fill(daemon, count):
    """Each node is held by a job, and `count` others of all sizes wait."""
    connection = Connection(daemon.socket)
    hold = json.loads(daemon.body(["sleep", "100000"], resources={"gpus": GPUS}, time={"limit": "8h"}))
    status, answer = connection.ask("POST", "/api/v1/jobs", json.dumps({"jobs": [hold] * NODES}))
    assert status == 201, answer
    for job in answer["jobs"]:
        assert connection.ask("GET", f"/api/v1/jobs/{job['id']}?wait=started")[0] == 200
    last = 0
    for first in range(0, count, 1000):
        jobs = [json.loads(daemon.body(["true"], resources={"gpus": SIZES[i * 7 % len(SIZES)]},
                                       time={"limit": f"{USERS_LIMITS[i * 3 % len(USERS_LIMITS)]}m"}))
                for i in range(first, min(first + 1000, count))]
        status, answer = connection.ask("POST", "/api/v1/jobs", json.dumps({"jobs": jobs}))
        assert status == 201, answer
        last = answer["jobs"][-1]["id"]
    return last


def submit_one(daemon):
    body = daemon.body(["true"], resources={"gpus": 4}, time={"limit": "30m"})
    status, job = Connection(daemon.socket).ask("POST", "/api/v1/jobs", body)
    assert status == 201, job
    return job["id"]


def runs_of(connection, job):
    eta = connection.ask("GET", f"/api/v1/jobs/{job}")[1]["eta"]
    return eta["runs"] if eta else 0


def time_until(connection, job, runs):
    began = time.monotonic()
    while runs_of(connection, job) < runs:
        time.sleep(0.02)
    return time.monotonic() - began


def rounds(daemon):
    """How many there were, and what they took together."""
    connection = Connection(daemon.socket)
    connection.request("GET", "/metrics")
    lines = connection.getresponse().read().decode().splitlines()
    told = dict(line.rsplit(" ", 1) for line in lines if line.startswith("baleen_round_seconds_"))
    return float(told["baleen_round_seconds_count"]), float(told["baleen_round_seconds_sum"])


def round_ms(daemon, pause):
    """The mean round, while one job after the other comes and leaves a pause."""
    count, total = rounds(daemon)
    for _ in range(CHANGES):
        submit_one(daemon)
        time.sleep(pause)
    more, longer = rounds(daemon)
    return (longer - total) / (more - count) * 1e3


def measure(build, folder, policy, jobs):
    daemon = Daemon(build, folder, *[f"{GPUS}xA100"] * NODES, policy=policy)
    fill(daemon, jobs)
    connection = Connection(daemon.socket)
    time_until(connection, submit_one(daemon), RUNS)
    found = {}
    job = submit_one(daemon)
    found["first_s"] = time_until(connection, job, 1)
    before = cpu_s(daemon)
    began = runs_of(connection, job)
    found[f"runs_{RUNS}_s"] = found["first_s"] + time_until(connection, job, RUNS)
    found["cpu_run_s"] = (cpu_s(daemon) - before) / max(1, runs_of(connection, job) - began)
    submit_one(daemon)
    _, found["p99_ms"], found["most_ms"] = load(build, daemon, "get", 500, f"/api/v1/jobs/{job}")
    found["round_busy_ms"] = round_ms(daemon, 0.1)
    time_until(connection, submit_one(daemon), 32)
    time.sleep(1)
    found["round_ms"] = round_ms(daemon, 0.0)
    found["memory_mb"] = memory_mb(daemon)
    daemon.stop()
    return found


def limit_of(policy, name):
    first, sampled = LIMITS.get(policy, (None, None))
    return {"first_s": first, f"runs_{RUNS}_s": sampled, "p99_ms": P99_MS}.get(name)


def show(policy, found):
    over = False
    for name, value in found.items():
        limit = limit_of(policy, name)
        is_over = limit is not None and value > limit
        over = over or is_over
        text = f"   (at most {limit:g})" if limit is not None else ""
        print(f"{policy + ' ' + name:24}{value:10.3f}{text}{'   OVER' if is_over else ''}", flush=True)
    return over


def option(name, standard):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else standard


def main():
    build = Path(sys.argv[1] if len(sys.argv) > 1 else "build")
    jobs = int(option("--jobs", "10000"))
    policies = [option("--policy", "")] if "--policy" in sys.argv else list(LIMITS)
    subprocess.run(["ninja", "-C", build, "bench/load"], check=True, stdout=subprocess.DEVNULL)
    figures, over = {}, False
    for policy in policies:
        with tempfile.TemporaryDirectory(prefix="baleen-bench-", ignore_cleanup_errors=True) as folder:
            figures[policy] = measure(build, folder, policy, jobs)
            end_jobs(folder)
        over = ("--json" in sys.argv or show(policy, figures[policy])) or over
    if "--json" in sys.argv:
        print(json.dumps(figures))
        over = any(value > (limit_of(policy, name) or value)
                   for policy, found in figures.items() for name, value in found.items())
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
