"""What stays over snapshots, a full disk, an older format, a jump of the clock."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile

from kit import DAEMON, SIMULATOR, Daemon, Skip, main, needs_root, until

SLEEP = ["sleep", "600"]


def ask(daemon, question):
    database = sqlite3.connect(f"file:{daemon.state}/journal.db?mode=ro", uri=True)
    try:
        return database.execute(question).fetchall()
    finally:
        database.close()


def newest_snapshot(daemon):
    return ask(daemon, "SELECT coalesce(max(seq), 0) FROM snapshot")[0][0]


def last_record(daemon):
    return ask(daemon, "SELECT max(seq) FROM record")[0][0]


def stood(daemon):
    """All jobs as the API shows them, without what a forecast says."""
    return [{key: value for key, value in job.items() if key not in ("start", "end", "eta")}
            for job in daemon.jobs()]


def fill_with_every_kind(daemon):
    """Jobs in every state that stays, and one whose end makes a snapshot of them."""
    failed = daemon.submit(["false"], name="failed")
    done = daemon.submit(["true"], name="done")
    for job in (failed, done):
        daemon.wait(job)
    running = daemon.submit(SLEEP, name="running", resources={"gpus": 3}, labels={"team": "nlp"})
    daemon.wait(running, "started")
    daemon.submit(SLEEP, name="queued", resources={"gpus": 8})
    daemon.submit(["true"], name="after", after=[f"{running}:ok"])
    daemon.submit(["true"], name="skipped", after=[f"{failed}:ok"])
    cancelled = daemon.submit(SLEEP, name="cancelled", resources={"gpus": 8})
    daemon.cancel(cancelled)
    return running


def a_daemon_goes_on_from_a_snapshot_as_if_nothing_had_been():
    with Daemon(environment={"BALEEN_SNAPSHOT_RECORDS": "1", "BALEEN_HISTORY": "0s"}) as daemon:
        running = fill_with_every_kind(daemon)
        until(lambda: newest_snapshot(daemon) == last_record(daemon) or
              not last_record(daemon), "the newest record is in a snapshot")
        before = stood(daemon)
        assert {job["state"] for job in before} >= {
            "failed", "completed", "running", "queued", "waiting", "cancelled"}, before
        daemon.restart()
        assert stood(daemon) == before
        daemon.cancel(running)
        daemon.wait(running)
        assert daemon.job(running)["state"] == "cancelled"
        queued = [job["id"] for job in before if job["name"] == "queued"][0]
        assert daemon.wait(queued, "started")["state"] in ("starting", "running")


def history_that_is_too_old_goes_and_the_simulator_still_agrees():
    with Daemon(environment={"BALEEN_SNAPSHOT_RECORDS": "10", "BALEEN_HISTORY": "0s"}) as daemon:
        for _ in range(20):
            daemon.wait(daemon.submit(["true"]))
        until(lambda: ask(daemon, "SELECT min(seq) FROM record")[0][0] > 30, "history goes")
        assert len(daemon.jobs()) == 20
        daemon.stop()
        if not os.path.exists(SIMULATOR):
            raise Skip("the simulator is not built")
        done = subprocess.run([SIMULATOR, "--format", "journal", "--trace", daemon.state,
                               "--check"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        daemon.start()
        assert len(daemon.jobs()) == 20


def a_snapshot_of_many_jobs_is_made_between_requests_and_loses_nothing():
    with Daemon(environment={"BALEEN_SNAPSHOT_RECORDS": "1000"}) as daemon:
        body = daemon.job_body(SLEEP, hold=True)
        sent = []
        for number in range(6):
            answer = daemon.post("/api/v1/jobs", {"jobs": [body] * 1000})
            assert answer.status == 201, answer.body
            sent += [job["id"] for job in answer.json["jobs"]]
            # what is asked while parts are made is answered from one state or the next
            listed = {job["id"] for job in daemon.jobs()}
            assert listed >= set(sent), number
            job = daemon.submit(["true"])
            assert daemon.wait(job)["state"] == "completed"
        until(lambda: newest_snapshot(daemon) > 6000, "a snapshot has most of it")
        before = stood(daemon)
        daemon.restart()
        assert stood(daemon) == before


def ended_jobs_leave_memory_and_their_numbers_are_not_used_again():
    with Daemon(environment={"BALEEN_SNAPSHOT_RECORDS": "5"}) as daemon:
        daemon.stop()
        with open(f"{daemon.folder}/baleen.yaml", "w") as file:
            file.write("retention: {jobs: 0}\n")
        daemon.flags += ["--config", f"{daemon.folder}/baleen.yaml"]
        daemon.start()
        jobs = [daemon.submit(["true"]) for _ in range(8)]
        last = jobs[-1]

        def are_gone():
            """Each look brings a record, and so the next snapshot nearer."""
            found = daemon.jobs()
            if found:
                daemon.wait(daemon.submit(["true"]))
            return not any(job["id"] == last for job in found)
        until(are_gone, "the job leaves memory")
        assert daemon.get(f"/api/v1/jobs/{last}").status == 404
        until(lambda: newest_snapshot(daemon) > 0, "a snapshot is there")
        highest = max([last, *(job["id"] for job in daemon.jobs())])
        daemon.restart()
        assert daemon.get(f"/api/v1/jobs/{last}").status == 404
        job = daemon.submit(["true"])
        assert job > highest, (job, highest)
        assert daemon.wait(job)["state"] == "completed"


def a_journal_of_the_first_format_is_taken_over_with_its_jobs():
    with Daemon() as daemon:
        job = daemon.submit(SLEEP)
        pid = daemon.wait(job, "started")["pid"]
        daemon.stop()
        database = sqlite3.connect(f"{daemon.state}/journal.db")
        database.executescript("DROP TABLE snapshot; DROP TABLE state; PRAGMA user_version=1")
        database.close()
        daemon.start()
        assert daemon.job(job)["pid"] == pid
        assert ask(daemon, "PRAGMA user_version")[0][0] == 2


class SmallDisk:
    """A file system of a few MiB in memory."""

    def __init__(self, size):
        needs_root()
        self.path = tempfile.mkdtemp(prefix="baleen-disk-")
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0755", "tmpfs",
                               self.path], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            os.rmdir(self.path)
            raise Skip(f"no file system can be mounted: {done.stderr.strip()}")

    def fill(self):
        with open(f"{self.path}/filler", "wb", buffering=0) as file:
            try:
                while file.write(b"x" * 4096):
                    pass
            except OSError:
                pass

    def make_room(self):
        os.unlink(f"{self.path}/filler")

    def __enter__(self):
        return self

    def __exit__(self, *why):
        subprocess.run(["umount", "-l", self.path], check=False)
        shutil.rmtree(self.path, ignore_errors=True)


def D1_a_full_disk_refuses_new_work_keeps_what_runs_and_mends_itself():
    with SmallDisk("8m") as disk, Daemon(
            environment={"BALEEN_SNAPSHOT_RECORDS": "3"}) as daemon:
        kept = []
        daemon.stop()
        daemon.state = f"{disk.path}/state"
        daemon.start()
        job = daemon.submit("while [ ! -e go ]; do sleep 0.02; done; exit 5")
        pid = daemon.wait(job, "started")["pid"]
        disk.fill()

        def is_refused():
            answer = daemon.post("/api/v1/jobs", daemon.job_body(SLEEP, resources={"gpus": 8}))
            if answer.status == 201:
                kept.append(answer.json["id"])
            else:
                assert answer.status == 503, answer.body
            return answer.status == 503
        until(is_refused, "the disk is full")
        assert daemon.job(job)["pid"] == pid and daemon.job(job)["state"] == "running"
        open(f"{daemon.work}/go", "w").close()
        until(lambda: not os.path.exists(f"/proc/{pid}"), "the job ends")
        until(lambda: daemon.get("/healthz").status == 503, "the daemon says that it is not well")
        disk.make_room()
        found = daemon.wait(job)
        assert found["state"] == "failed" and found["exit_code"] == 5, found
        until(lambda: daemon.get("/healthz").status == 200, "the daemon is well again")
        assert [one["id"] for one in daemon.jobs()] == [job, *kept]
        more = daemon.submit(["true"])
        assert more not in kept
        for one in kept:
            daemon.cancel(one)
        assert daemon.wait(more)["state"] == "completed"
        daemon.restart()
        assert daemon.job(job)["exit_code"] == 5
        daemon.cancel_all()
        daemon.stop()


def a_daemon_without_jobs_notices_that_there_is_room_again():
    with SmallDisk("2m") as disk, Daemon() as daemon:
        daemon.stop()
        daemon.state = f"{disk.path}/state"
        daemon.start()
        node = daemon.get("/api/v1/nodes").json["nodes"][0]["name"]

        def drain():
            return daemon.post(f"/api/v1/nodes/{node}/drain", {}).status
        disk.fill()
        until(lambda: drain() == 503, "the disk is full")
        assert daemon.get("/healthz").status == 503
        disk.make_room()
        until(lambda: daemon.get("/healthz").status == 200, "the daemon is well again")
        assert drain() == 200


def wrong_rules_are_named_and_the_daemon_does_not_start():
    with Daemon() as daemon:
        daemon.stop()
        daemon.environment["BALEEN_HISTORY"] = "long"
        daemon.process = daemon.spawn()
        assert daemon.process.wait(120) == 1
        assert "BALEEN_HISTORY" in daemon.said()


def a_journal_that_cannot_be_read_is_named_with_the_way_out():
    def cut(path):
        os.truncate(path, os.path.getsize(path) // 4096 // 2 * 4096)

    def scratch(path):
        with sqlite3.connect(path) as database:
            database.execute("UPDATE record SET bytes = '{' WHERE seq = 1")
        database.close()

    for harm, said in [(cut, "malformed"), (scratch, "journal record 1:1: not JSON")]:
        with Daemon() as daemon:
            for _ in range(20):
                daemon.submit(["true"])
            daemon.stop()
            harm(f"{daemon.state}/journal.db")
            daemon.process = daemon.spawn()
            assert daemon.process.wait(120) == 1
            assert said in daemon.said() and "put back a copy" in daemon.said(), daemon.said()


def a_lock_of_a_killed_daemon_is_no_obstacle_whatever_pid_it_names():
    with Daemon() as daemon:
        job = daemon.submit(SLEEP)
        daemon.wait(job, "started")
        daemon.kill()
        with open(f"{daemon.state}/lock", "w") as file:
            file.write(f"{os.getpid()}\n")
        daemon.start()
        with open(f"{daemon.state}/lock") as file:
            assert int(file.read()) == daemon.process.pid
        second = subprocess.run([DAEMON, "--foreground", "--state", daemon.state, "--socket",
                                 f"{daemon.folder}/other", *daemon.flags],
                                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                check=False)
        assert second.returncode == 1 and f"pid {daemon.process.pid}," in second.stderr, second
        assert daemon.job(job)["state"] == "running"


def a_daemon_that_is_killed_while_it_makes_snapshots_loses_nothing():
    with Daemon(environment={"BALEEN_SNAPSHOT_RECORDS": "1", "BALEEN_HISTORY": "0s"}) as daemon:
        known = []
        for _ in range(12):
            known += [daemon.submit(["true"]) for _ in range(5)]
            daemon.kill(signal.SIGKILL)
            daemon.start()
        for job in known:
            found = daemon.wait(job)
            assert found["state"] == "completed" and found["attempt"] == 1, found


def set_clock(daemon, seconds):
    """By how much the daemon's wall clock is off; a request lets it notice."""
    path = daemon.environment["BALEEN_SHIFT"]
    with open(f"{path}.new", "w") as file:
        file.write(f"{seconds}\n")
    os.rename(f"{path}.new", path)
    daemon.wait(daemon.submit(["true"]))


def jumps(daemon):
    return [json.loads(text)["by_us"] for (text,) in ask(
        daemon, "SELECT bytes FROM record WHERE bytes LIKE '%clock_jumped%' ORDER BY seq")]


def a_clock_that_is_set_by_a_day_ends_no_job_and_freezes_none():
    library = os.environ.get("BALEEN_SHIFT_CLOCK", "")
    if not os.path.exists(library):
        raise Skip("BALEEN_SHIFT_CLOCK names no library")
    day = 24 * 60 * 60
    sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
    with Daemon(environment={"LD_PRELOAD": library, "ASAN_OPTIONS": sanitizer}) as daemon:
        daemon.environment["BALEEN_SHIFT"] = f"{daemon.folder}/shift"
        daemon.restart()
        job = daemon.submit(SLEEP, time={"limit": "10h"}, resources={"gpus": 1})
        daemon.wait(job, "started")
        set_clock(daemon, day)
        assert daemon.job(job)["state"] == "running"
        forward, = jumps(daemon)
        assert abs(forward - day * 1000000) < 3600 * 1000000, forward
        set_clock(daemon, -day)
        assert jumps(daemon)[1] < 0
        short = daemon.submit(SLEEP, time={"limit": "1s"})
        assert daemon.wait(short)["state"] == "timeout"
        assert daemon.job(job)["state"] == "running"
        daemon.restart()
        assert daemon.job(job)["state"] == "running"


main([a_daemon_goes_on_from_a_snapshot_as_if_nothing_had_been,
      history_that_is_too_old_goes_and_the_simulator_still_agrees,
      a_snapshot_of_many_jobs_is_made_between_requests_and_loses_nothing,
      ended_jobs_leave_memory_and_their_numbers_are_not_used_again,
      a_journal_of_the_first_format_is_taken_over_with_its_jobs,
      D1_a_full_disk_refuses_new_work_keeps_what_runs_and_mends_itself,
      a_daemon_without_jobs_notices_that_there_is_room_again,
      a_clock_that_is_set_by_a_day_ends_no_job_and_freezes_none,
      wrong_rules_are_named_and_the_daemon_does_not_start,
      a_journal_that_cannot_be_read_is_named_with_the_way_out,
      a_lock_of_a_killed_daemon_is_no_obstacle_whatever_pid_it_names,
      a_daemon_that_is_killed_while_it_makes_snapshots_loses_nothing])
