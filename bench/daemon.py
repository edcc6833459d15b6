#!/usr/bin/env python3
"""The whole path, from submission to living process; how many submissions a second are durable;
what a long queue, many readers of events and a long history cost.

    bench/daemon.py BUILD [--json] [--only NAME]      NAME: start submit queue history

Prints one line a figure with its limit; exit 1 when a limit is passed. The ratio to posix_spawn is
taken from alternating rounds on the same machine, the best of each: what else runs here disturbs
both alike. Figures of processor time (cpu) tell what a busy machine hides."""

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
SUBMISSIONS = 8000
SUBMITTERS = 16
WAITING = 10000
HISTORY = 100000
READERS = 200
LAZY = 20  # readers that never read
PAGES = 300
SINGLE = 200  # submissions, one after the other
# name -> (bound, whether it is the most or the least)
LIMITS = {"start_100_s": (1.0, "most"), "start_100_ratio": (3.0, "most"),
          "durable_submits_per_s": (2000, "least"), "submit_cpu_ms": (5, "most"),
          "first_page_p99_ms": (20, "most"), "readers_mb": (30, "most"),
          "history_mb": (300, "most")}


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
    def __init__(self, build, folder, *declared, policy="easy"):
        self.socket = f"{folder}/socket"
        self.folder = folder
        flags = [flag for shape in declared for flag in ("--declared", shape)]
        self.process = subprocess.Popen(
            [f"{build}/src/daemon/baleend", "--foreground", "--state", f"{folder}/state", "--socket", self.socket,
             "--http", "none", "--policy", policy, *flags], stdin=subprocess.DEVNULL, stderr=open(f"{folder}/log", "wb"))
        until(self.is_serving)

    def is_serving(self):
        try:
            return Connection(self.socket).ask("GET", "/healthz")[0] == 200
        except OSError:
            return False

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


def load(build, daemon, *words, text=""):
    """What bench/load prints, as numbers."""
    done = subprocess.run([f"{build}/bench/load", daemon.socket, *map(str, words)], input=text,
                          capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


def submit_list(daemon, count, **more):
    """The ids of as many jobs, a thousand to a request."""
    body = json.loads(daemon.body(["true"], **more))
    text = json.dumps({"jobs": [body] * 1000})
    connection, found = Connection(daemon.socket), []
    for _ in range(count // 1000):
        status, answer = connection.ask("POST", "/api/v1/jobs", text)
        assert status == 201, answer
        found += [job["id"] for job in answer["jobs"]]
    return found


def hold_machine(daemon):
    """A job that takes all GPUs and never ends."""
    ask = Connection(daemon.socket).ask
    status, job = ask("POST", "/api/v1/jobs", daemon.body(["sleep", "1000"], resources={"gpus": 8}))
    assert status == 201, job
    ask("GET", f"/api/v1/jobs/{job['id']}?wait=started")
    return job["id"]


def memory_mb(daemon):
    status = Path(f"/proc/{daemon.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def cpu_s(daemon):
    words = Path(f"/proc/{daemon.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def measure_start(build, folder):
    """Every round has a daemon of its own, and all is cleaned up at the end: file systems are slow
    to make files where many were removed a moment ago."""
    command = ["sleep", "1000"]
    daemons, spawned, started = [], [], []
    try:
        for number in range(ROUNDS):
            os.mkdir(f"{folder}/{number}")
            daemons.append(Daemon(build, f"{folder}/{number}", "64xA100", "64xA100"))
            spawned.append(spawn_hundred(command))
            started.append(start_hundred(daemons[-1], command))
        return {"spawn_100_s": min(spawned), "start_100_s": min(started),
                "start_100_ratio": min(started) / min(spawned)}
    finally:
        for daemon in daemons:
            cancel_all(daemon)
            daemon.stop()


def measure_submit(build, folder):
    """Durable submissions a second: each is on disk before it is answered. Held back by a job that
    never ends: what is measured is the way to the disk."""
    daemon = Daemon(build, folder, "8xA100")
    head = hold_machine(daemon)
    body = daemon.body(["true"], after=[f"{head}:fail"])
    before = cpu_s(daemon)
    rate = load(build, daemon, "submit", SUBMITTERS, SUBMISSIONS, text=body)[0]
    used = cpu_s(daemon) - before
    kill(daemon, head)
    return {"durable_submits_per_s": rate, "durable_submit_cpu_ms": used / SUBMISSIONS * 1e3}


def kill(daemon, head):
    Connection(daemon.socket).ask("POST", f"/api/v1/jobs/{head}/cancel")
    Connection(daemon.socket).ask("GET", f"/api/v1/jobs/{head}?wait=ended")
    daemon.stop()


def measure_queue(build, folder):
    """With many in line: one more, and the first page while events are read and not read."""
    daemon = Daemon(build, folder, "8xA100")
    hold_machine(daemon)
    submit_list(daemon, WAITING, resources={"gpus": 8})
    body = daemon.body(["true"], resources={"gpus": 8})
    before = cpu_s(daemon)
    load(build, daemon, "submit", 1, SINGLE, text=body)
    single = (cpu_s(daemon) - before) / SINGLE
    before = cpu_s(daemon)
    alone = load(build, daemon, "get", PAGES, "/api/v1/jobs")
    page = (cpu_s(daemon) - before) / PAGES
    memory = memory_mb(daemon)
    readers = subprocess.Popen([f"{build}/bench/load", daemon.socket, "events", str(READERS),
                                str(LAZY)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert readers.stdout.readline() == "ready\n"
    stop = threading.Event()

    def change():
        """Some events all the while."""
        connection = Connection(daemon.socket)
        while not stop.is_set():
            assert connection.ask("POST", "/api/v1/jobs", body)[0] == 201
            time.sleep(0.02)

    changes = threading.Thread(target=change)
    changes.start()
    p50, p99, most = load(build, daemon, "get", PAGES, "/api/v1/jobs")
    stop.set()
    changes.join()
    load(build, daemon, "submit", 1, 500, text=body)  # so that the lazy ones fall behind
    more = memory_mb(daemon) - memory
    messages = int(readers.communicate("")[0])
    assert messages > READERS, messages
    daemon.process.kill()
    daemon.process.wait()
    return {"submit_cpu_ms": single * 1e3, "page_alone_p99_ms": alone[1], "page_cpu_ms": page * 1e3,
            "first_page_p50_ms": p50, "first_page_p99_ms": p99, "first_page_most_ms": most,
            "readers_mb": more}


def measure_history(build, folder):
    """Jobs that have ended all at once, because what they waited for did, and others in line."""
    daemon = Daemon(build, folder, "8xA100")
    ask = Connection(daemon.socket).ask
    status, held = ask("POST", "/api/v1/jobs", daemon.body(["true"], hold=True))
    assert status == 201, held
    for _ in range(HISTORY // WAITING):
        last = submit_list(daemon, WAITING, after=[f"{held['id']}:ok"])[-1]
    ask("POST", f"/api/v1/jobs/{held['id']}/cancel")
    until(lambda: ask("GET", f"/api/v1/jobs/{last}")[1]["ended_at"])
    hold_machine(daemon)
    submit_list(daemon, WAITING, resources={"gpus": 8})
    jobs = ask("GET", "/healthz")[1]["jobs"]
    assert jobs >= HISTORY + WAITING, jobs
    memory = memory_mb(daemon)
    daemon.process.kill()
    daemon.process.wait()
    return {"history_mb": memory}


def end_jobs(folder):
    """What daemons that were killed have left."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"supervisor") and any(folder.encode() in word for word in words):
            os.kill(int(path.parent.name), signal.SIGTERM)


def is_over(name, value):
    bound, kind = LIMITS.get(name, (value, "most"))
    return value > bound if kind == "most" else value < bound


def show(figures):
    for name, value in figures.items():
        bound, kind = LIMITS.get(name, (None, None))
        limit = f"   (at {kind} {bound:g})" if kind else ""
        print(f"{name:24}{value:10.3f}{limit}{'   OVER' if is_over(name, value) else ''}", flush=True)


def main():
    build = Path(sys.argv[1] if len(sys.argv) > 1 else "build")
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else None
    subprocess.run(["ninja", "-C", build, "bench/load"], check=True, stdout=subprocess.DEVNULL)
    figures = {}
    for measure in (measure_start, measure_submit, measure_queue, measure_history):
        if only and measure.__name__ != f"measure_{only}":
            continue
        with tempfile.TemporaryDirectory(prefix="baleen-bench-", ignore_cleanup_errors=True) as folder:
            found = measure(build, folder)
            end_jobs(folder)
        figures.update(found)
        if "--json" not in sys.argv:
            show(found)
    if "--json" in sys.argv:
        print(json.dumps(figures))
    sys.exit(1 if any(is_over(name, value) for name, value in figures.items()) else 0)


if __name__ == "__main__":
    main()
