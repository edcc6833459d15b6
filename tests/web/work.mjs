// What is done with the page: booking by drag and by form, jobs, logs, sizes, and all of it by keys alone.
import { drag, equal, holds, main, pointOf, settled, shoot, until, viewHash } from "./kit.mjs";

const HOUR = 3600;
const bookings = async (site) => (await site.get("/api/v1/reservations")).reservations;

/** The start of a quarter hour, some hours from now. */
function quarter(hours) {
  return Math.ceil((Date.now() / 1000 + hours * HOUR) / 900) * 900;
}

async function a_booking_is_dragged_over_four_GPUs({ daemon, open }) {
  const site = await daemon();
  const from = quarter(1);
  const page = await open(site, { hash: viewHash(from - 2 * HOUR, 12) });
  await page.locator(".tl-canvas").waitFor();
  await settled(page);
  await drag(page, await pointOf(page, { at: from + 120, lane: 1 }), await pointOf(page, { at: from + 2 * HOUR - 120, lane: 4 }));
  await shoot(page, "drag-ghost");
  await page.mouse.up();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  equal(await dialog.getByLabel("GPUs", { exact: true }).inputValue(), "node1:1-4", "the GPUs that were dragged over");
  await dialog.getByLabel("What for").fill("demo");
  await dialog.getByRole("button", { name: "Book", exact: true }).click();
  const [made] = await until(async () => (await bookings(site)).length && bookings(site), "it is booked");
  equal([made.name, made.start_at, made.end_at, made.gpus, made.where], ["demo", from, from + 2 * HOUR, 4, [{ node: "node1", gpus: [1, 2, 3, 4] }]],
    "what was booked, snapped to quarter hours");
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.click();
  await until(async () => (await bookings(site)).length === 0, "undo takes it back");
}

/** How many points of the calendar are red. */
async function redPoints(page) {
  await settled(page);
  return page.locator(".tl-canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] > data[i + 1] + 60 && data[i] > data[i + 2] + 90) count++;
    return count;
  });
}

async function a_conflict_is_told_with_openings_and_one_click_books_one({ daemon, open }) {
  const site = await daemon();
  const from = quarter(2);
  await site.post("/api/v1/reservations", { gpus: 8, from: new Date(from * 1000).toISOString().slice(0, 16) + "Z", for: "2h", name: "all-hands" });
  const page = await open(site, { hash: viewHash(from - 2 * HOUR, 12) });
  await page.getByRole("button", { name: "Show as a table" }).click();
  await page.locator(".tl-table tr", { hasText: "all-hands" }).waitFor();
  const before = await redPoints(page);
  await drag(page, await pointOf(page, { at: from - HOUR / 2 + 60, lane: 0 }), await pointOf(page, { at: from + HOUR - 60, lane: 3 }));
  const after = await redPoints(page);
  holds(after > before + 200, `what is in the way is red while it is dragged: ${before} points before, ${after} then`);
  await shoot(page, "drag-conflict");
  await page.mouse.up();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Book", exact: true }).click();
  const refused = dialog.locator(".refused");
  await refused.getByText("all-hands").waitFor();
  await shoot(page, "conflict");
  const opening = refused.locator("button.opening", { hasText: "Later" }).first();
  await opening.click();
  const made = await until(async () => (await bookings(site)).find((one) => one.name !== "all-hands"), "the opening is booked");
  holds(made.start_at >= from + 2 * HOUR, `it begins when the others are done: ${made.start_at - from}`);
  equal((await bookings(site)).length, 2, "bookings");
}

async function a_weekly_rule_is_said_in_words_and_one_of_it_is_changed({ daemon, open }) {
  const site = await daemon();
  const page = await open(site);
  await page.getByRole("button", { name: "Book" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("How many GPUs").fill("2");
  await dialog.getByLabel("What for").fill("lecture");
  const day = new Date(Date.now() + 3 * 86400e3).toISOString().slice(0, 10);
  const last = new Date(Date.now() + 25 * 86400e3).toISOString().slice(0, 10);
  await dialog.getByLabel("From", { exact: true }).fill(`${day}T10:00`);
  await dialog.getByLabel("To", { exact: true }).fill(`${day}T12:00`);
  await dialog.getByLabel("Repeats").selectOption("weekly");
  await dialog.getByLabel("Last day").fill(last);
  await dialog.locator(".words", { hasText: /every week.*until/ }).waitFor();
  await shoot(page, "weekly");
  await dialog.getByRole("button", { name: "Book", exact: true }).click();
  const made = await until(async () => (await bookings(site)).length === 4 && bookings(site), "four of them");
  holds(made.every((one, i) => one.start_at - made[0].start_at === i * 7 * 86400), "a week apart");
  await page.goto(`${site.url}/${viewHash(made[0].start_at - 12 * HOUR, 48)}`);
  await page.getByRole("button", { name: "Show as a table" }).click();
  await page.locator(".tl-table tr", { hasText: "lecture" }).getByRole("button").last().click();
  const edit = page.getByRole("dialog");
  await edit.getByLabel("This one only").check();
  await edit.getByLabel("To", { exact: true }).fill(`${day}T13:00`);
  await edit.getByRole("button", { name: "Save" }).click();
  const after = await until(async () => {
    const list = await bookings(site);
    return list[0].end_at === made[0].end_at + HOUR && list;
  }, "the first ends later");
  equal(after.slice(1).map((one) => one.end_at), made.slice(1).map((one) => one.end_at), "the others are as they were");
}

async function a_job_is_submitted_followed_and_cancelled({ daemon, open }) {
  const site = await daemon();
  const page = await open(site, { hash: "#/submit" });
  await page.getByLabel("Name", { exact: true }).fill("by-page");
  await page.getByLabel("Script").fill("i=0; while [ $i -lt 3 ]; do i=$((i+1)); echo step $i; done; echo ready; exec sleep 1000");
  await page.getByLabel("Folder").fill(site.work);
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  const job = await until(async () => (await site.get("/api/v1/jobs")).jobs[0], "the daemon has it");
  equal(job.name, "by-page", "its name");
  await site.runs(job.id);
  await page.goto(`${site.url}/#/job/${job.id}`);
  const log = page.getByRole("log");
  await log.getByText("ready").waitFor();
  holds(/step 1\s+step 2\s+step 3/.test(await log.textContent()), "its log"); // lines out of sight have no innerText
  await page.getByRole("button", { name: "Cancel" }).first().click();
  const ask = page.getByRole("dialog");
  await ask.waitFor();
  await ask.getByRole("button").last().click();
  await until(async () => (await site.job(job.id)).state === "cancelled", "it is cancelled");
  await page.locator("main").getByText("cancelled").first().waitFor();
}

async function a_log_that_grows_is_followed({ daemon, open }) {
  const site = await daemon();
  const job = await site.submit('echo first; until [ -e go ]; do sleep 0.1; done; echo second; exec sleep 1000', { name: "writes" });
  await site.runs(job);
  const page = await open(site, { hash: `#/job/${job}` });
  await page.getByRole("log").getByText("first").waitFor();
  const { writeFileSync } = await import("node:fs");
  writeFileSync(`${site.work}/go`, "");
  await page.getByRole("log").getByText("second").waitFor();
}

// It saves on TERM, and is told its new size when it starts again.
const ELASTIC = 'trap "exit 85" TERM; echo "on $BALEEN_GPUS"; echo ready; while :; do sleep 0.2; done';

async function an_elastic_job_is_seen_to_shrink_and_grow({ daemon, open }) {
  const site = await daemon();
  const job = await site.submit(ELASTIC, { name: "elastic", resources: { gpus: "2-8", want: 8 }, time: { limit: "2h" }, checkpoint: { signal: "TERM", lead: "5s" } });
  await site.runs(job);
  const page = await open(site, { hash: `#/job/${job}` });
  await page.getByRole("log").getByText("ready").waitFor();
  for (const gpus of [2, 6]) {
    await page.getByLabel("GPUs it shall have").fill(String(gpus));
    await page.getByRole("button", { name: "Resize" }).click();
    await until(async () => {
      const found = await site.job(job);
      return found.state === "running" && found.gpus.now === gpus;
    }, `it runs on ${gpus}`);
    await page.getByRole("log").getByText(`on ${gpus}`).waitFor();
    await page.locator(".facts").getByText(`${gpus} now, asked for 2–8`).waitFor();
  }
  const runs = page.locator(".attempts tr");
  await until(async () => (await runs.count()) === 3, "three runs");
  equal((await runs.allInnerTexts()).map((text) => /(resized|running)[^]*?(\d) GPUs/.exec(text)?.slice(1).join(" ")), ["resized 8", "resized 2", "running 6"],
    "what became of each, and its size");
  await shoot(page, "elastic");
  await page.goto(`${site.url}/#/timeline`);
  await page.getByRole("button", { name: "Show as a table" }).click();
  const bars = page.locator(".tl-table tbody tr[data-row]", { hasText: "elastic" });
  await until(async () => (await bars.locator("td.num").allInnerTexts()).map(Number).sort().join() === "2,6,8", "a bar for each run");
}

async function the_keyboard_alone_books_and_cancels({ daemon, open }) {
  const site = await daemon();
  const page = await open(site);
  await page.locator(".tl-canvas").waitFor();
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focusIs = (label) => page.evaluate((wanted) => {
    const at = document.activeElement;
    const name = at?.getAttribute("aria-label") ?? at?.labels?.[0]?.textContent ?? at?.textContent ?? "";
    return name.trim().startsWith(wanted);
  }, label);
  const tabTo = async (label, most = 80) => {
    for (let i = 0; i < most; i++) {
      if (await focusIs(label)) return;
      await press("Tab");
    }
    throw new Error(`Tab does not lead to '${label}'`);
  };
  await press("r");
  await page.getByRole("dialog").waitFor();
  await tabTo("How many GPUs");
  await press("Control+a");
  await page.keyboard.type("3");
  await press("Enter");
  const [made] = await until(async () => (await bookings(site)).length && bookings(site), "it is booked");
  equal(made.gpus, 3, "GPUs");
  await until(async () => (await page.getByRole("dialog").count()) === 0, "the dialog closes");
  await tabTo("Show as a table", 200);
  await press("Enter");
  await page.locator(".tl-table").waitFor();
  await tabTo("Change", 40).catch(() => tabTo("r1", 200));
  await press("Enter");
  await page.getByRole("dialog").waitFor();
  await tabTo("Cancel the booking");
  await press("Enter");
  await until(async () => (await bookings(site)).length === 0, "it is cancelled");
}

await main([
  a_booking_is_dragged_over_four_GPUs,
  a_conflict_is_told_with_openings_and_one_click_books_one,
  a_weekly_rule_is_said_in_words_and_one_of_it_is_changed,
  a_job_is_submitted_followed_and_cancelled,
  a_log_that_grows_is_followed,
  an_elastic_job_is_seen_to_shrink_and_grow,
  the_keyboard_alone_books_and_cancels,
]);
