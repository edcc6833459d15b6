// What is looked for: a bar that does not match is dimmed, and its lane hidden where that is wished.
import type { Bar } from "./model";
import { LOOKS, type Look } from "./looks";

export interface Filter {
  text: string;
  user: string; // "" = everybody
  project: string;
  class: string;
  job_kind: string;
  hidden: readonly Look[]; // kinds and states that are switched off
  hideEmpty: boolean;
}

/** What is chosen from lists; empty means all. */
export const CHOSEN = ["user", "project", "class", "job_kind"] as const;

export const EVERYTHING: Filter = { text: "", user: "", project: "", class: "", job_kind: "", hidden: [], hideEmpty: false };

export function isFiltering(filter: Filter): boolean {
  return Boolean(filter.text.trim() || CHOSEN.some((name) => filter[name]));
}

const FIELDS: Record<string, (bar: Bar) => (string | null | undefined)[]> = {
  user: (bar) => [bar.user],
  project: (bar) => [bar.project],
  class: (bar) => [bar.class],
  kind: (bar) => [bar.kind, bar.job_kind],
  state: (bar) => [bar.state, bar.outcome],
  node: (bar) => bar.lanes.map((lane) => lane.replace(/:\d+$/, "")),
};

/** A word of the free text: "anna" anywhere, "state:queued" in a field, "-anna" not. */
function wordTest(word: string): (bar: Bar) => boolean {
  const not = word.length > 1 && word.startsWith("-");
  const text = not ? word.slice(1) : word;
  const colon = text.indexOf(":");
  const field = colon > 0 ? FIELDS[text.slice(0, colon)] : undefined;
  const part = field ? text.slice(colon + 1) : text;
  return (bar) => (field ? field(bar).join(" ").toLowerCase() : bar.haystack).includes(part) !== not;
}

/** Whether a bar is meant; down times and uses from outside belong to nobody and stay. */
export function matcher(filter: Filter): (bar: Bar) => boolean {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean).map(wordTest);
  return (bar) =>
    CHOSEN.every((name) => !filter[name] || bar[name] === filter[name]) &&
    words.every((test) => test(bar));
}

const KEYS = { text: "q", user: "user", project: "project", class: "class", job_kind: "kind" } as const;
const NAMES = Object.keys(KEYS) as (keyof typeof KEYS)[];

/** Puts the filter into the parameters of an address; what is as usual is left away. */
export function writeFilter(filter: Filter, into: URLSearchParams): void {
  for (const name of NAMES) if (filter[name]) into.set(KEYS[name], filter[name]);
  if (filter.hidden.length > 0) into.set("without", filter.hidden.join(","));
  if (filter.hideEmpty) into.set("empty", "hide");
}

export function readFilter(from: URLSearchParams): Filter {
  const hidden = (from.get("without") ?? "").split(",").filter((one): one is Look => (LOOKS as readonly string[]).includes(one));
  return {
    ...EVERYTHING,
    ...Object.fromEntries(NAMES.map((name) => [name, from.get(KEYS[name]) ?? ""])),
    hidden,
    hideEmpty: from.get("empty") === "hide",
  };
}
