import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Opening, type Reservation, changesOf, emptyForm, endOf, formOf, formOfLanes, isTwice, placesText, problemsOf, requestOf, shiftForm, startAt, startOf, takeOpening,
} from "../src/booking/form";
import { ONCE, everyOf, readRule, repeatWords } from "../src/booking/repeat";
import { setLanguage } from "../src/i18n";
import { Model } from "../src/timeline/model";
import { lanesOf } from "./kit/scene";

const ZONE = "Asia/Shanghai";
const NOW = Date.parse("2026-11-30T01:03:00Z") / 1000;
const at = (text: string): number => Date.parse(text) / 1000;

const BOOKED: Reservation = {
  id: "r17", ref: "r17.3", name: "course", user: "anna", project: null, zone: ZONE, rule: "FREQ=WEEKLY;BYDAY=TU", flex_s: 0,
  release_after_s: 900, occurrences: 5, occurrence: 3, state: "booked", start_at: at("2026-12-01T06:00:00Z"),
  end_at: at("2026-12-01T09:00:00Z"), gpus: 2, gpu_type: "A100", where: [{ node: "n1", gpus: [0, 1] }],
};

test("a new booking is for one GPU in a while, and its request says so with the zone", () => {
  const body = requestOf({ ...emptyForm(NOW, ZONE), name: " paper " }, ZONE);
  assert.deepEqual(body, { gpus: 1, from: "2026-11-30T09:15:00+08:00", until_at: "2026-11-30T10:15:00+08:00", zone: ZONE, name: "paper" });
});

test("a drag over lanes names its GPUs", () => {
  const model = new Model(lanesOf(2, 8));
  const form = formOfLanes([5, 6, 7, 8].map((lane) => model.lanes[lane]!), NOW, NOW + 3600, ZONE);
  assert.equal(form.isNamed, true);
  assert.equal(form.gpus, "4");
  assert.equal(requestOf(form, ZONE).on, "n1:5-7 n2:0");
});

test("what is wrong with a form is said at its field", () => {
  const good = { ...emptyForm(NOW, "Europe/Berlin"), from: "2026-12-01T09:00", to: "2026-12-01T12:00" };
  for (const [change, field, problem] of [
    [{ from: "" }, "from", "booking.bad_time"],
    [{ from: "2027-03-28T02:30" }, "from", "booking.bad_skipped"],
    [{ to: "2026-12-01T09:00" }, "to", "booking.bad_end"],
    [{ to: "2028-12-01T09:00" }, "to", "booking.bad_long"],
    [{ gpus: "0" }, "gpus", "booking.bad_gpus"],
    [{ gpus: "1e9" }, "gpus", "booking.bad_gpus"],
    [{ isNamed: true, places: " " }, "places", "booking.bad_gpus"],
    [{ flex: "soon" }, "flex", "booking.bad_duration"],
    [{ repeat: { ...ONCE, kind: "rule" as const } }, "rule", "booking.bad_rule"],
  ] as const) {
    assert.deepEqual(problemsOf({ ...good, ...change }, "Europe/Berlin"), { [field]: problem }, JSON.stringify(change));
  }
  assert.deepEqual(problemsOf(good, "Europe/Berlin"), {});
});

test("of a time that clocks show twice the meant one is taken, and an end that lies behind it", () => {
  const form = { ...emptyForm(NOW, "Europe/Berlin"), from: "2027-10-31T02:30", to: "2027-10-31T02:45" };
  assert.equal(isTwice(form, "Europe/Berlin"), true);
  assert.equal(startOf(form, "Europe/Berlin"), at("2027-10-31T00:30:00Z"));
  const second = { ...form, isSecond: true };
  assert.equal(startOf(second, "Europe/Berlin"), at("2027-10-31T01:30:00Z"));
  assert.equal(endOf(second, "Europe/Berlin"), at("2027-10-31T01:45:00Z"));
  assert.equal(isTwice({ ...form, from: "2027-10-30T02:30" }, "Europe/Berlin"), false);
});

test("a booking that is looked at and not changed makes no change", () => {
  const form = formOf(BOOKED, ZONE);
  assert.equal(form.places, "n1:0-1");
  assert.equal(form.repeat.kind, "weekly");
  assert.deepEqual(changesOf(form, form, ZONE, true), {});
});

test("an edit sends what changed, of one occurrence nothing that belongs to the series", () => {
  const before = formOf(BOOKED, ZONE);
  const after = { ...before, name: "exam", to: "2026-12-01T18:00" };
  const time = { from: "2026-12-01T14:00:00+08:00", until_at: "2026-12-01T18:00:00+08:00" };
  assert.deepEqual(changesOf(before, after, ZONE, false), time);
  assert.deepEqual(changesOf(before, after, ZONE, true), { ...time, name: "exam" });
  assert.deepEqual(changesOf(before, { ...before, isNamed: false, gpus: "4" }, ZONE, false), { gpus: 4 });
  assert.deepEqual(changesOf(before, { ...before, places: "n2:0-1" }, ZONE, false), { on: "n2:0-1" });
  assert.deepEqual(changesOf(before, { ...before, name: "" }, ZONE, true), { name: null });
  assert.deepEqual(changesOf(before, { ...before, repeat: { ...before.repeat, until: "2026-12-31" } }, ZONE, true), { until: "2026-12-31", zone: ZONE });
  assert.deepEqual(changesOf(before, { ...before, repeat: ONCE }, ZONE, true), { every: null });
});

test("a booking that begins later is as long as it was", () => {
  const form = { ...emptyForm(NOW, ZONE), from: "2026-12-01T09:00", to: "2026-12-01T12:00" };
  assert.deepEqual(startAt(form, "2026-12-31T22:00"), { from: "2026-12-31T22:00", to: "2027-01-01T01:00" });
  assert.deepEqual(startAt(form, "2026-12-01T08:30"), { from: "2026-12-01T08:30", to: "2026-12-01T11:30" });
  for (const from of ["", "0000-01-01T00:00", "275760-01-01T00:00"]) assert.equal(startAt(form, from).to, form.to, from);
});

test("times are shifted by the clock, also over a change of it", () => {
  const form = { ...emptyForm(NOW, "Europe/Berlin"), from: "2027-03-30T09:00", to: "2027-03-30T11:30" };
  const back = shiftForm(form, "Europe/Berlin", at("2027-03-30T06:00:00Z"), at("2027-03-23T07:00:00Z"));
  assert.deepEqual([back.from, back.to], ["2027-03-23T09:00", "2027-03-23T11:30"]);
});

test("an opening that is chosen fills the form", () => {
  const form = { ...emptyForm(NOW, ZONE), gpus: "8", from: "2026-12-01T09:00", to: "2026-12-01T11:00" };
  const opening: Opening = {
    kind: "later", start_at: at("2026-12-01T05:00:00Z"), end_at: at("2026-12-01T07:00:00Z"), from_at: at("2026-12-01T05:00:00Z"), gpus: 8,
    gpu_type: "A100", where: [{ node: "n1", gpus: [0, 1, 2, 3, 4, 5, 6, 7] }],
  };
  const later = takeOpening(form, opening, ZONE);
  assert.deepEqual([later.from, later.to, later.isNamed, later.gpus], ["2026-12-01T13:00", "2026-12-01T15:00", false, "8"]);
  const elsewhere = takeOpening(form, { ...opening, kind: "elsewhere" }, ZONE);
  assert.deepEqual([elsewhere.isNamed, elsewhere.places], [true, "n1:0-7"]);
  assert.equal(takeOpening(form, { ...opening, kind: "other_type" }, ZONE).gpuType, "A100");
  assert.equal(takeOpening(form, { ...opening, kind: "fewer", gpus: 3 }, ZONE).gpus, "3");
  assert.equal(placesText([{ node: "n1", gpus: [0, 2] }, { node: "c1", gpus: null }]), "n1:0,2 c1");
});

test("rules of the form are read back as they were made, and others are kept", () => {
  for (const [repeat, every] of [
    [{ ...ONCE, kind: "daily" as const }, "FREQ=DAILY"],
    [{ ...ONCE, kind: "daily" as const, interval: 3 }, "FREQ=DAILY;INTERVAL=3"],
    [{ ...ONCE, kind: "weekly" as const, days: [3, 1] }, "FREQ=WEEKLY;BYDAY=MO,WE"],
    [{ ...ONCE, kind: "monthly" as const, interval: 2 }, "FREQ=MONTHLY;INTERVAL=2"],
    [{ ...ONCE, kind: "rule" as const, rule: "FREQ=MONTHLY;BYDAY=1MO" }, "FREQ=MONTHLY;BYDAY=1MO"],
    [{ ...ONCE, kind: "rule" as const, rule: "FREQ=DAILY;COUNT=5" }, "FREQ=DAILY;COUNT=5"],
  ] as const) {
    assert.equal(everyOf(repeat), every);
    const back = readRule(every);
    assert.deepEqual({ ...back, days: [...back.days].sort() }, { ...repeat, days: [...repeat.days].sort() }, every);
  }
  assert.equal(everyOf(ONCE), null);
  assert.equal(everyOf({ ...ONCE, kind: "weekdays" }), "weekdays");
  assert.deepEqual(readRule("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20261224T080000Z"), { ...ONCE, kind: "weekdays", until: "2026-12-24" });
  assert.deepEqual(readRule(null), ONCE);
});

test("rules are said in words", async () => {
  const words = (rule: string, lang: string): string => repeatWords(readRule(rule), lang);
  await setLanguage("en");
  assert.equal(repeatWords(ONCE, "en-GB"), "once");
  assert.equal(words("FREQ=WEEKLY;BYDAY=MO,WE", "en-GB"), "every week on Mon and Wed");
  assert.equal(words("FREQ=WEEKLY;INTERVAL=2", "en-GB"), "every 2 weeks");
  assert.equal(words("FREQ=DAILY;UNTIL=20261224", "en-GB"), "every day, until 24 Dec 2026");
  assert.equal(words("FREQ=MONTHLY;BYDAY=1MO", "en-GB"), "FREQ=MONTHLY;BYDAY=1MO");
  await setLanguage("zh");
  assert.match(words("FREQ=WEEKLY;BYDAY=MO,WE", "zh-CN"), /^每周周一和周三$/);
  await setLanguage("en");
});
