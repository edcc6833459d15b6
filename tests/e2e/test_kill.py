"""The daemon is killed again and again under load; nothing may be lost and nothing run twice.

BALEEN_KILLS sets how often (20), BALEEN_SEED repeats a run."""

import http.client
import json
import os
import random
import shutil
import sqlite3
import subprocess
import threading
import time

from kit import SIMULATOR, Daemon, Skip, main, until

KILLS = int(os.environ.get("BALEEN_KILLS", "20"))
SEED = int(os.environ.get("BALEEN_SEED") or random.SystemRandom().randrange(1 << 32))
LONG_JOBS = 64
SUBMITTERS = 12
RATE = 90  # submissions a second that are tried
ARRAYS = 0.1  # of them
SNAPSHOT_RECORDS = 50  # so that kills come before, in and after snapshots

# One line in one write; the start time tells a process from another with its pid.
WITNESS = """
read -r stat < /proc/$$/stat
set -- ${stat##*)}
printf '%s %s %s %s\\n' "$BALEEN_JOB_ID" "$BALEEN_ATTEMPT" $$ "${20}" >> witness
"""
SHORT = WITNESS + "exit $CODE\n"
LONG = WITNESS + "while [ ! -e go ]; do sleep 0.2; done; exit $CODE\n"


class Load:
    """Submits jobs, whatever happens to the daemon, and keeps what was promised."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.accepted = {}  # name -> (id, exit code)
        self.tried = {}  # name -> exit code
        self.odd = []
        self.lock = threading.Lock()
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self.submit_on, args=(number,), daemon=True)
                        for number in range(SUBMITTERS)]

    def submit(self, name, code, script, **more):
        """One submission; the answer may be lost with the daemon."""
        body = self.daemon.job_body(script, name=name, env={"CODE": str(code)}, **more)
        with self.lock:
            self.tried[name] = code
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

    def submit_on(self, number):
        rng = random.Random(SEED + number)
        count = 0
        while not self.is_over.wait(SUBMITTERS / RATE):
            count += 1
            more = {"resources": {"gpus": rng.randrange(3)}}
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


def start_long_jobs(daemon, load):
    for number in range(LONG_JOBS):
        answer = load.submit(f"long-{number}", number, LONG, resources={"gpus": 1})
        assert answer and answer.status == 201, answer and answer.body
    return {name: daemon.wait(job, "started")["pid"] for name, (job, _) in load.accepted.items()}


def kill_again_and_again(daemon, load, pids):
    """Each kill comes after a random number of accepted jobs and a random moment more; some come
    while the daemon still starts."""
    rng = random.Random(SEED)
    for _ in range(KILLS):
        wanted = load.count() + rng.randrange(60)
        until(lambda w=wanted: load.count() >= w, "jobs are accepted")
        time.sleep(rng.random() * 0.05)
        daemon.kill()
        if rng.random() < 0.3:
            daemon.process = daemon.spawn()
            time.sleep(rng.random() * 0.05)
            daemon.kill()
        daemon.start()
        for name in rng.sample(sorted(pids), 8):
            found = daemon.job(load.accepted[name][0])
            assert found["state"] == "running" and found["pid"] == pids[name], found


def read_witness(daemon):
    """(id, attempt) -> (pid, start); each may be there only once."""
    lines = [tuple(int(word) for word in line.split()) for line in
             daemon.text("witness").splitlines()]
    seen = {}
    for job, attempt, pid, start in lines:
        assert (job, attempt) not in seen, f"job {job} attempt {attempt} ran twice"
        seen[job, attempt] = (pid, start)
    return seen


def read_journal(state):
    """The records, in order."""
    database = sqlite3.connect(f"{state}/journal.db")
    rows = database.execute("SELECT seq, bytes FROM record ORDER BY seq").fetchall()
    database.close()
    return [(seq, json.loads(text)) for seq, text in rows]


def compare_books(daemon, load, jobs):
    """What was promised, and what the API says."""
    by_name = {}
    for job in jobs:
        if job["array_id"] is None:
            assert job["name"] not in by_name, f"{job['name']} stands twice in the books"
            by_name[job["name"]] = job
    for name, (number, _) in load.accepted.items():
        assert name in by_name, f"{name} was accepted as job {number} and is lost"
        assert by_name[name]["id"] == number, by_name[name]
    for job in jobs:
        code = load.tried[job["name"]]
        assert job["state"] == ("failed" if code else "completed"), job
        if job["array"]:
            assert job["array"]["failed" if code else "done"] == job["array"]["elements"], job
        else:
            assert job["exit_code"] == code, f"{job['name']} exited with {code}: {job}"
            assert job["attempt"] == 1, job
    elements = sum(job["array"]["elements"] for job in jobs if job["array"])
    assert elements == sum(1 for job in jobs if job["array_id"]), "each element ran"
    witness = read_witness(daemon)
    assert set(witness) == {(job["id"], 1) for job in jobs if not job["array"]}
    return witness


def compare_journal(records, jobs, witness):
    submitted = [record["job"] for _, record in records if record["event"] == "job_submitted"]
    assert len(set(submitted)) == len(submitted)
    assert set(submitted) == {job["id"] for job in jobs if job["array_id"] is None}
    for _, record in records:
        if record["event"] == "job_started":
            key = (record["job"], record["attempt"])
            assert record["pid"] == witness[key][0], (record, witness[key])
    for job in (job for job in jobs if not job["array"]):
        assert any(record["event"] == "job_ended" and record["job"] == job["id"] and
                   record.get("code", 0) == job["exit_code"] for _, record in records), job


RUN = {}  # what the first claim leaves for those after it


def run_under_kills():
    daemon = Daemon("--declared", "64xA100", "--declared", "64xA100",
                    environment={"BALEEN_SNAPSHOT_RECORDS": str(SNAPSHOT_RECORDS)})
    RUN["daemon"] = daemon
    daemon.start()
    load = Load(daemon)
    pids = start_long_jobs(daemon, load)
    began, before = time.monotonic(), load.count()
    with load:
        kill_again_and_again(daemon, load, pids)
    print(f"# {load.count() - before} jobs accepted in {time.monotonic() - began:.1f} s, "
          f"{KILLS} kills")
    assert not load.odd, load.odd
    for name, pid in pids.items():
        assert daemon.job(load.accepted[name][0])["pid"] == pid
    open(f"{daemon.work}/go", "w").close()
    until(lambda: not daemon.get("/api/v1/jobs?state=active&limit=1").json["jobs"],
          "all jobs end")
    RUN["load"] = load
    RUN["jobs"] = daemon.jobs()
    assert daemon.stop() == 0


def D1_no_accepted_job_is_lost_or_run_twice_under_kill_9():
    print(f"# seed {SEED}")
    run_under_kills()
    daemon = RUN["daemon"]
    witness = compare_books(daemon, RUN["load"], RUN["jobs"])
    compare_journal(read_journal(daemon.state), RUN["jobs"], witness)


def needs_run():
    if "jobs" not in RUN:
        raise AssertionError("the run under kills did not come to its end")
    return RUN["daemon"]


def simulate(state, *more):
    return subprocess.run([SIMULATOR, "--format", "journal", "--trace", state, "--json", *more],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def needs_simulator():
    if not os.path.exists(SIMULATOR):
        raise Skip("the simulator is not built")


def D4_the_simulator_repeats_the_journal_of_that_run_byte_for_byte():
    needs_simulator()
    daemon = needs_run()
    log = f"{daemon.folder}/actions"
    done = simulate(daemon.state, "--check", "--log", log)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["jobs"] == sum(not job["array"] for job in RUN["jobs"]), \
        done.stdout
    with open(log, encoding="utf-8") as file:
        repeated = [line for line in file if line.startswith('{"action":')]
    database = sqlite3.connect(f"{daemon.state}/journal.db")
    noted = [line for (text,) in database.execute("SELECT bytes FROM action ORDER BY seq")
             for line in text.splitlines(keepends=True)]
    database.close()
    assert len(noted) >= sum(not job["array"] for job in RUN["jobs"]) and repeated == noted


def starts_of_snapshots(state):
    database = sqlite3.connect(f"{state}/journal.db")
    starts = [seq for (seq,) in database.execute("SELECT seq FROM snapshot ORDER BY seq")]
    database.close()
    return starts


def D4_the_simulator_goes_on_from_a_snapshot_where_the_records_before_it_are_gone():
    needs_simulator()
    daemon = needs_run()
    starts = starts_of_snapshots(daemon.state)
    assert len(starts) >= min(KILLS, 3), starts
    copy = copy_state(daemon, "cut")
    database = sqlite3.connect(f"{copy}/journal.db")
    for statement in ("UPDATE snapshot SET is_cut = 1 WHERE seq = ?",
                      "DELETE FROM record WHERE seq <= ?", "DELETE FROM action WHERE seq <= ?"):
        database.execute(statement, (starts[-1],))
    database.commit()
    database.close()
    done = simulate(copy, "--check")
    assert done.returncode == 0, done.stdout + done.stderr


def copy_state(daemon, name):
    copy = f"{daemon.folder}/{name}"
    shutil.copytree(daemon.state, copy, ignore=shutil.ignore_patterns("env", "jobs"))
    return copy


def flip(records):
    """Changes one event so that a later decision must differ: a job wants a GPU more."""
    for seq, record in records:
        if record["event"] == "job_submitted" and record["spec"].get("gpus_want"):
            spec = record["spec"]
            spec["gpus_want"] = spec["gpus_min"] = spec["gpus_max"] = spec["gpus_want"] + 1
            return seq, record
    raise AssertionError("no job wants a GPU")


def flipped_copy(daemon):
    """Without its snapshots: a daemon looks at no record that one stands for."""
    copy = copy_state(daemon, "copy")
    seq, record = flip(read_journal(copy))
    database = sqlite3.connect(f"{copy}/journal.db")
    database.executescript("DELETE FROM snapshot; DELETE FROM state")
    database.execute("UPDATE record SET bytes = ? WHERE seq = ?", (json.dumps(record), seq))
    database.commit()
    database.close()
    return copy


def one_flipped_event_makes_the_comparison_fail():
    needs_simulator()
    daemon = needs_run()
    RUN["copy"] = flipped_copy(daemon)
    done = simulate(RUN["copy"], "--check")
    assert done.returncode == 1, done.stdout + done.stderr


def a_journal_with_one_flipped_event_is_refused_by_the_daemon():
    daemon = needs_run()
    daemon.state = RUN.get("copy") or flipped_copy(daemon)
    daemon.process = daemon.spawn()
    assert daemon.process.wait(120) == 1
    daemon.process = None
    assert "decides otherwise" in daemon.said()
    daemon.__exit__()


main([D1_no_accepted_job_is_lost_or_run_twice_under_kill_9,
      D4_the_simulator_repeats_the_journal_of_that_run_byte_for_byte,
      D4_the_simulator_goes_on_from_a_snapshot_where_the_records_before_it_are_gone,
      one_flipped_event_makes_the_comparison_fail,
      a_journal_with_one_flipped_event_is_refused_by_the_daemon])
