"""Bars in events: whoever read the timeline and follows the events has the timeline as it is."""

import json
import os
import random
import threading
import time

from kit import Daemon, main, until

SEED = int(os.environ.get("BALEEN_SEED", "1"))
ROUNDS = 12
LONG = {"limit": "20h"}
OVER = {"completed", "failed", "cancelled", "timeout", "lost", "ended", "released"}


class Follower:
    """Reads the timeline of a window once, and follows it by events."""

    def __init__(self, daemon, query=""):
        self.daemon = daemon
        self.query = query
        self.lock = threading.Lock()
        self.resyncs = 0
        self.arrivals = []  # when each bar was told
        self.last = None
        self.connection = None
        self.read()
        self.follow()

    def fresh(self):
        answer = self.daemon.get(f"/api/v1/timeline{self.query}").json
        assert answer["left_out"] == 0
        return answer["seq"], {bar["id"]: bar for bar in answer["bars"]}

    def read(self):
        self.last, found = self.fresh()
        with self.lock:
            self.bars = found

    def follow(self):
        self.connection = self.daemon.connect()
        self.connection.request("GET", f"/api/v1/events?since={self.last}")
        response = self.connection.getresponse()
        assert response.status == 200
        self.thread = threading.Thread(target=self.run, args=(response,), daemon=True)
        self.thread.start()

    def run(self, response):
        message = {}
        while True:
            try:
                line = response.readline().decode()
            except (OSError, ValueError, AttributeError):
                return
            if not line:
                return
            line = line.rstrip("\n")
            if not line and "event" in message:
                self.take(message["event"], json.loads(message["data"]), int(message["id"]))
            if not line:
                message = {}
            key, _, value = line.partition(": ")
            message[key] = value

    def take(self, event, data, seq):
        self.last = seq
        if event == "resync":
            self.resyncs += 1
            self.read()
        elif data["type"] == "bar":
            self.arrivals.append(time.monotonic())
            data.pop("type")
            with self.lock:
                if event == "upsert" and self.sees(data):
                    self.bars[data["id"]] = data
                else:
                    self.bars.pop(data["id"], None)

    def sees(self, bar):
        if not self.query:
            return True
        begin, end = (int(part.split("=")[1]) for part in self.query[1:].split("&"))
        return (bar["start_at"] or 0) < end and (bar["end_at"] or end + begin) > begin

    def leave(self):
        """Hangs up, as a laptop that goes to sleep."""
        self.connection.sock.shutdown(2)
        self.thread.join()

    def picture(self):
        with self.lock:
            return steady(self.bars)

    def catches_up(self, what=""):
        """Waits until it shows what one sees who reads the timeline anew."""
        seen = {}

        def is_same():
            seen["now"] = steady(self.fresh()[1])
            ends = time.monotonic() + 0.5
            while time.monotonic() < ends:
                if self.picture() == seen["now"]:
                    return True
                time.sleep(0.01)
            return False

        try:
            until(is_same, "the followed timeline is the one that is read", 60)
        except AssertionError as why:
            mine = self.picture()
            differs = [(name, mine.get(name), seen["now"].get(name))
                       for name in sorted({*mine, *seen["now"]}) if mine.get(name) != seen["now"].get(name)]
            raise AssertionError(f"seed {SEED}, {what}: {differs[:4]}") from why
        return self.picture()


def steady(bars):
    """Bars without the times that move with the present."""
    soon = time.time() + 5
    found = {}
    for name, bar in bars.items():
        bar = dict(bar)
        if bar["state"] not in OVER:
            for key in ("start_at", "end_at"):
                if (key == "end_at" or bar["state"] not in ("running", "starting", "active")) and \
                        bar[key] and bar[key] <= soon:
                    bar[key] = "now"
        found[name] = bar
    return found


def act(daemon, dice, jobs, bookings):
    """One thing that somebody may do."""
    def submit():
        time_ = {"limit": f"{dice.randint(1, 30)}h"}
        command = ["true"] if dice.random() < 0.3 else ["sleep", "1000"]
        jobs.append(daemon.submit(command, name=f"job-{len(jobs)}", time=time_,
                                  resources={"gpus": dice.randint(1, 4)}))

    def cancel():
        if jobs:
            daemon.cancel(dice.choice(jobs))

    def reserve():
        begin = int(time.time()) + dice.randint(2, 60) * 3600
        more = {"every": "daily", "until": "+3d"} if dice.random() < 0.3 else {}
        answer = daemon.post("/api/v1/reservations", {"gpus": dice.randint(1, 3), "from": f"+{(begin - int(time.time())) // 60}m",
                                                      "for": "2h", "name": "talk", **more})
        if answer.status == 201:
            bookings.append(answer.json["id"])

    def unbook():
        if bookings:
            daemon.request("DELETE", f"/api/v1/reservations/{dice.choice(bookings)}")

    def rename():
        if bookings:
            daemon.post(f"/api/v1/reservations/{dice.choice(bookings)}/set",
                        {"name": f"talk-{dice.randint(1, 9)}"})

    def drain():
        daemon.post("/api/v1/nodes/node2/drain", {"at": "+5h"} if dice.random() < 0.5 else None)

    def resume():
        daemon.post("/api/v1/nodes/node2/resume")

    dice.choice([submit, submit, submit, cancel, reserve, reserve, unbook, rename, drain, resume])()


def events_lead_to_the_timeline_that_a_fresh_look_gives():
    dice = random.Random(SEED)
    with Daemon("--declared", "4xA100:80GB", "--declared", "4xA100:80GB",
                environment={"BALEEN_SNAPSHOT_RECORDS": "20"}) as daemon:
        now = int(time.time())
        followers = [Follower(daemon), Follower(daemon, f"?from={now + 3600}&to={now + 4 * 86400}")]
        for follower in followers:
            follower.catches_up("before")
            follower.resyncs = 0  # what changed before anybody read is not known
        jobs, bookings = [], []
        for number in range(ROUNDS):
            for _ in range(dice.randint(1, 6)):
                act(daemon, dice, jobs, bookings)
            for follower in followers:
                follower.catches_up(f"round {number}")
        assert len(followers[0].bars) > 5, followers[0].bars
        for follower in followers:
            assert follower.resyncs == 0
            follower.leave()


def a_reader_that_comes_back_gets_what_it_missed():
    with Daemon() as daemon:
        watch, follower = Follower(daemon), Follower(daemon)
        first = daemon.submit(["sleep", "1000"], time=LONG, resources={"gpus": 2})
        daemon.wait(first, "started")
        follower.catches_up()
        follower.leave()
        follower.resyncs = 0
        second = daemon.submit(["sleep", "1000"], time=LONG, resources={"gpus": 2})
        daemon.wait(second, "started")
        daemon.cancel(first)
        daemon.wait(first)
        watch.catches_up()
        assert f"job-{second}" not in follower.bars
        follower.follow()
        found = follower.catches_up()
        assert found[f"job-{first}"]["state"] == "cancelled" and f"job-{second}" in found
        assert follower.resyncs == 0
        follower.leave()
        watch.leave()


def a_reader_from_before_a_restart_is_told_to_read_again():
    with Daemon() as daemon:
        job = daemon.submit(["sleep", "1000"], time=LONG, resources={"gpus": 2})
        daemon.wait(job, "started")
        follower = Follower(daemon)
        follower.catches_up()
        follower.leave()
        follower.resyncs = 0
        daemon.restart()
        daemon.cancel(job)
        daemon.wait(job)
        follower.follow()
        assert follower.catches_up()[f"job-{job}"]["state"] == "cancelled"
        assert follower.resyncs == 1
        follower.leave()


def a_bar_goes_when_its_job_leaves_memory():
    with Daemon(environment={"BALEEN_SNAPSHOT_RECORDS": "5"}) as daemon:
        path = f"{daemon.folder}/baleen.yaml"
        with open(path, "w", encoding="utf-8") as file:
            file.write("retention: {jobs: 1}\n")
        daemon.flags += ["--config", path]
        daemon.restart()
        follower = Follower(daemon)
        first = daemon.submit(["true"], resources={"gpus": 1})
        until(lambda: f"job-{first}" in follower.bars, "its bar is told")

        def is_gone():
            daemon.submit(["true"])
            return daemon.get(f"/api/v1/jobs/{first}").status == 404

        until(is_gone, "the job leaves memory")
        until(lambda: f"job-{first}" not in follower.bars, "its bar goes")
        follower.leave()


def a_bar_that_only_waits_goes_with_its_job():
    with Daemon("--declared", "1xA100") as daemon:
        runs = daemon.submit(["sleep", "1000"], time=LONG, resources={"gpus": 1})
        daemon.wait(runs, "started")
        follower = Follower(daemon)
        waits = daemon.submit(["true"], time=LONG, resources={"gpus": 1})
        until(lambda: f"job-{waits}" in follower.bars, "its bar is told")
        daemon.cancel(waits)
        until(lambda: f"job-{waits}" not in follower.bars, "its bar goes")
        follower.catches_up()
        follower.leave()


def pictures_come_at_a_measured_pace():
    with Daemon() as daemon:
        follower = Follower(daemon)
        began = time.monotonic()
        job = daemon.submit(["sleep", "1000"], time=LONG, resources={"gpus": 1})
        for number in range(60):
            daemon.post(f"/api/v1/jobs/{job}/set", {"limit": f"{20 + number}h"})
        took = time.monotonic() - began
        until(lambda: follower.bars.get(f"job-{job}", {}).get("state") == "running", "it runs")
        follower.catches_up()
        told = [at for at in follower.arrivals if at <= began + took]
        # a fresh look draws as well: none was made meanwhile
        assert len(told) <= 2 + took / 0.2, (len(told), took)
        follower.leave()


main([events_lead_to_the_timeline_that_a_fresh_look_gives,
      a_reader_that_comes_back_gets_what_it_missed,
      a_reader_from_before_a_restart_is_told_to_read_again,
      a_bar_goes_when_its_job_leaves_memory,
      a_bar_that_only_waits_goes_with_its_job,
      pictures_come_at_a_measured_pace])
