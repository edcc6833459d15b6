"""GPUs that are booked serve others until the booking begins: real processes that save their work and make room in
time, also when the daemon is killed meanwhile. BALEEN_KILLS (3) sets how often, BALEEN_SEED repeats a run."""

import os
import random
import time

from kit import main, until
from lending_kit import EVERY, Lent

KILLS = int(os.environ.get("BALEEN_KILLS") or 3)
SEED = int(os.environ.get("BALEEN_SEED") or random.SystemRandom().randrange(1 << 32))


def gpus_of(job):
    return {(part["node"], gpu) for part in job["where"] for gpu in part["gpus"]}


def lost_steps(steps):
    """For each attempt after the first: how many steps it had to do again."""
    again, best = [], 0
    for before, now in zip(steps, steps[1:]):
        best = max(best, before[2])
        if now[0] != before[0]:
            again.append(best + 1 - now[2])
    return again


def C4_booked_gpus_serve_others_until_they_make_room_in_time():
    with Lent() as place:
        trainer = place.learn("lent")
        made = place.book(12, "gpu4-7")
        ours = place.queue("--reservation", made["id"], "--gpus", 4, "-t", "5m", "sleep", "1000")
        assert gpus_of(place.job(trainer)) >= gpus_of(made), "they are lent until it begins"
        place.reach(ours, "running")
        assert place.booking(made["id"])["state"] == "active"
        assert gpus_of(place.job(ours)) == gpus_of(made)
        place.works_on("lent", 4)
        found = place.job(trainer)
        assert not gpus_of(found) & gpus_of(made) and found["restarts"] == 3, found
        lost = lost_steps(place.steps("lent"))
        assert len(lost) == 3 and all(0 <= steps <= EVERY for steps in lost), lost


def C4_a_preemptible_job_is_put_back_and_goes_on_afterwards():
    with Lent() as place:
        place.ok("cancel", place.learn("back"))
        trainer = place.train("back2", "8", "--class", "preemptible")
        place.works_on("back2", 8)
        made = place.book(12, "gpu4-7")
        ours = place.queue("--reservation", made["id"], "--gpus", 4, "-t", "5m", "sleep", "1000")
        place.reach(ours, "running")
        assert place.job(trainer)["state"] in ("queued", "waiting"), place.job(trainer)
        place.ok("cancel", ours)
        place.ok("res", "rm", made["id"])
        until(lambda: place.job(trainer)["attempt"] == 2 and place.job(trainer)["state"] == "running", "it goes on")
        place.reach(trainer, "running")
        until(lambda: len(lost_steps(place.steps("back2"))) == 1, "it works again")
        lost = lost_steps(place.steps("back2"))
        assert 0 <= lost[0] <= EVERY, lost


def C4_a_daemon_that_is_killed_while_gpus_are_cleared_or_a_booking_starts_goes_on_with_it():
    rng = random.Random(SEED)
    print(f"# BALEEN_SEED={SEED}", flush=True)
    with Lent() as place:
        trainer = place.learn("killed")
        for turn in range(KILLS):
            place.works_on("killed", 8)
            made = place.book(12, "gpu0-3" if turn % 2 else "gpu4-7")
            ours = place.queue("--reservation", made["id"], "--gpus", 4, "-t", "5m", "sleep", "1000")
            goal = rng.choice(["clearing", "active"])
            until(lambda: place.booking(made["id"])["state"] in (goal, "active"), f"it is {goal}")
            time.sleep(rng.random())
            place.restart()
            place.reach(ours, "running")
            found = place.booking(made["id"])
            assert found["state"] == "active" and found["where"] == made["where"], found
            assert gpus_of(place.job(ours)) == gpus_of(made)
            assert not gpus_of(place.job(trainer)) & gpus_of(made), place.job(trainer)
            place.ok("cancel", ours)
            place.ok("res", "rm", made["id"])
        lost = lost_steps(place.steps("killed"))
        assert lost and all(0 <= steps <= EVERY for steps in lost), lost


def C4_gpus_are_idle_before_a_booking_for_hardly_longer_than_saving_takes():
    """Of the reserved GPU time at most a hundredth, with three times the reserved GPUs of work queued."""
    with Lent() as place:
        place.teach("lent")
        place.put_to_work("lent", 20)
        slot = place.measure_slot("gpu4-7", 15, 600)
        assert slot.preempted == 4, f"{slot.preempted} jobs made room for four GPUs"
        assert slot.idle_gpu_s - slot.saving_gpu_s <= 0.01 * 4 * 600, slot


main([
    C4_gpus_are_idle_before_a_booking_for_hardly_longer_than_saving_takes,
    C4_booked_gpus_serve_others_until_they_make_room_in_time,
    C4_a_preemptible_job_is_put_back_and_goes_on_afterwards,
    C4_a_daemon_that_is_killed_while_gpus_are_cleared_or_a_booking_starts_goes_on_with_it,
])
