"""What would start a job earlier, what a job would do that is not submitted, and what will be free."""

import json
import shlex
import signal
import threading
import time

from http.client import HTTPException

from kit import PATIENCE, main, until
from client_kit import Place, expect

TWO_TYPES = ("--declared", "4xA100", "--declared", "4xV100")
SLEEP = ("--", "sleep", "600")


def fill(place, gpus, limit="4h"):
    """A job on GPUs of the first type that says nothing of the second."""
    job = place.queue("-g", gpus, "--gpu-type", "A100", "-t", limit, *SLEEP)
    place.reach(job, "running")
    return job


def told(place, job):
    """The lines of why that name commands: [(words, comment)]."""
    lines = [line.strip() for line in place.ok("why", job).splitlines() if "baleen set" in line]
    return [(shlex.split(line[line.index("baleen set"):], comments=True), line.split("# ")[1])
            for line in lines]


def answer(place, job):
    """What the API says of it, once it has been looked into."""
    def look():
        found = place.get(f"/api/v1/why/{job}").json
        return found if found["instead"] else None
    return until(look, f"something helps job {job}")


def A20_each_change_that_why_prints_starts_the_job_when_it_is_pasted():
    with Place(*TWO_TYPES) as place:
        fill(place, 3)
        waiting = place.queue("-g", 4, "--gpu-type", "A100", "-t", "2h", *SLEEP)
        words = [command for command, _ in until(lambda: told(place, waiting), "why tells commands")]
        assert [command[3] for command in words] == ["gpu-type=V100", "gpus=1"], words
        for command in words:
            job = place.queue("-g", 4, "--gpu-type", "A100", "-t", "2h", *SLEEP)
            assert place.job(job)["state"] == "queued"
            place.ok("set", job, *command[3:])
            place.reach(job, "running")
            place.cancel(job)
            place.wait(job)
        assert place.job(waiting)["state"] == "queued"


def A20_a_shorter_limit_fits_before_a_reservation():
    with Place() as place:
        place.ok("reserve", "-g", 8, "--from", "+2h", "--for", "1h")
        job = place.queue("-g", 8, "-t", "5h", *SLEEP)
        found = answer(place, job)["instead"]
        assert (found[0]["now"], found[0]["before"]) == (True, "r1"), found
        assert found[0]["flags"] == f"-t {found[0]['set']['limit']}", found
        [(command, comment)] = told(place, job)
        assert comment == "starts now, fits before r1", comment
        place.ok(*command[1:])
        assert place.reach(job, "running")["limit_s"] < 2 * 3600


def A20_the_api_gives_the_body_of_a_patch_for_each_change():
    with Place(*TWO_TYPES) as place:
        fill(place, 3)
        job = place.queue("-g", 4, "--gpu-type", "A100", "-t", "2h", *SLEEP)
        found = answer(place, job)["instead"]
        assert [item["set"] for item in found] == [{"gpu_type": "V100"}, {"gpus": "1"}], found
        assert [item["flags"] for item in found] == ["--gpu-type V100", "--gpus 1"], found
        assert all(item["now"] and item["start"]["p10"] == item["start"]["p90"] for item in found), found
        changed = place.request("PATCH", f"/api/v1/jobs/{job}", found[0]["set"])
        assert changed.status == 200, changed.body
        place.reach(job, "running")
        assert place.get(f"/api/v1/why/{job}").json["instead"] == []


def nothing_is_advised_where_nothing_helps():
    with Place("--declared", "2xA100") as place:
        fill(place, 2)
        job = place.queue("-g", 1, "-t", "2h", *SLEEP)
        until(lambda: "asking for less would not start it earlier" in place.ok("why", job),
              "it is told that nothing helps")
        place.env["LC_ALL"] = "zh_CN.UTF-8"
        assert "减少请求也不会更早开始" in place.ok("why", job)


def A20_a_job_that_is_not_submitted_is_told_its_start_and_whom_it_delays():
    with Place() as place:
        before = int(time.time())
        fill(place, 8, "4h")
        waiting = place.queue("-g", 8, "-t", "2h", *SLEEP)
        body = place.job_body("true", resources={"gpus": 8}, time={"limit": "1h"})
        found = place.post("/api/v1/plan", body)
        assert found.status == 200, found.body
        found = found.json
        assert found["duration"] == {"p10": None, "p50": None, "p90": 3600, "from": "limits"}, found
        assert before < found["start"]["p10"] <= found["start"]["p50"] <= found["start"]["p90"], found
        assert found["start"]["p50"] < found["end"]["p50"] and found["from"] == "limits", found
        assert (found["now"], found["delays"], found["delayed_count"]) == (False, [], 0), found
        assert found["waits_for"]["reason"] == "priority", found
        assert found["waits_for"]["reason_numbers"]["job"] == waiting, found
        assert [job["id"] for job in place.get("/api/v1/jobs").json["jobs"]][-1] == waiting


def A20_who_is_passed_is_named_with_the_delay():
    with Place("--declared", "8xA100", "--policy", "priority") as place:
        fill(place, 8, "4h")
        waiting = place.queue("-g", 8, "-t", "2h", "-J", "sweep", *SLEEP)
        out = until(lambda: (lambda text: text if "delays     " in text else None)(
            place.ok("plan", "--with", "-g", 8, "-t", "1h", "--priority", 5)), "the plan is told")
        assert f"delays     {waiting} sweep (root) by " in out, out
        quiet = place.ok("predict", "-g", 8, "-t", "1h", "--priority", 5)
        assert "delays" not in quiet and "starts " in quiet, quiet
        found = place.json("plan", "--json", "--with", "-g", 8, "-t", "1h", "--priority", 5)
        assert found["delays"][0]["id"] == waiting and found["delays"][0]["by_s"] > 0, found


def a_question_takes_what_run_and_submit_take_and_refuses_what_they_refuse():
    with Place() as place:
        (place.here / "job.yaml").write_text(
            "name: a\nresources: {gpus: 2}\ntime: {limit: 5m}\nrun: |\n  sleep 4\n")
        (place.here / "several.yaml").write_text("jobs: {a: {run: sleep 4}, b: {run: sleep 3}}\n")
        (place.here / "booked.yaml").write_text(
            "reservation: {gpus: 1, from: tomorrow 09:00, for: 1h}\n")
        (place.here / "wrong.yaml").write_text("nane: a\nrun: sleep 4\n")
        (place.here / "train.sh").write_text("#!/bin/sh\n#BALEEN --gpus 2\nsleep 4\n")
        for words in (("job.yaml",), ("train.sh",), ("-g", 2), ("-g", 2, "--", "sleep", 4),
                      ("-t", "3h", "job.yaml"), ("-g", 1, "sleep", 4)):
            assert "starts     now" in place.ok("predict", *words), words
            assert "delays     nobody" in place.ok("plan", "--with", *words), words
        for words, code, what in (
                (("predict",), 2, "about which job?"),
                (("predict", "none.yaml"), 3, "none.yaml"),
                (("predict", "wrong.yaml"), 2, "wrong.yaml:1"),
                (("predict", "several.yaml"), 2, "several jobs"),
                (("predict", "booked.yaml"), 2, "a reservation, not a job"),
                (("predict", "-g", 99), 4, "--gpus"),
                (("predict", "-g", "x"), 2, "--gpus"),
                (("predict", "--gpu-type", "H100", "-g", 1), 4, "A100"),
                (("predict", "--reservation", "r9", "-g", 1), 2, "there is no r9"),
                (("predict", "--after", 99), 2, "there is no job"),
                (("plan", "-g", 1), 2, "--with"),
                (("plan", "now"), 2, "takes no words"),
                (("plan", "--with", "--outlook"), 2, "two questions")):
            expect(place.run(*words), code, what)
        assert place.get("/api/v1/jobs").json["jobs"] == []


def a_plan_refuses_what_a_submission_refuses():
    with Place() as place:
        for body, status, field in (
                ({"command": ["true"], "nane": "x"}, 400, "nane"),
                ({"command": ["true"], "resources": {"gpus": 99}}, 409, "resources.gpus"),
                ({"command": ["true"], "after": ["77"]}, 400, "after"),
                ({"command": ["true"], "reservation": "r7"}, 400, "reservation"),
                ({"jobs": [{"command": ["true"], "workdir": "/"}]}, 400, "jobs")):
            body = {"workdir": "/", **body} if "jobs" not in body else body
            plan = place.post("/api/v1/plan", body)
            assert (plan.status, plan.error["field"]) == (status, field), (body, plan.body)
            if field != "jobs":
                assert plan.error == place.post("/api/v1/jobs", body).error, plan.body
        assert place.post("/api/v1/plan", "{").status == 400


def A20_the_outlook_tells_free_gpus_of_each_type_for_a_week():
    with Place(*TWO_TYPES) as place:
        fill(place, 3, "2h")
        found = place.get("/api/v1/outlook").json
        assert (found["step_s"], found["gpus"], sorted(found["types"])) == (3600, 8, ["A100", "V100"])
        a100, v100 = found["types"]["A100"], found["types"]["V100"]
        assert len(a100["free"]) == len(found["used"]) == 7 * 24
        assert (a100["free"][0], a100["free"][-1], v100["free"][0]) == (1, 4, 4), found
        assert found["used"][0] == 3 and found["used"][-1] == 0
        assert all(low <= middle <= high for low, middle, high in zip(
            a100["free_p10"], a100["free"], a100["free_p90"]))
        assert len(place.json("plan", "--outlook", "--next", "2d", "--json")["used"]) == 48
        lines = place.ok("plan", "--outlook", "--ascii").splitlines()
        assert "A100 / 4" in lines[1] and "##........ 1" in lines[2] and "########## 4" in lines[-1], lines
        for days in ("0", "31", "x", "1.5"):
            refused = place.get(f"/api/v1/outlook?days={days}")
            assert (refused.status, refused.error["field"]) == (400, "days"), refused.body
        expect(place.run("plan", "--outlook", "--next", "40d"), 2, "days")


def crowd(daemon, jobs):
    """Many jobs in line, submitted at once, so that looking ahead takes a while."""
    bodies = [daemon.job_body("sleep 600", resources={"gpus": 1 + number % 8},
                              time={"limit": f"{30 + number % 97}m"}) for number in range(jobs)]
    answer = daemon.post("/api/v1/jobs", {"jobs": bodies})
    assert answer.status == 201, answer.body


def whoever_hangs_up_and_too_many_who_ask_do_no_harm():
    with Place() as place:
        crowd(place, 400)
        body = json.dumps(place.job_body("true", resources={"gpus": 8}))
        for _ in range(5):
            connection = place.connect()
            connection.request("POST", "/api/v1/plan", body)
            connection.close()
        seen = []
        threads = [threading.Thread(target=lambda: seen.append(place.post("/api/v1/plan", body)))
                   for _ in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        told = {answer.status for answer in seen}
        assert 200 in told and told <= {200, 503}, told
        assert all(answer.error["code"] == "unavailable" for answer in seen if answer.status == 503)
        why = until(lambda: (lambda found: found if found["instead"] is not None else None)(
            place.get("/api/v1/why/400").json), "why is looked into again")
        assert why["state"] == "queued", why


def a_daemon_that_is_stopped_gives_up_what_it_looks_into():
    with Place() as place:
        crowd(place, 2000)
        seen = []

        def ask():
            try:
                seen.append(place.get("/api/v1/outlook?days=30").status)
            except OSError as broken:
                seen.append(type(broken).__name__)
            except HTTPException as broken:
                seen.append(type(broken).__name__)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        place.process.send_signal(signal.SIGTERM)
        assert place.process.wait(PATIENCE) == 0
        for thread in threads:
            thread.join()
        assert len(seen) == 4, seen
        place.start()
        assert place.get("/api/v1/jobs?limit=1").status == 200


main([value for name, value in list(globals().items())
      if callable(value) and getattr(value, "__module__", "") == "__main__" and
      name not in ("fill", "told", "answer", "crowd")])
