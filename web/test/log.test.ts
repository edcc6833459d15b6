import assert from "node:assert/strict";
import { test } from "node:test";
import { found, LINES_KEPT, LogTail, plainText } from "../src/pages/logLines";

function tailOf(...chunks: (string | Uint8Array)[]): LogTail {
  const tail = new LogTail();
  for (const chunk of chunks) tail.add(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
  return tail;
}

const texts = (tail: LogTail): string[] => tail.lines.map(plainText);

test("colours become styles and go on over lines until they are reset", () => {
  const tail = tailOf("\x1b[1;32mgood\x1b[0m plain\n\x1b[31mbad\nstill\x1b[39m no\n");
  assert.deepEqual(tail.lines.map((line) => line.pieces), [
    [{ text: "good", style: "fg2 bold" }, { text: " plain", style: "" }],
    [{ text: "bad", style: "fg1" }],
    [{ text: "still", style: "fg1" }, { text: " no", style: "" }],
  ]);
});

test("every other escape sequence vanishes, and what is left of one is made visible", () => {
  for (const [given, shown] of [
    ["\x1b[2J\x1b[10;3Hx", "x"],
    ["\x1b]0;title\x07x", "x"],
    ["\x1b]8;;javascript:alert(1)\x1b\\link\x1b]8;;\x1b\\", "link"],
    ["\x1b[38;5;31mx\x1b[38;2;1;31;4my", "xy"],
    ["\x1bPq#0\x1b\\x", "x"],
    ["a\x08b\x00", "a␈b␀"],
    ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
  ] as const) assert.deepEqual(texts(tailOf(given + "\n")), [shown]);
  assert.equal(tailOf("\x1b[38;5;31mx\n").lines[0]?.pieces[0]?.style, "");
});

test("of a line that was written over and over the last state is shown", () => {
  assert.deepEqual(texts(tailOf("10%\r50%\r100%\n", "done\r\n")), ["100%", "done"]);
});

test("bytes may come in any pieces", () => {
  const bytes = new TextEncoder().encode("ep\x1b[32mo名字ch\x1b[0m\nnext");
  const whole = tailOf(bytes);
  for (let cut = 1; cut < bytes.length; cut++) {
    const parts = tailOf(bytes.slice(0, cut), bytes.slice(cut));
    assert.deepEqual(parts.lines, whole.lines, `cut at ${cut}`);
  }
  assert.deepEqual(texts(whole), ["epo名字ch", "next"]);
});

test("a line without an end is shown at once and goes on", () => {
  const tail = tailOf("first\nsec");
  assert.deepEqual(texts(tail), ["first", "sec"]);
  tail.add(new TextEncoder().encode("ond\nthird\n"));
  assert.deepEqual(texts(tail), ["first", "second", "third"]);
  assert.deepEqual(tail.lines.map((line) => line.number), [1, 2, 3]);
});

test("bytes that are no text do no harm", () => {
  assert.deepEqual(texts(tailOf(new Uint8Array([0xff, 0xfe, 0x41, 10]))), ["\ufffd\ufffdA"]);
});

test("the oldest lines go, and lines have a longest length", () => {
  const tail = tailOf("x\n".repeat(LINES_KEPT + 10) + "y".repeat(100_000) + "\n");
  assert.equal(tail.lines.length, LINES_KEPT);
  assert.ok(tail.isCut);
  assert.ok(plainText(tail.lines.at(-1)!).length <= 4000);
});

test("a search finds lines in any case", () => {
  const tail = tailOf("Loss 1\nacc 2\nLOSS 3\n");
  assert.deepEqual(found(tail.lines, "loss").map((line) => line.number), [1, 3]);
  assert.equal(found(tail.lines, "").length, 3);
});
