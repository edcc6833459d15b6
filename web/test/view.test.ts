import assert from "node:assert/strict";
import { test } from "node:test";
import { LANE_USUAL, read, usual, write } from "../src/timeline/address";
import { EVERYTHING, isFiltering, matcher } from "../src/timeline/filter";
import { KEYS, actionOf, fitHeight } from "../src/timeline/keys";
import { Model } from "../src/timeline/model";
import { SPANS, SPAN_MAX, SPAN_MIN, follow, liveView, panBy, pinch, resizeLanes, spanOf, timeAt, xOf, zoomBy } from "../src/timeline/view";
import { T0, bar, lanesOf } from "./kit/scene";

const day = liveView(T0, SPANS["1d"], 20);

test("a view that follows the present moves with it, until it is moved by hand", () => {
  assert.equal(follow(day, T0 + 60).from, day.from + 60);
  const moved = panBy(day, 0.5);
  assert.equal(moved.from, day.from + SPANS["1d"] / 2);
  assert.deepEqual(follow(moved, T0 + 60), moved);
});

test("zooming keeps the instant under the pointer, and stops at the limits", () => {
  const near = zoomBy(day, 0.5, 0.25);
  assert.equal(near.to - near.from, SPANS["1d"] / 2);
  assert.ok(Math.abs(timeAt(near, 25, 100) - timeAt(day, 25, 100)) < 1e-3);
  let view = day;
  for (let i = 0; i < 60; i++) view = zoomBy(view, 0.5);
  assert.equal(view.to - view.from, SPAN_MIN);
  for (let i = 0; i < 60; i++) view = zoomBy(view, 2);
  assert.equal(view.to - view.from, SPAN_MAX);
});

test("both fingers stay on the instants that they touched", () => {
  const after = pinch(day, [0.2, 0.4], [0.1, 0.7]);
  for (const [before, now] of [[0.2, 0.1], [0.4, 0.7]] as const) {
    assert.ok(Math.abs(timeAt(day, before, 1) - timeAt(after, now, 1)) < 1e-3);
  }
  assert.equal(pinch(day, [0.2, 0.4], [0.3, 0.3]), day);
});

test("a span is chosen around the present where it is seen, else around the middle", () => {
  assert.equal(spanOf(day, SPANS["1w"], T0).isLive, true);
  const later = panBy(day, 5);
  const week = spanOf(later, SPANS["1w"], T0);
  assert.equal(week.isLive, false);
  assert.equal(week.from + week.to, later.from + later.to);
});

test("pixels and instants are the same thing", () => {
  assert.ok(Math.abs(xOf(day, timeAt(day, 123, 1000), 1000) - 123) < 1e-6);
  assert.ok(resizeLanes(day, 1e9).laneHeight <= 44);
});

test("an address brings back what was seen, and says nothing of what is usual", () => {
  assert.equal(write(usual(T0)).toString(), "");
  const shown = {
    view: { ...panBy(day, 2), laneHeight: 7.5 },
    filter: { text: "bert -state:queued", user: "anna & co", project: "p", class: "batch", job_kind: "train", hidden: ["done", "down"] as const, hideEmpty: true },
    colorBy: "user" as const,
    folded: ["a%2Fb/n1", "pool%2C%20two"],
  };
  const back = read(new URLSearchParams(write(shown).toString()), T0);
  assert.deepEqual(back, { ...shown, view: { ...shown.view, from: Math.round(shown.view.from), to: Math.round(shown.view.to) } });
  const live = read(new URLSearchParams(write({ ...usual(T0), view: liveView(T0, SPANS["1w"], 20) })), T0 + 99);
  assert.equal(live.view.isLive, true);
  assert.equal(live.view.to - live.view.from, SPANS["1w"]);
});

test("an address that makes no sense shows what is usual", () => {
  for (const text of ["from=x&to=y", "from=5&to=4", "from=1", "span=1000000000000", "span=constructor", "lane=abc", "color=__proto__", "without=all,none",
    "from=0&to=1e999", "from=-5&to=99999999"]) {
    const back = read(new URLSearchParams(text), T0);
    assert.equal(back.view.isLive, true, text);
    assert.equal(back.view.laneHeight, LANE_USUAL);
    assert.equal(back.colorBy, "state");
    assert.deepEqual(back.filter, EVERYTHING);
  }
});

test("a filter means what all its parts mean", () => {
  const model = new Model(lanesOf(2, 1), [
    bar(["n1:0"], 0, 1, { label: "bert-large", user: "anna", project: "nlp", class: "batch" }),
    bar(["n2:0"], 0, 1, { label: "resnet", user: "bo", project: "vision", state: "queued", class: "preemptible" }),
    bar(["n2:0"], 2, 3, { label: "course", user: "anna", project: null, kind: "reservation", state: "booked" }),
    bar(["n1:0"], 2, 3, { label: "moved", user: "cy", project: null, state: "cancelled", outcome: "preempted", job_kind: "train", attempt: 1 }),
  ]);
  const found = (more: object): string => {
    const test = matcher({ ...EVERYTHING, ...more });
    return [...model.bars.values()].filter(test).map((one) => one.label).join(" ");
  };
  for (const [more, labels] of [
    [{}, "bert-large resnet course moved"],
    [{ user: "anna" }, "bert-large course"],
    [{ user: "anna", project: "nlp" }, "bert-large"],
    [{ class: "preemptible" }, "resnet"],
    [{ job_kind: "train" }, "moved"],
    [{ text: "kind:train state:preempted" }, "moved"],
    [{ text: "BERT" }, "bert-large"],
    [{ text: "anna -kind:reservation" }, "bert-large"],
    [{ text: "state:queued node:n2" }, "resnet"],
    [{ text: "kind:reservation" }, "course"],
    [{ text: "n2:0" }, "resnet course"],
    [{ text: "project:vision" }, "resnet"],
    [{ text: "nothing" }, ""],
    [{ text: "-" }, "bert-large"],
  ] as const) {
    assert.equal(found(more), labels, JSON.stringify(more));
  }
  assert.equal(isFiltering(EVERYTHING), false);
  assert.equal(isFiltering({ ...EVERYTHING, text: " x" }), true);
});

test("every key does one thing, and keys of the browser are left to it", () => {
  const all = KEYS.flatMap(({ keys }) => keys);
  assert.equal(new Set(all).size, all.length);
  const key = (name: string, more: object = {}, hasFocus = true) =>
    actionOf({ key: name, ctrlKey: false, altKey: false, metaKey: false, ...more }, hasFocus);
  assert.deepEqual(key("ArrowLeft"), { do: "pan", part: -1 / 6 });
  assert.deepEqual(key("r"), { do: "reserve" });
  assert.equal(key("r", { ctrlKey: true }), null);
  assert.equal(key("x"), null);
  assert.equal(key("ArrowLeft", {}, false), null);
  assert.deepEqual(key("+", {}, false), { do: "zoom", factor: 1 / 1.5 });
});

test("fitting shows all lanes", () => {
  assert.equal(fitHeight(400, 2000, 20), 4);
  assert.equal(fitHeight(400, 1e9, 20), 0.5);
  assert.equal(fitHeight(400, 0, 20), 44);
});

