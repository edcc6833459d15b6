"""Series in a time zone whose rules change under them: what has not begun moves with the clocks."""

import os
import shutil
import struct
import tempfile
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from http_kit import expect
from kit import Daemon, main, until

HOUR = 3600
TODAY = datetime.now(timezone.utc).date()


class Zones:
    """A time zone database of its own, in which a zone has one distance from UTC for ever."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="baleen-e2e-tz-")
        self.write("UTC", "UTC0")

    def __enter__(self):
        return self

    def __exit__(self, *why):
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, name, rule):
        """A TZif file: two blocks without changes, then the rule."""
        head = b"TZif2" + bytes(15) + struct.pack(">6I", 0, 0, 0, 0, 1, 4)
        block = struct.pack(">iBB", 0, 0, 0) + b"LMT\0"
        path = Path(self.folder, name)
        path.parent.mkdir(exist_ok=True)
        beside = path.with_suffix(".new")
        beside.write_bytes((head + block) * 2 + f"\n{rule}\n".encode())
        os.replace(beside, path)


def local(days, hour, minute=0):
    """So many days ahead at UTC+1, as text without a zone, and the instant."""
    text = f"{TODAY + timedelta(days=days)} {hour:02}:{minute:02}"
    at = datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=timezone(timedelta(hours=1)))
    return text, int(at.timestamp())


def book(daemon, days, hour, **more):
    answer = daemon.post("/api/v1/reservations", {"from": local(days, hour)[0], "for": "2h", "gpus": 8,
                                                  "zone": "Europe/Berlin", **more})
    expect(answer, 201)
    return answer.json


def kept(daemon, zones):
    """Waits until the daemon knows the zone as it is: it looks as soon as it runs."""
    path, current = Path(daemon.state, "zones/Europe.Berlin"), Path(zones.folder, "Europe/Berlin")
    until(lambda: path.exists() and path.read_bytes() == current.read_bytes(), "the zone is kept")


def starts(daemon, booking):
    found = daemon.get(f"/api/v1/reservations/{booking}").json
    return {slot["occurrence"]: slot["start_at"] for slot in found["slots"] if slot["state"] == "booked"}


def booked_at(hour, count):
    return {number: local(number + 1, hour)[1] for number in range(1, count + 1)}


def P12_a_series_keeps_its_time_of_day_when_the_rules_of_its_zone_change():
    with Zones() as zones:
        zones.write("Europe/Berlin", "CET-1")
        with Daemon(environment={"TZDIR": zones.folder, "TZ": "UTC"}) as daemon:
            # two series with all GPUs, each in the other's way while only one of them has moved
            book(daemon, 2, 9, every="daily 6 times")
            book(daemon, 2, 11, every="daily 6 times")
            text, own = local(4, 14)
            expect(daemon.request("PATCH", "/api/v1/reservations/r1", {"occurrence": 3, "from": text}), 200)
            expect(daemon.request("DELETE", "/api/v1/reservations/r1?occurrence=4"), 200)
            before = {**booked_at(9, 6), 3: own}
            del before[4]
            assert starts(daemon, "r1") == before
            assert starts(daemon, "r2") == booked_at(11, 6)
            daemon.restart()
            kept(daemon, zones)
            assert starts(daemon, "r1") == before
            # an hour of summer time, all year round
            zones.write("Europe/Berlin", "CEST-2")
            daemon.restart()
            after = {number: at if number == 3 else at - HOUR for number, at in before.items()}
            until(lambda: starts(daemon, "r1") == after, "what has its old time moves")
            until(lambda: starts(daemon, "r2") == {number: at - HOUR for number, at in booked_at(11, 6).items()},
                  "the other series moves as well")
            kept(daemon, zones)
            revision = daemon.get("/api/v1/reservations/r1").json["revision"]
            daemon.restart()
            daemon.restart()
            assert starts(daemon, "r1") == after
            assert daemon.get("/api/v1/reservations/r1").json["revision"] == revision
            # and back, later
            zones.write("Europe/Berlin", "CET-1")
            daemon.restart()
            until(lambda: starts(daemon, "r1") == before and starts(daemon, "r2") == booked_at(11, 6),
                  "all is where it was")


def P12_occurrences_that_the_clocks_change_are_noted():
    with Zones() as zones:
        # in five days, at two in the morning, the clocks are put forward
        forward, back = ((TODAY + timedelta(days=days)).timetuple().tm_yday - 1 for days in (5, 100))
        zones.write("Europe/Berlin", f"CET-1CEST,{forward}/2,{back}/3")
        with Daemon(environment={"TZDIR": zones.folder, "TZ": "UTC"}) as daemon:
            skipped = daemon.post("/api/v1/reservations", {
                "from": local(2, 2, 30)[0], "for": "1h", "gpus": 1, "zone": "Europe/Berlin", "every": "daily 6 times"})
            expect(skipped, 201)
            # half past two is left out: by the clocks it starts at half past three
            at = local(5, 2, 30)[1]
            assert skipped.json["notes"] == [
                {"occurrence": 4, "kind": "skipped", "start_at": at, "end_at": at + HOUR}], skipped.json["notes"]
            whole = daemon.post("/api/v1/reservations", {
                "from": local(2, 9)[0], "for": "24h", "gpus": 1, "zone": "Europe/Berlin", "every": "daily 6 times"})
            expect(whole, 201)
            at = local(4, 9)[1]
            assert whole.json["notes"] == [
                {"occurrence": 3, "kind": "shortened", "start_at": at, "end_at": at + 23 * HOUR}], whole.json["notes"]
            assert daemon.get("/api/v1/reservations/r2").json["notes"] == whole.json["notes"]
            plain = book(daemon, 40, 9)
            assert plain["notes"] == []


def an_occurrence_whose_new_time_others_have_stays_and_the_log_says_so():
    with Zones() as zones:
        zones.write("Europe/Berlin", "CET-1")
        with Daemon(environment={"TZDIR": zones.folder, "TZ": "UTC"}) as daemon:
            book(daemon, 2, 9, every="daily 3 times")
            at = local(3, 8)[1]
            made = daemon.post("/api/v1/reservations", {
                "from": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at)), "for": "1h", "gpus": 1})
            expect(made, 201)
            daemon.restart()
            kept(daemon, zones)
            zones.write("Europe/Berlin", "CEST-2")
            daemon.restart()
            before = booked_at(9, 3)
            until(lambda: starts(daemon, "r1") == {1: before[1] - HOUR, 2: before[2], 3: before[3] - HOUR},
                  "those move that can")
            until(lambda: "r1.2 stays where it is" in daemon.said(), "the log tells")


main([P12_a_series_keeps_its_time_of_day_when_the_rules_of_its_zone_change,
      P12_occurrences_that_the_clocks_change_are_noted,
      an_occurrence_whose_new_time_others_have_stays_and_the_log_says_so])
