#!/usr/bin/env python3
"""The whole path, from submission to living process, and how many submissions a second are durable.

    bench/daemon.py BUILD [--json]

Prints one line a figure with its limit; exit 1 when a limit is passed. The ratio to posix_spawn is
taken from alternating rounds on the same machine, the best of each: what else runs here disturbs
both alike."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

JOBS = 100
CONNECTIONS = 8
ROUNDS = 5
SUBMISSIONS = 4000
SUBMITTERS = 32
LIMITS = {"start_100_s": 1.0, "start_100_ratio": 3.0}


class Connection(http.client.HTTPConnection):
    """HTTP over a unix socket."""

    def __init__(self, path):
        super().__init__("baleen", timeout=60)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self.path)

    def ask(self, method, path, body=None):
        self.request(method, path, body)
        response = self.getresponse()
        return response.status, json.loads(response.read())


class Daemon:
    def __init__(self, program, folder, *declared):
        self.socket = f"{folder}/socket"
        self.folder = folder
        flags = [flag for shape in declared for flag in ("--declared", shape)]
        self.process = subprocess.Popen(
            [program, "--foreground", "--state", f"{folder}/state", "--socket", self.socket,
             *flags], stdin=subprocess.DEVNULL, stderr=open(f"{folder}/log", "wb"))
        until(lambda: os.path.exists(self.socket))

    def body(self, command, **more):
        return json.dumps({"workdir": self.folder, "command": command,
                           "environment": [f"PATH={os.environ['PATH']}"], "log": "/dev/null",
                           **more})

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def until(condition):
    while not condition():
        time.sleep(0.0005)


def in_threads(count, work):
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def executes(pid, name):
    try:
        return Path(f"/proc/{pid}/comm").read_text() == name
    except OSError:
        return False


def spawn_hundred(command):
    """Seconds until a hundred processes live, started one after the other by posix_spawn."""
    began = time.monotonic()
    pids = [os.posix_spawnp(command[0], command, os.environ) for _ in range(JOBS)]
    for pid in pids:
        until(lambda p=pid: executes(p, f"{command[0]}\n"))
    took = time.monotonic() - began
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return took


def start_hundred(daemon, command):
    """Seconds from the first submission until the last of a hundred jobs' processes lives."""
    body = daemon.body(command, resources={"gpus": 1})
    connections = [Connection(daemon.socket) for _ in range(CONNECTIONS)]
    jobs = []

    def submit(number):
        for _ in range(number, JOBS, CONNECTIONS):
            status, job = connections[number].ask("POST", "/api/v1/jobs", body)
            assert status == 201, job
            jobs.append(job["id"])

    for connection in connections:
        connection.ask("GET", "/healthz")
    began = time.time()
    in_threads(CONNECTIONS, submit)
    ask = connections[0].ask
    started = [ask("GET", f"/api/v1/jobs/{job}?wait=started")[1] for job in jobs]
    assert all(executes(job["pid"], f"{command[0]}\n") for job in started)
    return max(job["started_at"] for job in started) - began


def cancel_all(daemon):
    ask = Connection(daemon.socket).ask
    jobs = [job["id"] for job in ask("GET", "/api/v1/jobs?state=active&limit=10000")[1]["jobs"]]
    for job in reversed(jobs):
        ask("POST", f"/api/v1/jobs/{job}/cancel")
    for job in jobs:
        ask("GET", f"/api/v1/jobs/{job}?wait=ended")


def submit_many(daemon):
    """Durable submissions a second: each is on disk before it is answered."""
    # held back by a job that never ends: what is measured is the way to the disk
    first = Connection(daemon.socket)
    head = first.ask("POST", "/api/v1/jobs", daemon.body(["sleep", "1000"]))[1]["id"]
    body = daemon.body(["true"], after=[f"{head}:fail"])

    def submit(_):
        connection = Connection(daemon.socket)
        for _ in range(SUBMISSIONS // SUBMITTERS):
            status, answer = connection.ask("POST", "/api/v1/jobs", body)
            assert status == 201, answer

    began = time.monotonic()
    in_threads(SUBMITTERS, submit)
    return SUBMISSIONS / (time.monotonic() - began)


def measure(program, folder):
    """Every round has a daemon of its own, and all is cleaned up at the end: file systems are slow
    to make files where many were removed a moment ago."""
    command = ["sleep", "1000"]
    daemons, spawned, started = [], [], []
    try:
        for number in range(ROUNDS):
            os.mkdir(f"{folder}/{number}")
            daemons.append(Daemon(program, f"{folder}/{number}", "64xA100", "64xA100"))
            spawned.append(spawn_hundred(command))
            started.append(start_hundred(daemons[-1], command))
        return {"spawn_100_s": min(spawned), "start_100_s": min(started),
                "start_100_ratio": min(started) / min(spawned),
                "durable_submits_per_s": submit_many(daemons[-1])}
    finally:
        for daemon in daemons:
            cancel_all(daemon)
            daemon.stop()


def main():
    build = Path(sys.argv[1] if len(sys.argv) > 1 else "build")
    with tempfile.TemporaryDirectory(prefix="baleen-bench-") as folder:
        figures = measure(str(build / "src/daemon/baleend"), folder)
    failed = [name for name, limit in LIMITS.items() if figures[name] > limit]
    if "--json" in sys.argv:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            limit = f"   (at most {LIMITS[name]:g})" if name in LIMITS else ""
            print(f"{name:24}{value:10.3f}{limit}{'   OVER' if name in failed else ''}")
    sys.exit(1 if failed else 0)


main()
