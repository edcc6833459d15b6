"""What tests and measurements of lent GPUs share: eight declared GPUs, and jobs that save their work when asked."""

import sys
from pathlib import Path
from types import SimpleNamespace

from client_kit import Place
from kit import until

TRAINER = str(Path(__file__).resolve().parent / "trainer.py")
EVERY = 20  # steps between two checkpoints


class Lent(Place):
    """Eight declared GPUs."""

    def train(self, name, gpus, *flags):
        return self.queue("--gpus", gpus, "-J", name, "--signal", "USR1@3", *flags, sys.executable, TRAINER, name,
                          1000000, EVERY, 0.2)

    def works_on(self, name, gpus):
        """Waits until its last step was on so many GPUs."""
        until(lambda: (self.steps(name) or [(0, 0, 0)])[-1][1] == gpus, f"{name} works on {gpus} GPUs")

    def learn(self, name):
        """An elastic job that was resized: how long its application takes to save its work is known then."""
        job = self.train(name, "4-8")
        self.works_on(name, 8)
        self.ok("resize", job, 4)
        self.works_on(name, 4)
        self.ok("resize", job, 8)
        self.works_on(name, 8)
        return job

    def book(self, after, gpus, length="10m"):
        answer = self.post("/api/v1/reservations", {"on": gpus, "from": f"{after}s", "for": length})
        assert answer.status == 201, answer.body
        return answer.json

    def booking(self, identity):
        return self.get(f"/api/v1/reservations/{identity}").json

    def figure(self, name):
        """A figure of /metrics."""
        lines = self.get("/metrics").body.decode().splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))

    def teach(self, name):
        """How long jobs of this name take to save their work is known afterwards."""
        job = self.learn(name)
        self.ok("cancel", job)
        self.reach(job, "cancelled")

    def put_to_work(self, name, count):
        """So many preemptible jobs of one GPU, all of one name: more than there are GPUs, all of which they take."""
        for index in range(count):
            self.queue("--gpus", 1, "-J", name, "--signal", "USR1@3", "--class", "preemptible", sys.executable,
                       TRAINER, f"{name}{index}", 1000000, EVERY, 0.2)
        until(lambda: len(self.jobs("&state=running")) == 8, "all GPUs are at work")

    def measure_slot(self, gpus, after, length):
        """Books GPUs all of which are at work, `after` seconds before, and waits until a job of the booking runs.
        Tells what was idle before, and how much of that saving took."""
        before = self.figure("baleen_reservation_idle_seconds_total")
        until(lambda: len(self.jobs("&state=running")) == 8, "all GPUs are at work")
        restarts = {job["id"]: self.job(job["id"])["restarts"] for job in self.jobs()}
        made = self.book(after, gpus, f"{length}s")
        job = self.queue("--reservation", made["id"], "--gpus", made["gpus"], "-t", f"{length // 2}s", "sleep",
                         "1000")
        self.reach(job, "running")
        idle = self.figure("baleen_reservation_idle_seconds_total") - before
        saves = [found["save_s"] for found in map(self.job, restarts)
                 if found["restarts"] > restarts[found["id"]] and found["save_s"]]
        return SimpleNamespace(booking=made, job=job, idle_gpu_s=idle, preempted=len(saves),
                               saving_gpu_s=made["gpus"] * max(saves, default=0))

    def end_slot(self, slot):
        """Waits until the booking is over and its GPUs are at work again."""
        until(lambda: self.booking(slot.booking["id"])["state"] == "ended", "the slot is over")
        until(lambda: len(self.jobs("&state=running")) == 8, "all GPUs are at work again")
