import assert from "node:assert/strict";
import { test } from "node:test";
import { boxesOf, canBeNamed, conflictsOf, movedSlot, notBefore, placesOf, runsOf, slotOf } from "../src/timeline/drag";
import { Model } from "../src/timeline/model";
import { HOUR, T0, bar, lanesOf } from "./kit/scene";

const MINUTE = 60;

test("a drag over lanes is those GPUs, from one quarter of an hour to another, in any direction", () => {
  const model = new Model(lanesOf(1, 8));
  const a = { lane: 3, at: T0 + 7 * MINUTE };
  const b = { lane: 0, at: T0 + HOUR + 16 * MINUTE };
  const expected = { lanes: [0, 1, 2, 3], from: T0, to: T0 + HOUR + 30 * MINUTE };
  assert.deepEqual(slotOf(model, "Asia/Shanghai", a, b), expected);
  assert.deepEqual(slotOf(model, "Asia/Shanghai", b, a), expected);
  assert.equal(slotOf(model, "UTC", a, a).to, T0 + 15 * MINUTE);
});

test("quarters are those of the zone's clock, also where clocks change", () => {
  const model = new Model(lanesOf(1, 1));
  const change = Date.parse("2026-10-03T15:30:00Z") / 1000; // Lord Howe goes from 02:00 to 02:30
  const slot = slotOf(model, "Australia/Lord_Howe", { lane: 0, at: change - 8 * MINUTE }, { lane: 0, at: change + 8 * MINUTE });
  assert.equal(slot.from, change - 15 * MINUTE);
  assert.equal(slot.to, change + 15 * MINUTE);
});

test("rows of what has no GPU are not booked", () => {
  const model = new Model(lanesOf(1, 2), [bar([], 0, 1, { state: "queued" })]);
  assert.deepEqual(slotOf(model, "UTC", { lane: 1, at: T0 }, { lane: 2, at: T0 + HOUR }).lanes, [1]);
});

test("nothing is booked in the past", () => {
  const slot = { lanes: [0], from: T0 - HOUR, to: T0 + HOUR };
  assert.deepEqual(notBefore(slot, T0 + 5 * MINUTE, "UTC"), { lanes: [0], from: T0, to: T0 + HOUR });
  assert.equal(notBefore({ ...slot, to: T0 - MINUTE }, T0, "UTC").to, T0 + 15 * MINUTE);
});

test("a bar is moved in time and over lanes, or made longer, never turned around nor off the lanes", () => {
  const model = new Model(lanesOf(1, 4), [bar(["n1:1", "n1:2"], 2, 4)]);
  const [one] = [...model.bars.values()];
  const moved = (edge: "start" | "end" | null, hours: number, lanes = 0) => {
    const slot = movedSlot(model, "UTC", one!, { edge, seconds: hours * HOUR, lanes });
    return [slot.lanes.join(), (slot.from - T0) / HOUR, (slot.to - T0) / HOUR];
  };
  assert.deepEqual(moved(null, 1.05, 1), ["2,3", 3, 5]);
  assert.deepEqual(moved(null, 0, 9), ["2,3", 2, 4]);
  assert.deepEqual(moved(null, 0, -9), ["0,1", 2, 4]);
  assert.deepEqual(moved("end", 2), ["1,2", 2, 6]);
  assert.deepEqual(moved("end", -9), ["1,2", 2, 2.25]);
  assert.deepEqual(moved("start", 9), ["1,2", 3.75, 4]);
});

test("what is in the way is seen at once: bookings and running work, not what waits or may give way", () => {
  const lane = ["n1:0"];
  const slot = { lanes: [0], from: T0, to: T0 + HOUR };
  for (const [more, isConflict] of [
    [{}, true],
    [{ state: "queued" }, false],
    [{ state: "completed" }, false],
    [{ class: "preemptible" }, false],
    [{ kind: "reservation", state: "booked" }, true],
    [{ kind: "reservation", state: "cancelled" }, false],
    [{ kind: "clearing", state: "clearing" }, false],
    [{ kind: "down", state: "down", end_at: null }, true],
    [{ kind: "outside", state: "running" }, true],
    [{ start_at: T0 + HOUR }, false],
    [{ start_at: T0 - HOUR, end_at: T0 }, false],
    [{ start_at: T0 - HOUR, end_at: T0, end_p90_at: T0 + HOUR }, false],
  ] as const) {
    const model = new Model(lanesOf(1, 1), [bar(lane, 0, 1, more)]);
    assert.equal(conflictsOf(model, slot).length > 0, isConflict, JSON.stringify(more));
  }
  const own = bar(lane, 0, 1, { kind: "reservation", state: "booked" });
  const model = new Model(lanesOf(1, 1), [own]);
  assert.deepEqual(conflictsOf(model, slot, model.bars.get(own.id)), []);
});

test("GPUs are named as requests name them", () => {
  const model = new Model(lanesOf(2, 8));
  const lanes = (...at: number[]) => at.map((i) => model.lanes[i]!);
  assert.equal(placesOf(lanes(0, 1, 2, 5, 8)), "n1:0-2,5 n2:0");
  assert.equal(runsOf([0, 1, 3, 4, 5, 7]), "0-1,3-5,7");
  assert.equal(canBeNamed(lanes(0)), true);
  assert.equal(canBeNamed([]), false);
  const counted = new Model([{ id: "c1", node: "c1", pool: "p", gpu: null, gpus: 2, type: null, mem_bytes: null }]);
  assert.equal(placesOf(counted.lanes.slice(0, 2)), "c1");
  assert.equal(canBeNamed(counted.lanes.slice(0, 2)), false);
  assert.deepEqual(boxesOf(model, { lanes: [6, 7, 8], from: 0, to: 1 }).map(({ first, last }) => [first, last]), [[6, 7], [8, 8]]);
});
