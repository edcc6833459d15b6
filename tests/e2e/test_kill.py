"""The daemon is killed again and again under load, and supervisors are; nothing may be lost, run
twice or left behind.

BALEEN_KILLS (30) and BALEEN_SUPERVISOR_KILLS (10) set how often, BALEEN_SUBMIT_RATE (90) how many jobs
a second are submitted meanwhile, BALEEN_SEED repeats a run."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter

from kit import SIMULATOR, Daemon, Skip, is_alive, main, until
from soak_kit import (Killer, Load, LongJobs, alive, children_of, descriptors, group_of,
                      left_behind, start_of)

KILLS = int(os.environ.get("BALEEN_KILLS") or 30)
SUPERVISOR_KILLS = int(os.environ.get("BALEEN_SUPERVISOR_KILLS") or 10)
SEED = int(os.environ.get("BALEEN_SEED") or random.SystemRandom().randrange(1 << 32))
SNAPSHOT_RECORDS = 50  # so that kills come before, in and after snapshots
TELL_EVERY = 100  # kills
WITHOUT_GROUPS = 0.3  # of all seeds
NURSERIES = 0.1  # how often a daemon loses its nursery before it is killed

RUN = {}  # what the first claim leaves for those after it


def kill_the_daemon(daemon, load, rng):
    """After a random number of accepted jobs and a random moment more; sometimes again while the
    next one still starts."""
    wanted = load.count() + rng.randrange(12)
    until(lambda: load.count() >= wanted, "jobs are accepted")
    time.sleep(rng.random() * 0.05)
    nurseries = children_of(daemon.process.pid)
    RUN["nurseries"] |= {(pid, start_of(pid)) for pid in nurseries}
    if rng.random() < NURSERIES:
        for pid in nurseries:
            os.kill(pid, signal.SIGKILL)
        time.sleep(rng.random() * 0.1)
    daemon.kill()
    if rng.random() < 0.3:
        daemon.process = daemon.spawn()
        time.sleep(rng.random() * 0.05)
        daemon.kill()
    daemon.start()


def kill_again_and_again(daemon, load, killer):
    rng = random.Random(SEED)
    plan = [True] * KILLS + [False] * SUPERVISOR_KILLS
    rng.shuffle(plan)
    for done, is_daemon in enumerate(plan, 1):
        if is_daemon:
            kill_the_daemon(daemon, load, rng)
        else:
            killer.kill_one()
        killer.long_jobs.check(rng.sample(sorted(killer.long_jobs.pids), 8))
        if done % TELL_EVERY == 0:
            print(f"# {done} of {len(plan)} kills, {load.count()} jobs", file=sys.stderr,
                  flush=True)


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


def read_lost(records):
    """(id, attempt) of all whose supervisor died, by the journal."""
    return {(record["job"], record["attempt"]) for _, record in records
            if record["event"] == "job_ended" and record.get("cause") == "lost"}


def compare_promises(load, jobs):
    by_name = {}
    for job in jobs:
        if job["array_id"] is None:
            assert job["name"] not in by_name, f"{job['name']} stands twice in the books"
            by_name[job["name"]] = job
    for name, (number, _) in load.accepted.items():
        assert name in by_name, f"{name} was accepted as job {number} and is lost"
        assert by_name[name]["id"] == number, by_name[name]


def compare_ending(job, code, may_restart, losses):
    """An attempt that is lost counts as no failure: these jobs have no try to spare."""
    if losses and not may_restart:
        assert job["state"] == "lost" and job["attempt"] == losses == 1, job
        return
    assert job["state"] == ("failed" if code else "completed"), job
    assert job["exit_code"] == code, f"{job['name']} exited with {code}: {job}"
    assert job["attempt"] == 1 + losses, (job, losses)


def compare_books(load, jobs, lost):
    """What was promised, and what the API says."""
    compare_promises(load, jobs)
    losses = {}
    for job, _ in lost:
        losses[job] = losses.get(job, 0) + 1
    lost_elements = {job["array_id"] for job in jobs if job["state"] == "lost"}
    for job in jobs:
        code, may_restart = load.tried[job["name"]]
        if not job["array"]:
            compare_ending(job, code, may_restart, losses.get(job["id"], 0))
        elif job["id"] not in lost_elements:
            assert job["state"] == ("failed" if code else "completed"), job
            assert job["array"]["failed" if code else "done"] == job["array"]["elements"], job
    elements = sum(job["array"]["elements"] for job in jobs if job["array"])
    assert elements == sum(1 for job in jobs if job["array_id"]), "each element ran"


def compare_witness(jobs, witness, killed):
    """Every attempt ran once; only one whose supervisor was killed may have been too late to."""
    attempts = {(job["id"], attempt) for job in jobs if not job["array"]
                for attempt in range(1, job["attempt"] + 1)}
    assert set(witness) <= attempts, set(witness) - attempts
    assert attempts - set(witness) <= killed, attempts - set(witness) - killed


def compare_journal(records, jobs, witness, killed):
    submitted = [record["job"] for _, record in records if record["event"] == "job_submitted"]
    assert len(set(submitted)) == len(submitted)
    assert set(submitted) == {job["id"] for job in jobs if job["array_id"] is None}
    codes = {}
    for _, record in records:
        key = (record.get("job"), record.get("attempt"))
        if record["event"] == "job_started" and (key in witness or key not in killed):
            assert record["pid"] == witness[key][0], (record, witness[key])
        if record["event"] == "job_ended":
            codes.setdefault(record["job"], set()).add(record.get("code", 0))
    for job in (job for job in jobs if not job["array"]):
        assert (job["exit_code"] or 0) in codes[job["id"]], job


def more_descriptors(daemon):
    """What is open that was not before there were jobs."""
    return list((Counter(descriptors(daemon.process.pid)) - Counter(RUN["descriptors"])).elements())


def nothing_is_left(daemon):
    """Once all jobs have ended and some time has passed: no process, file, group or descriptor."""
    until(lambda: not left_behind(daemon), "nothing is left: " + " ".join(left_behind(daemon)))
    group = RUN["group"]
    if group:
        until(lambda: not any(entry.is_dir() for entry in os.scandir(group)), f"{group} is empty")
    assert not alive(RUN["nurseries"]), "what a daemon had started outlived it"
    until(lambda: not more_descriptors(daemon), f"open is {more_descriptors(daemon)}")


def open_place():
    groups = [] if random.Random(SEED).random() >= WITHOUT_GROUPS else ["--no-cgroup"]
    daemon = Daemon("--declared", "64xA100", "--declared", "64xA100", *groups,
                    environment={"BALEEN_SNAPSHOT_RECORDS": str(SNAPSHOT_RECORDS)})
    RUN["daemon"] = daemon
    RUN["nurseries"] = set()
    daemon.start()
    RUN["descriptors"] = descriptors(daemon.process.pid)
    return daemon


def run_under_kills():
    daemon = open_place()
    load = Load(daemon, SEED)
    long_jobs = LongJobs(daemon, load)
    killer = Killer(daemon, load, long_jobs, SEED)
    RUN["group"] = group_of(next(iter(long_jobs.pids.values())))
    began, before = time.monotonic(), load.count()
    with load:
        kill_again_and_again(daemon, load, killer)
    print(f"# {KILLS} kills of the daemon, {SUPERVISOR_KILLS} of supervisors, "
          f"{load.count() - before} jobs accepted, {time.monotonic() - began:.1f} s, "
          f"{'with' if RUN['group'] else 'without'} groups")
    assert not load.odd, load.odd
    until(long_jobs.are_back, "every long job runs again")
    open(f"{daemon.work}/go", "w").close()
    until(lambda: not daemon.get("/api/v1/jobs?state=active&limit=1").json["jobs"],
          "all jobs end")
    RUN["load"], RUN["killed"], RUN["jobs"] = load, killer.killed, daemon.jobs()
    nothing_is_left(daemon)
    nurseries = children_of(daemon.process.pid)
    assert daemon.stop() == 0
    until(lambda: not any(is_alive(pid) for pid in nurseries), "the last nursery ends")
    assert not (RUN["group"] and os.path.exists(RUN["group"])), "the groups' folder stays"


def P3_P4_D1_nothing_is_lost_doubled_or_left_behind_when_daemons_and_supervisors_are_killed():
    print(f"# BALEEN_SEED={SEED} BALEEN_KILLS={KILLS} "
          f"BALEEN_SUPERVISOR_KILLS={SUPERVISOR_KILLS}", flush=True)
    run_under_kills()
    jobs, killed = RUN["jobs"], RUN["killed"]
    records = read_journal(RUN["daemon"].state)
    witness = read_witness(RUN["daemon"])
    lost = read_lost(records)
    assert lost <= killed, f"lost though their supervisors were left alone: {lost - killed}"
    compare_books(RUN["load"], jobs, lost)
    compare_witness(jobs, witness, killed)
    compare_journal(records, jobs, witness, killed)
    print(f"# {len(jobs)} jobs, {len(witness)} runs, {len(lost)} of them lost by "
          f"{len(killed)} kills; no job lost, none doubled, nothing left")


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
    daemon.kill()
    daemon.state = RUN.get("copy") or flipped_copy(daemon)
    daemon.process = daemon.spawn()
    assert daemon.process.wait(120) == 1
    daemon.process = None
    assert "decides otherwise" in daemon.said()


try:
    main([P3_P4_D1_nothing_is_lost_doubled_or_left_behind_when_daemons_and_supervisors_are_killed,
          D4_the_simulator_repeats_the_journal_of_that_run_byte_for_byte,
          D4_the_simulator_goes_on_from_a_snapshot_where_the_records_before_it_are_gone,
          one_flipped_event_makes_the_comparison_fail,
          a_journal_with_one_flipped_event_is_refused_by_the_daemon])
finally:
    if "daemon" in RUN:
        RUN["daemon"].__exit__()
