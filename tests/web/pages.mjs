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

await main([
  C3_the_form_says_what_is_free_before_anything_is_booked,
  what_is_changed_of_a_whole_series_is_taken_back,
  P12_a_node_is_drained_from_an_instant_picked_in_the_shown_zone,
  a_report_is_handed_out_as_a_table_for_spreadsheets,
]);
