"""Opinions of other programs on the calendar: Python's zoneinfo on zones, dateutil on rules, icalendar on
feeds. Everything drawn follows from a seed, which is printed: BL_PROP_SEED=N takes that one."""

import datetime as dt
import os
import random
import subprocess
import sys
import zoneinfo
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "replay"))
from kit import Skip, main  # noqa: E402  pylint: disable=wrong-import-position

# Debian keeps its modules of Python there, whichever Python runs this.
sys.path.append("/usr/lib/python3/dist-packages")
try:
    import dateutil.rrule
    import icalendar
except ImportError:
    dateutil = icalendar = None

PROBE = sys.argv[1]
SEED = int(os.environ.get("BL_PROP_SEED") or 20240229)
UTC = dt.timezone.utc
# Clocks that change by an hour, by half of one, never, around Ramadan, and below UTC.
ZONES = ["Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe",
         "Africa/Casablanca", "America/St_Johns"]
RULES = ["FREQ=DAILY", "FREQ=DAILY;INTERVAL=3;BYDAY=MO,TU,SA", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,FR",
         "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU", "FREQ=WEEKLY;INTERVAL=3;BYDAY=MO;WKST=WE",
         "FREQ=MONTHLY", "FREQ=MONTHLY;BYMONTHDAY=31,-2", "FREQ=MONTHLY;BYDAY=1MO,-1FR",
         "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU",
         "FREQ=YEARLY;BYMONTHDAY=1", "FREQ=YEARLY;BYDAY=20MO", "FREQ=DAILY;BYMONTHDAY=-1",
         "FREQ=DAILY;UNTIL=20270328T003000Z", "FREQ=WEEKLY;COUNT=20"]


def ask(questions):
    """One line of answer to each question, a tuple of fields."""
    text = "".join("\t".join(map(str, fields)) + "\n" for fields in questions)
    done = subprocess.run([PROBE], input=text, capture_output=True, text=True, check=True)
    answers = done.stdout.splitlines()
    assert len(answers) == len(questions), f"{len(answers)} answers to {len(questions)} questions"
    return answers


def feed(*fields):
    question = "\t".join(map(str, ("feed", *fields))) + "\n"
    done = subprocess.run([PROBE], input=question.encode(), capture_output=True, check=True)
    assert done.stdout.endswith(b".\n")
    return done.stdout[:-2].decode()


def seconds(moment):
    return int(moment.timestamp())


def all_zones():
    """Those of the system's own database."""
    names = sorted(name for name in zoneinfo.available_timezones() if name != "localtime")
    if not zoneinfo.TZPATH or len(names) < 100:
        raise Skip("Python finds no time zone database")
    return names


def clocks_of_every_zone_show_what_zoneinfo_says():
    draw = random.Random(SEED)
    names = all_zones()
    asked = [(name, draw.randrange(0, 4_102_444_800)) for name in names for _ in range(25)]
    wrong = []
    for (name, at), answer in zip(asked, ask([("local", *one) for one in asked])):
        shown = dt.datetime.fromtimestamp(at, zoneinfo.ZoneInfo(name)).strftime("%Y-%m-%d %H:%M:%S")
        if answer not in (shown, shown.removesuffix(":00")):
            wrong.append(f"{name} at {at}: {answer}, zoneinfo has {shown}")
    assert not wrong, "\n".join(wrong[:20])


def by_zoneinfo(wall, zone):
    """As the probe answers: a local time that is shown at two instants with one wall clock is doubled;
    one that comes back as another is left out, and the offset before it says where it is moved."""
    first, second = (wall.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return f"once {seconds(first)}"
    back = first.astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    if back == wall:
        return f"twice {seconds(first)} {seconds(second)}"
    return f"missing {seconds(first)}"


def changes(name, first, last):
    """Local times around the changes of the clocks in those years."""
    zone = zoneinfo.ZoneInfo(name)
    at = dt.datetime(first, 1, 1, tzinfo=UTC)
    while at.year < last:
        later = at + dt.timedelta(days=7)
        if at.astimezone(zone).utcoffset() != later.astimezone(zone).utcoffset():
            low, high = at, later
            while high - low > dt.timedelta(minutes=1):
                middle = low + (high - low) / 2
                same = middle.astimezone(zone).utcoffset() == at.astimezone(zone).utcoffset()
                low, high = (middle, high) if same else (low, middle)
            yield high.replace(second=0, microsecond=0).astimezone(zone).replace(tzinfo=None)
        at = later


def local_times_around_changes_are_found_as_zoneinfo_finds_them():
    asked = []
    for name in [*ZONES, "Europe/Dublin", "America/Santiago", "Antarctica/Troll", "Asia/Gaza"]:
        for change in changes(name, 2026, 2042):
            asked += [(name, change + dt.timedelta(minutes=minutes)) for minutes in range(-150, 151, 15)]
    assert len(asked) > 1000
    answers = ask([("find", name, wall.strftime("%Y-%m-%dT%H:%M")) for name, wall in asked])
    wrong = [f"{name} {wall}: {answer}, zoneinfo has {by_zoneinfo(wall, zoneinfo.ZoneInfo(name))}"
             for (name, wall), answer in zip(asked, answers)
             if answer != by_zoneinfo(wall, zoneinfo.ZoneInfo(name))]
    assert not wrong, "\n".join(wrong[:20])
    for word in ("once", "twice", "missing"):
        assert any(answer.startswith(word) for answer in answers), word


def needs_modules():
    if icalendar is None:
        raise Skip("python3-icalendar is not installed")


def expected(rule, first, zone, horizon):
    """Starts in UTC: dateutil on local times, zoneinfo on instants."""
    if "UNTIL" in rule:
        until = dt.datetime.strptime(rule.split("UNTIL=")[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        rule = rule.split(";UNTIL")[0]
    else:
        until = horizon
    starts = []
    for wall in dateutil.rrule.rrulestr(rule, dtstart=first):
        start = wall.replace(tzinfo=zone).astimezone(UTC)
        if start > until or start >= horizon:
            return starts
        starts.append(seconds(start))
    return starts


def draw_series(draw, rules=tuple(RULES)):
    name = draw.choice(ZONES)
    first = dt.datetime(2026, 1, 1) + dt.timedelta(days=draw.randrange(700))
    first += dt.timedelta(minutes=draw.choice([5 * draw.randrange(288), 60 + 15 * draw.randrange(9)]))
    zone = zoneinfo.ZoneInfo(name)
    if by_zoneinfo(first, zone).startswith("missing"):
        first += dt.timedelta(hours=3)
    horizon = first.replace(tzinfo=UTC) + dt.timedelta(days=400)
    return name, draw.choice(rules), first, horizon


def series_start_when_dateutil_and_zoneinfo_say():
    needs_modules()
    draw = random.Random(SEED)
    asked = [draw_series(draw) for _ in range(300)]
    answers = ask([("expand", name, 0, seconds(horizon), f"{first:%Y-%m-%dT%H:%M} 90s {rule}")
                   for name, rule, first, horizon in asked])
    wrong = []
    for (name, rule, first, horizon), answer in zip(asked, answers):
        want = expected(rule, first, zoneinfo.ZoneInfo(name), horizon)
        found = [] if answer.startswith("refused: the rule has no occurrence") else \
            [int(slot.split("-")[0]) for slot in answer.split()]
        if found != want:
            wrong.append(f"{rule} from {first} in {name}: {answer[:90]}, expected {want[:5]}")
    assert not wrong, "\n".join(wrong[:20])


def read_series(text):
    """Starts and ends in UTC of a feed of one series, by the feed's own rule, zone and exceptions."""
    calendar = icalendar.Calendar.from_ical(text)
    zone = calendar.walk("VTIMEZONE")[0].to_tz()
    events = calendar.walk("VEVENT")
    base = next(event for event in events if "RECURRENCE-ID" not in event)

    def wall(moment):
        return moment.replace(tzinfo=None)

    def instant(moment):
        return moment if moment.tzinfo == UTC or moment.tzname() == "UTC" else \
            zone.localize(wall(moment))

    first = base.decoded("DTSTART")
    rule = base["RRULE"].to_ical().decode()
    length = base.decoded("DURATION") if "DURATION" in base else \
        instant(base.decoded("DTEND")) - zone.localize(wall(first))
    gone = base.get("EXDATE", [])
    gone = {wall(date.dt) for one in (gone if isinstance(gone, list) else [gone])
            for date in one.dts}
    moved = {wall(event.decoded("RECURRENCE-ID")):
             (seconds(instant(event.decoded("DTSTART"))), seconds(instant(event.decoded("DTEND"))))
             for event in events if event is not base}
    slots = []
    for one in dateutil.rrule.rrulestr(rule, dtstart=wall(first)):
        if one in moved:
            slots.append(moved[one])
        elif one not in gone:
            slots.append((seconds(zone.localize(one)), seconds(zone.localize(one) + length)))
    return slots, base, calendar


def C7_feeds_are_read_by_icalendar_as_they_are_booked():
    needs_modules()
    draw = random.Random(SEED)
    rules = [rule for rule in RULES if "20MO" not in rule]  # icalendar 4 reads one digit there
    for _ in range(60):
        name, rule, first, horizon = draw_series(draw, rules)
        rule = rule.split(";UNTIL")[0].split(";COUNT")[0] + ";COUNT=9"
        series = f"{first:%Y-%m-%dT%H:%M} 45m {rule}"
        horizon += dt.timedelta(days=4000)
        slots = ask([("expand", name, 0, seconds(horizon), series)])[0].split()
        slots = [tuple(map(int, slot.split("-"))) for slot in slots]
        gone, moved = draw.choice([(0, 0), (2, 3), (9, 1)])
        want = [(start + 3600, end + 3600) if number == moved else (start, end)
                for number, (start, end) in enumerate(slots, 1) if number != gone]
        found, event, calendar = read_series(feed(name, 0, seconds(horizon), series, gone, moved))
        assert found == want, f"{series} in {name}: {found}, booked {want}"
        assert str(event["SUMMARY"]) == "demo, 中文;\nline"
        assert str(event["UID"]) == "r1@site" and event["STATUS"] == "CONFIRMED"
        assert str(calendar["X-WR-CALNAME"]) == "feed"


def feeds_have_lines_of_75_bytes_at_most():
    text = feed("Europe/Berlin", 0, 1_900_000_000, "2026-12-01T02:30 1h FREQ=WEEKLY;COUNT=60", 2, 3)
    lines = text.encode().split(b"\r\n")
    assert lines[0] == b"BEGIN:VCALENDAR" and lines[-2:] == [b"END:VCALENDAR", b""]
    assert max(map(len, lines)) <= 75


print(f"# seed {SEED}")
main([(claim.__name__, claim) for claim in [
    clocks_of_every_zone_show_what_zoneinfo_says,
    local_times_around_changes_are_found_as_zoneinfo_finds_them,
    series_start_when_dateutil_and_zoneinfo_say,
    C7_feeds_are_read_by_icalendar_as_they_are_booked,
    feeds_have_lines_of_75_bytes_at_most,
]])
