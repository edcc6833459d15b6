"""What the test of kills is made of: a load that never rests, jobs that last, the killing of
supervisors, and the search for what was left behind."""

import http.client
import os
import random
import signal
import threading
import time
from pathlib import Path

from kit import is_alive, until

LONG_JOBS = 64
SUBMITTERS = 12
RATE = float(os.environ.get("BALEEN_SUBMIT_RATE") or 90)  # submissions a second that are tried
ARRAYS = 0.1  # of them
RESTARTS = 0.7  # of them may be started again when they are lost
LINGERS = 8  # one in so many short jobs is not over at once
QUICK = 2  # seconds in which one of the others is looked for
ATTEMPTS_MAX = 5  # of a long job: each that is lost soon makes the pause before the next longer

# One line in one write; the start time tells a process from another with its pid.
WITNESS = """
read -r stat < /proc/$$/stat
set -- ${stat##*)}
printf '%s %s %s %s\\n' "$BALEEN_JOB_ID" "$BALEEN_ATTEMPT" $$ "${20}" >> witness
"""
SHORT = WITNESS + f"[ $((BALEEN_JOB_ID % {LINGERS})) -ne 0 ] || sleep 1; exit $CODE\n"
LONG = WITNESS + "while [ ! -e go ]; do sleep 2; done; exit $CODE\n"
# One that runs away from its group of processes, and another one that is deaf.
FRAIL = WITNESS + """
(setsid sleep 5000 &)
(trap '' TERM; while :; do sleep 5000; done) &
while :; do sleep 5000; done
"""


class Load:
    """Submits jobs, whatever happens to the daemon, and keeps what was promised."""

    def __init__(self, daemon, seed):
        self.daemon = daemon
        self.seed = seed
        self.accepted = {}  # name -> (id, exit code)
        self.tried = {}  # name -> (exit code, whether it may start again)
        self.odd = []
        self.lock = threading.Lock()
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self.submit_on, args=(number,), daemon=True)
                        for number in range(SUBMITTERS)]

    def submit(self, name, code, script, **more):
        """One submission; the answer may be lost with the daemon."""
        body = self.daemon.job_body(script, name=name, env={"CODE": str(code)}, **more)
        with self.lock:
            self.tried[name] = (code, more.get("requeue", False))
        try:
            answer = self.daemon.post("/api/v1/jobs", body)
        except (OSError, http.client.HTTPException):
            return None
        with self.lock:
            if answer.status == 201:
                self.accepted[name] = (answer.json["id"], code)
            elif answer.status != 503:
                self.odd.append(f"{name}: {answer.status} {answer.body}")
        return answer

    def submit_surely(self, name, code, script, **more):
        answer = self.submit(name, code, script, **more)
        assert answer and answer.status == 201, answer and answer.body
        return answer.json["id"]

    def submit_on(self, number):
        rng = random.Random(self.seed + number)
        count = 0
        while not self.is_over.wait(SUBMITTERS / RATE):
            count += 1
            more = {"resources": {"gpus": rng.randrange(3)}, "requeue": rng.random() < RESTARTS}
            if rng.random() < ARRAYS:
                more["array"] = f"0-{rng.randrange(6)}%{1 + rng.randrange(4)}"
            self.submit(f"short-{number}-{count}", rng.randrange(80), SHORT, **more)

    def count(self):
        with self.lock:
            return len(self.accepted)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *why):
        self.is_over.set()
        for thread in self.threads:
            thread.join()


class LongJobs:
    """Jobs that last to the end, unless their supervisor is killed: id -> pid of the attempt that
    must be running, None while the next one is still to come."""

    def __init__(self, daemon, load):
        self.daemon = daemon
        ids = [load.submit_surely(f"long-{number}", number, LONG, resources={"gpus": 1},
                                  requeue=True) for number in range(LONG_JOBS)]
        self.pids = {job: daemon.wait(job, "started")["pid"] for job in ids}
        self.attempts = dict.fromkeys(ids, 1)

    def lose(self, job):
        self.pids[job] = None
        self.attempts[job] += 1

    def check(self, jobs):
        """Each runs, in the attempt and the process that it was left in."""
        for job in jobs:
            found = self.daemon.job(job)
            if self.pids[job] is None:
                assert found["state"] in ("running", "starting", "queued", "waiting"), found
                if found["state"] == "running" and found["attempt"] == self.attempts[job]:
                    self.pids[job] = found["pid"]
            else:
                assert found["state"] == "running" and found["pid"] == self.pids[job], found
                assert found["attempt"] == self.attempts[job], found

    def are_back(self):
        self.check(self.pids)
        return None not in self.pids.values()

    def choose(self, rng):
        """One that runs and was not lost too often; its id."""
        return rng.choice(sorted(job for job, pid in self.pids.items()
                                 if pid and self.attempts[job] < ATTEMPTS_MAX))


def start_of(pid):
    """Tells a process from a later one with its pid; None when there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return None


def processes_of(daemon, job=None):
    """(pid, start) of what carries the environment of a job, or of any job, of this daemon."""
    mark = f"BALEEN_DIR={daemon.state}/jobs/{job or ''}".encode()
    found = set()
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path(f"/proc/{name}/environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(word == mark if job else word.startswith(mark) for word in words):
            found.add((int(name), start_of(name)))
    return found


def alive(processes):
    return [pid for pid, start in processes if is_alive(pid) and start_of(pid) == start]


def supervised_by(daemon, pid):
    """The (job, attempt) whose supervisor a process is; None = it is none of this daemon's."""
    mark = f"{daemon.state}/attempts/"
    try:
        words = [word for word in Path(f"/proc/{pid}/cmdline").read_text().split("\0") if word]
    except OSError:
        return None
    if len(words) < 3 or words[1] != "run" or not words[2].startswith(mark):
        return None
    job, attempt = words[2].strip()[len(mark):].split(".")
    return int(job), int(attempt)


def supervisor_of(daemon, job, attempt):
    """The pid in the attempt's first record; None when there is none yet, or none any more."""
    try:
        words = Path(f"{daemon.state}/attempts/{job}.{attempt}").read_bytes().split(None, 2)
    except FileNotFoundError:
        return None
    return int(words[1]) if words[:1] == [b"supervisor"] else None


class Killer:
    """Kills supervisors, each in one of several ways, and keeps whose."""

    def __init__(self, daemon, load, long_jobs, seed):
        self.daemon = daemon
        self.load = load
        self.long_jobs = long_jobs
        self.rng = random.Random(seed)
        self.killed = set()  # (job, attempt)
        self.ways = [self.kill_long, self.kill_while_away, self.kill_frail, self.kill_any]

    def kill(self, pid, job, attempt):
        """Whether it still lived. The process is held before it is looked at, so that no other
        one can be hit."""
        self.killed.add((job, attempt))
        try:
            with os.fdopen(os.pidfd_open(pid), "rb") as held:
                # A job's own process looks the same until it executes the command; it is forked
                # after the record.
                if supervised_by(self.daemon, pid) != (job, attempt) or \
                        supervisor_of(self.daemon, job, attempt) not in (None, pid):
                    return False
                signal.pidfd_send_signal(held.fileno(), signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def kill_one(self):
        self.ways[len(self.killed) % len(self.ways)]()

    def kill_chosen(self):
        """Of a long job; what of it must go."""
        job = self.long_jobs.choose(self.rng)
        attempt = self.long_jobs.attempts[job]
        processes = processes_of(self.daemon, job)
        assert self.kill(supervisor_of(self.daemon, job, attempt), job, attempt)
        self.long_jobs.lose(job)
        return processes

    def kill_long(self):
        processes = self.kill_chosen()
        assert processes
        until(lambda: not alive(processes), "the processes of the lost job end")

    def kill_while_away(self):
        self.daemon.kill()
        processes = self.kill_chosen()
        self.daemon.start()
        until(lambda: not alive(processes), "the next daemon ends them")

    def kill_frail(self):
        """Of a job that may not start again."""
        job = self.load.submit_surely(f"frail-{len(self.killed)}", 0, FRAIL,
                                      resources={"gpus": 0})
        self.daemon.wait(job, "started")
        until(lambda: len(processes_of(self.daemon, job)) >= 5, "all of its processes live")
        processes = processes_of(self.daemon, job)
        assert self.kill(supervisor_of(self.daemon, job, 1), job, 1)
        found = self.daemon.wait(job)
        assert found["state"] == "lost" and found["exit_code"] is None, found
        assert not alive(processes), "processes of a lost job outlive it"

    def kill_any(self):
        """Of whatever short job there is just now: at its start, in it, or at its end."""
        ends = time.monotonic() + QUICK * self.rng.randrange(2)

        def find():
            found = [(pid, supervised_by(self.daemon, pid)) for pid in self.daemon.supervisors()]
            return [(pid, key) for pid, key in found
                    if key and key[0] not in self.long_jobs.pids and key not in self.killed and
                    (key[0] % LINGERS or time.monotonic() >= ends)]
        pid, key = self.rng.choice(until(find, "a short job has a supervisor"))
        self.kill(pid, *key)


# --- what is left ---

def group_of(pid):
    """The folder of all groups of the daemon whose job this process is of; None = no groups."""
    mounts = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()
              if line.split()[2] == "cgroup2"]
    own = next((line[3:] for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines()
                if line.startswith("0::")), "")
    if not mounts or "/baleen/" not in own:
        return None
    return f"{mounts[0]}{own.rpartition('/')[0]}"


def children_of(pid):
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def descriptors(pid):
    """What is open, without numbers of sockets and the like."""
    found = []
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            found.append(os.readlink(f"/proc/{pid}/fd/{name}").partition("[")[0])
        except OSError:
            pass
    return sorted(found)


def left_behind(daemon):
    """Files, processes and supervisors that belong to no job that still runs."""
    found = [f"{folder}/{name}" for folder in ("attempts", "jobs", "env")
             for name in os.listdir(f"{daemon.state}/{folder}")]
    found += [f"process {pid}" for pid in alive(processes_of(daemon))]
    return found + [f"supervisor {pid}" for pid in daemon.supervisors()]
