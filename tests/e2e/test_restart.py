"""Starting, stopping, starting again: what is kept, what is refused."""

import json
import os
import resource
import signal
import sqlite3
import subprocess

from kit import DAEMON, Daemon, is_alive, main, until

SLEEP = ["sleep", "600"]


def refused(daemon, *more):
    """What a second start says when it fails."""
    done = subprocess.run(
        [DAEMON, "--foreground", "--state", daemon.state, "--socket", daemon.socket, *more],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=daemon.environment, timeout=120, check=False)
    assert done.returncode == 1, f"{done.returncode}: {done.stdout}"
    return done.stdout


def D1_a_job_runs_on_while_the_daemon_is_away_and_its_end_is_known_afterwards():
    with Daemon() as daemon:
        job = daemon.submit("while [ ! -e go ]; do sleep 0.02; done; exit 7")
        pid = daemon.wait(job, "started")["pid"]
        queued = daemon.submit(["true"], after=[f"{job}:any"])
        assert daemon.stop() == 0
        assert is_alive(pid)
        daemon.start()
        found = daemon.job(job)
        assert found["state"] == "running" and found["pid"] == pid, found
        daemon.kill()
        open(f"{daemon.work}/go", "w").close()
        until(lambda: not is_alive(pid), "the job ends")
        daemon.start()
        found = daemon.wait(job)
        assert found["state"] == "failed" and found["exit_code"] == 7, found
        assert found["attempt"] == 1
        assert daemon.wait(queued)["state"] == "completed"


def a_job_that_was_being_stopped_is_stopped_by_the_next_daemon():
    with Daemon() as daemon:
        job = daemon.submit("trap '' TERM; echo ready > ready; while :; do sleep 0.1; done")
        until(lambda: os.path.exists(f"{daemon.work}/ready"), "it ignores SIGTERM")
        daemon.cancel(job)
        daemon.restart()
        found = daemon.wait(job)
        assert found["state"] == "cancelled", found


def a_second_daemon_is_refused_and_told_who_is_there():
    with Daemon() as daemon:
        said = refused(daemon, "--declared", "8xA100:80GB")
        assert f"pid {daemon.process.pid}," in said and "--state" in said, said
        said = refused(daemon, "--declared", "8xA100:80GB", "--state", f"{daemon.folder}/other")
        assert daemon.socket in said and "--socket" in said, said
        assert daemon.get("/healthz").status == 200


def a_stale_socket_is_replaced_and_another_file_is_not():
    with Daemon() as daemon:
        daemon.kill()
        assert os.path.exists(daemon.socket)
        daemon.start()
        assert daemon.stop() == 0
        assert not os.path.exists(daemon.socket)
        with open(daemon.socket, "w") as file:
            file.write("precious")
        said = refused(daemon, *daemon.flags)
        assert "no socket" in said, said
        with open(daemon.socket) as file:
            assert file.read() == "precious"


def a_foreign_or_newer_journal_is_refused_and_left_alone():
    with Daemon() as daemon:
        daemon.stop()
        path = f"{daemon.state}/journal.db"
        database = sqlite3.connect(path)
        database.execute("PRAGMA user_version=99")
        database.close()
        assert "format 99" in refused(daemon, *daemon.flags)
        with open(path, "wb") as file:
            file.write(b"dear diary")
        assert "not a journal" in refused(daemon, *daemon.flags)
        with open(path, "rb") as file:
            assert file.read() == b"dear diary"


def a_record_that_cannot_be_read_is_named():
    with Daemon() as daemon:
        daemon.stop()
        database = sqlite3.connect(f"{daemon.state}/journal.db")
        database.execute("UPDATE record SET bytes = '{\"kind\": \"nonsense\"}' WHERE seq = 1")
        database.commit()
        database.close()
        assert "journal record 1" in refused(daemon, *daemon.flags)


def a_node_of_another_shape_is_refused_by_name_while_a_job_holds_it():
    with Daemon() as daemon:
        job = daemon.submit(SLEEP, resources={"gpus": 1})
        daemon.wait(job, "started")
        daemon.stop()
        said = refused(daemon, "--declared", "4xA100:80GB")
        assert "node1" in said and "8" in said and "4" in said, said
        daemon.start()
        assert daemon.job(job)["state"] == "running"


def a_node_that_nobody_uses_may_change_its_shape():
    with Daemon() as daemon:
        assert daemon.wait(daemon.submit(["true"], resources={"gpus": 8}))["state"] == "completed"
        daemon.stop()
        daemon.flags = ["--declared", "4xH100"]
        daemon.start()
        node = daemon.get("/api/v1/nodes").json["nodes"][0]
        assert (node["gpus"], node["gpus_free"], node["gpu_type"]) == (4, 4, "H100"), node
        answer = daemon.post("/api/v1/jobs", daemon.job_body(SLEEP, resources={"gpus": 5}))
        assert answer.status == 409 and "at most 4" in answer.error["hint"], answer.body
        assert daemon.wait(daemon.submit(["true"], resources={"gpus": 4}))["state"] == "completed"
        daemon.restart()
        assert daemon.get("/api/v1/nodes").json["nodes"][0]["gpus"] == 4


def a_node_that_vanished_is_down_until_it_returns():
    with Daemon("--declared", "1xA100", "--declared", "1xH100") as daemon:
        states = lambda: [n["state"] for n in daemon.get("/api/v1/nodes").json["nodes"]]
        assert states() == ["up", "up"]
        daemon.stop()
        daemon.flags = ["--declared", "1xA100"]
        daemon.start()
        assert states() == ["up", "down"]
        job = daemon.submit(["true"], resources={"gpus": 1, "gpu": {"type": "H100"}})
        assert daemon.job(job)["reason"] == "nodes_down", daemon.job(job)
        daemon.stop()
        daemon.flags += ["--declared", "1xH100"]
        daemon.start()
        assert states() == ["up", "up"]
        assert daemon.wait(job)["state"] == "completed"


def another_policy_takes_over_at_the_next_start():
    with Daemon() as daemon:
        assert daemon.get("/healthz").json["policy"] == "easy"
        daemon.stop()
        daemon.flags += ["--policy", "fifo"]
        daemon.start()
        assert daemon.get("/healthz").json["policy"] == "fifo"


def a_full_disk_refuses_requests_and_loses_no_report():
    with Daemon() as daemon:
        job = daemon.submit("while [ ! -e go ]; do sleep 0.02; done; exit 5")
        daemon.wait(job, "started")
        limits = resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE)
        full = os.stat(f"{daemon.state}/journal.db-wal").st_size
        resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (full, limits[1]))
        answer = daemon.post(f"/api/v1/jobs/{job}/cancel")
        assert answer.status == 503 and answer.error["code"] == "unavailable", answer.body
        open(f"{daemon.work}/go", "w").close()
        assert daemon.post("/api/v1/jobs", daemon.job_body(SLEEP)).status == 503
        health = daemon.get("/healthz")
        assert health.status == 503 and "journal" in health.error["message"], health.body
        resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, limits)
        found = daemon.wait(job)
        assert found["state"] == "failed" and found["exit_code"] == 5, found
        until(lambda: daemon.get("/healthz").status == 200, "the daemon is well again")
        assert [job["id"] for job in daemon.jobs()] == [job]
        assert daemon.said().count("requests are refused") == 1


def requests_that_wait_are_answered_when_the_daemon_stops():
    with Daemon() as daemon:
        job = daemon.submit(SLEEP)
        daemon.wait(job, "started")
        connection = daemon.connect()
        connection.request("GET", f"/api/v1/jobs/{job}?wait=ended&timeout=60")
        events = daemon.connect()
        events.request("GET", "/api/v1/events")
        stream = events.getresponse()
        assert daemon.stop() == 0
        response = connection.getresponse()
        assert response.status == 200 and json.loads(response.read())["state"] == "running"
        assert b"data" not in stream.read()
        daemon.start()


def without_foreground_the_terminal_is_left_once_the_daemon_serves():
    with Daemon() as daemon:
        daemon.stop()
        done = subprocess.run([DAEMON, "--state", daemon.state, "--socket", daemon.socket,
                               *daemon.flags], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, env=daemon.environment, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        assert daemon.socket in done.stdout, done.stdout
        pid = int(done.stdout.rpartition("pid ")[2].rstrip(")\n"))
        assert daemon.get("/healthz").status == 200
        again = subprocess.run([DAEMON, "--state", daemon.state, "--socket", daemon.socket,
                                *daemon.flags], stdin=subprocess.DEVNULL, capture_output=True,
                               text=True, env=daemon.environment, timeout=120, check=False)
        assert again.returncode == 1 and f"pid {pid}," in again.stderr, again.stderr
        os.kill(pid, signal.SIGTERM)
        until(lambda: not is_alive(pid), "it stops")
        with open(f"{daemon.state}/daemon.log") as log:
            assert "listening on" in log.read()


def flags_that_are_not_known_or_belong_to_later_are_refused():
    rows = [
        (["--declred", "8xA100"], "--declared"),
        (["--declared"], "needs a value"),
        (["--declared", "8"], "--declared 8"),
        (["--no-cgroup=yes"], "takes no value"),
        (["--policy", "esay"], "easy"),
        (["--policy", "easy:order=random"], "order"),
        (["--engine", "slurm"], "local"),
        (["--http", "7420"], "127.0.0.1:7420"),
        (["--config", "/nonexistent.yaml"], "/nonexistent.yaml"),
        (["--cluster", "/nonexistent.yaml"], "/nonexistent.yaml"),
        (["now"], "'now'"),
    ]
    for flags, word in rows:
        done = subprocess.run([DAEMON, *flags], capture_output=True, text=True, timeout=60,
                              check=False)
        assert done.returncode == 2 and word in done.stderr, f"{flags}: {done}"
    done = subprocess.run([DAEMON, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Examples:" in done.stdout
    done = subprocess.run([DAEMON, "--version"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.startswith("baleend ")


def a_cluster_file_declares_nodes():
    with Daemon("--http", "none", "--declared", "1xA100") as daemon:
        daemon.cancel_all()
        daemon.stop()
        path = f"{daemon.folder}/cluster.yaml"
        with open(path, "w") as file:
            file.write('nodes: [{name: "n[1-3]", gpus: {type: A100, count: 2, mem: 40GB}}]\n')
        daemon.state = f"{daemon.folder}/other"
        daemon.flags = ["--cluster", path]
        daemon.start()
        names = [node["name"] for node in daemon.get("/api/v1/nodes").json["nodes"]]
        assert names == ["n1", "n2", "n3"], names


def write_config(daemon, text):
    path = f"{daemon.folder}/baleen.yaml"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def a_configuration_says_what_the_flags_leave_open():
    with Daemon("--policy", "fifo") as daemon:
        daemon.stop()
        with open(f"{daemon.folder}/cluster.yaml", "w", encoding="utf-8") as file:
            file.write("nodes: [{name: c1, gpus: {type: A100, count: 3, mem: 40GB}}]\n")
        path = write_config(daemon, f'''
cluster: cluster.yaml
listen: {{socket: {daemon.folder}/elsewhere, http: none}}
state: {daemon.folder}/other
zone: Asia/Tokyo
policy: easy
scheduler: {{debounce: 5ms, period: 30s}}
local: {{grace: 3s}}
require: [project]
''')
        daemon.flags = ["--config", path, "--policy", "fifo"]
        daemon.state = f"{daemon.folder}/flag-state"
        daemon.start()
        assert not os.path.exists(f"{daemon.folder}/elsewhere"), "the flag wins"
        assert [n["name"] for n in daemon.get("/api/v1/nodes").json["nodes"]] == ["c1"]
        assert daemon.get("/healthz").json["policy"] == "fifo"
        answer = daemon.post("/api/v1/jobs", daemon.job_body(["true"]))
        assert answer.status == 400 and "project" in answer.error["message"], answer.body
        job = daemon.submit(["true"], project="nlp", not_before="2030-01-01T09:00")
        assert daemon.job(job)["not_before_at"] == 1893456000
        assert daemon.wait(daemon.submit(["true"], project="nlp"))["state"] == "completed"


def a_configuration_is_checked_without_starting_anything():
    with Daemon() as daemon:
        daemon.stop()
        rows = [
            ("policy: easy\n", 0, "is good"),
            ("polcy: easy\n", 2, "policy"),
            ("policy: esay\n", 2, "easy"),
            ("policy: easy\nzone: Mars/Olympus\n", 2, "baleen.yaml:2: zone: this machine knows no"),
            ("zone: ../../../etc/passwd\n", 2, "time zone"),
            ("policy: easy\nengine: mainframe\n", 2, "baleen.yaml:2: engine: there is no engine 'mainframe'"),
            ("cluster: nowhere.yaml\n", 2, "nowhere.yaml"),
            ("listen: {http: 127.0.0.1:7420}\n", 0, "is good"),
            ("listen: {http: 7420}\n", 2, "127.0.0.1:7420"),
            ("local: {memory_hard: 2.0, oom_score_adj: {batch: 200}}\n", 0, "is good"),
            ("local: {memory_soft: 2.0}\n", 2, "memory_soft"),
            ("retention: {jobs: 5}\n", 0, "is good"),
            ("predict: {rules: [{user: ann, name: 'x-*', expect: {p50: 2h, p90: 50%}}]}\n", 0,
             "is good"),
            ("predict:\n  rules:\n    - {user: ann, expect: soon}\n", 2,
             "baleen.yaml:3: expect:"),
        ]
        for text, code, word in rows:
            path = write_config(daemon, text)
            done = subprocess.run([DAEMON, "--config", path, "--check-config", "--state",
                                   f"{daemon.folder}/new"], capture_output=True, text=True,
                                  timeout=60, check=False)
            assert done.returncode == code and word in done.stdout + done.stderr, (text, done)
        assert not os.path.exists(f"{daemon.folder}/new")


def a_socket_in_a_place_that_is_too_long_is_refused():
    with Daemon() as daemon:
        said = refused(daemon, *daemon.flags, "--state", f"{daemon.folder}/other", "--socket",
                       f"{daemon.folder}/{'x' * 120}")
        assert "--socket" in said, said


main([D1_a_job_runs_on_while_the_daemon_is_away_and_its_end_is_known_afterwards,
      a_job_that_was_being_stopped_is_stopped_by_the_next_daemon,
      a_second_daemon_is_refused_and_told_who_is_there,
      a_stale_socket_is_replaced_and_another_file_is_not,
      a_foreign_or_newer_journal_is_refused_and_left_alone,
      a_record_that_cannot_be_read_is_named,
      a_node_of_another_shape_is_refused_by_name_while_a_job_holds_it,
      a_node_that_nobody_uses_may_change_its_shape,
      a_node_that_vanished_is_down_until_it_returns,
      another_policy_takes_over_at_the_next_start,
      a_full_disk_refuses_requests_and_loses_no_report,
      requests_that_wait_are_answered_when_the_daemon_stops,
      without_foreground_the_terminal_is_left_once_the_daemon_serves,
      flags_that_are_not_known_or_belong_to_later_are_refused,
      a_cluster_file_declares_nodes,
      a_configuration_says_what_the_flags_leave_open,
      a_configuration_is_checked_without_starting_anything,
      a_socket_in_a_place_that_is_too_long_is_refused])
