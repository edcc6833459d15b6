import assert from "node:assert/strict";
import { test } from "node:test";
import { cut, visible } from "../src/ui/visible";

test("control characters and direction marks become visible marks", () => {
  for (const [given, shown] of [
    ["a\nb\tc", "a␊b␉c"],
    ["\x1b[31mred", "␛[31mred"],
    ["x\x7f", "x␡"],
    ["\u202egnp.exe", "⟨202E⟩gnp.exe"],
    ["a\u200bb\ufeff", "a⟨200B⟩b⟨FEFF⟩"],
    ["\u0085", "⟨0085⟩"],
    ["\ud800x", "⟨D800⟩x"],
    ["plain – 名字 ünïcödé", "plain – 名字 ünïcödé"],
    ["<b>&amp;</b>", "<b>&amp;</b>"],
  ] as const) assert.equal(visible(given), shown);
});

test("an emoji of several signs stays whole, a joiner by itself does not", () => {
  assert.equal(visible("👨‍👩‍👧 🐳"), "👨‍👩‍👧 🐳");
  assert.equal(visible("a\u200db"), "a⟨200D⟩b");
});

test("a heap of marks on one letter is cut down", () => {
  assert.equal(visible("e" + "\u0301".repeat(500)), "e" + "\u0301".repeat(3));
});

test("a long text is cut between characters as a reader counts them", () => {
  assert.equal(cut("short", 10), "short");
  assert.equal(cut("abcdefghijk", 10), "abcdefghi…");
  assert.equal(cut("👨‍👩‍👧".repeat(12), 10), "👨‍👩‍👧".repeat(4) + "…");
  assert.ok(cut("x".repeat(10_000), 60).length <= 61);
  assert.ok(cut("👨‍👩‍👧".repeat(10_000), 60).length <= 241);
});
