import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { draw, isInView, lanesInView } from "../src/timeline/draw";
import { blocksAt, hit } from "../src/timeline/hit";
import { firstLaneAt, laneAt, makeLayout, nodeKey } from "../src/timeline/layout";
import { mergeLanes } from "../src/timeline/merged";
import { Model } from "../src/timeline/model";
import { colorOfName, paintIndex, readPalette } from "../src/timeline/palette";
import { isSame, type Scene } from "../src/timeline/scene";
import { loadOf } from "../src/timeline/load";
import { HOUR, T0, bar, lanesOf, sceneOf } from "./kit/scene";
import { Recorder } from "./kit/recorder";

function drawn(scene: Scene): Recorder {
  const { recorder, ctx } = Recorder.make();
  draw(ctx, scene);
  return recorder;
}

test("a job on four GPUs is one block with its name, GPUs and memory", () => {
  const model = new Model(lanesOf(1, 8), [bar(["n1:2", "n1:3", "n1:4", "n1:5"], 1, 4, { label: "bert" })]);
  const picture = drawn(sceneOf(model));
  const [block, ...others] = picture.rects("fill-running");
  assert.equal(others.length, 0);
  assert.ok(Math.abs(block!.x - 200) < 1 && Math.abs(block!.width - 300) < 2, JSON.stringify(block));
  assert.ok(block!.y > 80 && block!.y < 84 && block!.height > 74 && block!.height <= 80);
  assert.ok(picture.texts().includes("bert"));
  assert.ok(picture.texts().includes("4 GPU · 320 GiB"));
});

test("a low bar has all of it in one line, a narrow one its beginning, a thin one nothing", () => {
  const model = new Model(lanesOf(1, 1), [bar(["n1:0"], 0, 4, { label: "wide" }), bar(["n1:0"], 5, 5.6, { label: "narrow-one" }), bar(["n1:0"], 6, 6.1, { label: "thin" })]);
  const texts = drawn(sceneOf(model)).texts();
  assert.ok(texts.includes("wide · 1 GPU · 80 GiB"));
  assert.ok(texts.some((text) => /^na.*…$/.test(text)), texts.join("|"));
  assert.ok(!texts.some((text) => text.startsWith("thin")));
});

test("names are isolated from what stands beside them", () => {
  const model = new Model(lanesOf(1, 1), [bar(["n1:0"], 0, 9, { label: "שלום" })]);
  const { recorder, ctx } = Recorder.make();
  draw(ctx, sceneOf(model));
  assert.ok(recorder.of("fillText").some(({ args }) => /^\u2068שלום.*\u2069$/.test(String(args[0]))));
});

test("the doubt about an end stops before the next bar", () => {
  const lanes = lanesOf(1, 1);
  const end = (more: ReturnType<typeof bar>[]): number => {
    const model = new Model(lanes, [bar(["n1:0"], 0, 2, { label: "a", end_p90_at: T0 + 6 * HOUR }), ...more]);
    const tails = drawn(sceneOf(model)).of("lineTo").filter(({ stroke }) => stroke === "fill-running");
    return Math.max(...tails.map(({ args, at }) => Number(args[0]) + at.x));
  };
  assert.equal(end([]), 700);
  assert.equal(end([bar(["n1:0"], 4, 5, { label: "b", state: "queued" })]), 498);
  assert.equal(end([bar(["n1:0"], 2, 3, { label: "b", state: "queued" })]), -Infinity);
});

test("what does not match is dim and nameless, what is switched off is not there", () => {
  const model = new Model(lanesOf(1, 2), [bar(["n1:0"], 0, 4, { label: "mine" }), bar(["n1:1"], 0, 4, { label: "other", user: "bo" })]);
  const picture = drawn(sceneOf(model, { matches: (one) => one.user === "anna" }));
  const alphas = picture.calls.filter((call) => call.fill === "fill-running" && call.name === "roundRect").map(({ alpha }) => alpha);
  assert.deepEqual(alphas.sort(), [0.2, 1]);
  assert.ok(picture.texts().some((text) => text.startsWith("mine")) && !picture.texts().some((text) => text.startsWith("other")));
  assert.equal(drawn(sceneOf(model, { hidden: ["running"] })).rects("fill-running").length, 0);
});

test("each GPU is named while its lane has room, then only the node", () => {
  const model = new Model(lanesOf(2, 4));
  const named = drawn(sceneOf(model)).texts();
  assert.ok(["n1", "n2", "0", "3"].every((text) => named.includes(text)), named.join("|"));
  const view = { from: T0, to: T0 + 10 * HOUR, isLive: false, laneHeight: 8 };
  const nodes = drawn(sceneOf(model, { view })).texts();
  assert.ok(nodes.includes("n1") && !nodes.includes("0") && !nodes.includes("3"), nodes.join("|"));
});

test("only what is seen is drawn", () => {
  const lanes = lanesOf(100, 8);
  const bars = lanes.map((lane) => bar([lane.id], 0, 5));
  const model = new Model(lanes, [...bars, ...lanes.map((lane) => bar([lane.id], 20, 25))]);
  const scene = sceneOf(model, { scroll: 3000 });
  const { first, end } = lanesInView(scene);
  assert.ok(first > 100 && end - first <= 20);
  assert.equal(drawn(scene).rects("fill-running").length, end - first);
});

test("what uses a GPU lies above what keeps it", () => {
  const kinds = [["job", "running"], ["outside", "running"], ["clearing", "clearing"], ["reservation", "active"], ["down", "drained"]] as const;
  const model = new Model(lanesOf(1, 1), kinds.map(([kind, state], i) => bar(["n1:0"], i, i + 9, { kind, state })));
  const fills = drawn(sceneOf(model)).of("roundRect").filter(({ at }) => at.x === 100).map(({ fill }) => fill);
  assert.deepEqual(fills.filter((fill) => String(fill).startsWith("fill-")),
    ["fill-down", "fill-reserved", "fill-clearing", "fill-outside", "fill-running"]);
});

test("the overview merges what shares a pixel: a picture costs what the screen has", () => {
  const lanes = lanesOf(125, 8);
  const bars = lanes.flatMap((lane) => Array.from({ length: 10 }, (_, i) => bar([lane.id], i, i + 0.999)));
  const model = new Model(lanes, bars);
  const scene = sceneOf(model, { view: { from: T0, to: T0 + 10 * HOUR, isLive: false, laneHeight: 0.5 }, height: 540 });
  const marks = [...mergeLanes(scene, 0, 1000).values()].flat();
  assert.equal(bars.length, 10000);
  assert.ok(marks.length <= 500, String(marks.length));
  assert.ok(marks.every((mark) => mark.height === 1 && mark.width > 500));
  const calls = drawn(scene).calls.length;
  assert.ok(calls < 2000, String(calls));
});

test("in the overview what is meant lies above what is not, and trouble above use", () => {
  const model = new Model(lanesOf(1, 4), [
    bar(["n1:0"], 0, 10, { user: "bo" }), bar(["n1:1"], 2, 4), bar(["n1:2"], 0, 10, { user: "bo", state: "failed" }),
  ]);
  const scene = sceneOf(model, { view: { from: T0, to: T0 + 10 * HOUR, isLive: false, laneHeight: 0.25 }, matches: (one) => one.user === "anna" });
  const marks = mergeLanes(scene, 0, 4);
  const spans = [...marks.values()].flat().map(({ x, width }) => [x, width]);
  assert.deepEqual(spans.sort((a, b) => a[0]! - b[0]!), [[0, 200], [200, 200], [400, 600]]);
});

test("a folded node is one row that shows its use, and a hidden lane has no height", () => {
  const model = new Model(lanesOf(2, 4));
  const folded = makeLayout(model, { laneHeight: 20, folded: [nodeKey(model.lanes[0]!)], isHidden: (lane) => lane === 5, queueRows: 0 });
  assert.equal(folded.top[3]! + folded.size[3]! - folded.top[0]!, 26);
  assert.equal(folded.size[5], 0);
  assert.equal(folded.height, 26 + 6 + 3 * 20 + 6);
  assert.equal(laneAt(folded, folded.top[6]! + 1), 6);
  assert.equal(laneAt(folded, 28), -1);
  assert.equal(laneAt(folded, folded.height + 1), -1);
  assert.equal(firstLaneAt(folded, 0), 0);
});

test("pools have headings where there are several, and fold", () => {
  const lanes = [...lanesOf(1, 2, "a"), ...lanesOf(1, 2, "b").map((lane) => ({ ...lane, id: `x${lane.id}`, node: "x1" }))];
  const model = new Model(lanes);
  const layout = makeLayout(model, { laneHeight: 20, folded: ["a"], isHidden: () => false, queueRows: 0 });
  assert.deepEqual(layout.groups.map(({ name, isPool, isFolded }) => [name, isPool, isFolded]), [["a", true, true], ["b", true, false], ["x1", false, false]]);
  assert.equal(layout.size[0], 13);
});

test("the pointer finds bars, their ends, lanes, names and the axis", () => {
  const model = new Model(lanesOf(1, 4), [
    bar(["n1:1", "n1:2"], 2, 6, { label: "job" }),
    bar(["n1:1"], 1, 9, { label: "booked", kind: "reservation", state: "active" }),
  ]);
  const scene = sceneOf(model);
  const at = (x: number, y: number): string => {
    const found = hit(scene, x, y);
    if (found.part === "bar") return `${found.block.bar.label} ${found.edge ?? "middle"}`;
    return found.part === "group" ? found.group.name : found.part;
  };
  for (const [x, y, expected] of [
    [400, 70, "job middle"], [302, 70, "job start"], [698, 70, "job end"], [230, 70, "booked middle"], [400, 50, "lane"],
    [400, 20, "axis"], [50, 60, "n1"], [50, 20, "names"], [400, 300, "nothing"], [98, 350, "names"],
  ] as const) {
    assert.equal(at(x, y), expected, `${x}, ${y}`);
  }
  assert.deepEqual(blocksAt(scene, 1, T0 + 4 * HOUR).map(({ bar: one }) => one.label), ["job", "booked"]);
});

test("colours by name are the same each time and of the palette's names", () => {
  assert.equal(colorOfName("anna"), colorOfName("anna"));
  const used = new Set(Array.from({ length: 200 }, (_, i) => colorOfName(`user${i}`)));
  assert.equal(used.size, 10);
  const [one] = [...new Model(lanesOf(1, 1), [bar(["n1:0"], 0, 1)]).bars.values()];
  assert.equal(paintIndex(one!, "user"), colorOfName("anna"));
  assert.equal(paintIndex({ ...one!, user: null }, "user"), paintIndex(one!, "state"));
});

test("the strip counts the GPUs of each column", () => {
  const model = new Model(lanesOf(1, 8), [
    bar(["n1:0", "n1:1"], 0, 5), bar(["n1:2"], 5, 10, { state: "queued" }), bar(["n1:3"], 2, 4, { kind: "reservation", state: "booked" }),
    bar([], 0, 10, { state: "queued", gpus: 8 }), bar(["n1:4"], -5, 0),
  ]);
  const [used, reserved, planned] = loadOf(model, { from: T0, to: T0 + 10 * HOUR }, 10, T0);
  assert.deepEqual([...used!.slice(0, 10)], [2, 2, 2, 2, 2, 0, 0, 0, 0, 0]);
  assert.deepEqual([...reserved!.slice(0, 10)], [0, 0, 1, 1, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual([...planned!.slice(0, 10)], [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
});

test("the ghost of a booking says what it is, in red where others are in the way", () => {
  const model = new Model(lanesOf(1, 4));
  const ghost = { boxes: [{ first: 0, last: 3, from: T0 + HOUR, to: T0 + 3 * HOUR }], isConflict: true, text: "4 GPUs" };
  const picture = drawn(sceneOf(model, { ghost }));
  assert.deepEqual(picture.rects("conflict")[0], { x: 200, y: 40, width: 200, height: 80 });
  assert.ok(picture.texts().includes("4 GPUs"));
  assert.equal(drawn(sceneOf(model, { ghost: { ...ghost, isConflict: false } })).rects("conflict").length, 0);
});

test("a day of 23 hours is drawn 23 hours wide", () => {
  const from = Date.parse("2026-03-28T23:00:00Z") / 1000;
  const model = new Model(lanesOf(1, 1));
  const view = { from, to: from + 47 * HOUR, isLive: false, laneHeight: 20 };
  const picture = drawn(sceneOf(model, { view, zone: "Europe/Berlin", width: 100 + 470 }));
  const days = picture.of("moveTo").filter(({ stroke, at }) => stroke === "day-line" && at.x === 100 && at.y === 40).map(({ args }) => Number(args[0]));
  assert.deepEqual(days, [0.5, 230.5]);
});

test("what should be over or begun by now goes on to the present, or begins there", () => {
  const model = new Model(lanesOf(1, 3), [bar(["n1:0"], 0, 1, { label: "overdue" }), bar(["n1:1"], 1, 4, { label: "late start", state: "queued" }),
    bar(["n1:2"], -9, -8, { label: "long overdue" })]);
  const picture = drawn(sceneOf(model, { now: T0 + 3 * HOUR }));
  const ends = picture.rects("fill-running").map(({ x, width }) => Math.round(x + width));
  assert.deepEqual(ends, [400, 400]);
  assert.equal(Math.round(picture.rects("fill-planned")[0]!.x), 400);
  const later = drawn(sceneOf(model, { now: T0 + 3 * HOUR, view: { from: T0 + 6 * HOUR, to: T0 + 9 * HOUR, isLive: false, laneHeight: 20 } }));
  assert.equal(later.rects("fill-running").length, 0);
});

test("changes are seen where a bar was or is, and nowhere else", () => {
  const near = bar(["n1:0"], 1, 2);
  const far = bar(["n30:0"], 1, 2);
  const over = bar(["n1:1"], -9, -8, { state: "completed" });
  const model = new Model(lanesOf(30, 8), [near, far, over]);
  const scene = sceneOf(model);
  const isSeen = (...changes: Parameters<Model["update"]>[0]): boolean => {
    model.update(changes);
    return isInView(scene, model.takeTouched());
  };
  assert.deepEqual(model.takeTouched(), [], "what was loaded is no change");
  assert.equal(isSeen({ ...far, end_at: T0 + 3 * HOUR }), false, "a lane out of sight");
  assert.equal(isSeen({ ...over, end_at: T0 - 7 * HOUR }), false, "a time out of sight");
  assert.equal(isSeen({ ...near, end_at: T0 + 3 * HOUR }), true);
  assert.equal(isSeen({ ...near, lanes: ["n30:1"] }), true, "where it was");
  assert.equal(isSeen({ ...near, lanes: ["n1:2"] }), true, "where it is now");
  assert.equal(isSeen(near.id), true);
  assert.equal(isSeen(), false);
});

test("a picture is the same where all but the model's content is", () => {
  const scene = sceneOf(new Model(lanesOf(1, 1)));
  assert.equal(isSame(scene, { ...scene }), true);
  assert.equal(isSame(scene, { ...scene, scroll: 1 }), false);
  assert.equal(isSame(scene, null), false);
});

/** The variables of the style sheets, in a theme, with what they refer to put in. */
function variables(theme: "light" | "dark"): (name: string) => string {
  const text = ["src/ui/theme.css", "src/timeline/timeline.css"].map((name) => readFileSync(name, "utf8")).join("\n");
  const found = new Map<string, string>();
  for (const [, dark, body] of text.matchAll(/^:root(\[data-theme="dark"\])? \{([^}]*)\}/gm)) {
    if (dark && theme === "light") continue;
    for (const [, name, value] of body!.matchAll(/(--[\w-]+): ([^;]+);/g)) found.set(name!, value!);
  }
  const get = (name: string): string => {
    const value = found.get(name) ?? "";
    return /^var\((--[\w-]+)\)$/.test(value) ? get(value.slice(4, -1)) : value;
  };
  return get;
}

/** As the guidelines for accessible content compute it. */
function luminance(color: string): number {
  const hex = color === "black" ? "000000" : color.slice(1).replace(/^(.)(.)(.)$/, "$1$1$2$2$3$3");
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high! + 0.05) / (low! + 0.05);
}

test("texts on bars and around them have a contrast of 4.5 or more, in both themes", () => {
  for (const theme of ["light", "dark"] as const) {
    const palette = readPalette(variables(theme));
    for (const { fill, text } of palette.paints) assert.ok(contrast(fill, text) >= 4.5, `${theme}: ${text} on ${fill}`);
    for (const text of [palette.text, palette.faint]) assert.ok(contrast(text, palette.plate) >= 4.5, `${theme}: ${text} on ${palette.plate}`);
    for (const plate of [palette.now, palette.faint, palette.conflict]) assert.ok(contrast(palette.background, plate) >= 4.5, `${theme}: on ${plate}`);
  }
});
