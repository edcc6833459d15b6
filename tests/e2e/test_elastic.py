"""Jobs whose size changes while they run: real processes that save their work, end and go on from there
on other GPUs. BALEEN_KILLS (10) sets how often the daemon is killed, BALEEN_SEED repeats a run."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

from client_kit import Place, expect
from kit import SIMULATOR, main, until

TRAINER = str(Path(__file__).resolve().parent / "trainer.py")
EVERY = 20  # steps between two checkpoints
KILLS = int(os.environ.get("BALEEN_KILLS") or 10)
SEED = int(os.environ.get("BALEEN_SEED") or random.SystemRandom().randrange(1 << 32))


class Elastic(Place):
    """A place with eight declared GPUs, under a policy that resizes."""

    def __init__(self, policy="equal:hold=0s"):
        super().__init__("--declared", "8xA100:80GB", "--policy", policy)

    def train(self, name, gpus, *flags, steps=1000000, save=0.0):
        return self.queue("--gpus", gpus, "-J", name, *flags, sys.executable, TRAINER, name, steps,
                          EVERY, save)

    def has_size(self, job, gpus):
        found = self.job(job)
        return found["state"] == "running" and found["gpus"]["now"] == gpus

    def works_on(self, job, name, gpus):
        """Waits until it runs on so many GPUs, and this attempt has done a step."""
        def looks_so():
            steps = self.steps(name)
            return self.has_size(job, gpus) and steps and \
                steps[-1][:2] == (self.job(job)["attempt"], gpus)
        until(looks_so, f"job {job} works on {gpus} GPUs")


def lost_steps(steps):
    """For each attempt after the first: how many steps it had to do again."""
    again, best = [], 0
    for before, now in zip(steps, steps[1:]):
        best = max(best, before[2])
        if now[0] != before[0]:
            assert now[0] > before[0], "an attempt ran beside a later one"
            again.append(best + 1 - now[2])
    return again


def A1_two_jobs_make_room_for_a_third_and_grow_again_when_it_has_gone():
    with Elastic() as place:
        first = place.train("first", "2-8", "--signal", "USR1@30")
        place.works_on(first, "first", 8)
        second = place.train("second", "2-8", "--signal", "USR1@30")
        place.works_on(first, "first", 4)
        place.works_on(second, "second", 4)
        expect(place.run("q"), 0, "4 (2-8)")
        expect(place.run("why", first), 0, f"resized from 8 to 4 GPUs to make room for job {second}")
        third = place.train("third", "2-8", "--signal", "USR1@30")
        for job, name, gpus in ((first, "first", 3), (second, "second", 3), (third, "third", 2)):
            place.works_on(job, name, gpus)
        place.ok("cancel", third)
        for job, name in ((first, "first"), (second, "second")):
            place.works_on(job, name, 4)
            lost = lost_steps(place.steps(name))
            assert lost and max(lost) <= EVERY and min(lost) >= 0, f"{name} lost {lost}"


def A1_a_job_without_a_signal_is_ended_and_loses_at_most_a_checkpoint_interval():
    with Elastic() as place:
        job = place.train("plain", "2-8")
        place.works_on(job, "plain", 8)
        until(lambda: len(place.steps("plain")) > 2 * EVERY, "it saves its work")
        expect(place.run("resize", job, 4), 0, f"job {job}: noted")
        place.works_on(job, "plain", 4)
        now = place.job(job)
        assert now["restarts"] == 1 and now["save_s"] > 0 and now["gpus_wish"] == 4, now
        was, runs = now["attempts"]
        assert (was["outcome"], was["gpus"], was["reason"]) == ("resized", 8, "resize_wished"), was
        assert (runs["outcome"], runs["gpus"], runs["ended_at"]) == (None, 4, None), runs
        assert was["started_at"] < was["ended_at"] <= runs["decided_at"] <= runs["started_at"] == now["started_at"], now
        expect(place.run("show", job), 0, "earlier", "1: resized from 8 to 4 GPUs")
        lost = lost_steps(place.steps("plain"))
        assert len(lost) == 1 and 0 <= lost[0] <= EVERY, lost


def give_way(place, name, gpus, *flags):
    """The job is put back for a short one, and goes on when that has ended."""
    short = ["--gpus", 8, "-t", "10", "sh", "-c", f"until [ -e {name}.go ]; do sleep 0.05; done"]
    job = place.train(name, gpus, "-t", "10h", *flags)
    place.works_on(job, name, 8)
    until(lambda: len(place.steps(name)) > 2 * EVERY, "it saves its work")
    guest = place.queue(*short)
    place.reach(guest, "running")
    waiting = place.reach(job, "queued")
    assert (waiting["gpus"]["now"], waiting["attempt"], waiting["restarts"]) == (0, 1, 1), waiting
    expect(place.run("why", job), 0, f"blocked by {guest}")
    (place.here / f"{name}.go").touch()
    place.reach(guest, "completed")
    place.works_on(job, name, 8)
    (place.here / f"{name}.enough").touch()
    return place.reach(job, "completed")


def P8_a_preempted_job_goes_back_to_the_queue_and_on_from_its_checkpoint():
    rows = [("preemptible", 8, "--class", "preemptible", "--signal", "USR1@30"),
            ("elastic", "7-8", "--signal", "USR1@30"),
            ("plain", 8, "--class", "preemptible")]
    for name, *words in rows:
        with Elastic("whale:hold=1s") as place:
            ended = give_way(place, name, *words)
            assert (ended["attempt"], ended["restarts"], ended["exit_code"]) == (2, 1, 0), ended
            lost = lost_steps(place.steps(name))
            assert len(lost) == 1 and 0 <= lost[0] <= EVERY, f"{name} lost {lost}"


def resize_is_a_wish_that_every_policy_grants():
    with Elastic("fifo") as place:
        job = place.train("wish", "2,4,8", "--signal", "USR1@30")
        place.works_on(job, "wish", 8)
        expect(place.run("resize", job, 3), 4, "2, 4, 8", "not on 3")
        expect(place.run("resize", job, "many"), 2, "baleen resize 7 4")
        expect(place.run("resize", job), 2, "how many GPUs?")
        expect(place.run("resize", job, 2), 0, f"job {job}: noted")
        place.works_on(job, "wish", 2)
        alloc = until(lambda: place.run("show", job).stdout, "the job is shown")
        assert "2 (2-8)" in alloc, alloc
        rigid = place.queue("--gpus", 4, "sleep", "1000")
        expect(place.run("resize", rigid, 2), 4, "not elastic")
        expect(place.run("resize", job, 4), 0)
        place.works_on(job, "wish", 4)
        expect(place.run("resize", job, "auto"), 0)
        place.ok("cancel", job, rigid)
        place.reach(job, "cancelled")
        expect(place.run("resize", job, 2), 4, "has ended")


def a_job_tells_how_far_it_is():
    with Place() as place:
        client = os.environ["BALEEN_CLIENT"]
        job = place.queue("--gpus", 1, "sh", "-c",
                          f"{client} progress 30/120 --rate 3.1k && until [ -e go ]; do sleep 0.05; done;"
                          "echo 60/120 >> $BALEEN_PROGRESS")
        until(lambda: place.job(job)["progress"] == 0.25, "the progress is known")
        expect(place.run("q"), 0, "25%")
        (place.here / "go").touch()
        place.reach(job, "completed")
        assert place.job(job)["progress"] == 0.5
        expect(place.run("progress", "1/2"), 4, "not a job of baleen")
        expect(place.run("progress", "x"), 2, "expected STEP/TOTAL")
        expect(place.run("progress"), 2, "how far is it?")


def what_a_job_goes_on_with_is_said_from_the_second_attempt_on():
    put_back = 'echo "$BALEEN_ATTEMPT: $*, $BALEEN_RESUME" >> said; [ $BALEEN_ATTEMPT -gt 1 ] || exit 85'
    with Place() as place:
        rows = [({"command": ["sh", "-c", put_back, "name", "a"]}, "a "),
                ({"run": put_back}, ""),
                ({"run": put_back, "arguments": ["b c"]}, "b c "),
                ({"run": "#!/bin/sh\n" + put_back, "arguments": ["d"]}, "d ")]
        for spec, before in rows:
            body = {**place.job_body("x"), **spec, "checkpoint": {"resume": "--resume latest"}}
            if "command" in spec:
                del body["run"]
            answer = place.post("/api/v1/jobs", body)
            assert answer.status == 201, answer.body
            place.reach(answer.json["id"], "completed")
            said = place.text("said").splitlines()[-2:]
            assert said == [f"1: {before.strip()}, ",
                            f"2: {before}--resume latest, --resume latest"], said


def kill_within_resizes(place, rng, jobs):
    """Each time another size, and the daemon dies somewhere between the wish and the new start."""
    for turn in range(KILLS):
        job = jobs[turn % len(jobs)]
        sizes = [gpus for gpus in (2, 3, 4) if gpus != place.job(job)["gpus"]["now"]]
        place.ok("resize", job, rng.choice(sizes))
        time.sleep(rng.random() * 0.3)
        place.kill()
        if rng.random() < 0.3:
            place.process = place.spawn()
            time.sleep(rng.random() * 0.1)
            place.kill()
        place.start()


def P5_a_daemon_killed_within_resizes_loses_nothing():
    print(f"# BALEEN_SEED={SEED}")
    with Elastic("fifo") as place:
        rng = random.Random(SEED)
        names = ("one", "two")
        jobs = [place.train(name, "2-4", "--signal", "USR1@30", save=0.1) for name in names]
        for job, name in zip(jobs, names):
            place.works_on(job, name, 4)
        kill_within_resizes(place, rng, jobs)
        for job, name in zip(jobs, names):
            place.ok("resize", job, 3)
            place.works_on(job, name, 3)
            lost = lost_steps(place.steps(name))
            assert lost and min(lost) >= 0 and max(lost) <= EVERY, f"{name} lost {lost}"
            assert place.job(job)["attempt"] == place.steps(name)[-1][0]
        used = sum(node["gpus"] - node["gpus_free"]
                   for node in place.get("/api/v1/nodes").json["nodes"])
        assert used == 6, f"{used} GPUs are booked, 6 are used"
        place.stop()
        checked = subprocess.run([SIMULATOR, "--format", "journal", "--trace", place.state, "--check"],
                                 capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        place.start()


if __name__ == "__main__":
    main([A1_two_jobs_make_room_for_a_third_and_grow_again_when_it_has_gone,
          A1_a_job_without_a_signal_is_ended_and_loses_at_most_a_checkpoint_interval,
          P8_a_preempted_job_goes_back_to_the_queue_and_on_from_its_checkpoint,
          resize_is_a_wish_that_every_policy_grants,
          a_job_tells_how_far_it_is,
          what_a_job_goes_on_with_is_said_from_the_second_attempt_on,
          P5_a_daemon_killed_within_resizes_loses_nothing])
