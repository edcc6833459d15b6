// What the tests of the page share: a daemon of their own, a browser that sees it, TAP.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const PATIENCE = 1000 * Number(process.env.BALEEN_PATIENCE ?? 120);
export const SHOTS = process.env.BALEEN_WEB_SHOTS ?? "";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars"];

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Waits until the condition answers something, and answers that. */
export async function until(condition, what, patience = PATIENCE) {
  const ends = Date.now() + patience;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > ends) throw new Error(`waited ${patience / 1000} s in vain: ${what}`);
    await sleep(20);
  }
}

export function equal(found, wanted, what) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: found ${a}, expected ${b}`);
}

export function holds(condition, what) {
  if (!condition) throw new Error(what);
}

// --- the daemon --------------------------------------------------------------------------------

/** A daemon with declared GPUs that runs real processes, on a free port. */
export class Daemon {
  constructor({ declared = ["8xA100:80GB"], zone = "Asia/Shanghai", config = null, flags = [] } = {}) {
    this.folder = mkdtempSync(join(tmpdir(), "baleen-web-"));
    this.socket = join(this.folder, "socket");
    this.log = join(this.folder, "log");
    this.port = 0;
    this.environment = { ...process.env, TZ: zone };
    this.words = ["--foreground", "--state", join(this.folder, "state"), "--socket", this.socket,
      ...declared.flatMap((one) => ["--declared", one]), ...flags];
    if (config) this.words.push("--config", config(this.folder));
    this.work = join(this.folder, "work"); // where its jobs run
    mkdirSync(this.work);
  }

  async start() {
    const log = openSync(this.log, "a");
    this.process = spawn(process.env.BALEEN_DAEMON, [...this.words, "--http", `127.0.0.1:${this.port}`],
      { stdio: ["ignore", log, log], env: this.environment });
    await until(async () => {
      if (this.process.exitCode !== null) throw new Error(`the daemon ended: ${this.said()}`);
      return (await this.ask("GET", "/healthz").catch(() => null))?.status === 200;
    }, "the daemon answers");
    this.port = Number([...this.said().matchAll(/http:\/\/127\.0\.0\.1:(\d+)/g)].at(-1)[1]);
    return this;
  }

  said() {
    return readFileSync(this.log, "utf8");
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  kill(signal = "SIGKILL") {
    return new Promise((done) => {
      this.process.once("exit", done);
      this.process.kill(signal);
    });
  }

  async end() {
    try {
      for (const job of (await this.get("/api/v1/jobs?state=active")).jobs) await this.post(`/api/v1/jobs/${job.id}/cancel`);
      await until(async () => (await this.get("/api/v1/jobs?state=active")).jobs.length === 0, "its jobs end");
    } finally {
      await this.kill();
      rmSync(this.folder, { recursive: true, force: true });
    }
  }

  /** A request on the socket: as whoever runs the tests. */
  ask(method, path, body) {
    return new Promise((done, fail) => {
      const sent = request({ socketPath: this.socket, method, path, timeout: PATIENCE }, (answer) => {
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("end", () => {
          const text = Buffer.concat(parts).toString();
          done({ status: answer.statusCode, json: text ? JSON.parse(text) : null });
        });
      });
      sent.on("error", fail);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async get(path) {
    const { status, json } = await this.ask("GET", path);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(json)}`);
    return json;
  }

  async post(path, body, method = "POST") {
    const { status, json } = await this.ask(method, path, body);
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    return json;
  }

  /** The id of a new job; a script unless `command` says otherwise. */
  async submit(run, more = {}) {
    const body = { workdir: this.work, environment: [`PATH=${process.env.PATH}`], log: "%j.log", run, ...more };
    return (await this.post("/api/v1/jobs", body)).id;
  }

  async job(id) {
    return this.get(`/api/v1/jobs/${id}`);
  }

  async runs(id) {
    return until(async () => (await this.job(id)).state === "running", `job ${id} runs`);
  }

  async code() {
    return (await this.post("/api/v1/session/codes")).code;
  }
}

// --- the browser -------------------------------------------------------------------------------

let browser = null;

async function launch() {
  browser ??= await chromium.launch({ executablePath: process.env.BALEEN_CHROMIUM ?? "/usr/bin/chromium", args: FLAGS, headless: true });
  return browser;
}

/** What a page must not say: errors, refused files, broken policy. */
function listen(page, complaints) {
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    const isExpected = /Failed to load resource|EventSource|net::ERR_/.test(message.text());
    if (message.type() === "error" && !isExpected) complaints.push(`console: ${message.text()}`);
  });
}

/** A page that has signed in, unless `as` says "nobody"; what it complains of fails the test at its end. */
export async function open(daemon, { as = "me", hash = "", locale = "en-US", timezoneId = "America/New_York", width = 1280, height = 900, ...more } = {}) {
  const context = await (await launch()).newContext({ locale, timezoneId, viewport: { width, height }, reducedMotion: "reduce", ...more });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.complaints = [];
  listen(page, page.complaints);
  if (as === "nobody") {
    await page.goto(`${daemon.url}/${hash}`);
  } else {
    await page.goto(`${daemon.url}/#/in/${await daemon.code()}`);
    await page.locator("header.bar details.menu").waitFor();
    await page.waitForFunction(() => !location.hash.startsWith("#/in/")); // it leads on by itself
    if (hash) await page.goto(`${daemon.url}/${hash}`);
  }
  return page;
}

/** A picture of the page, where pictures are wanted. */
export async function shoot(page, name) {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

// --- the canvas --------------------------------------------------------------------------------

const AXIS = 40; // as web/src/timeline/controller.ts has them
const LANE = 20;
const GAP = 6;

/** Where a lane and an instant lie on the page; `node` counts the nodes above, each of which ends with a gap. */
export async function pointOf(page, { at, lane, node = 0 }) {
  const box = await page.locator(".tl-canvas").boundingBox();
  const { from, to } = await viewOf(page);
  const gutter = box.width < 560 ? 84 : 148;
  const x = box.x + gutter + ((at - from) / (to - from)) * (box.width - gutter);
  return { x, y: box.y + AXIS + lane * LANE + node * GAP + LANE / 2 };
}

/** The time that the address shows. */
export async function viewOf(page) {
  const words = new URLSearchParams((await page.evaluate(() => location.hash)).split("?")[1] ?? "");
  return { from: Number(words.get("from")), to: Number(words.get("to")) };
}

/** The address of a view. */
export function viewHash(from, hours, more = "") {
  return `#/timeline?from=${from}&to=${from + hours * 3600}${more}`;
}

/** The canvas as it was drawn last is the one that is seen. */
export async function settled(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export async function drag(page, a, b) {
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  for (let i = 1; i <= 8; i++) await page.mouse.move(a.x + ((b.x - a.x) * i) / 8, a.y + ((b.y - a.y) * i) / 8);
  await settled(page);
}

// --- TAP ---------------------------------------------------------------------------------------

/** Runs the functions whose names are claims, each with a daemon and a page of its own where it makes them. */
export async function main(claims) {
  let failed = 0;
  console.log(`1..${claims.length}`);
  for (const [i, claim] of claims.entries()) {
    const made = [];
    const keep = (one) => (made.push(one), one);
    try {
      await claim({
        daemon: async (wish) => keep(await new Daemon(wish).start()),
        open: async (...words) => keep(await open(...words)),
      });
      for (const page of made) if (page.complaints?.length) throw new Error(page.complaints.join("; "));
      console.log(`ok ${i + 1} - ${claim.name}`);
    } catch (error) {
      failed++;
      console.log(`not ok ${i + 1} - ${claim.name}`);
      console.log(String(error.stack ?? error).replace(/^/gm, "# "));
      const page = made.find((one) => one.screenshot);
      if (page) await shoot(page, `failed-${claim.name}`).catch(() => {});
      if (page) console.log((await page.locator("dialog, main").allInnerTexts().catch(() => [])).join("\n--\n").slice(0, 1500).replace(/^/gm, "# | "));
    }
    for (const one of made.reverse()) await (one.context ? one.context().close() : one.end()).catch((error) => console.log(`# ${error.message}`));
  }
  await browser?.close();
  process.exit(failed ? 1 : 0);
}
