"""What the API answers to good and to bad requests."""

import json
import socket

from kit import Daemon, main, until

SLEEP = ["sleep", "600"]


def raw(daemon, data, shut=False):
    """Sends bytes and answers all that comes back."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(60)
    connection.connect(daemon.socket)
    connection.sendall(data)
    if shut:
        connection.shutdown(socket.SHUT_WR)
    answer = b""
    while True:
        piece = connection.recv(65536)
        if not piece:
            return answer
        answer += piece


def expect_error(answer, status, code, *words):
    assert answer.status == status, f"{answer.status}: {answer.body}"
    assert answer.headers["Content-Type"] == "application/json"
    error = answer.error
    assert set(error) == {"code", "message", "field", "hint"}, error
    assert error["code"] == code, error
    for word in words:
        assert word in json.dumps(error), f"no '{word}' in {error}"


def D1_bad_bodies_are_refused_with_their_place_and_field():
    with Daemon() as daemon:
        good = daemon.job_body(SLEEP)
        rows = [
            (b"", "request body"),
            (b"{", "request body:1"),
            (b"[]", "object"),
            (b"nonsense", "request body:1"),
            (b"\xff\xfe", "0xff"),
            (b'{"workdir": "/", "workdir": "/"}', "workdir"),
            (b"[" * 10000, "request body"),
            ({}, "command"),
            ({**good, "colour": "red"}, "colour"),
            ({**good, "commnad": ["x"]}, "command"),
            ({**good, "run": "true"}, "command or run"),
            ({**good, "command": []}, "program"),
            ({**good, "command": "sleep 1"}, "list"),
            ({**good, "command": ["a\0b"]}, "request body"),
            ({**good, "workdir": "here"}, "absolute"),
            ({**good, "environment": ["PATH"]}, "NAME=VALUE"),
            ({**good, "resources": {"gpus": -1}}, "gpus"),
            ({**good, "resources": {"gpus": "many"}}, "gpus"),
            ({**good, "resources": {"gups": 1}}, "gpus"),
            ({**good, "time": {"limit": "-5"}}, "limit"),
            ({**good, "after": ["99"]}, "there is no job"),
            ({**good, "after": ["prep"]}, "id of a job"),
            ({**good, "after": ["1:maybe"]}, "after"),
            ({**good, "user": "root"}, "user"),
            ({**good, "log": "%q"}, "log"),
        ]
        for body, word in rows:
            answer = daemon.post("/api/v1/jobs", body)
            try:
                expect_error(answer, 400, "invalid", word)
            except AssertionError as why:
                raise AssertionError(f"{body!r}: {why}") from why
        assert daemon.jobs() == []


def unknown_paths_methods_keys_and_ids_are_told_apart():
    with Daemon() as daemon:
        job = daemon.submit(SLEEP)
        rows = [
            ("GET", "/api", 404, "not_found"),
            ("POST", "/", 405, "method"),
            ("GET", "/assets/none.js", 404, "not_found"),
            ("GET", "/api/v1/jobs/", 404, "not_found"),
            ("GET", "/api/v1/jobs/99", 404, "not_found"),
            ("GET", "/api/v1/jobs/x", 404, "not_found"),
            ("GET", "/api/v1/jobs/-1", 404, "not_found"),
            ("GET", "/api/v1/jobs/99999999999999999999", 404, "not_found"),
            ("POST", "/api/v1/jobs/99/cancel", 404, "not_found"),
            ("GET", "/api/v1/jobs/99/log", 404, "not_found"),
            ("GET", f"/api/v1/jobs/{job}/log?attempt=7", 404, "not_found"),
            ("GET", f"/api/v1/jobs/{job}/logs", 404, "not_found"),
            ("DELETE", f"/api/v1/jobs/{job}", 405, "method"),
            ("PUT", "/api/v1/nodes", 405, "method"),
            ("GET", f"/api/v1/jobs/{job}/cancel", 405, "method"),
            ("GET", "/api/v1/jobs?stat=all", 400, "invalid"),
            ("GET", "/api/v1/jobs?state=sleepy", 400, "invalid"),
            ("GET", "/api/v1/jobs?state", 400, "invalid"),
            ("GET", "/api/v1/jobs?limit=0", 400, "invalid"),
            ("GET", "/api/v1/jobs?limit=1e3", 400, "invalid"),
            ("GET", f"/api/v1/jobs/{job}?wait=never", 400, "invalid"),
            ("GET", f"/api/v1/jobs/{job}?wait=ended&timeout=61", 400, "invalid"),
            ("GET", f"/api/v1/jobs/{job}/log?offset=-1", 400, "invalid"),
            ("GET", f"/api/v1/jobs/{job}/log?tail=-1", 400, "invalid"),
            ("GET", "/api/v1/jobs?last=10001", 400, "invalid"),
            ("GET", "/healthz?verbose=1", 400, "invalid"),
        ]
        for method, path, status, code in rows:
            try:
                expect_error(daemon.request(method, path), status, code)
            except AssertionError as why:
                raise AssertionError(f"{method} {path}: {why}") from why


def a_body_over_four_mebibytes_is_answered_with_413_and_harms_nobody():
    with Daemon() as daemon:
        limit = 4 * 1024 * 1024
        expect_error(daemon.post("/api/v1/jobs", b" " * (limit + 1)), 413, "too_large")
        expect_error(daemon.post("/api/v1/jobs", b"x" * (20 * 1024 * 1024)), 413, "too_large")
        expect_error(daemon.post("/api/v1/jobs", b" " * limit), 400, "invalid")
        chunk = b"100000\r\n" + b"x" * 0x100000 + b"\r\n"
        answer = raw(daemon, b"POST /api/v1/jobs HTTP/1.1\r\nHost: b\r\nConnection: close\r\n"
                             b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 5 + b"0\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 413"), answer[:200]
        assert daemon.get("/healthz").status == 200


def a_slow_sender_is_told_so_and_others_do_not_wait_for_it():
    with Daemon(environment={"BALEEN_REQUEST_TIMEOUT": "1s"}) as daemon:
        half = b"POST /api/v1/jobs HTTP/1.1\r\nHost: b\r\nContent-Length: 100\r\n\r\n{"
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(60)
        connection.connect(daemon.socket)
        connection.sendall(half)
        assert daemon.get("/healthz").status == 200
        answer = connection.recv(65536)
        assert answer.startswith(b"HTTP/1.1 408"), answer
        assert json.loads(answer.split(b"\r\n\r\n")[1])["error"]["code"] == "timeout"
        assert connection.recv(1) == b""


def a_connection_that_asks_nothing_is_closed():
    with Daemon(environment={"BALEEN_REQUEST_TIMEOUT": "1s"}) as daemon:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(60)
        connection.connect(daemon.socket)
        assert connection.recv(1) == b""


def bytes_that_are_no_http_end_their_own_connection_only():
    with Daemon() as daemon:
        for data in (b"\0" * 100, b"GET\r\n\r\n", b"A" * 200000, b"GET / HTTP/9.9\r\n\r\n"):
            try:
                raw(daemon, data, shut=True)
            except (BrokenPipeError, ConnectionResetError):
                pass
        assert daemon.get("/healthz").status == 200


def what_no_state_of_the_machine_can_meet_is_refused_with_the_nearest_possible():
    with Daemon("--declared", "8xA100:80GB,cpus=96,mem=1TB", "--declared",
                "4xH100:40GB,cpus=8,mem=64GB") as daemon:
        rows = [
            ({"gpus": 9}, "resources.gpus", "at most 8 GPUs"),
            ({"gpus": 5, "gpu": {"type": "H100"}}, "resources.gpus", "at most 4 GPUs"),
            ({"gpus": 1, "gpu": {"type": "B200"}}, "resources.gpu.type", "A100, H100"),
            ({"gpus": 1, "gpu": {"mem": "100GB"}}, "resources.gpu.mem", "80GiB"),
            ({"gpus": 1, "cpus": 97}, "resources.cpus", "96 CPUs"),
            ({"gpus": 1, "mem": "2TB"}, "resources.mem", "1TiB"),
            ({"gpus": 1, "gpu": {"type": "H100"}, "cpus": 9}, "resources.cpus", "8 CPUs"),
        ]
        for resources, field, hint in rows:
            answer = daemon.post("/api/v1/jobs", daemon.job_body(SLEEP, resources=resources))
            try:
                expect_error(answer, 409, "refused")
                assert answer.error["field"] == field, answer.error
                assert hint in answer.error["hint"], answer.error
            except AssertionError as why:
                raise AssertionError(f"{resources}: {why}") from why
        expect_error(daemon.post("/api/v1/jobs", daemon.job_body(SLEEP, pool="gold")), 409,
                     "refused", "default")
        assert daemon.jobs() == []


def a_job_object_has_the_keys_of_the_contract():
    with Daemon() as daemon:
        job = daemon.submit(["sh", "-c", "exit 3"], name="tiny", project="nlp",
                            resources={"gpus": 2, "cpus": 4, "mem": "2GiB"}, time={"limit": "2h"})
        found = daemon.wait(job)
        keys = {"id", "array_id", "array_index", "array", "name", "user", "project", "class", "kind", "state", "reason",
                "reason_text", "reason_numbers", "retry_cause", "next_try_at", "gpus", "where", "submitted_at", "started_at",
                "ended_at", "attempt", "exit_code", "progress", "limit_s", "start", "end",
                "eta"}
        further = {"cpus", "mem_bytes", "nodes_max", "pool", "gpu_types", "after", "workdir", "log",
                   "command", "pid", "queued_s", "scheduling_s", "priority", "requeue", "retries",
                   "not_before_at", "error_log", "restarts", "save_s", "gpus_wish", "reservation", "reservation_as",
                   "promise", "promised_at", "inside", "adopted", "attempts", "attempts_left_out"}
        assert set(found) == keys | further, set(found) ^ (keys | further)
        assert set(daemon.jobs()[0]) == keys
        assert found["state"] == "failed" and found["exit_code"] == 3 and found["attempt"] == 1
        assert found["gpus"] == {"min": 2, "want": 2, "max": 2, "now": 0}
        assert found["where"] == [{"node": "node1", "gpus": [0, 1]}]
        assert found["limit_s"] == 7200 and found["cpus"] == 4 and found["mem_bytes"] == 2 << 30
        assert found["submitted_at"] <= found["started_at"] <= found["ended_at"]
        assert found["reason"] == "exit" and found["reason_text"]
        assert found["log"] == f"{daemon.work}/tiny-{job}.1.log"
        assert found["queued_s"] >= 0 and found["scheduling_s"] >= 0


def lists_come_in_pages_by_state_and_by_user():
    with Daemon("--declared", "1xA100") as daemon:
        first = daemon.submit(["true"], resources={"gpus": 1})
        daemon.wait(first)
        rest = [daemon.submit(SLEEP, resources={"gpus": 1}) for _ in range(3)]
        daemon.wait(rest[0], "started")
        page = daemon.get("/api/v1/jobs?limit=2").json
        assert [job["id"] for job in page["jobs"]] == [first, rest[0]]
        assert page["next"] == rest[0]
        page = daemon.get(f"/api/v1/jobs?limit=2&after={page['next']}").json
        assert [job["id"] for job in page["jobs"]] == rest[1:] and page["next"] is None
        ended = daemon.get("/api/v1/jobs?state=ended").json["jobs"]
        assert [job["id"] for job in ended] == [first]
        active = daemon.get("/api/v1/jobs?state=active").json["jobs"]
        assert [job["id"] for job in active] == rest
        waiting = daemon.get("/api/v1/jobs?state=queued,starting").json["jobs"]
        assert [job["id"] for job in waiting] == rest[1:]
        assert waiting[0]["reason"] == "resources" and waiting[1]["reason"] == "priority"
        newest = daemon.get("/api/v1/jobs?last=3&limit=2").json
        assert [job["id"] for job in newest["jobs"]] == rest[:2] and newest["next"] == rest[1]
        assert [job["id"] for job in daemon.get("/api/v1/jobs?last=1").json["jobs"]] == rest[2:]
        assert len(daemon.get("/api/v1/jobs?last=9").json["jobs"]) == 4
        user = active[0]["user"]
        assert len(daemon.get(f"/api/v1/jobs?user={user}").json["jobs"]) == 4
        assert daemon.get("/api/v1/jobs?user=nobody-here").json["jobs"] == []


def the_machine_shows_what_is_free_and_who_holds_the_rest():
    with Daemon("--declared", "2xA100:80GB,cpus=8,mem=16GB", "--declared", "1xH100") as daemon:
        job = daemon.submit(SLEEP, resources={"gpus": 1, "cpus": 2, "mem": "4GB",
                                              "gpu": {"type": "A100"}})
        daemon.wait(job, "started")
        nodes = daemon.get("/api/v1/nodes").json["nodes"]
        assert [node["name"] for node in nodes] == ["node1", "node2"]
        first = nodes[0]
        assert (first["gpus"], first["gpus_free"]) == (2, 1)
        assert (first["cpus"], first["cpus_free"]) == (8, 6)
        assert (first["mem_bytes"], first["mem_free_bytes"]) == (16 << 30, 12 << 30)
        assert first["jobs"] == [job] and nodes[1]["jobs"] == []
        gpus = daemon.get("/api/v1/gpus").json["gpus"]
        assert [(gpu["node"], gpu["gpu"], gpu["state"], gpu["job"]) for gpu in gpus] == [
            ("node1", 0, "busy", job), ("node1", 1, "free", None), ("node2", 0, "free", None)]


def a_log_is_read_in_pieces_until_it_is_complete():
    with Daemon() as daemon:
        job = daemon.submit("printf abc; while [ ! -e go ]; do sleep 0.02; done; printf defg")
        first = until(lambda: (lambda a: a if a.body else None)(
            daemon.get(f"/api/v1/jobs/{job}/log")), "the job writes")
        assert first.body == b"abc" and first.headers["Baleen-Log-Complete"] == "no"
        assert first.headers["Baleen-Log-Next"] == "3"
        open(f"{daemon.work}/go", "w").close()
        daemon.wait(job)
        piece = daemon.get(f"/api/v1/jobs/{job}/log?offset=3&limit=2")
        assert piece.body == b"de" and piece.headers["Baleen-Log-Complete"] == "no"
        piece = daemon.get(f"/api/v1/jobs/{job}/log?offset=5&limit=3")
        assert piece.body == b"fg" and piece.headers["Baleen-Log-Complete"] == "yes"
        assert piece.headers["Content-Type"] == "application/octet-stream"
        for tail, body in [(0, b""), (3, b"efg"), (7, b"abcdefg"), (999, b"abcdefg")]:
            piece = daemon.get(f"/api/v1/jobs/{job}/log?tail={tail}")
            assert (piece.body, piece.headers["Baleen-Log-Next"]) == (body, "7")


def a_log_that_is_no_file_is_refused_and_blocks_nobody():
    with Daemon() as daemon:
        job = daemon.submit("rm -f x.log; mkfifo x.log", log="x.log")
        daemon.wait(job)
        expect_error(daemon.get(f"/api/v1/jobs/{job}/log"), 403, "forbidden", "x.log")


def waiting_for_a_job_ends_with_its_time():
    with Daemon() as daemon:
        job = daemon.submit(SLEEP)
        found = daemon.get(f"/api/v1/jobs/{job}?wait=ended&timeout=1").json
        assert found["ended_at"] is None
        assert daemon.wait(job, "started")["state"] == "running"


class Events:
    """A reader of the stream."""

    def __init__(self, daemon, last=None):
        self.connection = daemon.connect()
        self.connection.request("GET", "/api/v1/events",
                                headers={} if last is None else {"Last-Event-ID": str(last)})
        self.response = self.connection.getresponse()
        assert self.response.status == 200
        assert self.response.headers["Content-Type"] == "text/event-stream"

    def next(self):
        """The next message as a dict; comments are passed over."""
        message = {}
        while True:
            line = self.response.readline().decode()
            assert line, "the stream ended"
            line = line.rstrip("\n")
            if not line and "data" in message:
                message["data"] = json.loads(message["data"])
                return message
            if not line:
                message = {}
            if line and not line.startswith(":"):
                key, _, value = line.partition(": ")
                message[key] = value


def events_tell_every_state_of_a_job_with_rising_numbers():
    with Daemon() as daemon:
        events = Events(daemon)
        job = daemon.submit(["true"], resources={"gpus": 1})
        states, numbers, nodes = [], [], 0
        while "completed" not in states:
            message = events.next()
            numbers.append(int(message["id"]))
            if message["data"]["type"] == "job":
                assert message["event"] == "upsert" and message["data"]["id"] == job
                states.append(message["data"]["state"])
            else:
                nodes += 1
        assert states == ["queued", "starting", "running", "completed"], states
        assert numbers == sorted(numbers)
        assert nodes > 0
        events.connection.close()


def a_reader_that_comes_back_gets_what_it_missed_and_after_a_restart_reads_the_lists_again():
    with Daemon() as daemon:
        events = Events(daemon)
        held = daemon.submit(["true"], hold=True)
        last = int(events.next()["id"])
        events.connection.close()
        job = daemon.submit(["true"])
        daemon.wait(job)
        events = Events(daemon, last)
        seen = []
        while ("completed", job) not in seen:
            message = events.next()
            assert message["event"] == "upsert" and int(message["id"]) >= last, message
            if message["data"]["type"] == "job":
                seen.append((message["data"]["state"], message["data"]["id"]))
        assert ("held", held) in seen and ("running", job) in seen, seen
        events.connection.close()
        for last in (0, 10 ** 12, "x"):
            assert Events(daemon, last).next()["event"] == "resync", last
        daemon.wait(daemon.submit(["true"]))  # so that the reader has missed something
        daemon.restart()
        assert Events(daemon, message["id"]).next()["event"] == "resync"


def readers_are_told_when_ended_jobs_leave_memory():
    with Daemon(environment={"BALEEN_SNAPSHOT_RECORDS": "5"}) as daemon:
        daemon.stop()
        with open(f"{daemon.folder}/baleen.yaml", "w") as file:
            file.write("retention: {jobs: 0}\n")
        daemon.flags += ["--config", f"{daemon.folder}/baleen.yaml"]
        daemon.start()
        events = Events(daemon)
        known, removed = set(), set()
        while not removed:
            job = daemon.submit(["true"])
            daemon.wait(job)
            state = None
            while state != "completed" and not removed:
                message = events.next()
                data = message["data"]
                if message["event"] == "remove":
                    assert data == {"type": "job", "id": data["id"]}, data
                    removed.add(data["id"])
                elif data["type"] == "job":
                    known.add(data["id"])
                    state = data["state"] if data["id"] == job else state
        assert removed <= known, (removed, known)
        assert daemon.get(f"/api/v1/jobs/{removed.pop()}").status == 404
        events.connection.close()


def readers_that_do_not_read_or_have_gone_hold_nobody_up():
    with Daemon() as daemon:
        silent = [Events(daemon) for _ in range(20)]
        for reader in silent[10:]:
            reader.connection.close()
        jobs = [daemon.submit(["true"]) for _ in range(50)]
        for job in jobs:
            assert daemon.wait(job)["state"] == "completed"
        for reader in silent[:10]:
            reader.connection.close()


main([D1_bad_bodies_are_refused_with_their_place_and_field,
      unknown_paths_methods_keys_and_ids_are_told_apart,
      a_body_over_four_mebibytes_is_answered_with_413_and_harms_nobody,
      a_slow_sender_is_told_so_and_others_do_not_wait_for_it,
      a_connection_that_asks_nothing_is_closed,
      bytes_that_are_no_http_end_their_own_connection_only,
      what_no_state_of_the_machine_can_meet_is_refused_with_the_nearest_possible,
      a_job_object_has_the_keys_of_the_contract,
      lists_come_in_pages_by_state_and_by_user,
      the_machine_shows_what_is_free_and_who_holds_the_rest,
      a_log_is_read_in_pieces_until_it_is_complete,
      a_log_that_is_no_file_is_refused_and_blocks_nobody,
      waiting_for_a_job_ends_with_its_time,
      events_tell_every_state_of_a_job_with_rising_numbers,
      a_reader_that_comes_back_gets_what_it_missed_and_after_a_restart_reads_the_lists_again,
      readers_are_told_when_ended_jobs_leave_memory,
      readers_that_do_not_read_or_have_gone_hold_nobody_up])
