"""What people ask of jobs that are there, and of nodes."""

import pwd

from pathlib import Path

from kit import Daemon, as_user, main, needs_root, until

SLEEP = ["sleep", "600"]
ONE = {"gpus": 1}
ALL = {"gpus": 8}


def ask(daemon, job, verb, body=None, status=200):
    answer = daemon.post(f"/api/v1/jobs/{job}/{verb}", body)
    assert answer.status == status, f"{verb} {job}: {answer.status}: {answer.body}"
    return answer.json if status == 200 else answer.error


def change(daemon, job, status=200, **body):
    answer = daemon.request("PATCH", f"/api/v1/jobs/{job}", body)
    assert answer.status == status, f"{body}: {answer.status}: {answer.body}"
    return answer.json if status == 200 else answer.error


def wait_for_state(daemon, job, state):
    return until(lambda: (lambda found: found if found["state"] == state else None)(
        daemon.job(job)), f"job {job} is {state}")


def fill(daemon):
    """A job that holds every GPU."""
    job = daemon.submit(SLEEP, resources=ALL)
    daemon.wait(job, "started")
    return job


def a_held_job_does_not_start_until_it_is_released_and_twice_is_once():
    with Daemon() as daemon:
        blocker = fill(daemon)
        job = daemon.submit(["true"], resources=ONE)
        for _ in range(2):
            held = ask(daemon, job, "hold")
            assert (held["state"], held["reason"]) == ("held", "held"), held
        daemon.cancel(blocker)
        daemon.wait(blocker)
        assert daemon.wait(daemon.submit(["true"], resources=ONE))["state"] == "completed"
        assert daemon.job(job)["state"] == "held"
        for _ in range(2):
            ask(daemon, job, "release")
        assert daemon.wait(job)["state"] == "completed"


def a_held_job_stays_held_over_a_kill():
    with Daemon() as daemon:
        blocker = fill(daemon)
        job = daemon.submit(["true"], resources=ONE)
        ask(daemon, job, "hold")
        daemon.restart()
        assert daemon.job(job)["state"] == "held"
        daemon.cancel(blocker)
        ask(daemon, job, "release")
        assert daemon.wait(job)["state"] == "completed"


def a_job_that_is_submitted_held_waits_for_its_release():
    with Daemon() as daemon:
        job = daemon.submit(["true"], hold=True)
        assert daemon.job(job)["state"] == "held"
        assert daemon.wait(daemon.submit(["true"]))["state"] == "completed"
        assert daemon.job(job)["attempt"] == 0
        ask(daemon, job, "release")
        assert daemon.wait(job)["state"] == "completed"


def a_job_that_waits_takes_another_type_shape_and_class_over_a_kill():
    with Daemon("--declared", "4xA100", "--declared", "4xV100") as daemon:
        a100 = {"gpus": 4, "gpu": {"type": "A100"}}
        blocker = daemon.submit(SLEEP, resources=a100)
        daemon.wait(blocker, "started")
        job = daemon.submit(SLEEP, resources=a100)
        changed = change(daemon, job, **{"class": "preemptible"}, nodes=2)
        assert (changed["class"], changed["nodes_max"]) == ("preemptible", 2), changed
        daemon.restart()
        assert daemon.job(job)["class"] == "preemptible"
        for body, status, word in (
                ({"gpu_type": "H100"}, 400, "no node has GPUs of the type"),
                ({"gpu_type": []}, 400, "1 to 16 types"),
                ({"gpu_type": {}}, 400, "gpu_type"),
                ({"gpu_type": "V100", "gpus": 5}, 409, "no state of this machine"),
                ({"nodes": 0}, 400, "nodes"),
                ({"class": "best"}, 400, "class")):
            assert word in change(daemon, job, status, **body)["message"], body
        change(daemon, job, gpu_type=["V100"], nodes=None)
        started = daemon.wait(job, "started")
        assert [where["node"] for where in started["where"]] != [
            where["node"] for where in daemon.job(blocker)["where"]], started
        assert change(daemon, job, 409, gpu_type=None)["field"] == "gpu_type"
        assert change(daemon, job, 409, **{"class": "batch"})["field"] == "class"


def what_cannot_be_is_refused_with_the_way_out():
    with Daemon() as daemon:
        running = fill(daemon)
        ended = daemon.submit(["true"], resources={"gpus": 0})
        daemon.wait(ended)
        waiting = daemon.submit(["true"], resources=ONE)
        rows = [
            (running, "hold", None, 409, "requeue"),
            (ended, "hold", None, 409, "submit it again"),
            (ended, "release", None, 409, "submit it again"),
            (ended, "requeue", None, 409, "submit it again"),
            (running, "move", {"before": waiting}, 409, "has not started"),
            (waiting, "move", {"before": running}, 409, "has not started"),
            (waiting, "move", {"before": 99}, 400, "no job 99"),
            (waiting, "move", {}, 400, "before"),
            (waiting, "move", {"behind": 1}, 400, "before"),
            (ended, "set", {"limit": "1h"}, 409, "submit it again"),
            (running, "set", {"gpus": 4}, 409, "requeue"),
            (waiting, "set", {"gpus": 9}, 409, "at most 8"),
            (waiting, "set", {"gpus": "many"}, 400, "gpus"),
            (waiting, "set", {"limit": "-5"}, 400, "limit"),
            (waiting, "set", {"color": "red"}, 400, "color"),
            (waiting, "set", {}, 400, "limit, priority"),
            (99, "hold", None, 404, "no job 99"),
        ]
        for job, verb, body, status, word in rows:
            error = ask(daemon, job, verb, body, status)
            assert word in f"{error}", f"{verb} {body}: no '{word}' in {error}"


def a_requeued_job_runs_again_as_the_next_attempt():
    with Daemon() as daemon:
        job = daemon.submit("echo $BALEEN_ATTEMPT >> attempts; sleep 600", resources=ONE)
        attempts = Path(daemon.work) / "attempts"
        until(lambda: attempts.exists() and attempts.read_text() == "1\n", "the first attempt runs")
        until(lambda: daemon.job(job)["state"] == "running", "that is known")
        ask(daemon, job, "requeue")
        until(lambda: daemon.text("attempts") == "1\n2\n", "the second attempt runs")
        found = wait_for_state(daemon, job, "running")
        assert found["attempt"] == 2
        daemon.cancel(job)
        assert daemon.wait(job)["state"] == "cancelled"


def changes_are_seen_and_kept_over_a_kill():
    with Daemon() as daemon:
        fill(daemon)
        job = daemon.submit(SLEEP, resources={"gpus": 2}, time={"limit": "2h"})
        found = change(daemon, job, limit="30m", priority=-3, gpus="2-4", requeue=True)
        daemon.restart()
        for seen in (found, daemon.job(job)):
            assert seen["limit_s"] == 1800 and seen["priority"] == -3, seen
            assert (seen["gpus"]["min"], seen["gpus"]["max"]) == (2, 4), seen
            assert seen["requeue"] is True, seen
        assert change(daemon, job, limit=None)["limit_s"] is None


def a_shorter_limit_ends_a_job_that_runs():
    with Daemon() as daemon:
        job = daemon.submit(SLEEP, resources=ONE, time={"limit": "2h"})
        daemon.wait(job, "started")
        change(daemon, job, limit="250ms")
        assert daemon.wait(job)["state"] == "timeout"


def a_job_that_may_not_start_yet_says_so_and_starts_when_it_is_told_to():
    with Daemon() as daemon:
        job = daemon.submit(["true"], not_before="2h")
        found = daemon.job(job)
        assert (found["state"], found["reason"]) == ("waiting", "not_before"), found
        assert found["not_before_at"] > found["submitted_at"] + 7000, found
        assert found["start"]["p50"] >= found["not_before_at"], found
        change(daemon, job, not_before=None)
        assert daemon.wait(job)["state"] == "completed"


def a_job_moved_to_the_front_starts_first():
    with Daemon() as daemon:
        blocker = fill(daemon)
        first = daemon.submit("echo first >> order", resources=ALL)
        second = daemon.submit("echo second >> order", resources=ALL)
        assert ask(daemon, second, "move", {"before": first})["reason"] == "resources"
        daemon.cancel(blocker)
        daemon.wait(first)
        assert daemon.text("order") == "second\nfirst\n"


def others_may_not_raise_priorities_pass_others_or_release_what_root_holds():
    needs_root()
    nobody = pwd.getpwnam("nobody")
    import os
    with Daemon() as daemon:
        fill(daemon)
        os.chmod(daemon.work, 0o777)
        roots = daemon.submit(SLEEP, resources=ONE)
        job = as_user(nobody, lambda: daemon.submit(SLEEP, resources=ONE))
        rows = [
            ("PATCH", f"/api/v1/jobs/{job}", {"priority": 5}),
            ("PATCH", f"/api/v1/jobs/{roots}", {"limit": "1h"}),
            ("POST", f"/api/v1/jobs/{job}/move", {"before": roots}),
            ("POST", f"/api/v1/jobs/{roots}/hold", None),
            ("POST", "/api/v1/nodes/localhost/drain", None),
            ("POST", "/api/v1/jobs", daemon.job_body(SLEEP, priority=5)),
        ]
        for method, path, body in rows:
            answer = as_user(nobody, lambda: daemon.request(method, path, body))
            assert answer.status == 403, f"{method} {path}: {answer.status} {answer.body}"
        answer = as_user(nobody, lambda: daemon.request(
            "PATCH", f"/api/v1/jobs/{job}", {"priority": -5}))
        assert answer.status == 200, answer.body
        ask(daemon, job, "hold")
        answer = as_user(nobody, lambda: daemon.post(f"/api/v1/jobs/{job}/release"))
        assert answer.status == 403, answer.body
        assert change(daemon, job, priority=5)["priority"] == 5


def node_name(daemon):
    return daemon.get("/api/v1/nodes").json["nodes"][0]["name"]


def P24_a_drained_node_lets_its_jobs_end_and_takes_no_new_ones():
    with Daemon() as daemon:
        name = node_name(daemon)
        running = daemon.submit("until [ -e go ]; do sleep 0.1; done", resources=ONE)
        daemon.wait(running, "started")
        for _ in range(2):
            answer = daemon.post(f"/api/v1/nodes/{name}/drain")
            assert (answer.status, answer.json["state"]) == (200, "drained"), answer.body
        waiting = daemon.submit(["true"], resources=ONE)
        until(lambda: daemon.job(waiting)["reason"] == "nodes_down", "the reason is told")
        daemon.restart()
        assert daemon.job(running)["state"] == "running"
        open(f"{daemon.work}/go", "w").close()
        assert daemon.wait(running)["state"] == "completed"
        assert daemon.job(waiting)["state"] == "queued"
        answer = daemon.post(f"/api/v1/nodes/{name}/resume")
        assert (answer.status, answer.json["state"]) == (200, "up"), answer.body
        assert daemon.wait(waiting)["state"] == "completed"


def P24_a_drain_at_a_time_lets_start_only_what_ends_before():
    with Daemon() as daemon:
        name = node_name(daemon)
        answer = daemon.post(f"/api/v1/nodes/{name}/drain", {"at": "2h"})
        assert answer.status == 200 and answer.json["state"] == "up", answer.body
        assert answer.json["drain_at"] is not None
        long = daemon.submit(SLEEP, resources=ONE, time={"limit": "3h"})
        until(lambda: daemon.job(long)["reason"] == "drain", "the long job waits")
        short = daemon.submit(["true"], resources=ONE, time={"limit": "1h"})
        assert daemon.wait(short)["state"] == "completed"
        assert daemon.post(f"/api/v1/nodes/{name}/drain", {"when": 3}).status == 400
        assert daemon.post("/api/v1/nodes/nowhere/drain").status == 404
        daemon.post(f"/api/v1/nodes/{name}/resume")
        daemon.wait(long, "started")


def P9_a_start_that_fails_says_why_when_it_is_tried_again_and_is_held_then():
    with Daemon() as daemon:
        job = daemon.submit(["nosuch"], resources=ONE)
        found = until(lambda: (lambda f: f if f["reason"] == "retry" else None)(daemon.job(job)),
                      "the first start has failed")
        assert "cannot execute nosuch: No such file" in found["reason_text"], found
        assert found["reason_text"].endswith(", tried again soon"), found
        assert found["next_try_at"] > found["submitted_at"], found
        cause = found["retry_cause"]
        assert cause["reason"] == "start_failed" and "No such file" in cause["reason_text"], found
        assert cause["reason_numbers"]["have"] == 2, found
        assert daemon.wait(daemon.submit(["true"], resources=ALL))["state"] == "completed"
        held = wait_for_state(daemon, job, "held")
        assert held["reason"] == "start_failed" and held["next_try_at"] is None, held
        daemon.cancel(job)


def why_names_who_is_ahead_until_when_and_what_is_free():
    with Daemon() as daemon:
        blocker = daemon.submit(SLEEP, resources={"gpus": 6}, time={"limit": "2h"})
        daemon.wait(blocker, "started")
        big = daemon.submit(SLEEP, resources=ALL, time={"limit": "1h"})
        job = daemon.submit(SLEEP, resources={"gpus": 4}, time={"limit": "1h"}, after=[])
        last = daemon.submit(SLEEP, resources=ONE, after=[f"{big}:any"])
        until(lambda: daemon.job(job)["reason"] == "priority", "the job waits behind the big one")
        first, second, _ = daemon.foretold(blocker, big, job)
        why = daemon.get(f"/api/v1/why/{job}").json
        assert why["reason"] == "priority" and why["reason_numbers"]["job"] == big, why
        assert [row["id"] for row in why["ahead"]] == [big], why
        assert [(row["id"], row["gpus"]) for row in why["running"]] == [(blocker, 6)], why
        assert why["running"][0]["until"] == first["end"]["p50"], why
        assert [(node["gpus"], node["gpus_free"]) for node in why["nodes"]] == [(8, 2)], why
        assert second["start"] == first["end"], second
        assert why["start"]["p50"] >= second["end"]["p50"], why
        why = daemon.get(f"/api/v1/why/{last}").json
        assert why["reason"] == "dependency", why
        assert why["after"] == [{"job": big, "kind": "any", "state": "queued"}], why


def foretold(daemon, body):
    """The answer to a submission, if it comes with a forecast; else the job is taken back. After a
    change there is no new one for twenty times as long as the last one took."""
    job = daemon.post("/api/v1/jobs", body).json
    if job["start"]:
        return job
    daemon.post(f"/api/v1/jobs/{job['id']}/cancel")
    return None


def an_answer_to_a_submission_says_when_it_will_start_and_end():
    with Daemon() as daemon:
        body = daemon.job_body(SLEEP, resources=ALL, time={"limit": "1h"})
        first = daemon.post("/api/v1/jobs", body).json
        daemon.wait(first["id"], "started")
        second = until(lambda: foretold(daemon, body), "an answer has a forecast")
        assert set(second["start"]) == {"p10", "p50", "p90"}, second
        assert second["submitted_at"] < second["start"]["p50"] < second["end"]["p50"], second
        assert second["eta"]["from"] == "limits", second
        one, two = daemon.foretold(first["id"], second["id"])
        assert two["start"] == one["end"], (one, two)
        assert two["start"]["p10"] < two["start"]["p50"] < two["start"]["p90"], two
        assert two["end"]["p90"] <= two["start"]["p90"] + 3600, two


main([value for name, value in list(globals().items())
      if callable(value) and getattr(value, "__module__", "") == "__main__" and
      name not in ("ask", "change", "wait_for_state", "fill", "node_name", "foretold")])
