"""The calendar for other programs: who is let in, and what they read."""

import re
import sys
import time

from http_kit import Port, expect
from kit import Daemon, Skip, main, until

# Debian keeps its modules of Python there, whichever Python runs this.
sys.path.append("/usr/lib/python3/dist-packages")
try:
    import icalendar
except ImportError:
    icalendar = None

HOUR = 3600
TODAY = int(time.time()) // 86400 * 86400


def utc(at):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def day(ahead):
    """Noon, so many days ahead."""
    return TODAY + ahead * 86400 + 12 * HOUR


def book(daemon, **more):
    answer = daemon.post("/api/v1/reservations", {"gpus": 2, "for": "2h", **more})
    expect(answer, 201)
    return answer.json


def text_of(answer):
    assert answer.status == 200, f"{answer.status}: {answer.body}"
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    text = answer.body if isinstance(answer.body, str) else answer.body.decode()
    assert text.startswith("BEGIN:VCALENDAR\r\n") and text.endswith("END:VCALENDAR\r\n"), text
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    return text.replace("\r\n ", "")


def feed(daemon, query=""):
    """The events of the calendar: lines by UID, exceptions of a series behind it."""
    events = {}
    text = text_of(daemon.get(f"/ical/mine.ics{query}"))
    for event in re.findall(r"BEGIN:VEVENT\r\n(.*?)END:VEVENT", text, re.DOTALL):
        lines = event.strip().split("\r\n")
        uid = next(line for line in lines if line.startswith("UID:"))
        events.setdefault(uid[4:].split("@")[0], []).append(lines)
    return events


def stamp(at):
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(at))


def C7_bookings_are_certain_and_what_is_expected_is_tentative():
    with Daemon() as daemon:
        runs = daemon.submit("sleep 1000", name="训练, a;b", resources={"gpus": 8}, time={"limit": "1h"})
        started = int(daemon.wait(runs, "started")["started_at"])
        waits = daemon.submit("true", resources={"gpus": 4}, time={"limit": "1h"})
        until(lambda: daemon.job(waits)["start"], "its start is foretold")
        at = day(2)
        book(daemon, **{"from": utc(at)}, name="demo", project="nlp")
        found = feed(daemon)
        assert set(found) == {"r1", f"job-{runs}", f"job-{waits}"}, found
        booking, running, waiting = (found[uid][0] for uid in ("r1", f"job-{runs}", f"job-{waits}"))
        assert f"DTSTART:{stamp(at)}" in booking and f"DTEND:{stamp(at + 2 * HOUR)}" in booking
        assert "SUMMARY:r1 demo (2 GPUs)" in booking and "CATEGORIES:reservation" in booking
        assert "STATUS:CONFIRMED" in booking and "TRANSP:OPAQUE" in booking
        assert f"SUMMARY:{runs} 训练\\, a\\;b (8 GPUs)" in running, running
        assert f"DTSTART:{stamp(started)}" in running and "STATUS:TENTATIVE" in running
        assert any(line.startswith("LOCATION:") and line.endswith(":0\\,1\\,2\\,3\\,4\\,5\\,6\\,7") for line in running)
        assert "STATUS:TENTATIVE" in waiting and "TRANSP:TRANSPARENT" in waiting
        assert not any(line.startswith("LOCATION") for line in waiting)
        daemon.cancel_all()
        ended = feed(daemon)[f"job-{runs}"][0]
        assert "STATUS:CONFIRMED" in ended and f"DTSTART:{stamp(started)}" in ended, ended


def C7_a_changed_booking_keeps_its_uid_and_counts_up():
    with Daemon() as daemon:
        book(daemon, **{"from": utc(day(2))})
        before = feed(daemon)["r1"][0]
        expect(daemon.request("PATCH", "/api/v1/reservations/r1", {"from": utc(day(3))}), 200)
        after = feed(daemon)["r1"][0]
        uid, sequence = ([line for line in before if line.startswith(key)][0] for key in ("UID:", "SEQUENCE:"))
        assert uid in after and f"DTSTART:{stamp(day(3))}" in after
        assert [line for line in after if line.startswith("SEQUENCE:")][0] > sequence
        expect(daemon.request("DELETE", "/api/v1/reservations/r1"), 200)
        gone = feed(daemon)["r1"][0]
        assert uid in gone and "STATUS:CANCELLED" in gone, gone


def P12_a_series_is_one_event_with_its_rule_and_its_exceptions():
    with Daemon() as daemon:
        book(daemon, **{"from": utc(day(2))}, every="daily 6 times", zone="Europe/Berlin")
        (series,) = feed(daemon)["r1"]
        assert "RRULE:FREQ=DAILY;COUNT=6" in series, series
        assert any(line.startswith("DTSTART;TZID=Europe/Berlin:") for line in series)
        expect(daemon.request("PATCH", "/api/v1/reservations/r1",
                              {"occurrence": 3, "from": utc(day(4) + HOUR)}), 200)
        expect(daemon.request("DELETE", "/api/v1/reservations/r1?occurrence=4"), 200)
        series, changed = feed(daemon)["r1"]
        assert sum(line.startswith("EXDATE;TZID=Europe/Berlin:") for line in series) == 1
        assert any(line.startswith("RECURRENCE-ID;TZID=Europe/Berlin:") for line in changed)
        # all that follow begin anew: what was before is told one by one
        expect(daemon.request("PATCH", "/api/v1/reservations/r1",
                              {"occurrence": 5, "following": True, "from": utc(day(6) + 3 * HOUR)}), 200)
        found = feed(daemon)
        assert set(found) == {"r1", "r1.1", "r1.2", "r1.3", "r1.4"}, found.keys()
        assert "STATUS:CANCELLED" in found["r1.4"][0] and "RRULE:FREQ=DAILY;COUNT=2" in found["r1"][0], found
        expect(daemon.request("DELETE", "/api/v1/reservations/r1?occurrence=6"), 200)
        (series,) = feed(daemon)["r1"]
        assert any(line.startswith("RRULE:FREQ=DAILY;UNTIL=") for line in series), series


def C7_another_program_reads_the_calendar():
    if icalendar is None:
        raise Skip("python3-icalendar is not installed")
    with Daemon() as daemon:
        book(daemon, **{"from": utc(day(2))}, name="once; \"demo\", 演示")
        book(daemon, **{"from": utc(day(3))}, every="weekly 3 times", zone="Australia/Lord_Howe")
        calendar = icalendar.Calendar.from_ical(text_of(daemon.get("/ical/mine.ics")))
        once, series = calendar.walk("VEVENT")
        assert str(once["SUMMARY"]) == "r1 once; \"demo\", 演示 (2 GPUs)"
        assert once.decoded("DTSTART").timestamp() == day(2)
        zone = calendar.walk("VTIMEZONE")[0].to_tz()
        assert zone.localize(series.decoded("DTSTART").replace(tzinfo=None)).timestamp() == day(3)
        assert dict(series["RRULE"]) == {"FREQ": ["WEEKLY"], "COUNT": [3]}


def the_query_says_whose_bookings_and_jobs_are_meant():
    with Daemon() as daemon:
        book(daemon, **{"from": utc(day(2))})
        daemon.wait(daemon.submit("true", resources={"gpus": 1}))
        assert len(feed(daemon)) == 2
        assert set(feed(daemon, "?jobs=none")) == {"r1"}
        assert "r1" not in feed(daemon, "?reservations=none&jobs=all")
        assert set(feed(daemon, "?reservations=mine&jobs=mine")) == set(feed(daemon))
        answer = daemon.get("/ical/mine.ics?jobs=yours")
        expect(answer, 400, "invalid", "expected mine, all or none")
        assert answer.error["field"] == "jobs"
        expect(daemon.get("/ical/mine.ics?user=me"), 400, "invalid")


def C7_over_tcp_the_address_holds_a_token_that_may_only_look():
    with Port() as daemon:
        book(daemon, **{"from": utc(day(2))})
        read = daemon.token("read")
        assert "UID:r1@" in text_of(daemon.tcp("GET", f"/ical/{read}.ics"))
        assert "UID:r1@" in text_of(daemon.tcp("GET", "/ical/mine.ics", daemon.token("submit")))
        expect(daemon.tcp("GET", "/ical/mine.ics"), 401, "unauthorized")
        expect(daemon.tcp("GET", f"/ical/{read}x.ics"), 401, "unauthorized")
        expect(daemon.tcp("GET", f"/ical/{read}"), 401, "unauthorized")
        expect(daemon.tcp("GET", f"/ical/{daemon.token('submit')}.ics"), 403, "forbidden", "--scope read")
        expect(daemon.tcp("GET", f"/api/v1/jobs?token={read}"), 401, "unauthorized")
        expect(daemon.tcp("POST", f"/ical/{read}.ics"), 403, "forbidden")
        daemon.revoke(read)
        expect(daemon.tcp("GET", f"/ical/{read}.ics"), 401, "unauthorized")


main([C7_bookings_are_certain_and_what_is_expected_is_tentative,
      C7_a_changed_booking_keeps_its_uid_and_counts_up,
      P12_a_series_is_one_event_with_its_rule_and_its_exceptions,
      C7_another_program_reads_the_calendar,
      the_query_says_whose_bookings_and_jobs_are_meant,
      C7_over_tcp_the_address_holds_a_token_that_may_only_look])
