import assert from "node:assert/strict";
import { test } from "node:test";
import { setLanguage, t, tx } from "../src/i18n";
import { reasonText } from "../src/reasons";
// @ts-expect-error a tool without types
import { differences, placeholders, untranslated, unused } from "../tools/dictionary-rules.mjs";

test("a text takes its parameters and the plural form of its language", async () => {
  await setLanguage("en");
  assert.equal(t("job.gpus", { n: 1 }), "1 GPU");
  assert.equal(t("job.gpus", { n: 1200 }), "1,200 GPUs");
  await setLanguage("zh");
  assert.equal(t("job.gpus", { n: 1 }), "1 块 GPU");
  await setLanguage("en");
});

test("what a parameter holds is never read as a placeholder", () => {
  assert.equal(t("done.hold", { name: "{name} $& {n}" }), "{name} $& {n} is held");
});

test("elements stand where the text wants them", () => {
  assert.deepEqual(tx("why.free", { n: 3, all: "8" }), ["", "3", " of ", "8", " free"]);
});

test("a reason is worded by its code and numbers", async () => {
  const of = (reason: string, numbers: Partial<Record<"job" | "need" | "have" | "at", number>>) => reasonText(
    { reason, reason_text: "as the daemon says", reason_numbers: { job: 0, need: 0, have: 0, at: null, ...numbers } },
    "UTC", Date.parse("2026-11-30T10:00:00Z") / 1000);
  await setLanguage("en");
  for (const [code, numbers, said] of [
    ["resources", { need: 8, have: 4 }, "needs 8 GPUs; of the suitable ones, 4 free"],
    ["resources", { need: 1, have: 0 }, "needs 1 GPU; of the suitable ones, 0 free"],
    ["resources", {}, "needs more CPUs or memory than is free"],
    ["priority", { job: 1234, need: 3 }, "behind job 1234, 3 are ahead"],
    ["reserved", { job: 17, at: Date.parse("2026-11-30T12:30:00Z") / 1000 },
      "would not be sure to end before reservation r17 begins (12:30) on the GPUs that suit it"],
    ["reserved", { job: -5, at: Date.parse("2026-11-30T12:30:00Z") / 1000 },
      "would not be sure to end before the GPUs promised to job 5 are due (12:30)"],
    ["exit", { need: 3 }, "ended with exit code 3"],
    ["exit", { have: 9 }, "ended by signal 9"],
    ["user", { need: 100_001 }, "cancelled by the user with uid 100001"],
    ["of_a_newer_daemon", {}, "as the daemon says"],
  ] as const) assert.equal(of(code, numbers), said);
  await setLanguage("zh");
  assert.equal(of("backfill", { job: 4 }), "现在放得下，但会推迟作业 4");
  await setLanguage("en");
});

test("planted faults of the dictionaries are found", () => {
  assert.deepEqual(differences({ "a.b": "x {n}" }, { "a.b": "x {m}" }), ['"a.b": {n} in en.json, {m} in zh.json']);
  assert.deepEqual(differences({ "a.b": "x" }, {}), ['zh.json lacks "a.b"']);
  assert.deepEqual(differences({}, { "a.b": "x" }), ['en.json lacks "a.b"']);
  assert.deepEqual(unused({ "a.b": "", "s.x": "", "c.d": "" }, 't("a.b") + t(`s.${x}`)'), ['"c.d" of en.json is used nowhere']);
  assert.equal(untranslated("X.tsx", "<p>Some words</p>").length, 1);
  assert.equal(untranslated("X.tsx", '<a title="Some words" class="some words">{t("a.b")}</a>').length, 1);
  assert.equal(untranslated("X.tsx", '<p class="a b">{t("a.b")}</p><pre>baleen web</pre>').length, 0);
  assert.deepEqual(placeholders({ one: "{n}", other: "{n} {m}" }), ["m", "n"]);
});
