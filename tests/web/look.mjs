// What the page shows: the first visit, the calendar, languages, zones, hostile names, a daemon that comes back.
import { drag, equal, holds, main, pointOf, settled, shoot, until, viewHash, viewOf } from "./kit.mjs";

const ONE = { gpus: 1 };
const HOUR = 3600;
const now = () => Math.floor(Date.now() / 1000);
/** The day after today, as the clocks of the site in Shanghai show it. */
const tomorrow = () => new Date(Date.now() + 86400e3 + 8 * HOUR * 1000).toISOString().slice(0, 10);
const text = (page, selector = "main") => page.locator(selector).innerText();

/** Something that runs, something that waits for it, something that is over. */
async function smallWorld(daemon) {
  const over = await daemon.submit("true", { name: "over", resources: ONE });
  const runs = await daemon.submit("exec sleep 1000", { name: "train-large", project: "vision", resources: { gpus: 6 }, time: { limit: "2h" } });
  await daemon.runs(runs);
  const waits = await daemon.submit("true", { name: "evaluate", project: "speech", resources: { gpus: 4 }, time: { limit: "1h" } });
  await until(async () => (await daemon.job(over)).ended_at && (await daemon.job(waits)).start, "what is over has ended");
  return { over, runs, waits };
}

async function a_first_visit_shows_my_jobs_and_below_them_the_calendar({ daemon, open }) {
  const site = await daemon();
  const { over, runs, waits } = await smallWorld(site);
  const page = await open(site);
  await page.locator(`[data-job="${runs}"]`).getByText("running").waitFor();
  const card = await text(page, `[data-job="${waits}"]`);
  holds(/starts/.test(card) && /evaluate/.test(card) && /speech/.test(card), `the waiting job's card: ${card}`);
  await page.locator(`[data-job="${over}"]`).waitFor();
  const calendar = page.locator(".tl-canvas");
  await calendar.waitFor();
  const [jobs, lanes] = [await page.locator(`[data-job="${runs}"]`).boundingBox(), await calendar.boundingBox()];
  holds(jobs.y < lanes.y && lanes.height > 100, "my jobs stand above the calendar");
  holds((await page.evaluate(() => location.hash)) === "#/" || (await page.evaluate(() => location.hash)) === "", "the code is gone from the address");
  await shoot(page, "visit-en");
}

async function P12_the_page_shows_the_time_of_the_chosen_zone_and_names_it({ daemon, open }) {
  const site = await daemon({ zone: "Asia/Shanghai" });
  const begin = Date.UTC(2027, 2, 10, 1) / 1000; // 09:00 in Shanghai, 20:00 the day before in New York
  await site.post("/api/v1/reservations", { gpus: 2, from: "2027-03-10T09:00+08:00", for: "2h", name: "standup" });
  const page = await open(site, { timezoneId: "America/New_York", hash: viewHash(begin - 12 * HOUR, 48) });
  await page.getByRole("button", { name: "Show as a table" }).click();
  const row = page.locator(".tl-table tr", { hasText: "standup" });
  holds(/9:00.*11:00|09:00.*11:00/s.test(await row.innerText()), `in the site's zone: ${await row.innerText()}`);
  const zone = page.getByLabel("Time zone of all times shown");
  holds(/site/.test(await zone.locator("option:checked").innerText()), "the zone is named");
  await zone.selectOption("America/New_York");
  await until(async () => /20:00|8:00\s?PM/.test(await row.innerText()), "the same instant in the browser's zone");
  await zone.selectOption("UTC");
  await until(async () => /0?1:00/.test(await row.innerText()), "the same instant in UTC");
}

async function P12_a_weekly_booking_keeps_its_hour_over_a_week_in_which_the_clocks_change({ daemon, open }) {
  const site = await daemon({ zone: "Europe/Berlin" });
  await site.post("/api/v1/reservations", { gpus: 1, from: "2027-03-25T09:00", for: "1h", every: "FREQ=DAILY;COUNT=6", zone: "Europe/Berlin", name: "daily" });
  const first = Date.UTC(2027, 2, 25, 8) / 1000; // the clocks go forward on the 28th
  const page = await open(site, { hash: viewHash(first - 8 * HOUR, 7 * 24) });
  await page.getByRole("button", { name: "Show as a table" }).click();
  const rows = page.locator(".tl-table tbody tr", { hasText: "daily" });
  await until(async () => (await rows.count()) === 6, "six occurrences");
  for (const row of await rows.allInnerTexts()) holds(/9:00.*10:00/s.test(row), `every one from 9 to 10: ${row}`);
  await shoot(page, "clock-change");
}

async function filters_dim_hide_and_live_in_the_address({ daemon, open }) {
  const site = await daemon();
  const { runs } = await smallWorld(site);
  const page = await open(site, { hash: "#/timeline" });
  await page.getByRole("button", { name: "Show as a table" }).click();
  const rows = page.locator(".tl-table tbody tr[data-row]");
  await until(async () => (await rows.count()) === 3, "three bars");
  await page.locator("body").press("/");
  await page.keyboard.type("vision");
  await until(async () => (await rows.count()) === 1, "only what matches");
  holds((await rows.innerText()).includes("train-large"), "it is the right one");
  const empty = page.getByLabel("Only lanes with matches");
  const before = await page.locator(".tl-space").boundingBox();
  await empty.check();
  await until(async () => (await page.locator(".tl-space").boundingBox()).height < before.height, "lanes without a match are hidden");
  const address = await until(async () => {
    const hash = await page.evaluate(() => location.hash);
    return hash.includes("q=vision") && hash.includes("empty=hide") && hash;
  }, "the address has the filter");
  const other = await open(site, { hash: address });
  await other.getByRole("button", { name: "Show as a table" }).click();
  await until(async () => (await other.locator(".tl-table tbody tr[data-row]").count()) === 1, "the address shows the same");
  holds(await other.getByLabel("Only lanes with matches").isChecked(), "and hides the same");
  holds(runs > 0, "there is a job");
}

async function lists_choose_by_class_and_kind_and_earlier_runs_stay({ daemon, open }) {
  const site = await daemon();
  const run = (name, more) => site.submit("exec sleep 1000", { name, resources: ONE, time: { limit: "2h" }, ...more });
  const moved = await run("moved", { class: "preemptible", kind: "train" });
  const stays = await run("stays", { class: "interactive", kind: "notebook" });
  for (const id of [moved, stays]) await site.runs(id);
  await site.post(`/api/v1/jobs/${moved}/requeue`);
  await until(async () => (await site.get("/api/v1/timeline")).bars.some(({ id }) => id === `job-${moved}.1`), "the first run is over");
  const page = await open(site, { hash: "#/timeline" });
  await page.getByRole("button", { name: "Show as a table" }).click();
  const rows = page.locator(".tl-table tbody tr[data-row]");
  await until(async () => (await rows.count()) === 3, "both runs of one, and the other");
  await page.getByLabel("Class", { exact: true }).selectOption("preemptible");
  await until(async () => (await rows.count()) === 2, "both runs of the one that gives way");
  holds(/put back|requeued/.test(await rows.first().innerText()), `what became of the first: ${await rows.first().innerText()}`);
  await page.getByLabel("Class", { exact: true }).selectOption("");
  await page.getByLabel("Kind", { exact: true }).selectOption("notebook");
  await until(async () => (await rows.count()) === 1 && (await rows.innerText()).includes("stays"), "only the notebook");
  await until(async () => (await page.evaluate(() => location.hash)).includes("kind=notebook"), "the address says so");
}

async function the_calendar_is_moved_and_zoomed_by_mouse_and_by_keys({ daemon, open }) {
  const site = await daemon();
  const start = now() - HOUR;
  const page = await open(site, { hash: viewHash(start, 6) });
  const box = page.locator(".tl-box");
  await page.locator(".tl-canvas").waitFor();
  const changed = async (from, what) => until(async () => {
    const view = await viewOf(page);
    return (view.from !== from.from || view.to !== from.to) && view;
  }, what);
  let view = await viewOf(page);
  const span = (one) => one.to - one.from;
  const at = await box.boundingBox();
  await page.mouse.move(at.x + 600, at.y + 100);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -300);
  await page.keyboard.up("Control");
  let next = await changed(view, "Ctrl and the wheel zoom");
  holds(span(next) < span(view), "it zoomed in");
  view = next;
  await page.keyboard.down("Shift");
  await page.mouse.wheel(0, 300);
  await page.keyboard.up("Shift");
  next = await changed(view, "Shift and the wheel move");
  holds(Math.abs(span(next) - span(view)) < 2, "it moved only");
  view = next;
  await drag(page, { x: at.x + 700, y: at.y + 15 }, { x: at.x + 500, y: at.y + 15 });
  await page.mouse.up();
  next = await changed(view, "dragging the hours moves");
  holds(next.from > view.from, "to later");
  await box.focus();
  for (const [key, wanted] of [["ArrowRight", (a, b) => b.from > a.from], ["ArrowLeft", (a, b) => b.from < a.from],
    ["+", (a, b) => span(b) < span(a)], ["-", (a, b) => span(b) > span(a)], ["PageDown", (a, b) => b.from >= a.to - 60]]) {
    view = await viewOf(page);
    await page.keyboard.press(key);
    next = await changed(view, `${key} does something`);
    holds(wanted(view, next), `${key} does the right thing: ${JSON.stringify([view, next])}`);
  }
  await page.keyboard.press("Home");
  await until(async () => !(await page.evaluate(() => location.hash)).includes("from="), "Home leads back to now");
}

async function the_language_changes_at_once_and_stays({ daemon, open }) {
  const site = await daemon();
  await smallWorld(site);
  const page = await open(site);
  await page.getByText("My jobs").first().waitFor();
  await page.getByRole("button", { name: "切换到中文" }).click();
  await page.getByRole("heading", { name: "我的作业" }).waitFor();
  equal(await page.locator("html").getAttribute("lang"), "zh-CN", "the document's language");
  await page.reload();
  await page.getByRole("heading", { name: "我的作业" }).waitFor();
  await shoot(page, "visit-zh");
  const english = await text(page);
  for (const word of ["running", "starts", "Book"]) holds(!english.includes(word), `no '${word}' in the Chinese page`);
}

async function a_daemon_that_comes_back_is_followed_again({ daemon, open }) {
  const site = await daemon();
  const page = await open(site);
  await page.locator(".tl-canvas").waitFor();
  await site.kill();
  await page.getByText("does not answer").first().waitFor();
  await site.start();
  const job = await site.submit("exec sleep 1000", { name: "after-restart", resources: ONE });
  await page.locator(`[data-job="${job}"]`).getByText("running").waitFor();
  await until(async () => (await page.getByText("does not answer").count()) === 0, "the warning goes");
}

async function changes_are_seen_without_a_reload({ daemon, open }) {
  const site = await daemon();
  const page = await open(site);
  await page.getByText("You have no jobs now").waitFor();
  const job = await site.submit("exec sleep 1000", { name: "newcomer", resources: ONE, time: { limit: "1h" } });
  await page.locator(`[data-job="${job}"]`).getByText("running").waitFor();
  await page.getByRole("button", { name: "Show as a table" }).click();
  await page.locator(".tl-table tr", { hasText: "newcomer" }).getByText(/running/).waitFor();
  await site.post(`/api/v1/jobs/${job}/cancel`);
  await page.locator(".tl-table tr", { hasText: "newcomer" }).getByText(/cancelled/).waitFor();
}

async function who_is_not_signed_in_sees_how_to_and_changes_nothing({ daemon, open }) {
  const site = await daemon();
  const { runs } = await smallWorld(site);
  const page = await open(site, { as: "nobody" });
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  holds((await text(page)).includes("baleen web"), "the way in is told");
  holds(!(await text(page, "body")).includes("train-large"), "nothing of the machine is shown");
  const status = (method, path, headers = {}) => page.evaluate(async ([how, where, more]) =>
    (await fetch(where, { method: how, headers: more, body: how === "GET" ? undefined : "{}" })).status, [method, path, headers]);
  equal(await status("GET", "api/v1/jobs"), 401, "a list");
  equal(await status("POST", `api/v1/jobs/${runs}/cancel`, { "X-Baleen": "1" }), 401, "a write");
  equal((await site.job(runs)).state, "running", "the job");
}

async function a_link_is_good_once_and_signing_out_ends_it({ daemon, open }) {
  const site = await daemon();
  const code = await site.code();
  const page = await open(site, { as: "nobody", hash: `#/in/${code}` });
  await page.locator("header.bar details.menu").waitFor();
  const second = await open(site, { as: "nobody", hash: `#/in/${code}` });
  await second.getByRole("alert").getByText("used up").waitFor();
  await page.locator("header.bar details.menu summary").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  equal((await page.context().cookies()).length, 0, "cookies after signing out");
}

async function the_public_view_shows_the_calendar_and_no_button_that_changes_something({ daemon, open }) {
  const { writeFileSync } = await import("node:fs");
  const site = await daemon({ config: (folder) => (writeFileSync(`${folder}/baleen.yaml`, "web: {public: yes}\n"), `${folder}/baleen.yaml`) });
  const { runs } = await smallWorld(site);
  const page = await open(site, { as: "nobody" });
  await page.locator(`[data-job="${runs}"]`).waitFor();
  await page.locator(".tl-canvas").waitFor();
  equal(await page.getByRole("button", { name: "Cancel" }).count(), 0, "buttons that cancel");
  equal(await page.getByRole("button", { name: "Book" }).count(), 0, "buttons that book");
}

// Markup, marks that turn the direction, controls, emoji, and far too long.
const HOSTILE = [
  '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>',
  "'\"></title><svg onload=window.hurt=1>",
  "\u202Egnp.exe \u2066left\u2069 \u200Bzero",
  "tab\there \u0007bell \u001B[31mred",
  "👩‍💻🏳️‍🌈🇨🇳 训练 ﷽ ａｂｃ",
  "{name} ${1+1} {{7*7}} %s %n",
];

/** 10 kB, of which a name may have 255 bytes, but a command, a log and an address all of them. */
const LONG = "<i>\u202e🦑\u0007".repeat(900);

async function hostile_names_do_no_harm_anywhere({ daemon, open }) {
  const site = await daemon();
  const names = [...HOSTILE.map((name) => name.replace(/[\u0000-\u001F]/g, " ")), "long-".repeat(50)];
  const jobs = [];
  for (const name of names) jobs.push(await site.submit("exec sleep 1000", { name, project: name.slice(0, 60), resources: ONE, time: { limit: "1h" } }));
  const script = await site.submit(`printf '%s\\n' "$1" '\u001B[31mred\u001B[0m <b onclick=1>'; printf 'x%.0s' $(seq 20000); : '${LONG}'; exec sleep 1000`, { name: "log" });
  await site.post("/api/v1/reservations", { gpus: 1, from: "5h", for: "1h", name: HOSTILE[0], project: HOSTILE[2] });
  for (const job of [...jobs, script]) await until(async () => (await site.job(job)).state !== "starting", "they have started");
  const page = await open(site);
  for (const hash of ["#/", "#/timeline", "#/nodes", "#/reports", `#/job/${jobs[0]}`, `#/job/${jobs[2]}`, `#/job/${script}`, "#/admin",
    `#/timeline?q=${encodeURIComponent(HOSTILE[0])}&user=${encodeURIComponent(HOSTILE[1])}`, "#/job/%3Cscript%3E", `#/timeline?q=${encodeURIComponent(LONG)}`, `#/nodes?q=${encodeURIComponent(LONG)}`, `#/in/${encodeURIComponent(HOSTILE[0])}`]) {
    await page.goto(`${site.url}/${hash}`);
    await page.locator("main").waitFor();
    const table = page.getByRole("button", { name: "Show as a table" });
    if (await table.count()) await table.click();
    await settled(page);
    equal(await page.evaluate(() => window.hurt ?? null), null, `on ${hash}`);
    equal(await page.locator("main img[src=x], main script, main svg[onload]").count(), 0, `elements made of names on ${hash}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    holds(wide <= 1, `${hash} is ${wide} pixels wider than the window`);
  }
  await page.goto(`${site.url}/#/`);
  await page.locator(`[data-job="${jobs[0]}"]`).getByText("<img src=x", { exact: false }).first().waitFor();
  await shoot(page, "hostile");
}

/** A page that counts clicks: an answer is no answer when the way to it is long. */
function counted(page) {
  let clicks = 0;
  return {
    click: async (target) => (clicks++, target.click()),
    within: (most, what) => (holds(clicks <= most, `${what}: ${clicks} clicks`), (clicks = 0)),
  };
}

// What somebody asks who is new here, each within two clicks of the first screen.
async function a_newcomer_finds_answers_in_text_within_two_clicks({ daemon, open }) {
  const site = await daemon();
  const { runs, waits } = await smallWorld(site);
  await site.post("/api/v1/reservations", { gpus: 8, from: `${tomorrow()}T10:00`, for: "2h", zone: "Asia/Shanghai", name: "all-hands" });
  const user = (await site.job(runs)).user;
  const page = await open(site);
  const { click, within } = counted(page);
  // when does my job start, and why not now?
  const card = page.locator(`[data-job="${waits}"]`);
  await until(async () => /starts (\w+ \d+ \w+, )?\d\d:\d\d/.test(await card.innerText()), "when it starts stands on the first screen");
  holds(/needs 4 GPUs/.test(await card.locator(".reason").innerText()), `and why not now: ${await card.innerText()}`);
  await click(card.locator("a.job-link"));
  await page.locator(".because").getByText("needs 4 GPUs").waitFor();
  await page.getByText("Runs on what it needs").waitFor();
  within(2, "why it waits, with who is in its way");
  // who uses GPU 3?
  await page.goto(`${site.url}/#/`);
  await click(page.getByRole("link", { name: "Nodes & GPUs" }));
  const gpu = (await site.get("/api/v1/gpus")).gpus.find((one) => one.gpu === 3);
  equal([gpu.user, gpu.job], [user, runs], "who has GPU 3, as the daemon says");
  await until(async () => (await page.locator('[data-gpu="node1:3"]').innerText()).replace(/\s+/g, " ") === `3 ${user} ${runs}`, "the page names who has GPU 3");
  within(2, "who uses GPU 3");
  await shoot(page, "visit-nodes");
  // a free slot with 4 GPUs tomorrow?
  await page.goto(`${site.url}/#/`);
  await click(page.getByRole("button", { name: "Book" }).first());
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("How many GPUs").fill("4");
  await dialog.getByLabel("From", { exact: true }).fill(`${tomorrow()}T10:00`);
  await dialog.getByText(/Not free: of 4 GPUs, 0/).waitFor();
  holds(/Later by 2 hrs[^]*12:00 – 13:00/.test(await dialog.locator(".openings").innerText()), "the nearest free slots are told");
  await dialog.getByLabel("From", { exact: true }).fill(`${tomorrow()}T14:00`);
  await dialog.getByText("Free then").waitFor();
  await shoot(page, "visit-book");
  await click(dialog.getByRole("button", { name: "Book", exact: true }));
  await page.getByText(/Booked r2: 4 GPUs/).first().waitFor();
  within(2, "a free slot with 4 GPUs, and it is booked");
}

async function two_fingers_zoom_and_a_tap_tells_what_a_bar_is({ daemon, open }) {
  const site = await daemon();
  const { runs } = await smallWorld(site);
  const page = await open(site, { hash: viewHash(now() - HOUR, 6), hasTouch: true, isMobile: true, width: 390, height: 844 });
  const canvas = page.locator(".tl-canvas");
  await canvas.waitFor();
  await page.getByText("Running").first().waitFor();
  await canvas.scrollIntoViewIfNeeded();
  const { x, y, width } = await canvas.boundingBox();
  const touch = await page.context().newCDPSession(page);
  const fingers = (type, ...at) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: at.map((left, id) => ({ x: x + left, y: y + 60, id })) });
  const middle = 84 + (width - 84) / 2;
  const before = await viewOf(page);
  await fingers("touchStart", middle - 20, middle + 20);
  for (const apart of [30, 50, 70, 90]) await fingers("touchMove", middle - apart, middle + apart);
  await fingers("touchEnd");
  const after = await until(async () => {
    const view = await viewOf(page);
    return view.to - view.from < (before.to - before.from) / 2 && view;
  }, "fingers that part zoom in");
  holds(after.from > before.from && after.to < before.to, `around where they are: ${JSON.stringify([before, after])}`);
  await fingers("touchStart", middle - 90, middle + 90);
  for (const apart of [70, 50, 30]) await fingers("touchMove", middle - apart, middle + apart);
  await fingers("touchEnd");
  await until(async () => (await viewOf(page)).to - (await viewOf(page)).from > 2 * (after.to - after.from), "fingers that meet zoom out");
  await page.goto(`${site.url}/${viewHash(now() - HOUR, 6)}`);
  await settled(page);
  const bar = await pointOf(page, { at: now() + 600, lane: 1 });
  await page.touchscreen.tap(bar.x, bar.y);
  await page.getByText("train-large").first().waitFor();
  await shoot(page, "tap");
  holds(runs > 0, "there is a job");
}

await main([
  a_first_visit_shows_my_jobs_and_below_them_the_calendar,
  P12_the_page_shows_the_time_of_the_chosen_zone_and_names_it,
  P12_a_weekly_booking_keeps_its_hour_over_a_week_in_which_the_clocks_change,
  filters_dim_hide_and_live_in_the_address,
  lists_choose_by_class_and_kind_and_earlier_runs_stay,
  the_calendar_is_moved_and_zoomed_by_mouse_and_by_keys,
  the_language_changes_at_once_and_stays,
  a_daemon_that_comes_back_is_followed_again,
  changes_are_seen_without_a_reload,
  who_is_not_signed_in_sees_how_to_and_changes_nothing,
  a_link_is_good_once_and_signing_out_ends_it,
  the_public_view_shows_the_calendar_and_no_button_that_changes_something,
  hostile_names_do_no_harm_anywhere,
  a_newcomer_finds_answers_in_text_within_two_clicks,
  two_fingers_zoom_and_a_tap_tells_what_a_bar_is,
]);
