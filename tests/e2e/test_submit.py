"""Several jobs at once, and finding them again."""

from kit import Daemon, main

TRUE = ["true"]


def batch(daemon, *jobs):
    return daemon.post("/api/v1/jobs", {"jobs": [
        daemon.job_body(job.pop("command", TRUE), **job) for job in jobs]})


def jobs_of_a_list_wait_for_each_other_by_name_in_any_order():
    with Daemon() as daemon:
        answer = batch(daemon,
                       {"name": "report", "command": "echo report >> order",
                        "after": ["train:ok", "prep"]},
                       {"name": "train", "command": "echo train >> order", "after": ["prep:ok"],
                        "array": "0-1%1"},
                       {"name": "prep", "command": "echo prep >> order"})
        assert answer.status == 201, answer.body
        report, train, prep = answer.json["jobs"]
        assert [job["name"] for job in (report, train, prep)] == ["report", "train", "prep"]
        assert (prep["id"], train["id"], report["id"]) == (1, 2, 5)
        assert daemon.job(report["id"])["after"] == [{"job": 2, "kind": "ok"},
                                                     {"job": 1, "kind": "ok"}]
        assert daemon.wait(report["id"])["state"] == "completed"
        assert daemon.text("order") == "prep\ntrain\ntrain\nreport\n"


def a_pipeline_runs_in_its_order():
    with Daemon() as daemon:
        common = daemon.job_body(TRUE)
        body = {"workdir": common["workdir"], "environment": common["environment"], "jobs": {
            "train": {"run": "echo train >> order", "after": ["prep:ok"]},
            "prep": {"run": "echo prep >> order"}}}
        answer = daemon.post("/api/v1/jobs", body)
        assert answer.status == 201, answer.body
        assert [(job["id"], job["name"]) for job in answer.json["jobs"]] == \
            [(1, "prep"), (2, "train")], answer.body
        assert daemon.wait(2)["state"] == "completed"
        assert daemon.text("order") == "prep\ntrain\n"
        body["jobs"]["prep"]["after"] = ["train"]
        answer = daemon.post("/api/v1/jobs", body)
        assert answer.status == 400 and "prep" in answer.error["message"], answer.body


def a_list_with_one_bad_job_is_refused_as_a_whole():
    with Daemon() as daemon:
        good = {"name": "good"}
        rows = [
            ([good, {"name": "bad", "after": ["god"]}], 400, "expected the id of a job"),
            ([good, {"name": "bad", "resources": {"gpus": 9}}], 409, "job 2 of the list"),
            ([good, {"name": "bad", "resources": {"gpus": "x"}}], 400, "job 2 of the list"),
            ([{"name": "a", "after": ["b"]}, {"name": "b", "after": ["a"]}], 400, "in a ring"),
            ([{"name": "a", "after": ["a"]}], 400, "in a ring"),
            ([good, good, {"name": "c", "after": ["good"]}], 400, "more than one job"),
            ([{"name": "a", "array": "0-3"}, {"name": "b", "array": "0-4", "after": ["a:each"]}],
             400, "same size"),
            ([], 400, "1 to 10000 jobs"),
        ]
        for jobs, status, word in rows:
            answer = batch(daemon, *(dict(job) for job in jobs))
            assert answer.status == status, f"{jobs}: {answer.status} {answer.body}"
            assert word in str(answer.error), f"{jobs}: no '{word}' in {answer.error}"
        answer = daemon.post("/api/v1/jobs", {"jobs": [1], "user": "x"})
        assert answer.status == 400, answer.body
        assert daemon.jobs() == []
        assert daemon.submit(TRUE) == 1, "a refused list takes no ids"


def a_thousand_jobs_in_a_chain_told_backwards_are_taken():
    with Daemon() as daemon:
        jobs = [{"name": f"j{i}", "after": [f"j{i + 1}"]} for i in range(999)] + [{"name": "j999"}]
        answer = batch(daemon, *jobs)
        assert answer.status == 201, answer.body
        assert [job["id"] for job in answer.json["jobs"]] == list(range(1000, 0, -1))
        daemon.cancel(1)
        daemon.restart()
        assert len(daemon.jobs()) == 1000


def lists_are_filtered_and_paged():
    with Daemon() as daemon:
        batch(daemon, {"name": "train-a", "project": "nlp", "hold": True},
              {"name": "train-b", "project": "cv", "hold": True}, {"name": "eval", "hold": True})
        rows = [
            ("name=train-*", [1, 2]),
            ("name=*-?", [1, 2]),
            ("name=*-?*", [1, 2]),
            ("name=?", []),
            ("name=*a*a*", [1]),
            ("name=" + "*a" * 1000, []),
            ("name=eval", [3]),
            ("name=nothing", []),
            ("project=nlp", [1]),
            ("ids=3,1", [1, 3]),
            ("ids=3,1,99&project=nlp", [1]),
            ("state=held&name=e*", [3]),
            ("state=ended", []),
            ("user=nobody-at-all", []),
            ("ids=1,2,3&limit=2", [1, 2]),
            ("ids=1,2,3&limit=2&after=2", [3]),
        ]
        for query, expected in rows:
            found = [job["id"] for job in daemon.get(f"/api/v1/jobs?{query}").json["jobs"]]
            assert found == expected, f"{query}: {found}"
        for query in ("ids=", "ids=1,x", "ids=0", "expand=2", "nme=x"):
            assert daemon.get(f"/api/v1/jobs?{query}").status == 400, query
        assert daemon.get("/api/v1/jobs?limit=2").json["next"] == 2
        assert daemon.get("/api/v1/jobs?limit=3").json["next"] is None


main([jobs_of_a_list_wait_for_each_other_by_name_in_any_order,
      a_pipeline_runs_in_its_order,
      a_list_with_one_bad_job_is_refused_as_a_whole,
      a_thousand_jobs_in_a_chain_told_backwards_are_taken,
      lists_are_filtered_and_paged])
