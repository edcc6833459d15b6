import assert from "node:assert/strict";
import { test } from "node:test";
import { arrayOf, numbered, numbersOf, ownNames } from "../tools/compact";

const KEYS = ["a.free", "state.running", "b.two"];
const SOURCE = 't("a.free"); t(`state.${state}`); t("b.two"); u("c.other"); v("state.running");';

test("keys that are named in full become numbers, keys that are made stay", () => {
  const numbers = numbersOf(KEYS, SOURCE);
  assert.deepEqual([...numbers], [["a.free", 0], ["b.two", 1]]);
  assert.equal(numbered(SOURCE, numbers), 't(0); t(`state.${state}`); t(1); u("c.other"); v("state.running");');
  assert.equal(numbered('<A label="b.two" name="b.x" />; key === "b.two"', numbers), '<A label={1} name="b.x" />; key === 1');
  assert.equal(arrayOf({ "b.two": { one: "x", other: "y" }, "a.free": { other: "z" }, "state.running": "r" }, numbers),
    'export default Object.assign(["z",{"one":"x","other":"y"}], {"state.running":"r"});', "one form alone is a text");
});

test("names of the source are shortened unless somebody else may know them by that name", () => {
  const source = 'class A { laneHeight = el.scrollTop; end_at = 1; isDay = "isOpen"; readonly #seq = t("x", { userName }); }';
  assert.deepEqual(ownNames(source, "interface Element { scrollTop: number }\n{userName} starts"), ["laneHeight", "isDay"]);
});
