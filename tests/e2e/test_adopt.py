"""Processes that were started by hand become jobs: whose they may be, what becomes of them, and that nothing is
half done when the daemon is killed."""

import json
import os
import pwd
import random
import signal
import subprocess
import threading

from client_kit import Place, expect
from kit import as_user, is_alive, main, needs_root, until

SEED = int(os.environ.get("SEED", "20261130"))


class Hand:
    """A process started by hand, in a session of its own, that says when it is ready."""

    def __init__(self, script="exec sleep 1000", user=None, **variables):
        environment = {"PATH": os.environ["PATH"], **variables}
        self.process = subprocess.Popen(
            ["sh", "-c", f"echo ready; exec >/dev/null; {script}"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=environment, start_new_session=True, cwd="/",
            user=user, group=user and pwd.getpwuid(user).pw_gid, extra_groups=[] if user else None)
        self.pid = self.process.pid
        assert self.process.stdout.readline() == b"ready\n"

    def __enter__(self):
        return self

    def __exit__(self, *why):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def lives(self):
        return is_alive(self.pid)


def open_to_write(pipe):
    """None while nobody reads."""
    try:
        return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return None


def P11_ones_own_process_becomes_a_job_on_its_gpu_and_is_cancelled():
    with Place() as place, Hand("trap '' TERM; sleep 1000 & exec sleep 1000", CUDA_VISIBLE_DEVICES="2") as hand:
        expect(place.run("adopt", hand.pid, "-t", "2h"), 0, f"job 1: process {hand.pid} (sleep) on node1 gpu2; limit 2 hours")
        place.reach(1, "running")
        expect(place.run("q"), 0, "sleep (adopted)", "gpu2")
        expect(place.run("show", 1), 0, "ran already when it was adopted", f"process {hand.pid}", "sleep 1000")
        job = place.job(1)
        assert job["adopted"] and job["pid"] == hand.pid and job["limit_s"] == 7200 and job["attempt"] == 1, job
        assert job["where"] == [{"node": "node1", "gpus": [2]}]
        other = place.queue("--gpus", 8, "--", "true")
        assert place.job(other)["state"] == "queued"
        for words, said in ((("requeue", 1), "was adopted"), (("hold", 1), "runs"), (("resize", 1, 2), "not elastic")):
            expect(place.run(*words), 4, said)
        expect(place.run("cancel", 1), 0)
        ended = place.wait(1)
        assert ended["state"] == "cancelled", ended
        hand.process.wait()
        assert place.wait(other)["state"] == "completed"


def P11_its_end_is_noticed_and_its_exit_code_is_true_or_unknown():
    with Place() as place:
        os.mkfifo(f"{place.work}/gate")
        for code in (0, 3):
            with Hand(f"read x < {place.work}/gate; exit {code}") as hand:
                job = int(place.ok("adopt", hand.pid, "--gpus", 0, "--parsable"))
                place.reach(job, "running")
                with open(f"{place.work}/gate", "w", encoding="ascii") as gate:
                    gate.write("go\n")
                ended = place.wait(job)  # before anybody has waited for it
                assert (ended["state"], ended["exit_code"]) == ("failed" if code else "completed", code), ended
        with Hand() as hand:
            job = int(place.ok("adopt", hand.pid, "--gpus", 0, "--parsable"))
            place.reach(job, "running")
            place.kill()
            for supervisor in place.supervisors():
                os.kill(supervisor, signal.SIGKILL)
            hand.process.kill()
            hand.process.wait()
            place.start()
            ended = place.wait(job)
            assert (ended["state"], ended["reason"], ended["exit_code"]) == ("completed", "gone", None), ended
            expect(place.run("show", job), 0, "an exit code that nobody could learn")


def P11_the_time_limit_ends_it():
    with Place() as place, Hand() as hand:
        place.ok("adopt", hand.pid, "--gpu", 0, "-t", "1s")
        assert place.wait(1)["state"] == "timeout"
        hand.process.wait()


def P11_what_cannot_be_adopted_is_refused_and_left_alone():
    with Place() as place, Hand() as hand, Hand() as other, Hand("kill -9 $$") as zombie:
        job = place.queue("--gpus", 1, "--", "sleep", "1000")
        place.reach(job, "running")
        until(lambda: not zombie.lives(), "it has ended")
        rows = (
            (("adopt",), 2, "which process?"),
            (("adopt", "self"), 2, "expected the number of a process"),
            (("adopt", "-1"), 2, ""),
            (("adopt", 2**31 - 1), 3, "there is no process"),
            (("adopt", 1), 4, "first one"),
            (("adopt", place.process.pid), 4, "the baleen daemon itself"),
            (("adopt", os.getpid()), 4, "daemon descends from"),
            (("adopt", place.job(job)["pid"]), 4, f"belongs to job {job} already"),
            (("adopt", place.supervisors()[0]), 4, "supervisor of a job"),
            (("adopt", zombie.pid), 4, "has ended"),
            (("adopt", hand.pid), 4, "cannot tell which GPUs"),
            (("adopt", hand.pid, "--gpu", 0), 4, f"GPU 0 of node1 is held by job {job} (root)"),
            (("adopt", hand.pid, "--gpu", 8), 4, "no such GPU"),
            (("adopt", hand.pid, "--gpu", "x"), 4, "no node x"),
            (("adopt", hand.pid, "--gpus", 8), 4, "7 of the 8 GPUs"),
            (("adopt", hand.pid, "--gpus", 1, "--class", "preemptible"), 2, "cannot be preemptible"),
            (("adopt", hand.pid, "--gpus", 1, "-t", "0"), 2, "--time"),
            (("adopt", hand.pid, "--gpus", 1, "--cpus", 1000), 4, "CPUs free"),
        )
        for words, code, said in rows:
            try:
                expect(place.run(*words), code, said)
            except AssertionError as why:
                raise AssertionError(f"{words}: {why}") from why
        assert len(place.jobs()) == 1 and hand.lives()
        place.ok("adopt", hand.pid, "--gpus", 1)
        expect(place.run("adopt", hand.pid, "--gpus", 1), 4, "belongs to job 2 already")
        with Hand(CUDA_VISIBLE_DEVICES="3") as third:
            expect(place.run("adopt", third.pid, "--gpu", 4), 4, "uses GPU 3 of node1, which is not among those that are named")
        assert other.lives()


def P11_a_gpu_that_is_named_twice_is_one():
    with Place() as place:
        for places, gpus in (("gpu0 gpu0", [0]), ("node1:0-1 node1:1-2", [0, 1, 2]), ("node1:5 node1", list(range(8)))):
            with Hand() as hand:
                answer = place.post("/api/v1/jobs/adopt", {"pid": hand.pid, "on": places})
                assert answer.status == 201, answer.body
                job = place.reach(answer.json["id"], "running")
                assert job["where"] == [{"node": "node1", "gpus": gpus}] and job["gpus"]["now"] == len(gpus), job
                place.ok("cancel", job["id"])
                place.wait(job["id"])


def P11_a_gpu_that_is_booked_by_somebody_else_is_refused_naming_them():
    needs_root()
    with Place() as place, Hand() as hand:
        place.ok("reserve", "--on", "gpu1", "--from", "+2h", "--for", "1h", "--user", "nobody")
        expect(place.run("adopt", hand.pid, "--gpu", 1), 4, "GPU 1 of node1 is booked by r1 (nobody)", "-t")
        expect(place.run("adopt", hand.pid, "--gpu", 1, "-t", "1h"), 0, "gpu1")


def P11_only_whose_it_is_or_an_administrator_adopts_a_process():
    needs_root()
    nobody = pwd.getpwnam("nobody")
    with Place() as place, Hand() as ours, Hand(user=nobody.pw_uid) as theirs:
        def ask(pid):
            return as_user(nobody, lambda: place.post("/api/v1/jobs/adopt", {"pid": pid, "gpus": 1}))
        answer = ask(ours.pid)
        assert answer.status == 409 and "belongs to another user" in answer.error["message"], answer.body
        assert "sleep" not in answer.body.decode() and "root" not in answer.body.decode()
        answer = ask(theirs.pid)
        assert answer.status == 201 and answer.json["user"] == "nobody", answer.body
        place.reach(answer.json["id"], "running")
        assert as_user(nobody, lambda: place.post(f"/api/v1/jobs/{answer.json['id']}/cancel")).status == 200
        place.wait(answer.json["id"])
        theirs.process.wait()
        with Hand(user=nobody.pw_uid) as another:
            job = json.loads(place.ok("adopt", another.pid, "--gpus", 1, "--json"))
            assert job["user"] == "nobody", job
            assert as_user(nobody, lambda: place.get(f"/api/v1/jobs/{job['id']}")).json["command"], "it is theirs"


def P11_a_gpu_that_ones_own_job_uses_can_be_reserved_and_somebody_elses_not():
    needs_root()
    with Place() as place, Hand() as hand:
        place.ok("adopt", hand.pid, "--gpu", 2)
        place.reach(1, "running")
        book = ("reserve", "--on", "gpu2", "--from", "now", "--for", "6h")
        done = place.run(*book, "--user", "nobody")
        expect(done, 4, "1 of 1 GPU is taken by job 1 (root)", "It fits:")
        expect(place.run(*book), 0, "gpu2", "job 1 runs there already and goes on as before")
        assert place.job(1)["inside"] == "r1"
        assert place.get("/api/v1/reservations/r1").json["inside"] == [1]
        place.restart()
        assert place.job(1)["inside"] == "r1" and place.job(1)["state"] == "running"
        expect(place.run("res", "rm", "r1"), 0)
        assert place.job(1)["state"] == "running" and place.job(1)["inside"] is None
        place.ok("cancel", 1)
        place.wait(1)
        place.ok(*book)
        with Hand(CUDA_VISIBLE_DEVICES="2") as another:
            expect(place.run("adopt", another.pid), 0, "gpu2")
            assert place.job(2)["inside"] == "r2"


def P11_the_driver_tells_which_gpus_a_process_and_its_children_use():
    gpus = "".join(f"0:{bus}:0|NVIDIA H200|GPU-{bus}|150754820096\n" for bus in range(1, 5))
    with Place("--http", "none") as place:
        place.stop()
        place.environment.update(LD_LIBRARY_PATH=os.environ["BALEEN_FAKE_NVML"], FAKE_NVML=gpus,
                                 FAKE_NVML_WHO=f"{place.work}/who")
        place.start()
        with Hand("sleep 1000 & echo $! > " + f"{place.work}/child; exec sleep 1000", CUDA_VISIBLE_DEVICES="0") as hand:
            child = int(until(lambda: os.path.exists(f"{place.work}/child") and place.text("child"), "it has a child"))
            with open(f"{place.work}/who", "w", encoding="ascii") as who:
                who.write(f"GPU-2 {hand.pid}\nGPU-4 {child}\nGPU-3 1\n")
            expect(place.run("adopt", hand.pid), 0, "gpu1,3")
            assert place.job(1)["gpus"]["now"] == 2


def start_with_hanging_driver(place):
    """Whoever asks it hangs until somebody writes into the pipe, which is returned, and closes it."""
    who = f"{place.work}/who"
    place.stop()
    os.mkfifo(who)
    place.environment.update(LD_LIBRARY_PATH=os.environ["BALEEN_FAKE_NVML"], FAKE_NVML_WHO=who,
                             FAKE_NVML="0:1:0|NVIDIA H200|GPU-1|150754820096\n")
    place.start()
    return who


def P11_a_driver_that_hangs_holds_up_nobody_but_who_adopts():
    for ends_first in (True, False):
        with Place("--http", "none") as place, Hand() as hand:
            who = start_with_hanging_driver(place)
            client = place.popen("adopt", hand.pid, "--gpu", 0)
            pipe = until(lambda: open_to_write(who), "the driver is asked")
            expect(place.run("q"), 0)
            if not ends_first:
                place.stop()
            os.close(pipe)
            client.communicate()
            assert (client.returncode == 0) == ends_first and hand.lives()
            if ends_first:
                assert place.reach(1, "running")["pid"] == hand.pid
                place.ok("cancel", 1)
                place.wait(1)


def P11_a_daemon_killed_around_an_adoption_leaves_nothing_half_done():
    rng = random.Random(SEED)
    print(f"# SEED={SEED}")
    with Place() as place:
        for _ in range(8):
            with Hand() as hand:
                client = place.popen("adopt", hand.pid, "--gpu", 0)
                killer = threading.Timer(rng.uniform(0, 0.15), place.process.kill)
                killer.start()
                client.communicate()
                killer.join()
                place.restart()
                assert hand.lives(), "nothing is done to a process that is adopted, or not"
                active = place.jobs("&state=active")
                if not active:
                    place.ok("adopt", hand.pid, "--gpu", 0)
                    active = place.jobs("&state=active")
                assert len(active) == 1, active
                job = place.reach(active[0]["id"], "running")
                assert job["pid"] == hand.pid, job
                expect(place.run("adopt", hand.pid, "--gpu", 0), 4, f"belongs to job {job['id']} already")
                place.restart()
                assert hand.lives() and place.job(job["id"])["state"] == "running"
                place.ok("cancel", job["id"])
                place.wait(job["id"])
                hand.process.wait()


main([P11_ones_own_process_becomes_a_job_on_its_gpu_and_is_cancelled,
      P11_its_end_is_noticed_and_its_exit_code_is_true_or_unknown,
      P11_the_time_limit_ends_it,
      P11_what_cannot_be_adopted_is_refused_and_left_alone,
      P11_a_gpu_that_is_named_twice_is_one,
      P11_a_gpu_that_is_booked_by_somebody_else_is_refused_naming_them,
      P11_only_whose_it_is_or_an_administrator_adopts_a_process,
      P11_a_gpu_that_ones_own_job_uses_can_be_reserved_and_somebody_elses_not,
      P11_the_driver_tells_which_gpus_a_process_and_its_children_use,
      P11_a_driver_that_hangs_holds_up_nobody_but_who_adopts,
      P11_a_daemon_killed_around_an_adoption_leaves_nothing_half_done])
