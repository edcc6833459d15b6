// The pages beside the calendar: bookings before they are made, arrays, attempts, GPU use, drains, reports.
import { readFileSync } from "node:fs";
import { equal, holds, main, shoot, until, viewHash } from "./kit.mjs";

const HOUR = 3600;
const SLEEP = "exec sleep 1000";
const ONE = { gpus: 1 };
const bookings = async (site) => (await site.get("/api/v1/reservations")).reservations;
const stamp = (at) => new Date(at * 1000).toISOString().slice(0, 16);

/** Noon of a day to come, as the clocks of Shanghai show it. */
const noon = (days) => `${stamp(Date.now() / 1000 + days * 86400 + 8 * HOUR).slice(0, 10)}T12:00`;

async function C3_the_form_says_what_is_free_before_anything_is_booked({ daemon, open }) {
  const site = await daemon();
  await site.post("/api/v1/reservations", { gpus: 6, from: noon(2), for: "2h", zone: "Asia/Shanghai", name: "all-hands" });
  const page = await open(site);
  await page.getByRole("button", { name: "Book" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Free then").waitFor();
  await dialog.getByLabel("How many GPUs").fill("4");
  await dialog.getByLabel("From", { exact: true }).fill(noon(2));
  equal(await dialog.getByLabel("To", { exact: true }).inputValue(), noon(2).replace("12:", "13:"), "the end moves with the start");
  await dialog.locator(".refused").getByText("all-hands").waitFor();
  await dialog.locator(".refused").getByText("Later by 2").waitFor();
  await shoot(page, "trial-taken");
  await dialog.getByLabel("How many GPUs").fill("2");
  await dialog.getByText("Free then").waitFor();
  await shoot(page, "trial-free");
  equal((await bookings(site)).length, 1, "bookings: looking books nothing");
}

async function P12_an_hour_that_clocks_leave_out_is_refused_and_of_a_doubled_one_it_is_asked_which({ daemon, open }) {
  const site = await daemon({ zone: "Europe/Berlin" });
  const page = await open(site, { timezoneId: "America/New_York" });
  await page.getByRole("button", { name: "Book" }).first().click();
  const dialog = page.getByRole("dialog");
  const from = dialog.getByLabel("From", { exact: true });
  const to = dialog.getByLabel("To", { exact: true });
  const book = dialog.getByRole("button", { name: "Book", exact: true });
  await from.fill("2027-03-28T02:30"); // the clocks go from 2 to 3
  await to.fill("2027-03-28T04:30");
  await book.click();
  await dialog.getByText("The clocks leave this time out that day").waitFor();
  equal((await bookings(site)).length, 0, "bookings at a time that is none");
  await from.fill("2027-03-28T01:30");
  await to.fill("2027-03-28T04:30");
  await dialog.getByText("2 hrs", { exact: false }).first().waitFor(); // of time that passes
  await dialog.getByText("UTC+1").waitFor();
  await from.fill("2027-10-31T02:30"); // the clocks go from 3 to 2
  await to.fill("2027-10-31T03:30");
  await dialog.getByText("The clocks show this time twice that day").click();
  await dialog.getByText("UTC+1").waitFor();
  await shoot(page, "twice");
}

async function what_is_changed_of_a_whole_series_is_taken_back({ daemon, open }) {
  const site = await daemon();
  const made = await site.post("/api/v1/reservations", { gpus: 2, from: noon(2), for: "2h", zone: "Asia/Shanghai", every: "FREQ=DAILY;COUNT=4", name: "lecture" });
  const before = (await bookings(site)).map(({ start_at, end_at, gpus, name }) => [start_at, end_at, gpus, name]);
  const page = await open(site, { hash: viewHash(made.start_at - 12 * HOUR, 48) });
  await page.getByRole("button", { name: "Show as a table" }).click();
  const list = async () => (await bookings(site)).map(({ start_at, end_at, gpus, name }) => [start_at, end_at, gpus, name]);
  for (const [scope, from, changed] of [
    ["The whole series", "09:00", ([start, end, gpus, name]) => [start - 3 * HOUR, end - 3 * HOUR, gpus, name]],
    ["This one and all following", "13:00", ([start, end, gpus, name]) => [start + HOUR, end + HOUR, gpus, name]],
  ]) {
    await page.locator(".tl-table tr", { hasText: "lecture" }).first().getByRole("button").last().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(scope).check();
    await dialog.getByLabel("From", { exact: true }).fill(noon(2).replace("12:00", from));
    await dialog.getByRole("button", { name: "Save" }).click();
    await until(async () => JSON.stringify(await list()) === JSON.stringify(before.map(changed)), `${scope}: all are moved`);
    await page.getByRole("button", { name: "Undo" }).last().click();
    await until(async () => JSON.stringify(await list()) === JSON.stringify(before), `${scope}: all are as they were`);
  }
}

async function P12_a_node_is_drained_from_an_instant_picked_in_the_shown_zone({ daemon, open }) {
  const site = await daemon();
  const page = await open(site, { hash: "#/admin" });
  await page.getByRole("button", { name: "Drain" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("From").fill(noon(1));
  await dialog.getByText("Asia/Shanghai (UTC+8)").waitFor();
  await shoot(page, "drain");
  await dialog.getByRole("button", { name: "Drain" }).click();
  const node = await until(async () => (await site.get("/api/v1/nodes")).nodes.find((one) => one.drain_at !== null), "it is to be drained");
  equal(stamp(node.drain_at + 8 * HOUR), noon(1), "from when, in Shanghai");
  await page.getByText(/drained from .*12:00/).waitFor();
  await page.getByRole("button", { name: "Resume" }).click();
  await until(async () => (await site.get("/api/v1/nodes")).nodes.every((one) => one.drain_at === null), "it takes jobs again");
  await page.getByRole("button", { name: "Drain" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Drain" }).click();
  await until(async () => (await site.get("/api/v1/nodes")).nodes[0].state === "drained", "without an instant: at once");
}

async function a_report_is_handed_out_as_a_table_for_spreadsheets({ daemon, open }) {
  const site = await daemon();
  const job = await site.submit("true", { name: "over", project: '=cmd("x")', resources: ONE });
  await until(async () => (await site.job(job)).state === "completed", "it is over");
  const page = await open(site, { hash: "#/reports?by=project" });
  await page.locator("table.report tbody tr").first().waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  equal(file.suggestedFilename(), "baleen-project-7d.csv", "its name");
  const [head, row] = readFileSync(await file.path(), "utf8").split("\r\n");
  holds(head.startsWith("project,jobs,"), `the first line: ${head}`);
  holds(row.startsWith('"\'=cmd(""x"")",1,'), `nothing that a spreadsheet would calculate: ${row}`);
}

async function an_array_shows_its_elements_which_lead_back_to_it({ daemon, open }) {
  const site = await daemon();
  const array = await site.submit(SLEEP, { name: "sweep", array: "0-24%3", resources: ONE, time: { limit: "1h" } });
  await until(async () => (await site.job(array)).array?.running === 3, "three of it run");
  const page = await open(site, { hash: `#/job/${array}` });
  const cards = page.locator(".job-card");
  await until(async () => (await cards.count()) === 20, "the first twenty");
  const texts = await cards.allInnerTexts();
  equal(texts.map((text) => /\b\d+_(\d+)\b/.exec(text)?.[1]), texts.map((_, i) => String(i)), "their numbers");
  equal(texts.filter((text) => text.includes("running")).length, 3, "how many run");
  await shoot(page, "array");
  await page.getByRole("button", { name: "5 more" }).click();
  await until(async () => (await cards.count()) === 25, "all of them");
  await cards.nth(4).locator("a.job-link").click();
  await page.getByRole("link", { name: `${array}[4]` }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").getByRole("button").last().click();
  await until(async () => (await site.job(array)).array.cancelled === 1, "the element alone is cancelled");
  await page.getByRole("link", { name: `${array}[4]` }).click();
  await until(async () => (await cards.count()) === 20, "back at the array");
}

async function each_earlier_attempt_is_told_with_its_reason_and_its_log({ daemon, open }) {
  const site = await daemon();
  const job = await site.submit('if [ -e again ]; then echo second; exec sleep 1000; fi; : > again; echo first; exec sleep 1000',
    { name: "put-back", resources: { gpus: 2 }, time: { limit: "1h" } });
  await site.runs(job);
  const page = await open(site, { hash: `#/job/${job}` });
  await page.getByRole("log").getByText("first").waitFor();
  equal(await page.locator(".attempts").count(), 0, "tables of attempts while there is one alone");
  await page.getByRole("button", { name: "Requeue" }).click();
  await page.getByRole("dialog").getByRole("button").last().click();
  await page.getByRole("log").getByText("second").waitFor();
  const rows = page.locator(".attempts tr");
  await until(async () => (await rows.count()) === 2, "two attempts");
  const [first, second] = await rows.allInnerTexts();
  holds(/put back.*2 GPUs node1:\d-\d.*put back by the user/s.test(first), `the first: ${first}`);
  holds(/running.*2 GPUs node1:\d-\d/s.test(second), `the second: ${second}`);
  await page.getByLabel("Attempt", { exact: true }).selectOption("1");
  await page.getByRole("log").getByText("first").waitFor();
  await shoot(page, "attempts");
}

async function the_use_of_GPUs_is_drawn_or_it_is_said_why_not({ daemon, open }) {
  const site = await daemon();
  const job = await site.submit(SLEEP, { name: "busy", resources: { gpus: 2 }, time: { limit: "1h" } });
  await site.runs(job);
  const page = await open(site, { hash: `#/job/${job}` });
  await page.getByText("nothing measures them").waitFor();
  await page.getByRole("button", { name: "切换到中文" }).click();
  await page.getByText("没有测量数据").waitFor();
  await page.getByRole("button", { name: "switch to English" }).click();
  const at = Array.from({ length: 40 }, (_, i) => 1764481000 + 15 * i);
  const gpu = (number, share) => ({ node: "node1", gpu: number, mem_bytes: 80 * 2 ** 30, utilization: at.map(share), mem_used_bytes: at.map(() => 41 * 2 ** 30) });
  // this machine has nothing that measures: figures as of one that has
  await page.route(`**/jobs/${job}/use`, (route) => route.fulfill({ json: { id: job, attempt: 1, every_s: 15, at, reason: null, reason_text: null,
    gpus: [gpu(0, (_, i) => 0.5 + 0.4 * Math.sin(i / 3)), gpu(1, (_, i) => (i > 20 ? null : 0.93))] } }));
  await page.reload();
  const use = page.locator(".gpu-use li");
  await until(async () => (await use.count()) === 2, "a line for each GPU");
  holds(/node1:1\s*93%\s*41 GiB \/ 80 GiB/.test((await use.nth(1).innerText()).replace(/\n/g, " ")), `the figures measured last: ${await use.nth(1).innerText()}`);
  await use.first().scrollIntoViewIfNeeded();
  await shoot(page, "gpu-use");
}

async function the_form_begins_in_the_folder_of_the_last_job({ daemon, open }) {
  const site = await daemon();
  const page = await open(site, { hash: "#/submit" });
  equal(await page.getByLabel("Folder").inputValue(), (await site.get("/api/v1/session")).workdir, "without a job: the home folder");
  await site.submit("true", { name: "last", resources: ONE });
  const other = await open(site, { hash: "#/submit" });
  equal(await other.getByLabel("Folder").inputValue(), site.work, "the folder");
}

async function what_is_too_long_is_refused_at_its_field({ daemon, open }) {
  const site = await daemon();
  const page = await open(site, { hash: "#/submit" });
  await page.getByLabel("Script").fill("true");
  await page.getByLabel("Folder").fill(site.work);
  await page.getByLabel("Name", { exact: true }).fill("<b>\u202e👩‍💻".repeat(1000));
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  await page.locator(".field.wrong", { hasText: "Name" }).getByText("255").waitFor();
  equal((await site.get("/api/v1/jobs")).jobs.length, 0, "jobs");
  holds((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 1, "the page is as wide as the window");
  await shoot(page, "too-long");
}

async function the_keyboard_alone_cancels_a_job({ daemon, open }) {
  const site = await daemon();
  const job = await site.submit(SLEEP, { name: "unwanted", resources: ONE, time: { limit: "1h" } });
  await site.runs(job);
  const page = await open(site);
  await page.locator(`[data-job="${job}"]`).getByRole("button", { name: "Cancel" }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  const tabTo = async (label) => {
    for (let i = 0; i < 60 && (await focused()) !== label; i++) await page.keyboard.press("Tab");
    equal(await focused(), label, "where Tab leads");
  };
  await tabTo("Cancel");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("unwanted").waitFor();
  equal(await focused(), "Back", "the focus is on what does no harm");
  await tabTo("Cancel the job");
  await page.keyboard.press("Enter");
  await until(async () => (await site.job(job)).state === "cancelled", "it is cancelled");
}

await main([
  C3_the_form_says_what_is_free_before_anything_is_booked,
  P12_an_hour_that_clocks_leave_out_is_refused_and_of_a_doubled_one_it_is_asked_which,
  what_is_changed_of_a_whole_series_is_taken_back,
  P12_a_node_is_drained_from_an_instant_picked_in_the_shown_zone,
  a_report_is_handed_out_as_a_table_for_spreadsheets,
  an_array_shows_its_elements_which_lead_back_to_it,
  each_earlier_attempt_is_told_with_its_reason_and_its_log,
  the_use_of_GPUs_is_drawn_or_it_is_said_why_not,
  the_form_begins_in_the_folder_of_the_last_job,
  what_is_too_long_is_refused_at_its_field,
  the_keyboard_alone_cancels_a_job,
]);
