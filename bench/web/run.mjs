// What the page costs a browser with 1,000 GPUs and 10,000 bars, beside an ECharts custom series.
//
//     bench/web/run BUILD
//
// CPU seconds of all processes of the browser: what else runs on the machine disturbs them least.
import { readdirSync, readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";
import { makeWorld } from "./world.mjs";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--disable-dev-shm-usage"];
const PANS = 60;
const CHANGES = 30;
// The budget: CPU seconds, milliseconds of script a redraw.
const LIMITS = { load_cpu_s: 1.5, pan_cpu_s: 1.0, live_cpu_s: 0.4, redraw_ms: 4 };

/** Bars of the first nodes that run, for changes that are seen. */
function seenOf(world) {
  const seen = world.bars.filter((bar) => bar.state === "running" && bar.lanes[0] < "n004");
  return Array.from({ length: CHANGES }, (_, i) => seen[i % seen.length]);
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Of a process and all below it. */
function cpuOf(root) {
  const rows = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      const words = readFileSync(`/proc/${name}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
      return [{ pid: Number(name), parent: Number(words[1]), ticks: Number(words[11]) + Number(words[12]) }];
    } catch {
      return [];
    }
  });
  const own = new Set([root]);
  for (let grown = true; grown;) {
    grown = false;
    for (const { pid, parent } of rows) if (own.has(parent) && !own.has(pid)) grown = Boolean(own.add(pid));
  }
  return rows.filter(({ pid }) => own.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) / 100;
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN;

/** Seconds of CPU until nothing is done any more. */
async function costOf(pid, work) {
  const before = cpuOf(pid);
  await work();
  for (let last = -1, now = cpuOf(pid); now - last > 0.02; last = now, now = cpuOf(pid)) await sleep(400);
  return cpuOf(pid) - before;
}

async function inBrowser(measure) {
  const server = await chromium.launchServer({ executablePath: process.env.BALEEN_CHROMIUM ?? "/usr/bin/chromium", args: FLAGS, headless: true });
  const browser = await chromium.connect(server.wsEndpoint());
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: "America/New_York" })).newPage();
  page.on("pageerror", (error) => console.error(error.message));
  await page.goto("about:blank");
  await sleep(1500);
  try {
    return await measure(page, server.process().pid);
  } finally {
    await server.close();
  }
}

async function frame(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

function measureOwn(site, world) {
  return inBrowser(async (page, pid) => {
    await page.addInitScript(() => {
      window.times = [];
      addEventListener("drawn", (event) => window.times.push(event.detail), true);
    });
    const load_cpu_s = await costOf(pid, async () => {
      await page.goto(`${site.url}/#/timeline`);
      await page.locator(".tl-legend button").first().waitFor({ timeout: 120000 });
    });
    await page.locator(".tl-box").focus();
    await page.evaluate(() => (window.times.length = 0));
    const pan_cpu_s = await costOf(pid, async () => {
      for (let i = 0; i < PANS; i++) {
        await page.evaluate((key) => dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true })), i % 2 ? "ArrowLeft" : "ArrowRight");
        await frame(page);
      }
    });
    const redraw_ms = median(await page.evaluate(() => window.times));
    const running = seenOf(world);
    const live_cpu_s = await costOf(pid, async () => {
      for (let i = 0; i < CHANGES; i++) {
        site.change({ ...running[i], end_at: running[i].end_at + 600 * (i + 1) });
        await sleep(200);
      }
    });
    return { load_cpu_s, pan_cpu_s, live_cpu_s, redraw_ms };
  });
}

function measureChart(site, world) {
  return inBrowser(async (page, pid) => {
    const load_cpu_s = await costOf(pid, async () => {
      await page.goto(`${site.url}/chart.html`);
      await page.waitForFunction(() => window.isReady, null, { timeout: 120000 });
    });
    await page.evaluate(() => (window.times.length = 0));
    const pan_cpu_s = await costOf(pid, async () => {
      for (let i = 0; i < PANS; i++) {
        await page.evaluate((step) => window.pan(step), i % 2 ? 0 : 4 * 3600e3);
        await frame(page);
      }
    });
    const redraw_ms = median(await page.evaluate(() => window.times));
    const running = seenOf(world);
    const live_cpu_s = await costOf(pid, async () => {
      for (let i = 0; i < CHANGES; i++) {
        await page.evaluate(([id, end]) => window.change(id, end), [running[i].id, running[i].end_at + 600 * (i + 1)]);
        await sleep(200);
      }
    });
    return { load_cpu_s, pan_cpu_s, live_cpu_s, redraw_ms };
  });
}

const stamp = JSON.parse(readFileSync(`${process.argv[2] ?? "build"}/web/page.json`, "utf8"));
if (stamp.missing) throw new Error(`this build has no page: ${stamp.missing}`);
const world = makeWorld();
const site = await serve(stamp.folder, world);
const own = await measureOwn(site, world);
const chart = await measureChart(site, world);
site.end();
console.log(`${"".padEnd(14)}${"page".padStart(10)}${"ECharts".padStart(10)}${"at most".padStart(10)}`);
let isOver = false;
for (const [name, limit] of Object.entries(LIMITS)) {
  const over = own[name] > limit;
  isOver ||= over;
  console.log(`${name.padEnd(14)}${own[name].toFixed(2).padStart(10)}${chart[name].toFixed(2).padStart(10)}${String(limit).padStart(10)}${over ? "   OVER" : ""}`);
}
process.exit(isOver ? 1 : 0);
