"""When jobs will start and end, told by the real daemon."""

import time

from kit import RUNS, Daemon, main, until

SLEEP = ["sleep", "1000"]
ALL = {"gpus": 8}


def is_range(told, least):
    return told and least <= told["p10"] <= told["p50"] <= told["p90"]


def told_at_once(daemon, count):
    """The whole forecast, once it rests on all runs."""
    def whole():
        found = daemon.get("/api/v1/forecast").json
        return found if found["runs"] == RUNS and len(found["jobs"]) == count else None
    return until(whole, f"{count} jobs are told of")


def P15_every_waiting_job_has_a_range_and_a_reason_that_names_what_it_waits_for():
    with Daemon() as daemon:
        blocker = daemon.submit(SLEEP, resources=ALL, time={"limit": "2h"})
        daemon.wait(blocker, "started")
        since = time.time() - 5
        head = daemon.submit(["true"], resources={"gpus": 6}, time={"limit": "1h"})
        behind = daemon.submit(["true"], resources=ALL, time={"limit": "1h"})
        bound = daemon.submit(["true"], resources={"gpus": 1}, time={"limit": "1h"}, after=[f"{head}:ok"])
        later = daemon.submit(["true"], resources={"gpus": 1}, time={"limit": "1h"}, not_before="5h")
        array = daemon.submit(["true"], resources={"gpus": 1}, time={"limit": "10m"}, array="0-9")
        jobs = dict(zip((head, behind, bound, later, array), daemon.foretold(head, behind, bound, later, array)))
        for job in jobs.values():
            assert is_range(job["start"], since) and is_range(job["end"], job["start"]["p10"]), job
            assert job["reason"] and job["reason_text"], job
        assert jobs[head]["reason"] == "resources" and "6 GPUs" in jobs[head]["reason_text"], jobs[head]
        assert jobs[behind]["reason_numbers"]["job"] == head, jobs[behind]
        assert jobs[bound]["reason_numbers"]["job"] == head, jobs[bound]
        assert jobs[bound]["start"]["p50"] >= jobs[head]["end"]["p50"], jobs
        assert jobs[later]["start"]["p10"] >= jobs[later]["not_before_at"], jobs[later]
        element = daemon.get(f"/api/v1/jobs/{array}_9").json
        assert is_range(element["start"], since), element


def P16_what_rests_on_limits_alone_says_so_until_something_was_learnt():
    with Daemon() as daemon:
        blocker = daemon.submit(SLEEP, resources=ALL, time={"limit": "2h"})
        daemon.wait(blocker, "started")
        waits = daemon.submit(SLEEP, resources=ALL, time={"limit": "2h"})
        assert all(job["eta"] == {"from": "limits", "runs": RUNS} for job in daemon.foretold(blocker, waits))
        daemon.cancel(waits)
        daemon.cancel(blocker)
        for _ in range(8):
            daemon.wait(daemon.submit(["sleep", "0.1"], resources=ALL, time={"limit": "2h"}))
        blocker = daemon.submit(SLEEP, resources=ALL, time={"limit": "2h"})
        daemon.wait(blocker, "started")
        waits = daemon.submit(["sleep", "0.1"], resources=ALL, time={"limit": "2h"})
        found = daemon.foretold(waits)[0]
        assert found["eta"] == {"from": "runs", "runs": RUNS}, found
        assert is_range(found["start"], found["submitted_at"] - 5), found


def nothing_is_told_behind_a_job_that_may_go_on_for_ever():
    with Daemon() as daemon:
        endless = daemon.submit(SLEEP, resources=ALL)
        daemon.wait(endless, "started")
        waits = daemon.submit(["true"], resources=ALL, time={"limit": "1h"})
        told_at_once(daemon, 2)
        found = daemon.job(waits)
        assert (found["start"], found["end"], found["eta"]) == (None, None, None), found
        assert daemon.job(endless)["end"] is None


def all_is_told_at_once_and_again_after_a_kill():
    with Daemon() as daemon:
        first = daemon.submit(SLEEP, resources=ALL, time={"limit": "2h"})
        daemon.wait(first, "started")
        others = [daemon.submit(["true"], resources=ALL, time={"limit": "1h"}) for _ in range(3)]
        for _ in range(2):
            told = told_at_once(daemon, 4)
            assert set(told) >= {"seq", "made_at", "runs", "arrivals", "policy", "jobs"}, set(told)
            assert told["policy"] == "easy" and told["seq"] > 0 and told["made_at"] <= time.time() + 5, told
            assert told["arrivals"] == 4, told
            assert [row["id"] for row in told["jobs"]] == [first, *others], told
            for row in told["jobs"]:
                assert (row["from"], row["runs"]) == ("limits", RUNS), row
                assert is_range(row["start"], 0) and is_range(row["end"], row["start"]["p10"]), row
            daemon.kill()
            daemon.start()


def an_end_of_the_daemon_waits_for_no_forecast():
    with Daemon("--declared", "8xA100", "--policy", "whale") as daemon:
        body = daemon.job_body(["true"], resources=ALL, time={"limit": "1h"})
        daemon.wait(daemon.submit(SLEEP, resources=ALL, time={"limit": "2h"}), "started")
        assert daemon.post("/api/v1/jobs", {"jobs": [body] * 5000}).status == 201
        daemon.stop()
        daemon.start()
        assert len(daemon.get("/api/v1/jobs?limit=10000").json["jobs"]) == 5001


main([value for name, value in list(globals().items())
      if callable(value) and getattr(value, "__module__", "") == "__main__" and
      name not in ("is_range", "told_at_once")])
