"""The timeline: what each GPU did, does and is planned to do, as bars on lanes; what events tell of it."""

import json
import time

from http_kit import Port, expect
from kit import Daemon, main, until

KEYS = {"id", "kind", "ref", "gpus", "lanes", "start_at", "end_at", "end_p90_at", "state", "user", "project", "label",
        "class", "job_kind", "attempt", "outcome"}


def bars(daemon, query=""):
    answer = daemon.get(f"/api/v1/timeline{query}")
    assert answer.status == 200, f"{answer.status}: {answer.body}"
    return {bar["id"]: bar for bar in answer.json["bars"]}


def C7_the_timeline_has_lanes_and_bars_of_what_was_is_and_will_be():
    with Daemon("--declared", "4xA100:80GB", environment={"TZ": "Asia/Shanghai"}) as daemon:
        ended = daemon.submit("true", name="was", resources={"gpus": 2})
        daemon.wait(ended)
        runs = daemon.submit("sleep 1000", name="is", resources={"gpus": 3}, time={"limit": "1h"})
        running = daemon.wait(runs, "started")
        waits = daemon.submit("true", name="训练", resources={"gpus": 4}, time={"limit": "2h"})
        daemon.foretold(runs, waits)
        answer = daemon.get("/api/v1/timeline").json
        assert set(answer) == {"seq", "zone", "lanes", "bars", "left_out"}, answer.keys()
        assert answer["zone"] == "Asia/Shanghai" and answer["seq"] > 0
        node = answer["lanes"][0]["node"]
        assert answer["lanes"] == [{"id": f"{node}:{n}", "node": node, "pool": "default", "gpu": n, "gpus": 1,
                                    "type": "A100", "mem_bytes": 80 << 30} for n in range(4)]
        found = {bar["id"]: bar for bar in answer["bars"]}
        assert set(found) == {f"job-{ended}", f"job-{runs}", f"job-{waits}"}
        assert all(set(bar) == KEYS for bar in answer["bars"])
        past, now, then = found[f"job-{ended}"], found[f"job-{runs}"], found[f"job-{waits}"]
        assert past["state"] == "completed" and past["end_at"] >= past["start_at"] and len(past["lanes"]) == 2
        assert now["start_at"] == running["started_at"] < now["end_at"] <= now["end_p90_at"], now
        assert past["end_p90_at"] is None, past
        assert (past["attempt"], past["outcome"]) == (1, "completed"), past
        assert (now["class"], now["job_kind"], now["attempt"], now["outcome"]) == ("batch", "train", 1, None), now
        assert then["attempt"] is None and then["outcome"] is None, then
        assert now["lanes"] == [f"{node}:{n}" for n in running["where"][0]["gpus"]]
        assert then["label"] == "训练" and then["ref"] == str(waits) and then["state"] == "queued"
        assert now["start_at"] < then["start_at"] < then["end_at"] <= then["end_p90_at"], then
        assert len(then["lanes"]) == 4, then


def C3_attempts_before_the_last_stay_on_their_lanes_and_outlive_the_daemon():
    with Daemon("--declared", "4xA100:80GB") as daemon:
        job = daemon.submit(["sh", "-c", "test -e again || { touch again; exit 7; }; exec sleep 1000"],
                            resources={"gpus": 2}, retries=3)
        until(lambda: daemon.job(job)["attempt"] == 2 and daemon.job(job)["state"] == "running", "it is tried again")
        found = bars(daemon)
        first, second = found[f"job-{job}.1"], found[f"job-{job}"]
        assert (first["ref"], first["state"], first["outcome"], first["attempt"]) == (str(job), "failed", "failed", 1), first
        assert first["end_at"] <= second["start_at"] and len(first["lanes"]) == 2, (first, second)
        assert (second["state"], second["outcome"], second["attempt"]) == ("running", None, 2), second
        was = daemon.job(job)["attempts"]
        assert [(row["attempt"], row["outcome"], row["exit_code"]) for row in was] == [(1, "failed", 7), (2, None, None)], was
        daemon.restart()
        assert bars(daemon)[f"job-{job}.1"] == first
        assert daemon.job(job)["attempts"] == was


def only_what_lies_between_from_and_to_is_told():
    with Daemon() as daemon:
        job = daemon.submit("true", resources={"gpus": 1})
        ended = daemon.wait(job)["ended_at"]
        assert bars(daemon, f"?from={int(ended) - 60}&to={int(ended) + 60}")
        assert not bars(daemon, f"?from={int(ended) + 60}&to={int(ended) + 120}")
        assert not bars(daemon, "?from=2001-01-01&to=2001-01-02T10:00Z")
        assert bars(daemon, "?from=2001-01-01")


def what_cannot_be_read_is_refused_with_the_key():
    with Daemon() as daemon:
        for query, field in (("from=soon", "from"), ("to=-5", "to"), ("from=2001-01-02&to=2001-01-01", "to"),
                             ("from=1000000000&to=1000000000", "to"), ("to=999999999999999999999", "to"),
                             ("from=", "from"), ("until=1", "until")):
            answer = daemon.get(f"/api/v1/timeline?{query}")
            expect(answer, 400, "invalid")
            assert answer.error["field"] == field, (query, answer.error)


def a_node_that_is_drained_is_a_bar_over_its_lanes():
    with Daemon() as daemon:
        node = daemon.get("/api/v1/nodes").json["nodes"][0]["name"]
        at = int(time.time()) + 7200
        assert daemon.post(f"/api/v1/nodes/{node}/drain",
                           {"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))}).status == 200
        bar = bars(daemon)[f"down-{node}"]
        assert (bar["kind"], bar["start_at"], bar["end_at"]) == ("down", at, None) and len(bar["lanes"]) == 8, bar
        assert daemon.post(f"/api/v1/nodes/{node}/drain").status == 200
        until(lambda: bars(daemon)[f"down-{node}"]["start_at"] < at, "it is drained")
        assert bars(daemon)[f"down-{node}"]["start_at"] <= time.time()
        assert daemon.post(f"/api/v1/nodes/{node}/resume").status == 200
        assert not bars(daemon)


def over_tcp_it_needs_a_token_and_any_scope_will_do():
    with Port() as daemon:
        job = daemon.submit("sleep 1000", resources={"gpus": 1})
        daemon.wait(job, "started")
        expect(daemon.tcp("GET", "/api/v1/timeline"), 401, "unauthorized")
        answer = daemon.tcp("GET", "/api/v1/timeline", daemon.token("read"))
        expect(answer, 200)
        assert [bar["ref"] for bar in answer.json["bars"]] == [str(job)]
        expect(daemon.tcp("POST", "/api/v1/timeline", daemon.token("submit")), 405, "method")


def next_running(response, job):
    """Reads events up to the one that tells that the job runs."""
    while True:
        line = response.readline().decode()
        told = json.loads(line[6:]) if line.startswith("data: ") else {}
        if told.get("type") == "job" and told["id"] == job and told["state"] == "running":
            return told


def events_tell_what_a_bar_is_made_of():
    with Daemon() as daemon:
        connection = daemon.connect()
        connection.request("GET", "/api/v1/events")
        response = connection.getresponse()
        job = daemon.submit("sleep 1000", resources={"gpus": 2}, time={"limit": "1h"})
        told = next_running(response, job)
        bar = bars(daemon)[f"job-{job}"]
        place = told["where"][0]
        assert [f"{place['node']}:{n}" for n in place["gpus"]] == bar["lanes"], (told, bar)
        assert told["started_at"] == bar["start_at"]
        end = daemon.foretold(job)[0]["end"]
        bar = bars(daemon)[f"job-{job}"]
        assert (end["p50"], end["p90"]) == (bar["end_at"], bar["end_p90_at"]), (end, bar)
        connection.close()



main([
    C7_the_timeline_has_lanes_and_bars_of_what_was_is_and_will_be,
    C3_attempts_before_the_last_stay_on_their_lanes_and_outlive_the_daemon,
    only_what_lies_between_from_and_to_is_told,
    what_cannot_be_read_is_refused_with_the_key,
    a_node_that_is_drained_is_a_bar_over_its_lanes,
    over_tcp_it_needs_a_token_and_any_scope_will_do,
    events_tell_what_a_bar_is_made_of,
])
