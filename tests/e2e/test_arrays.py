"""Arrays: one job until their elements start."""

import os

from kit import Daemon, main, until

ONE = {"gpus": 1}
ALL = {"gpus": 8}


def elements_of(daemon, array):
    return [job for job in daemon.jobs() if job["array_id"] == array]


def A7_each_element_runs_with_its_index_in_its_own_log():
    with Daemon() as daemon:
        array = daemon.submit("echo $BALEEN_ARRAY_JOB_ID $BALEEN_ARRAY_INDEX $BALEEN_JOB_ID",
                              array="1-5:2", log="out-%A_%a", resources=ONE)
        after = daemon.submit(["true"])
        assert after == array + 4, "an id is kept for each element"
        found = daemon.wait(array)
        assert found["state"] == "completed", found
        assert found["array"] == {"indices": "1-5:2", "elements": 3, "pending": 0, "running": 0,
                                  "done": 3, "failed": 0, "cancelled": 0, "running_max": None}
        for position, index in enumerate((1, 3, 5)):
            job = array + 1 + position
            assert daemon.text(f"out-{array}_{index}") == f"{array} {index} {job}\n"
            element = daemon.job(f"{array}_{index}")
            assert (element["id"], element["array_id"], element["array_index"]) == \
                (job, array, index), element
            assert element["log"] == f"{daemon.work}/out-{array}_{index}", element
            log = daemon.get(f"/api/v1/jobs/{array}_{index}/log")
            assert log.body == f"{array} {index} {job}\n".encode(), log.body
        for path in (f"{array}_2", f"{array}_9", f"{after}_1", f"{array}_", f"{array}_x", "_1"):
            assert daemon.get(f"/api/v1/jobs/{path}").status == 404, path


def A7_no_more_elements_run_at_once_than_was_asked():
    with Daemon() as daemon:
        array = daemon.submit("mkdir r$BALEEN_ARRAY_INDEX; ls -d r* | wc -l >> seen; "
                              "sleep 0.1; rmdir r$BALEEN_ARRAY_INDEX", array="0-7%2",
                              resources=ONE)
        assert daemon.wait(array)["state"] == "completed"
        seen = [int(line) for line in daemon.text("seen").split()]
        assert len(seen) == 8 and max(seen) <= 2, seen


def A7_a_list_shows_the_array_once_and_its_pending_elements_when_asked():
    with Daemon() as daemon:
        array = daemon.submit(["sleep", "600"], array="0-99", resources={"gpus": 4})
        other = daemon.submit(["sleep", "600"], resources=ALL)
        for index in range(2):
            daemon.wait(f"{array}_{index}", "started")
        found = daemon.job(array)
        assert found["state"] == "running" and found["array"]["pending"] == 98, found
        assert found["gpus"]["now"] == 8, found
        assert [job["id"] for job in daemon.jobs()] == [array, array + 1, array + 2, other]
        expanded = daemon.jobs("&expand=1&limit=7")
        assert [job["id"] for job in expanded] == [array + i for i in range(101)] + [other]
        pending = expanded[50]
        assert (pending["array_index"], pending["state"], pending["attempt"]) == \
            (49, "queued", 0), pending
        assert daemon.job(f"{array}_49")["array_index"] == 49
        assert daemon.job(array + 50)["array_index"] == 49
        assert len(daemon.jobs("&expand=1&state=running")) == 3
        for query, ids in ((f"&array={array}", [array + 1, array + 2]), (f"&array={array}&state=queued", []),
                           (f"&array={array}&expand=1&limit=7", [array + i for i in range(1, 101)]),
                           (f"&array={array}&expand=1&last=3", [array + 98, array + 99, array + 100]),
                           (f"&array={other}", []), (f"&array={array + 1}", []), ("&array=999999", [])):
            assert [job["id"] for job in daemon.jobs(query)] == ids, query
        refused = daemon.get("/api/v1/jobs?array=x")
        assert refused.status == 400 and refused.error["field"] == "array", refused.body
        assert daemon.get(f"/api/v1/why/{array}_49").json["state"] == "running"
        assert daemon.get(f"/api/v1/jobs/{array}_49/log").status == 404


def A7_cancelling_an_array_stops_what_runs_and_never_starts_the_rest():
    with Daemon() as daemon:
        array = daemon.submit("echo x >> started; sleep 600", array="0-9", resources={"gpus": 4})
        until(lambda: daemon.job(array)["array"]["running"] == 2, "two elements run")
        one = daemon.post(f"/api/v1/jobs/{array}_9/hold")
        assert one.status == 409 and "has not started" in one.error["message"], one.body
        for _ in range(2):
            assert daemon.cancel(f"{array}_9") == {"id": array + 10, "state": "cancelled"}
        assert daemon.job(array)["array"]["cancelled"] == 1
        daemon.cancel(f"{array}_0")
        assert daemon.wait(f"{array}_0")["state"] == "cancelled"
        daemon.wait(f"{array}_2", "started")
        for _ in range(2):
            daemon.cancel(array)
        found = daemon.wait(array)
        assert found["state"] == "cancelled" and found["array"]["cancelled"] == 10, found
        assert daemon.wait(f"{array}_9")["state"] == "cancelled"
        assert daemon.wait(daemon.submit(["true"], resources=ALL))["state"] == "completed"


def A7_an_array_with_a_failed_element_has_failed_and_runs_the_others():
    with Daemon() as daemon:
        array = daemon.submit("exit $((BALEEN_ARRAY_INDEX == 2))", array="0-4", resources=ONE)
        after = daemon.submit(["true"], after=[f"{array}:ok"])
        rescue = daemon.submit(["true"], after=[f"{array}:fail"])
        found = daemon.wait(array)
        assert found["state"] == "failed", found
        assert (found["array"]["done"], found["array"]["failed"]) == (4, 1), found
        assert daemon.wait(after)["state"] == "cancelled"
        assert daemon.wait(rescue)["state"] == "completed"


def A7_elements_wait_for_their_counterparts():
    with Daemon() as daemon:
        first = daemon.submit("until [ -e go$BALEEN_ARRAY_INDEX ]; do sleep 0.05; done",
                              array="0-2", resources=ONE)
        second = daemon.submit("echo $BALEEN_ARRAY_INDEX >> order", array="0-2",
                               after=[f"{first}:each"], resources=ONE)
        answer = daemon.post("/api/v1/jobs", daemon.job_body(
            ["true"], array="0-1", after=[f"{first}:each"]))
        assert answer.status == 400 and "same size" in answer.error["message"], answer.body
        for index in (1, 2, 0):
            open(f"{daemon.work}/go{index}", "w").close()
            daemon.wait(f"{second}_{index}")
        assert daemon.wait(second)["state"] == "completed"
        assert daemon.text("order") == "1\n2\n0\n"


def A7_a_held_array_starts_nothing_more_until_it_is_released():
    with Daemon() as daemon:
        array = daemon.submit("until [ -e go ]; do sleep 0.05; done", array="0-3%1", resources=ONE)
        daemon.wait(f"{array}_0", "started")
        answer = daemon.post(f"/api/v1/jobs/{array}/hold")
        assert answer.status == 200, answer.body
        open(f"{daemon.work}/go", "w").close()
        daemon.wait(f"{array}_0")
        found = daemon.job(array)
        assert (found["state"], found["array"]["pending"]) == ("held", 3), found
        daemon.post(f"/api/v1/jobs/{array}/release")
        assert daemon.wait(array)["state"] == "completed"


def A7_an_array_half_done_goes_on_after_a_kill():
    with Daemon() as daemon:
        array = daemon.submit("echo $BALEEN_ARRAY_INDEX >> ran; until [ -e go ]; do sleep 0.05; "
                              "done", array="0-19%4", resources=ONE, environment=[
                                  f"PATH={os.environ['PATH']}", "MARK=kept"])
        for index in range(4):
            daemon.wait(f"{array}_{index}", "started")
        before = [(job["id"], job["attempt"], job["pid"]) for job in
                  (daemon.job(array + 1 + i) for i in range(4))]
        daemon.restart()
        later = daemon.submit(["true"])
        assert later == array + 21, "no id of an element is given away"
        assert before == [(job["id"], job["attempt"], job["pid"]) for job in
                          (daemon.job(array + 1 + i) for i in range(4))]
        assert os.path.exists(f"{daemon.state}/env/{array}")
        open(f"{daemon.work}/go", "w").close()
        daemon.restart()
        found = daemon.wait(array)
        assert found["state"] == "completed" and found["array"]["done"] == 20, found
        assert sorted(int(line) for line in daemon.text("ran").split()) == list(range(20))
        until(lambda: not os.path.exists(f"{daemon.state}/env/{array}"),
              "the environment goes with the last element")


def A7_a_hundred_thousand_elements_are_one_job():
    with Daemon() as daemon:
        array = daemon.submit(["true"], array="0-99999%1", resources=ALL, hold=True)
        found = daemon.job(array)
        assert found["array"]["pending"] == 100000, found["array"]
        assert daemon.get("/healthz").json["jobs"] == 1
        assert daemon.get(f"/api/v1/jobs?expand=1&limit=3&after={array + 99999}").json["jobs"][0][
            "array_index"] == 99999
        daemon.cancel(array)
        assert daemon.wait(array)["state"] == "cancelled"


main([value for name, value in list(globals().items()) if name.startswith("A7_")])
