// The main views in both languages, dark, and as wide as a phone: pictures, and no serious fault for axe.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { holds, main, settled, shoot, until } from "./kit.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ONE = { gpus: 1 };

/** A day of a small team. */
async function busyWorld(site) {
  const sleeper = "exec sleep 1000";
  // it never runs: what takes a moment would foretell the same of the others
  const wrong = await site.submit(sleeper, { name: "wrong-data", project: "speech", resources: ONE, hold: true });
  await site.post(`/api/v1/jobs/${wrong}/cancel`);
  const runs = await site.submit('i=0; while :; do i=$((i+1)); echo "step $i loss 0.$((900-i))"; sleep 0.2; done',
    { name: "train-large", project: "vision", resources: { gpus: 4 }, time: { limit: "9h" } });
  await site.submit(sleeper, { name: "notebook", project: "speech", class: "interactive", resources: ONE, time: { limit: "3h" } });
  await site.submit(sleeper, { name: "finetune", project: "nlp", resources: { gpus: 2 }, time: { limit: "5h" } });
  await site.runs(runs);
  const waits = await site.submit(sleeper, { name: "evaluate-checkpoints", project: "vision", resources: { gpus: 4 }, time: { limit: "2h" } });
  await site.submit(sleeper, { name: "tune", project: "nlp", resources: { gpus: 2 }, time: { limit: "4h" } });
  await site.submit(sleeper, { name: "训练-大模型", project: "nlp", resources: { gpus: 8 }, time: { limit: "6h" } });
  await site.post("/api/v1/reservations", { gpus: 4, from: "16h", for: "3h", name: "demo for visitors", project: "vision" });
  await site.post("/api/v1/reservations", { gpus: 2, from: "20h", for: "2h", every: "daily", until: new Date(Date.now() + 5 * 86400e3).toISOString().slice(0, 10), name: "lecture" });
  await until(async () => (await site.job(waits)).start, "its start is foretold");
  return { runs, waits };
}

/** What axe finds that is serious or worse. */
async function faults(page) {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations);
  return found.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.slice(0, 3).map((node) => node.target).join(" ")})`);
}

async function look(page, name) {
  await settled(page);
  await shoot(page, name);
  const found = await faults(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 1) found.push(`${wide} pixels wider than the window`);
  return found.map((line) => `${name}: ${line}`);
}

async function views(site, page, ids, suffix) {
  const found = [];
  for (const [name, hash, wanted] of [["first", "#/", ".tl-canvas"], ["timeline", "#/timeline?span=1w", ".tl-canvas"], ["day", "#/timeline", ".tl-canvas"],
    ["job", `#/job/${ids.runs}`, ".log"], ["why", `#/job/${ids.waits}`, ".because"], ["nodes", "#/nodes", "main h1, main h2"],
    ["reports", "#/reports", "main h1, main h2"], ["submit", "#/submit", "form"], ["admin", "#/admin", "main h1, main h2"]]) {
    await page.goto(`${site.url}/${hash}`);
    await page.locator(wanted).first().waitFor();
    found.push(...await look(page, `${name}-${suffix}`));
  }
  return found;
}

async function the_views_are_whole_in_every_dress({ daemon, open }) {
  const site = await daemon();
  const ids = await busyWorld(site);
  const found = [];
  for (const [suffix, dress] of [["en", {}], ["zh", { locale: "zh-CN" }], ["dark", { colorScheme: "dark" }], ["phone", { width: 390, height: 844 }]]) {
    const page = await open(site, dress);
    found.push(...await views(site, page, ids, suffix));
    await page.context().close();
  }
  const page = await open(site, { hash: "#/timeline" });
  await page.getByRole("button", { name: "Show as a table" }).click();
  await page.locator(".tl-table tbody tr[data-row]").first().waitFor();
  found.push(...await look(page, "table-en"));
  await page.getByRole("button", { name: "Book" }).first().click();
  await page.getByRole("dialog").waitFor();
  found.push(...await look(page, "booking-en"));
  const out = await open(site, { as: "nobody" });
  await out.getByRole("heading", { name: "Sign in" }).waitFor();
  found.push(...await look(out, "sign-in-en"));
  holds(found.length === 0, found.join("\n"));
}

await main([the_views_are_whole_in_every_dress]);
