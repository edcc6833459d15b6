"""How jobs use their GPUs: the real daemon with a library in the place of the NVIDIA driver's."""

import os
import subprocess

from http_kit import Port, expect
from kit import Daemon, main, until

GPUS = "".join(f"0:{n:x}:0|NVIDIA H200|GPU-{n}|1000\n" for n in range(1, 5))
SLEEP = ["sleep", "1000"]


class Measured(Daemon):
    """Four GPUs that are found, of which a file tells what they do."""

    def __init__(self, every="50ms", **more):
        super().__init__("--no-cgroup", environment={
            "LD_LIBRARY_PATH": os.environ["BALEEN_FAKE_NVML"], "FAKE_NVML": GPUS, "BALEEN_GPU_EVERY": every, **more})
        self.environment["FAKE_NVML_USE"] = f"{self.folder}/use"
        self.tell(*((0, 0) for _ in range(4)))

    def tell(self, *rows, hangs=False):
        """What the driver says from now on: busy percent and used bytes of each GPU."""
        path = f"{self.folder}/use"
        with open(f"{path}.new", "w", encoding="utf-8") as file:
            file.write("hang\n" if hangs else "")
            for number, (percent, used) in enumerate(rows, 1):
                file.write(f"GPU-{number} {percent} {used} 61 250500\n")
        os.rename(f"{path}.new", path)

    def client(self, *words):
        return subprocess.run([os.environ["BALEEN_CLIENT"], *map(str, words)], capture_output=True, text=True,
                              check=True, env={**os.environ, "BALEEN_SOCKET": self.socket, "LC_ALL": "C.UTF-8"}).stdout

    def use(self, job):
        answer = self.get(f"/api/v1/jobs/{job}/use")
        expect(answer, 200)
        return answer.json


def the_use_of_a_jobs_gpus_is_measured_while_it_runs():
    with Measured() as daemon:
        daemon.tell((93, 400), (7, 100), (0, 0), (50, 500))
        job = daemon.submit(SLEEP, resources={"gpus": 2})
        gpus = daemon.wait(job, "started")["where"][0]["gpus"]
        assert gpus == [0, 1], gpus
        found = until(lambda: len(daemon.use(job)["at"]) > 2 and daemon.use(job), "some points are there")
        assert (found["id"], found["attempt"], found["reason"], found["reason_text"]) == (job, 1, None, None), found
        assert found["at"] == sorted(found["at"]) and found["every_s"] >= 0.05, found
        first, second = found["gpus"]
        assert (first["gpu"], first["mem_bytes"], set(first["utilization"])) == (0, 1000, {0.93}), first
        assert (second["gpu"], set(second["mem_used_bytes"])) == (1, {100}), second
        assert all(len(gpu[key]) == len(found["at"]) for gpu in found["gpus"] for key in ("utilization", "mem_used_bytes"))
        daemon.tell((10, 400), (7, 100), (0, 0), (50, 500))
        until(lambda: daemon.use(job)["gpus"][0]["utilization"][-1] == 0.1, "what it does now is told")
        said = daemon.client("show", job)
        assert "gpu0: 10 % now, " in said and "gpu1: 7 % now, 7 % on average, 100B of 1000B" in said, said
        assert "10 %" in daemon.client("gpus"), daemon.client("gpus")


def of_all_gpus_it_is_told_what_they_do_now():
    with Measured() as daemon:
        daemon.tell((0, 0), (0, 0), (0, 0), (50, 500))
        seen = until(lambda: daemon.get("/api/v1/gpus").json["gpus"][3]["utilization"] and
                     daemon.get("/api/v1/gpus").json["gpus"], "idle ones are measured for who looks")
        last = seen[3]
        assert (last["uuid"], last["utilization"], last["mem_used_bytes"]) == ("GPU-4", 0.5, 500), last
        assert (last["temperature_c"], last["power_w"]) == (61, 250.5), last


def where_nothing_is_measured_it_says_why():
    with Daemon("--declared", "2xA100") as daemon:
        runs = daemon.submit(SLEEP, resources={"gpus": 2})
        waits = daemon.submit(SLEEP, resources={"gpus": 2})
        plain = daemon.submit(SLEEP)
        daemon.wait(runs, "started")
        for job, reason in ((runs, "declared"), (waits, "not_running"), (plain, "no_gpus")):
            answer = daemon.get(f"/api/v1/jobs/{job}/use")
            expect(answer, 200)
            assert answer.json["reason"] == reason and answer.json["reason_text"], answer.json
            assert (answer.json["every_s"], answer.json["at"], answer.json["gpus"]) == (None, [], []), answer.json
        expect(daemon.get("/api/v1/jobs/999/use"), 404, "not_found")
        assert all(gpu["uuid"] is None and gpu["utilization"] is None for gpu in daemon.get("/api/v1/gpus").json["gpus"])


def a_driver_that_hangs_holds_up_neither_the_daemon_nor_its_end():
    with Measured() as daemon:
        daemon.tell(hangs=True)
        job = daemon.submit(SLEEP, resources={"gpus": 1})
        daemon.wait(job, "started")
        other = daemon.submit("true", resources={"gpus": 1})
        daemon.wait(other)
        assert daemon.use(job)["reason"] == "soon"
        assert daemon.stop() == 0
        daemon.tell((5, 10), (0, 0), (0, 0), (0, 0))
        daemon.start()
        until(lambda: daemon.use(job)["reason"] is None, "after a restart it is measured anew")
        assert daemon.use(job)["gpus"][0]["utilization"][-1] == 0.05


def another_attempt_begins_another_curve():
    with Measured() as daemon:
        daemon.tell((93, 400), (7, 100), (0, 0), (50, 500))
        job = daemon.submit(SLEEP, resources={"gpus": 1})
        daemon.wait(job, "started")
        until(lambda: len(daemon.use(job)["at"]) > 3, "some points are there")
        daemon.post(f"/api/v1/jobs/{job}/requeue")
        until(lambda: daemon.use(job)["attempt"] == 2 and daemon.use(job)["at"], "the next attempt is measured")
        assert daemon.use(job)["at"][0] >= daemon.job(job)["started_at"], daemon.use(job)


def who_is_not_signed_in_is_not_told():
    with Port() as daemon:
        job = daemon.submit("true")
        expect(daemon.tcp("GET", f"/api/v1/jobs/{job}/use"), 401, "unauthorized")
        expect(daemon.tcp("GET", f"/api/v1/jobs/{job}/use", daemon.token("read")), 200)


main([
    the_use_of_a_jobs_gpus_is_measured_while_it_runs,
    of_all_gpus_it_is_told_what_they_do_now,
    where_nothing_is_measured_it_says_why,
    a_driver_that_hangs_holds_up_neither_the_daemon_nor_its_end,
    another_attempt_begins_another_curve,
    who_is_not_signed_in_is_not_told,
])
