import assert from "node:assert/strict";
import { test } from "node:test";
import { fromInput, readDuration, showOffset, toInput, toRequest } from "../src/time/format";
import { scaleFor, ticksOf } from "../src/time/ticks";
import { DAY, HOUR, MINUTE, dayStart, instantOf, instantsOf, offsetAt, secondsOf, snap, wallOf, wallSeconds, weekday, zoneExists } from "../src/time/zone";

const utc = (text: string): number => Date.parse(text) / 1000;
const wall = (text: string): number => utc(`${text}Z`);

test("a zone's clocks are as far ahead as its rules say, before and after they change", () => {
  for (const [zone, at, hours] of [
    ["UTC", "2026-06-01T00:00:00Z", 0],
    ["Europe/Berlin", "2026-03-29T00:59:59Z", 1],
    ["Europe/Berlin", "2026-03-29T01:00:00Z", 2],
    ["Europe/Berlin", "2026-10-25T00:59:59Z", 2],
    ["Europe/Berlin", "2026-10-25T01:00:00Z", 1],
    ["America/New_York", "2026-03-08T06:59:59Z", -5],
    ["America/New_York", "2026-03-08T07:00:00Z", -4],
    ["Australia/Lord_Howe", "2026-04-04T14:59:59Z", 11],
    ["Australia/Lord_Howe", "2026-04-04T15:00:00Z", 10.5],
    ["Asia/Shanghai", "2026-07-01T00:00:00Z", 8],
    ["Asia/Kathmandu", "2026-07-01T00:00:00Z", 5.75],
  ] as const) {
    assert.equal(offsetAt(zone, utc(at)) / HOUR, hours, `${zone} ${at}`);
  }
});

test("a day is as long as the clocks make it", () => {
  for (const [zone, day, hours] of [
    ["Europe/Berlin", "2026-03-29T12:00:00Z", 23],
    ["Europe/Berlin", "2026-10-25T12:00:00Z", 25],
    ["America/New_York", "2026-03-08T17:00:00Z", 23],
    ["America/New_York", "2026-11-01T17:00:00Z", 25],
    ["Australia/Lord_Howe", "2026-04-05T02:00:00Z", 24.5],
    ["Australia/Lord_Howe", "2026-10-04T02:00:00Z", 23.5],
    ["Asia/Shanghai", "2026-03-29T12:00:00Z", 24],
  ] as const) {
    const start = dayStart(zone, utc(day));
    assert.equal((dayStart(zone, start, 1) - start) / HOUR, hours, `${zone} ${day}`);
  }
});

test("a day that begins where clocks leap begins with the leap", () => {
  const start = dayStart("Africa/Cairo", utc("2026-04-24T10:00:00Z"));
  assert.equal(new Date(start * 1000).toISOString(), "2026-04-23T22:00:00.000Z");
  assert.equal(wallOf("Africa/Cairo", start).hour, 1);
});

test("a clock time is no instant, one or two", () => {
  for (const [zone, shown, count] of [
    ["Europe/Berlin", "2026-03-29T02:30:00", 0],
    ["Europe/Berlin", "2026-10-25T02:30:00", 2],
    ["Europe/Berlin", "2026-06-01T02:30:00", 1],
    ["America/New_York", "2026-03-08T02:00:00", 0],
    ["America/New_York", "2026-11-01T01:15:00", 2],
    ["Australia/Lord_Howe", "2026-10-04T02:15:00", 0],
    ["Australia/Lord_Howe", "2026-04-05T01:45:00", 2],
    ["Asia/Shanghai", "2026-03-29T02:30:00", 1],
  ] as const) {
    const found = instantsOf(zone, wall(shown));
    assert.equal(found.length, count, `${zone} ${shown}`);
    for (const at of found) assert.equal(wallSeconds(zone, at), wall(shown));
  }
  assert.equal(instantOf("Europe/Berlin", wall("2026-03-29T02:30:00")), utc("2026-03-29T01:00:00Z"));
});

test("instants snap to quarter hours of the local clock", () => {
  assert.equal(snap("Asia/Kathmandu", utc("2026-01-01T00:08:00Z"), HOUR), utc("2026-01-01T00:15:00Z"));
  assert.equal(snap("Australia/Lord_Howe", utc("2026-06-01T00:20:00Z"), HOUR, Math.floor), utc("2026-05-31T23:30:00Z"));
  assert.equal(snap("UTC", utc("2026-01-01T00:07:29Z"), 15 * MINUTE), utc("2026-01-01T00:00:00Z"));
});

test("weekdays are those of the zone", () => {
  assert.equal(weekday("UTC", utc("2026-11-30T00:00:00Z")), 1);
  assert.equal(weekday("America/New_York", utc("2026-11-30T00:00:00Z")), 0);
  assert.equal(weekday("UTC", utc("1969-12-31T00:00:00Z")), 3);
});

test("the axis of a day has its local hours, with the one that comes twice and without that left out", () => {
  const hours = (zone: string, day: string): string[] => {
    const start = dayStart(zone, utc(day));
    return ticksOf(zone, start, dayStart(zone, start, 1), HOUR).map(({ at }) => toInput(at, zone).slice(11));
  };
  const spring = hours("Europe/Berlin", "2026-03-29T12:00:00Z");
  assert.equal(spring.length, 23);
  assert.deepEqual(spring.slice(0, 4), ["00:00", "01:00", "03:00", "04:00"]);
  const autumn = hours("America/New_York", "2026-11-01T17:00:00Z");
  assert.equal(autumn.length, 25);
  assert.deepEqual(autumn.slice(0, 4), ["00:00", "01:00", "01:00", "02:00"]);
  assert.equal(hours("Australia/Lord_Howe", "2026-10-04T02:00:00Z")[2], "03:00");
  assert.equal(hours("Asia/Shanghai", "2026-10-25T02:00:00Z").length, 24);
});

test("ticks of days, weeks and months are local midnights, the last one before the window included", () => {
  const from = utc("2026-03-27T12:00:00Z");
  const days = ticksOf("Europe/Berlin", from, from + 4 * DAY, DAY).map(({ at }) => toInput(at, "Europe/Berlin"));
  assert.deepEqual(days, ["2026-03-27T00:00", "2026-03-28T00:00", "2026-03-29T00:00", "2026-03-30T00:00", "2026-03-31T00:00"]);
  const weeks = ticksOf("Europe/Berlin", from, from + 14 * DAY, 7 * DAY).map(({ at }) => toInput(at, "Europe/Berlin").slice(0, 10));
  assert.deepEqual(weeks, ["2026-03-23", "2026-03-30", "2026-04-06"]);
  const months = ticksOf("Asia/Shanghai", from, from + 60 * DAY, 31 * DAY).map(({ at }) => toInput(at, "Asia/Shanghai").slice(0, 10));
  assert.deepEqual(months, ["2026-03-01", "2026-04-01", "2026-05-01"]);
});

test("the scale is the finest whose labels have room", () => {
  for (const [seconds, step, labels] of [
    [1, 5 * MINUTE, "minutes"],
    [6 * HOUR / 1200, 30 * MINUTE, "minutes"],
    [DAY / 1200, 2 * HOUR, "hours"],
    [7 * DAY / 1200, 12 * HOUR, "hours"],
    [30 * DAY / 1200, DAY, "dates"],
    [60 * DAY / 1200, 7 * DAY, "days"],
    [400 * DAY / 1200, 31 * DAY, "months"],
  ] as const) {
    assert.deepEqual(scaleFor(seconds), { step, labels }, String(seconds));
  }
});

test("what is typed into a field of time comes back, and requests name the offset", () => {
  for (const zone of ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Shanghai", "UTC"]) {
    const at = utc("2026-10-24T22:45:00Z");
    assert.deepEqual(fromInput(toInput(at, zone), zone), [at], zone);
    assert.equal(Date.parse(toRequest(at, zone)) / 1000, at, zone);
  }
  assert.equal(toRequest(utc("2026-12-01T01:00:00Z"), "Asia/Shanghai"), "2026-12-01T09:00:00+08:00");
  assert.equal(toRequest(utc("2026-01-01T12:00:00Z"), "America/St_Johns"), "2026-01-01T08:30:00-03:30");
  assert.deepEqual(fromInput("2026-03-29T02:30", "Europe/Berlin"), []);
  for (const text of ["", "tomorrow", "2026-13", "2026-1-1T00:00"]) assert.deepEqual(fromInput(text, "UTC"), [], text);
});

test("offsets are written as people do", () => {
  const at = utc("2026-01-01T00:00:00Z");
  assert.deepEqual(["UTC", "Asia/Shanghai", "America/St_Johns", "Asia/Kathmandu"].map((zone) => showOffset(zone, at)),
    ["UTC+0", "UTC+8", "UTC−3:30", "UTC+5:45"]);
});

test("durations are read in any of their units, and other texts are none", () => {
  for (const [text, seconds] of [["90m", 5400], ["2h 30m", 9000], ["1.5h", 5400], ["3d", 3 * DAY], ["1w", 7 * DAY], ["45min", 2700],
    ["", null], ["2", null], ["h", null], ["2h x", null], ["0h", null], ["-2h", null]] as const) {
    assert.equal(readDuration(text), seconds, text);
  }
});

test("a name that is no zone is refused", () => {
  assert.equal(zoneExists("Europe/Berlin"), true);
  for (const name of ["Mars/Base", "", "x".repeat(10000)]) assert.equal(zoneExists(name), false);
});

test("fields of wall clocks and their seconds are the same thing", () => {
  assert.equal(secondsOf({ year: 2026, month: 11, day: 30, hour: 1, minute: 2 }), utc("2026-11-30T01:02:00Z"));
});
