#!/usr/bin/env python3
"""What people wait for where a queue is long: bookings in conflict, the timeline and questions about the future,
asked of a real daemon with 10,000 jobs that wait on 1,000 busy GPUs.

    bench/answers.py BUILD [--json] [--jobs N] [--only NAME]      NAME: bookings timeline easy whale

Prints one line a figure with its limit; exit 1 when a limit is passed. Beside each stands a plain answer of the same
daemon, a job's, asked in turn. *_cpu_ms is processor time of the thread that decides and serves: what other work on the
machine disturbs least, and what a round may have to wait for. *_runs: on how many looks ahead an answer rests; *_cpu_s: processor time of the whole daemon meanwhile."""

import json
import random
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path

from daemon import Connection, Daemon, end_jobs
from forecaster import GPUS, NODES, fill, option, submit_one, time_until

ASKED = 25
RUNS = 16
DAY = 86400
DAYS_BOOKED = 100
# name -> milliseconds, or seconds, at the most where nothing else runs
LIMITS = {"conflict_200_ms": 20, "conflict_2000_ms": 20, "timeline_cpu_ms": 50, "timeline_new_cpu_ms": 50,
          "easy_plan_s": 2, "easy_why_s": 2, "easy_why_last_s": 2,
          "whale_plan_s": 5, "whale_why_s": 5, "whale_why_last_s": 5}


def serving_ms(daemon):
    """Processor time of the daemon's first thread."""
    pid = daemon.process.pid
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]) / 1e6


def all_threads_s(daemon):
    """Processor time of the whole daemon: what a question takes where nothing else runs."""
    return sum(int(path.read_text().split()[0])
               for path in Path(f"/proc/{daemon.process.pid}/task").glob("*/schedstat")) / 1e9


def middle(values):
    values = sorted(values)
    return values[len(values) // 2]


class Asker:
    """Asks a daemon: each answer as (status, its bytes, ms, CPU ms)."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.connection = Connection(daemon.socket)

    def ask(self, method, path, body=None):
        before, began = serving_ms(self.daemon), time.monotonic()
        self.connection.request(method, path, body)
        answer = self.connection.getresponse()
        data = answer.read()
        took = time.monotonic() - began
        return answer.status, data, took * 1e3, serving_ms(self.daemon) - before

    def told(self, method, path, body=None):
        status, data, *_ = self.ask(method, path, body)
        return status, json.loads(data)

    def in_turn(self, asked, plain, status):
        """Medians: ms and CPU ms of what is asked, and those of a plain answer."""
        pairs = [(self.ask(*asked), self.ask(*plain)) for _ in range(ASKED)]
        assert all(one[0] == status for one, _ in pairs), pairs[0]
        return [middle(pair[side][key] for pair in pairs) for side in (0, 1) for key in (2, 3)]


def at(seconds):
    return datetime.fromtimestamp(seconds - seconds % 60, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def book(asker, count, more, rng):
    """Until there are so many, of all sizes, where there is room: half of all GPU hours at the most are asked for."""
    made, now = more, int(time.time())
    gpus = DAYS_BOOKED * 24 * NODES * GPUS // (count * 24)
    while made < count:
        wish = {"gpus": rng.randrange(1, gpus), "from": at(now + 9 * 3600 + rng.randrange(DAYS_BOOKED * DAY)),
                "for": f"{rng.randrange(1, 24)}h"}
        status, answer = asker.told("POST", "/api/v1/reservations", json.dumps(wish))
        assert status in (201, 409), (status, answer)
        made += status == 201
    return made


def measure_bookings(daemon, _, last):
    asker, rng, made, found = Asker(daemon), random.Random(3), 0, {}
    whole = NODES * GPUS
    for count in (200, 2000):
        made = book(asker, count, made, rng)
        start = int(time.time()) + 20 * DAY
        wishes = [{"gpus": whole, "for": "24h"}, {"gpus": whole // 2, "for": "10d"}, {"gpus": whole, "for": "1h"}]
        slowest = max(asker.in_turn(("POST", "/api/v1/reservations", json.dumps({"from": at(start), **wish})),
                                    ("GET", f"/api/v1/jobs/{last}"), 409) for wish in wishes)
        names = ("ms", "cpu_ms", "plain_ms", "plain_cpu_ms")
        found |= {f"conflict_{count}_{name}": value for name, value in zip(names, slowest)}
    return found


def measure_timeline(daemon, _, last):
    """As it stands, and when all that is told of the future has just changed."""
    asker, path, fresh = Asker(daemon), "/api/v1/timeline?to=365d", []
    time_until(asker.connection, submit_one(daemon), RUNS)
    for _ in range(3):
        time_until(asker.connection, submit_one(daemon), RUNS)
        fresh.append(asker.ask("GET", path)[3])
    data = asker.ask("GET", path)[1]
    ms, cpu, page, page_cpu = asker.in_turn(("GET", path), ("GET", "/api/v1/jobs"), 200)
    return {"timeline_bars": len(json.loads(data)["bars"]), "timeline_mb": len(data) / 1e6, "timeline_ms": ms,
            "timeline_cpu_ms": cpu, "timeline_new_cpu_ms": middle(fresh), "jobs_ms": page, "jobs_cpu_ms": page_cpu}


def measure_questions(daemon, policy, last):
    """Of a job that is not there, and of two that wait: in the middle of the line, and at its end."""
    asker, found = Asker(daemon), {}
    body = daemon.body(["true"], resources={"gpus": 4}, time={"limit": "30m"})
    queue = [job["id"] for job in asker.told("GET", "/api/v1/jobs?state=queued&limit=10000")[1]["jobs"]]
    asked = {"plan": ("POST", "/api/v1/plan", body), "plan_again": ("POST", "/api/v1/plan", body),
             "why": ("GET", f"/api/v1/why/{middle(queue)}"), "why_last": ("GET", f"/api/v1/why/{last}")}
    for name, question in asked.items():
        before = all_threads_s(daemon)
        status, data, ms, _ = asker.ask(*question)
        answer = json.loads(data)
        assert status == 200, (name, ms, answer)
        found[f"{policy}_{name}_s"] = ms / 1e3
        found[f"{policy}_{name}_cpu_s"] = all_threads_s(daemon) - before
        if "runs" in answer:
            found[f"{policy}_{name}_runs"] = answer["runs"]
        else:
            found[f"{policy}_{name}_ways"] = len(answer["instead"])
            found[f"{policy}_{name}_untried"] = answer["instead_untried"]
    return found


SCENES = {"bookings": ("easy", measure_bookings), "timeline": ("easy", measure_timeline),
          "easy": ("easy", measure_questions), "whale": ("whale", measure_questions)}


def measure(build, name, jobs):
    policy, take = SCENES[name]
    with tempfile.TemporaryDirectory(prefix="baleen-bench-", ignore_cleanup_errors=True) as folder:
        daemon = Daemon(build, folder, *[f"{GPUS}xA100"] * NODES, policy=policy)
        try:
            return take(daemon, policy, fill(daemon, jobs))
        finally:
            daemon.stop()
            end_jobs(folder)


def is_over(name, value):
    return name in LIMITS and value > LIMITS[name]


def main():
    build = Path(sys.argv[1] if len(sys.argv) > 1 else "build")
    names = [option("--only", "")] if "--only" in sys.argv else list(SCENES)
    subprocess.run(["ninja", "-C", build, "bench/load"], check=True, stdout=subprocess.DEVNULL)
    figures = {}
    for scene in names:
        found = measure(build, scene, int(option("--jobs", "10000")))
        figures |= found
        for name, value in found.items() if "--json" not in sys.argv else ():
            limit = f"   (at most {LIMITS[name]:g})" if name in LIMITS else ""
            print(f"{name:28}{value:10.3f}{limit}{'   OVER' if is_over(name, value) else ''}", flush=True)
    if "--json" in sys.argv:
        print(json.dumps(figures))
    sys.exit(any(is_over(name, value) for name, value in figures.items()))


if __name__ == "__main__":
    main()
