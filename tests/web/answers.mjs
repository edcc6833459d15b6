// What the page answers to who waits: what would start sooner, what is foreseen of a job, how it scales, what begins now.
import { equal, holds, main, shoot, until } from "./kit.mjs";

const SLEEP = "exec sleep 1000";

async function A15_what_would_start_sooner_is_a_button_that_does_it({ daemon, open }) {
  const site = await daemon();
  const runs = await site.submit(SLEEP, { name: "runs", resources: { gpus: 6 }, time: { limit: "2h" } });
  await site.runs(runs);
  const job = await site.submit(SLEEP, { name: "waits", resources: { gpus: 4 }, time: { limit: "1h" } });
  const page = await open(site, { hash: `#/job/${job}` });
  await page.locator(".because").getByText("needs 4 GPUs; of the suitable ones, 2 free").waitFor();
  const sooner = page.locator(".sooner button", { hasText: "--gpus 2" });
  await sooner.getByText("now").waitFor();
  await sooner.click();
  await until(async () => (await site.job(job)).gpus.max === 2, "the job is changed");
  await site.runs(job);
  await page.locator(".facts").getByText("node1:6-7").waitFor();
}

async function C4_the_form_foretells_the_start_and_whom_it_delays({ daemon, open }) {
  const site = await daemon();
  const page = await open(site, { hash: "#/submit" });
  await page.getByLabel("Folder").fill(site.work);
  await page.getByLabel("Script").fill(SLEEP);
  const foretold = page.locator(".prediction");
  await foretold.getByText("starts at once").waitFor();
  await foretold.getByText("delays nobody").waitFor();
  const runs = await site.submit(SLEEP, { name: "runs", resources: { gpus: 8 }, time: { limit: "2h" } });
  await site.runs(runs);
  await page.getByLabel("GPUs", { exact: true }).fill("4");
  await foretold.getByText(/starts .*\d\d:\d\d/).waitFor();
  await foretold.getByText("needs 4 GPUs").waitFor();
  await page.getByLabel("Time limit").fill("soon");
  await foretold.getByText("'soon'").waitFor(); // what is wrong, before it is submitted
  await shoot(page, "prediction");
}

async function A2_the_curve_of_a_job_is_drawn_and_told_with_its_gain({ daemon, open }) {
  const site = await daemon();
  const job = await site.submit(SLEEP, { name: "scales", resources: { gpus: "1-4" }, time: { limit: "1h" },
    scaling: { points: { 1: 1, 2: 1.9, 4: 3 } } });
  const page = await open(site, { hash: `#/job/${job}` });
  await page.getByRole("img", { name: "Speed against the number of GPUs" }).waitFor();
  const rows = page.locator(".curve-row tbody tr");
  await until(async () => (await rows.count()) === 4, "a row for each count");
  equal((await rows.allInnerTexts()).map((text) => text.split(/\s+/).slice(0, 3).join(" ")), ["1 1× –", "2 1.9× 90%", "3 2.45× 55%", "4 3× 55%"], "speeds and gains");
  await page.getByRole("img", { name: "Speed against the number of GPUs" }).scrollIntoViewIfNeeded();
  await shoot(page, "curve");
}

async function who_listens_is_told_that_a_job_is_about_to_start({ daemon, open }) {
  const site = await daemon();
  const runs = await site.submit(SLEEP, { name: "runs", resources: { gpus: 8 }, time: { limit: "4m" } });
  await site.runs(runs);
  await site.submit(SLEEP, { name: "next-one", resources: { gpus: 8 }, time: { limit: "1h" } });
  const page = await open(site);
  await page.getByRole("status").getByText(/Your job next-one starts in \d minutes?\./).waitFor({ state: "attached" });
}

async function a_token_is_shown_once_used_and_revoked({ daemon, open }) {
  const site = await daemon();
  const page = await open(site, { hash: "#/admin" });
  await page.getByLabel("Name", { exact: true }).fill("elsewhere");
  await page.getByLabel("May").selectOption("submit");
  await page.getByRole("button", { name: "Create" }).click();
  const dialog = page.getByRole("dialog");
  const text = await dialog.getByLabel("Token").inputValue();
  await dialog.getByRole("button", { name: "Close" }).click();
  const other = await open(site, { as: "nobody" });
  await other.getByLabel("Token").fill(text);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByText("My jobs").first().waitFor();
  holds(!(await page.locator("main").innerText()).includes(text), "it is shown no more");
  await page.locator("tr", { hasText: "elsewhere" }).getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.locator("tr", { hasText: "elsewhere" }).waitFor({ state: "detached" });
  await other.reload();
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
}

await main([
  A15_what_would_start_sooner_is_a_button_that_does_it,
  C4_the_form_foretells_the_start_and_whom_it_delays,
  A2_the_curve_of_a_job_is_drawn_and_told_with_its_gain,
  who_listens_is_told_that_a_job_is_about_to_start,
  a_token_is_shown_once_used_and_revoked,
]);
