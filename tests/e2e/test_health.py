"""Single GPUs that are lost: out of the books, their jobs elsewhere, shown as down, across restarts of the daemon."""

import os

from http_kit import expect
from kit import Daemon, main, until


class Site(Daemon):
    """Four declared GPUs, some of which can be said to be lost."""

    def __init__(self):
        super().__init__("--declared", "4xA100:80GB")

    @property
    def node(self):
        return self.get("/api/v1/nodes").json["nodes"][0]

    def lose(self, *gpus):
        path = f"{self.state}/lost-gpus"
        with open(f"{path}.new", "w", encoding="utf-8") as file:
            file.write("".join(f"{gpu if isinstance(gpu, str) else f'node1:{gpu}'}\n" for gpu in gpus))
        os.rename(f"{path}.new", path)

    def states(self):
        return [gpu["state"] for gpu in self.get("/api/v1/gpus").json["gpus"]]

    def bars(self):
        return {bar["id"]: bar for bar in self.get("/api/v1/timeline").json["bars"]}


def P21_a_lost_gpu_is_taken_out_and_its_job_goes_on_elsewhere():
    with Site() as daemon:
        hit = daemon.submit("exec sleep 1000", resources={"gpus": 2}, requeue=False, retries=0)
        spared = daemon.submit("exec sleep 1000", resources={"gpus": 1})
        assert daemon.wait(hit, "started")["where"][0]["gpus"] == [0, 1]
        assert daemon.wait(spared, "started")["where"][0]["gpus"] == [2]
        daemon.lose(1)
        until(lambda: daemon.states()[1] == "down", "it is down")
        until(lambda: daemon.job(hit)["attempt"] == 2, "its job starts again")
        assert daemon.wait(hit, "started")["where"][0]["gpus"] == [0, 3] and daemon.job(spared)["attempt"] == 1
        assert daemon.node["gpus_lost"] == [1] and daemon.node["gpus_free"] == 0, daemon.node
        waits = daemon.submit("true", resources={"gpus": 1})
        daemon.cancel(spared)
        assert daemon.wait(waits)["where"][0]["gpus"] == [2]
        bar = daemon.bars()["down-node1:1"]
        assert (bar["kind"], bar["state"], bar["lanes"], bar["end_at"]) == ("down", "down", ["node1:1"], None), bar
        daemon.restart()
        assert daemon.states()[1] == "down" and daemon.bars()["down-node1:1"]["start_at"] == bar["start_at"]
        daemon.lose()
        until(lambda: daemon.states()[1] == "free", "it is back")
        assert daemon.node["gpus_lost"] == [] and "down-node1:1" not in daemon.bars()
        assert "GPU 1 of node1 is lost" in daemon.said() and "GPU 1 of node1 is back" in daemon.said()


def P21_a_job_that_fails_as_its_gpu_breaks_has_not_failed():
    with Site() as daemon:
        script = "[ $BALEEN_ATTEMPT = 2 ] && exit 0; until [ -e go ]; do sleep 0.01; done; exit 3"
        job = daemon.submit(script, resources={"gpus": 1})
        daemon.wait(job, "started")
        daemon.lose(0)
        with open(f"{daemon.work}/go", "w", encoding="utf-8"):
            pass
        found = daemon.wait(job)
        assert (found["state"], found["attempt"], found["where"][0]["gpus"]) == ("completed", 2, [1]), found


def P13_a_reservation_moves_to_an_equal_gpu_or_is_degraded():
    with Site() as daemon:
        answer = daemon.post("/api/v1/reservations", {"on": "gpu0-1", "from": "1h", "for": "1h"})
        expect(answer, 201)
        daemon.lose(0)
        until(lambda: daemon.get("/api/v1/reservations/r1").json["moved"], "it has moved")
        assert daemon.get("/api/v1/reservations/r1").json["where"] == [{"node": "node1", "gpus": [1, 2]}]
        daemon.lose(0, 2, 3)
        until(lambda: daemon.get("/api/v1/reservations/r1").json["degraded"], "there are no others")
        daemon.lose(0, 3)
        until(lambda: not daemon.get("/api/v1/reservations/r1").json["degraded"], "it has its own again")


def what_names_no_gpu_of_the_machine_is_complained_about_once():
    with Site() as daemon:
        daemon.lose("# a comment", "node1:4", "node9:0", 2)
        until(lambda: daemon.states()[2] == "down", "the good line counts")
        assert daemon.states() == ["free", "free", "down", "free"]
        assert daemon.said().count("lost-gpus:2: expected NODE:GPU") == 1, daemon.said()


main([
    P21_a_lost_gpu_is_taken_out_and_its_job_goes_on_elsewhere,
    P21_a_job_that_fails_as_its_gpu_breaks_has_not_failed,
    P13_a_reservation_moves_to_an_equal_gpu_or_is_degraded,
    what_names_no_gpu_of_the_machine_is_complained_about_once,
])
