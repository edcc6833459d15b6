import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, duration, fullInstant, instant, percent, relative } from "../src/i18n/format";
import { setLanguage } from "../src/i18n";

/** Editions of the language data differ in commas and in "sec" or "secs". */
const plain = (text: string): string => text.replace(/,/g, "").replace(/s\b/g, "");
const at = (text: string): number => Date.parse(text) / 1000;
const NOW = at("2026-11-30T10:00:00Z");

test("an instant is said as short as its distance allows, in the zone that was chosen", async () => {
  await setLanguage("en");
  for (const [when, zone, said] of [
    ["2026-11-30T15:05:00Z", "UTC", "15:05"],
    ["2026-11-30T15:05:00Z", "Asia/Shanghai", "23:05"],
    ["2026-11-30T16:05:00Z", "Asia/Shanghai", "Tue 1 Dec 00:05"], // tomorrow there
    ["2026-12-03T15:05:00Z", "America/New_York", "Thu 3 Dec 10:05"],
    ["2026-12-20T15:05:00Z", "UTC", "Sun 20 Dec 15:05"],
    ["2026-11-30T00:00:00Z", "UTC", "00:00"],
  ] as const) assert.equal(plain(instant(at(when), zone, NOW)), said, when);
});

test("both passes of an hour that comes twice are said with the same clock", () => {
  assert.equal(instant(at("2026-11-01T05:30:00Z"), "America/New_York", at("2026-11-01T12:00:00Z")), "01:30");
  assert.equal(instant(at("2026-11-01T06:30:00Z"), "America/New_York", at("2026-11-01T12:00:00Z")), "01:30");
});

test("the whole instant names its zone", () => {
  assert.match(fullInstant(NOW, "Asia/Shanghai"), /^Mon,? 30 Nov,? 18:00 Asia\/Shanghai$/);
});

test("a duration has at most two units", async () => {
  await setLanguage("en");
  for (const [seconds, said] of [
    [0, "0 sec"], [-5, "0 sec"], [45, "45 sec"], [61, "1 min 1 sec"], [3600, "1 hr"], [3599.6, "1 hr"],
    [12_000, "3 hr 20 min"], [86_400 * 2 + 4 * 3600 + 59, "2 day 4 hr"], [86_399, "1 day"],
  ] as const) assert.equal(plain(duration(seconds)), said);
});

test("relative times are words of the language", async () => {
  await setLanguage("en");
  assert.equal(relative(NOW + 720, NOW), "in 12 minutes");
  assert.equal(relative(NOW - 7200, NOW), "2 hours ago");
  await setLanguage("zh");
  assert.equal(relative(NOW + 720, NOW), "12分钟后");
  await setLanguage("en");
});

test("sizes count by 1024, shares in whole percents", () => {
  assert.equal(bytes(0), "0 B");
  assert.equal(bytes(80 * 2 ** 30), "80 GiB");
  assert.equal(bytes(1.5 * 2 ** 40), "1.5 TiB");
  assert.equal(percent(0.426), "43%");
});
