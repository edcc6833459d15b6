"""Reservations: booked, refused with openings, changed, cancelled, raced for, and whole after every kill.
BALEEN_RACES (1000) sets how often two clients race, BALEEN_KILLS (10) how often the daemon is killed."""

import grp
import json
import os
import pwd
import random
import threading
import time

from http_kit import Port, expect
from kit import Daemon, Skip, main, needs_root, until

RACES = int(os.environ.get("BALEEN_RACES") or 1000)
KILLS = int(os.environ.get("BALEEN_KILLS") or 10)
SEED = int(os.environ.get("BALEEN_SEED") or random.SystemRandom().randrange(1 << 32))
HOUR = 3600


def utc(at):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def day(ahead):
    """Noon, so many days ahead."""
    return (int(time.time()) // 86400 + ahead) * 86400 + 12 * HOUR


def body(at, hours=2, gpus=4, **more):
    return {"gpus": gpus, "from": utc(at), "for": f"{hours}h", **more}


def book(daemon, *words, **more):
    answer = daemon.post("/api/v1/reservations", body(*words, **more))
    expect(answer, 201)
    return answer.json


def listed(daemon, query=""):
    answer = daemon.get(f"/api/v1/reservations{query}")
    expect(answer, 200)
    return answer.json["reservations"]


def times(booking):
    return [(slot["start_at"], slot["end_at"]) for slot in booking["slots"]]


def C1_what_is_booked_is_told_with_its_gpus():
    with Daemon() as daemon:
        at = day(1)
        made = book(daemon, at, name="demo", project="nlp", zone="Europe/Berlin")
        assert (made["id"], made["ref"], made["name"], made["project"]) == ("r1", "r1", "demo", "nlp"), made
        assert (made["start_at"], made["end_at"], made["gpus"]) == (at, at + 2 * HOUR, 4), made
        assert made["state"] == "booked" and made["zone"] == "Europe/Berlin" and made["rule"] is None
        node = daemon.get("/api/v1/nodes").json["nodes"][0]["name"]
        assert made["where"] == [{"node": node, "gpus": [0, 1, 2, 3]}], made["where"]
        assert daemon.get("/api/v1/reservations/r1").json == made
        named = daemon.post("/api/v1/reservations", {"on": f"{node}:6-7", "from": utc(at), "for": "1h"}).json
        assert named["where"] == [{"node": node, "gpus": [6, 7]}], named
        whole = daemon.post("/api/v1/reservations", {"nodes": [node], "from": utc(at + 86400), "for": "1h"}).json
        assert whole["gpus"] == 8, whole
        assert [item["id"] for item in listed(daemon)] == ["r1", "r2", "r3"]
        assert [item["id"] for item in listed(daemon, f"?from={at + 86400}")] == ["r3"]
        assert not listed(daemon, "?user=nobody") and len(listed(daemon, "?user=@")) == 3
        expect(daemon.get("/api/v1/reservations/r9"), 404, "not_found")
        expect(daemon.get("/api/v1/reservations/17"), 404, "not_found")


def C3_a_conflict_names_who_is_in_the_way_and_openings_that_can_be_booked():
    with Daemon() as daemon:
        at = day(1)
        book(daemon, at, gpus=6, name="first")
        answer = daemon.post("/api/v1/reservations", body(at + HOUR))
        expect(answer, 409, "conflict", "r1")
        told = answer.json
        assert [item["reservation"] for item in told["conflicts"]] == ["r1"], told
        assert told["conflicts"][0]["gpus"] == 6 and told["conflicts"][0]["name"] == "first"
        assert {"later", "fewer"} <= {opening["kind"] for opening in told["openings"]}, told
        assert [item["id"] for item in listed(daemon)] == ["r1"]
        for opening in told["openings"]:
            made = book(daemon, opening["start_at"], gpus=opening["gpus"], gpu_type=opening["gpu_type"])
            assert (made["start_at"], made["end_at"]) == (opening["start_at"], opening["end_at"])
            expect(daemon.request("DELETE", f"/api/v1/reservations/{made['id']}"), 200)
        flexible = book(daemon, at + HOUR, flex="4h")
        assert flexible["start_at"] == at + 2 * HOUR, flexible


def C3_a_trial_says_what_a_booking_would_be_told_and_books_nothing():
    with Daemon() as daemon:
        at = day(1)
        book(daemon, at, gpus=6, name="first")
        for gpus in (2, 4):
            tried = daemon.post("/api/v1/reservations?try=1", body(at, gpus=gpus))
            assert [item["id"] for item in listed(daemon)] == ["r1"], "nothing was booked"
            if gpus == 2:
                expect(tried, 200)
                assert tried.json == {"fits": True}, tried.json
            else:
                asked = daemon.post("/api/v1/reservations", body(at, gpus=gpus))
                expect(tried, 409, "conflict", "r1")
                assert tried.json == asked.json, (tried.json, asked.json)
        expect(daemon.post("/api/v1/reservations?try=1", {"gpus": 2, "from": utc(at)}), 400)
        assert book(daemon, at, gpus=2)["id"] == "r2", "a trial takes no number"


def P12_a_series_keeps_its_hour_across_both_changes_of_the_clocks():
    with Daemon() as daemon:
        made = book(daemon, day(1), gpus=1, every="weekly", zone="Europe/Berlin")
        assert 56 <= len(made["slots"]) <= 58 and made["rule"].startswith("FREQ=WEEKLY"), made["rule"]
        assert {end - start for start, end in times(made)} == {2 * HOUR}
        weeks = {later[0] - earlier[0] for earlier, later in zip(times(made), times(made)[1:])}
        week = 7 * 24 * HOUR
        assert weeks == {week - HOUR, week, week + HOUR}, weeks
        assert made["slots"][0]["occurrence"] == 1 and made["ref"] == "r1.1", made["ref"]


def edits_change_one_all_that_follow_or_all():
    with Daemon() as daemon:
        at = day(1)
        before = times(book(daemon, at, gpus=2, every="FREQ=WEEKLY;COUNT=4", zone="UTC", name="old"))
        path = "/api/v1/reservations/r1"
        answer = daemon.request("PATCH", f"{path}.2", {"for": "3h"})
        expect(answer, 200)
        assert times(answer.json) == [before[0], (before[1][0], before[1][0] + 3 * HOUR), *before[2:]]
        assert answer.json["revision"] == 1
        answer = daemon.request("PATCH", path, {"occurrence": 3, "following": True, "from": utc(before[2][0] + HOUR)})
        expect(answer, 200)
        assert times(answer.json)[2:] == [(start + HOUR, end + HOUR) for start, end in before[2:]]
        assert times(answer.json)[:2] == [before[0], (before[1][0], before[1][0] + 3 * HOUR)]
        answer = daemon.request("PATCH", path, {"name": "new", "gpus": 3})
        expect(answer, 200)
        assert answer.json["name"] == "new" and {slot["gpus"] for slot in answer.json["slots"]} == {3}
        answer = daemon.request("DELETE", f"{path}?occurrence=2")
        assert [slot["state"] for slot in answer.json["slots"]] == ["booked", "cancelled", "booked", "booked"]
        answer = daemon.request("PATCH", path, {"gpus": 1})
        assert [(slot["occurrence"], slot["state"]) for slot in answer.json["slots"]] == \
            [(1, "booked"), (2, "cancelled"), (3, "booked"), (4, "booked")], answer.json
        answer = daemon.request("PATCH", path, {"for": "1h"})
        assert [(slot["occurrence"], slot["state"]) for slot in answer.json["slots"]] == \
            [(1, "booked"), (2, "cancelled"), (3, "booked"), (4, "booked")], answer.json
        answer = daemon.request("DELETE", f"{path}.3?following=1")
        assert [slot["state"] for slot in answer.json["slots"]] == ["booked"] + 3 * ["cancelled"]
        assert len(listed(daemon)) == 1 and len(listed(daemon, f"?all=1&from={int(time.time()) - HOUR}")) == 4
        expect(daemon.request("DELETE", path), 200)
        expect(daemon.request("DELETE", path), 200)
        expect(daemon.request("PATCH", path, {"gpus": 1}), 409, "refused", "r1 is over")


BAD = [
    ({"gpus": 0}, "gpus"), ({"gpus": -1}, "gpus"), ({"gpus": 1.5}, "gpus"), ({"gpus": 1 << 31}, "gpus"),
    ({"for": "0"}, "for"), ({"for": "-2h"}, "for"), ({"for": "401d"}, "for"), ({"for": "99999999999999d"}, "for"),
    ({"from": "2001-01-01"}, "from"), ({"from": "soon"}, "from"), ({"from": "2400-01-01"}, "from"),
    ({"from": utc(day(399)), "for": "100h"}, "from"), ({"until_at": utc(day(-3)), "for": None}, "until_at"),
    ({"zone": "Mars/Olympus"}, "zone"), ({"zone": "../../etc/passwd"}, "zone"), ({"flex": "-1h"}, "flex"),
    ({"flex": "401d"}, "flex"), ({"release_after": "soon"}, "release_after"), ({"gpu_type": "abacus"}, "gpu_type"),
    ({"pool": "nowhere"}, "pool"), ({"gpus": None, "on": "nosuch:0-3"}, "on"), ({"gpus": None, "on": "gpu8"}, "on"),
    ({"gpus": None, "on": "gpu0-3 gpu2"}, "on"), ({"name": "a\nb"}, "name"), ({"project": "x" * 256}, "project"),
    ({"every": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, "every"), ({"every": "FREQ=SECONDLY"}, "every"),
    ({"every": "FREQ=DAILY;INTERVAL=0"}, "every"), ({"every": "now and then"}, "every"),
    ({"every": "daily", "for": "25h"}, "for"), ({"every": "daily", "until": "never"}, "until"),
    ({"zone": "Europe/Berlin", "from": "2027-03-28T02:30"}, "from"),
    ({"zone": "Europe/Berlin", "from": "2027-10-31T02:30"}, "from"), ({"colour": "red"}, "colour"),
]


def bad_input_is_refused_through_create_and_edit_alike_and_changes_nothing():
    with Daemon() as daemon:
        book(daemon, day(20))
        before = listed(daemon)
        for change, field in BAD:
            whole = {key: value for key, value in {**body(day(1)), **change}.items() if value is not None}
            edit = {key: value for key, value in change.items() if value is not None}
            for answer in (daemon.post("/api/v1/reservations", whole),
                           daemon.request("PATCH", "/api/v1/reservations/r1", edit)):
                expect(answer, 400, "invalid")
                assert answer.error["field"] == field, (change, answer.error)
        for answer in (daemon.post("/api/v1/reservations", body(day(1), gpus=9)),
                       daemon.request("PATCH", "/api/v1/reservations/r1", {"gpus": 9})):
            expect(answer, 409, "conflict")
            assert answer.error["field"] == "gpus", answer.error
        for text in ("", "[]", "{", '"x"', "{}", '{"gpus": 1, "gpus": 2}'):
            expect(daemon.post("/api/v1/reservations", text), 400, "invalid")
        assert listed(daemon) == before


def what_belongs_to_others_is_theirs_and_their_admins():
    needs_root()
    with Port() as daemon:
        mine = book(daemon, day(1))
        token = daemon.token("submit", user="nobody")
        answer = daemon.tcp("POST", "/api/v1/reservations", token, body(day(2)))
        expect(answer, 201)
        theirs = answer.json["id"]
        assert answer.json["user"] == "nobody"
        for method, change in (("PATCH", {"gpus": 1}), ("DELETE", None)):
            expect(daemon.tcp(method, f"/api/v1/reservations/{mine['id']}", token, change), 403, "forbidden", "root")
        expect(daemon.tcp("POST", "/api/v1/reservations", token, body(day(3), user="root")), 403, "forbidden")
        expect(daemon.tcp("POST", "/api/v1/reservations", daemon.token("read"), body(day(3))), 403, "forbidden")
        expect(daemon.tcp("POST", "/api/v1/reservations", None, body(day(3))), 401, "unauthorized")
        expect(daemon.tcp("PATCH", f"/api/v1/reservations/{theirs}", token, {"gpus": 1}), 200)
        expect(daemon.request("PATCH", f"/api/v1/reservations/{theirs}", {"user": "root"}), 400, "invalid")
        expect(daemon.request("DELETE", f"/api/v1/reservations/{theirs}"), 200)
        assert book(daemon, day(4), user="nobody")["user"] == "nobody"
        answer = daemon.post("/api/v1/reservations", body(day(5), user="no such user"))
        expect(answer, 400, "invalid", "no such user")


def two_who_race_for_the_last_opening_get_it_once():
    start = day(2)
    with Daemon("--declared", "1xA100:80GB") as daemon:
        begin = threading.Barrier(2)
        statuses = [[], []]

        def race(who):
            connection = daemon.connect()
            for turn in range(RACES):
                text = json.dumps(body(start + turn * 9 * HOUR, 9, 1))
                begin.wait()
                connection.request("POST", "/api/v1/reservations", text)
                response = connection.getresponse()
                response.read()
                statuses[who].append(response.status)
            connection.close()

        threads = [threading.Thread(target=race, args=(who,)) for who in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wrong = [turn for turn, pair in enumerate(zip(*statuses)) if sorted(pair) != [201, 409]]
        assert len(statuses[0]) == len(statuses[1]) == RACES and not wrong, wrong[:10]
        made = listed(daemon, f"?to={start + RACES * 9 * HOUR}")
        assert len(made) == RACES and len({item["id"] for item in made}) == RACES


def C1_a_job_of_a_booking_runs_in_it_and_others_keep_off():
    with Daemon() as daemon:
        made = daemon.post("/api/v1/reservations", {"on": "gpu4-7", "from": "now", "for": "1h"}).json
        until(lambda: daemon.get("/api/v1/reservations/r1").json["state"] == "active", "it has begun")
        ours = daemon.submit("sleep 1000", reservation="r1", resources={"gpus": 4}, time={"limit": "30m"})
        assert daemon.wait(ours, "started")["where"] == made["where"]
        assert daemon.job(ours)["reservation"] == "r1"
        theirs = daemon.submit("sleep 1000", resources={"gpus": 4}, time={"limit": "30m"})
        assert daemon.wait(theirs, "started")["where"][0]["gpus"] == [0, 1, 2, 3]
        daemon.cancel(ours)
        daemon.wait(ours)
        third = daemon.submit("true", resources={"gpus": 1}, time={"limit": "30m"})
        until(lambda: daemon.job(third)["reason"] == "booked", "it keeps off the GPUs that are booked")
        expect(daemon.request("DELETE", "/api/v1/reservations/r1"), 200)
        assert daemon.wait(third)["state"] == "completed"


def C1_what_is_not_sure_to_end_before_a_booking_does_not_start_on_it():
    with Daemon() as daemon:
        book(daemon, int(time.time()) + 1800, gpus=8)
        long = daemon.submit("true", resources={"gpus": 1}, time={"limit": "1h"})
        short = daemon.submit("true", resources={"gpus": 8}, time={"limit": "10m"})
        assert daemon.wait(short)["state"] == "completed"
        assert daemon.job(long)["state"] == "queued" and daemon.job(long)["reason"] == "reserved"


def a_booking_that_nobody_uses_is_given_up_and_told():
    with Daemon() as daemon:
        connection = daemon.connect()
        connection.request("GET", "/api/v1/events")
        response = connection.getresponse()
        wish = {"gpus": 8, "from": "now", "for": "1h"}
        expect(daemon.post("/api/v1/reservations", {**wish, "release_after": "1s"}), 201)
        told = {}
        while told.get("state") != "released":
            line = response.readline().decode()
            if line.startswith("data: ") and '"type":"reservation"' in line:
                told = json.loads(line[6:])
        connection.close()
        found = daemon.get("/api/v1/reservations/r1").json
        assert found["state"] == "released" and found["ended_at"] >= found["start_at"] + 1, found
        expect(daemon.post("/api/v1/reservations", {**wish, "release_after": "0"}), 201)
        assert [item["id"] for item in listed(daemon)] == ["r2"]
        job = daemon.submit("true", reservation="r2", resources={"gpus": 8}, time={"limit": "5m"})
        assert daemon.wait(job)["state"] == "completed"
        assert daemon.get("/api/v1/reservations/r2").json["state"] == "active"


def a_booking_is_named_by_jobs_of_its_owner_or_project_alone():
    needs_root()
    with Port() as daemon:
        book(daemon, day(1), project="nlp")
        token = daemon.token("submit", user="nobody")
        job = daemon.job_body(["true"], reservation="r1", workdir="/")
        expect(daemon.tcp("POST", "/api/v1/jobs", token, job), 403, "forbidden", "r1 belongs to root")
        expect(daemon.tcp("POST", "/api/v1/jobs", token, {**job, "project": "nlp"}), 201)
        for wrong in ("r9", "17", "r1.2", "", [], {"gpus": 1}):
            answer = daemon.post("/api/v1/jobs", {**job, "reservation": wrong})
            expect(answer, 400, "invalid")
            assert answer.error["field"] == "reservation", answer.error
        expect(daemon.request("DELETE", "/api/v1/reservations/r1"), 200)
        expect(daemon.post("/api/v1/jobs", job), 409, "refused", "r1 is over")


def a_project_has_the_members_of_the_group_of_its_name_or_is_only_claimed():
    needs_root()
    with Port() as daemon:
        token = daemon.token("submit", user="nobody")
        own = grp.getgrgid(pwd.getpwnam("nobody").pw_gid).gr_name
        assert book(daemon, day(1))["project_checked"] is None
        made = [book(daemon, day(2), gpus=1, project=name) for name in ("root", own, "no-such-project")]
        assert [item["project_checked"] for item in made] == [True, True, False], made
        assert [item["project_checked"] for item in listed(daemon)] == [None, True, True, False], listed(daemon)
        ways = []
        for item in made:
            job = daemon.job_body(["true"], reservation=item["id"], project=item["project"], workdir="/")
            answer = daemon.tcp("POST", "/api/v1/jobs", token, job)
            ways.append((answer.status, answer.json.get("reservation_as")))
            if answer.status == 403:
                assert "nobody is not in root" in answer.error["message"], answer.error
        assert ways == [(403, None), (201, "member"), (201, "claim")], ways
        ours = daemon.submit(["true"], reservation=made[0]["id"])
        assert daemon.job(ours)["reservation_as"] == "owner"
        theirs = daemon.tcp("POST", "/api/v1/reservations", token, body(day(3), project="root"))
        expect(theirs, 403, "forbidden", "nobody is not in root")
        assert theirs.error["field"] == "project", theirs.error
        theirs = daemon.tcp("POST", "/api/v1/reservations", token, body(day(3), project=own))
        expect(theirs, 201)
        path = f"/api/v1/reservations/{theirs.json['id']}"
        expect(daemon.tcp("PATCH", path, token, {"project": "root"}), 403, "forbidden", "nobody is not in root")
        expect(daemon.tcp("PATCH", path, token, {"gpus": 1}), 200)


class Booker(threading.Thread):
    """Books series of four, and changes them, until the daemon has gone; keeps what it was told."""

    def __init__(self, daemon, rng, first_day):
        super().__init__()
        self.daemon, self.rng, self.day = daemon, rng, first_day
        self.told = {}

    def run(self):
        connection = self.daemon.connect()
        try:
            while True:
                self.step(connection)
        except (OSError, ValueError):
            pass

    def step(self, connection):
        if self.told and self.rng.random() < 0.5:
            path = "/" + self.rng.choice(list(self.told))
            method, wish = "PATCH", {"gpus": self.rng.randint(1, 2), "for": f"{self.rng.randint(1, 3)}h"}
        else:
            self.day += 1
            path, method = "", "POST"
            wish = body(day(1) + self.day * 600, 1, 1, every="FREQ=DAILY;COUNT=4", zone="UTC", release_after="0")
        connection.request(method, f"/api/v1/reservations{path}", json.dumps(wish))
        response = connection.getresponse()
        text = response.read()
        if response.status in (200, 201):
            told = json.loads(text)
            self.told[told["id"]] = told


def nothing_is_half_booked_after_a_kill():
    rng = random.Random(SEED)
    print(f"# BALEEN_SEED={SEED}", flush=True)
    with Daemon() as daemon:
        first_day = 0
        for _ in range(KILLS):
            booker = Booker(daemon, random.Random(rng.random()), first_day)
            booker.start()
            goal = rng.randint(1, 12)
            until(lambda: len(booker.told) >= goal or not booker.is_alive(), "some are booked")
            time.sleep(rng.random() * 0.01)
            daemon.kill()
            booker.join()
            first_day = booker.day + 1
            daemon.start()
            for identity, told in booker.told.items():
                found = daemon.get(f"/api/v1/reservations/{identity}").json
                assert found["revision"] >= told["revision"], (told, found)
                if found["revision"] == told["revision"]:
                    assert found["slots"] == told["slots"], (told, found)
            for item in listed(daemon):
                whole = daemon.get(f"/api/v1/reservations/{item['id']}").json
                assert len(whole["slots"]) == 4, whole
                assert len({slot["gpus"] for slot in whole["slots"]}) == 1, whole
                assert len({end - start for start, end in times(whole)}) == 1, whole
            for item in listed(daemon):
                daemon.request("DELETE", f"/api/v1/reservations/{item['id']}")


def a_series_is_booked_further_ahead_as_time_goes():
    if not os.path.exists(os.environ.get("BALEEN_SHIFT_CLOCK", "")):
        raise Skip("BALEEN_SHIFT_CLOCK names no library that sets the daemon's clock")
    with Daemon() as daemon:
        before = book(daemon, day(1), gpus=1, every="weekly", zone="UTC", release_after="0")
        last = before["slots"].pop()
        expect(daemon.request("DELETE", f"/api/v1/reservations/r1.{last['occurrence']}"), 200)
        shift = f"{daemon.folder}/shift"
        with open(shift, "w", encoding="utf-8") as file:
            file.write(str(21 * 86400))
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        daemon.environment.update(LD_PRELOAD=os.environ["BALEEN_SHIFT_CLOCK"], BALEEN_SHIFT=shift,
                                  ASAN_OPTIONS=sanitizer)
        daemon.restart()
        until(lambda: len(daemon.get("/api/v1/reservations/r1").json["slots"]) > len(before["slots"]) + 1,
              "it is booked further ahead")
        after = daemon.get("/api/v1/reservations/r1").json
        assert after["slots"].pop(len(before["slots"]))["state"] == "cancelled", after
        assert times(after)[:len(before["slots"])] == times(before)
        assert len(after["slots"]) == len(before["slots"]) + 3, len(after["slots"])
        week = 7 * 24 * HOUR
        assert [b[0] - a[0] for a, b in zip(times(after), times(after)[1:])].count(2 * week) == 1
        assert {b[0] - a[0] for a, b in zip(times(after), times(after)[1:])} == {week, 2 * week}


def events_and_the_timeline_tell_of_reservations():
    with Daemon() as daemon:
        connection = daemon.connect()
        connection.request("GET", "/api/v1/events")
        response = connection.getresponse()

        def next_told():
            kind = None
            while True:
                line = response.readline().decode().rstrip("\n")
                if line.startswith("event: "):
                    kind = line[7:]
                if line.startswith("data: ") and '"type":"reservation"' in line:
                    return kind, json.loads(line[6:])

        at = day(1)
        book(daemon, at, name="demo", every="FREQ=DAILY;COUNT=2", zone="UTC")
        told = [next_told(), next_told()]
        assert [(kind, item["ref"], item["state"]) for kind, item in told] == \
            [("upsert", "r1.1", "booked"), ("upsert", "r1.2", "booked")], told
        assert {key: value for key, value in told[0][1].items() if key != "type"} == listed(daemon)[0]
        bars = daemon.get(f"/api/v1/timeline?to={at + 3 * 86400}").json["bars"]
        assert [(bar["id"], bar["kind"], bar["ref"], bar["label"], bar["state"], len(bar["lanes"])) for bar in bars] == \
            [("reservation-r1.1", "reservation", "r1.1", "demo", "booked", 4),
             ("reservation-r1.2", "reservation", "r1.2", "demo", "booked", 4)], bars
        assert (bars[0]["start_at"], bars[0]["end_at"]) == (at, at + 2 * HOUR)
        expect(daemon.request("PATCH", "/api/v1/reservations/r1", {"every": None, "occurrence": 1, "following": True}),
               200)
        told = [next_told(), next_told()]
        assert [(kind, item["id"], item["occurrence"]) for kind, item in told] == \
            [("upsert", "r1", 1), ("remove", "r1", 2)], told
        connection.close()


main([
    C1_what_is_booked_is_told_with_its_gpus,
    C3_a_conflict_names_who_is_in_the_way_and_openings_that_can_be_booked,
    C3_a_trial_says_what_a_booking_would_be_told_and_books_nothing,
    P12_a_series_keeps_its_hour_across_both_changes_of_the_clocks,
    edits_change_one_all_that_follow_or_all,
    bad_input_is_refused_through_create_and_edit_alike_and_changes_nothing,
    what_belongs_to_others_is_theirs_and_their_admins,
    C1_a_job_of_a_booking_runs_in_it_and_others_keep_off,
    C1_what_is_not_sure_to_end_before_a_booking_does_not_start_on_it,
    a_booking_that_nobody_uses_is_given_up_and_told,
    a_booking_is_named_by_jobs_of_its_owner_or_project_alone,
    a_project_has_the_members_of_the_group_of_its_name_or_is_only_claimed,
    two_who_race_for_the_last_opening_get_it_once,
    nothing_is_half_booked_after_a_kill,
    a_series_is_booked_further_ahead_as_time_goes,
    events_and_the_timeline_tell_of_reservations,
])
