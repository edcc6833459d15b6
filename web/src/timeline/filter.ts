// What is looked for: a bar that does not match is dimmed, and its lane hidden where that is wished.
import type { Bar } from "./model";
import { LOOKS, type Look } from "./looks";

export interface Filter {
  text: string;
  user: string; // "" = everybody
  project: string;
  class: string;
  hidden: readonly Look[]; // kinds and states that are switched off
  hideEmpty: boolean;
}

export const EVERYTHING: Filter = { text: "", user: "", project: "", class: "", hidden: [], hideEmpty: false };

export function isFiltering(filter: Filter): boolean {
  return Boolean(filter.text.trim() || filter.user || filter.project || filter.class);
}

const FIELDS: Record<string, (bar: Bar) => string | null | undefined> = {
  user: (bar) => bar.user,
  project: (bar) => bar.project,
  class: (bar) => bar.class,
  kind: (bar) => bar.kind,
  state: (bar) => bar.state,
  node: (bar) => bar.lanes.map((lane) => lane.replace(/:\d+$/, "")).join(" "),
};

/** A word of the free text: "anna" anywhere, "state:queued" in a field, "-anna" not. */
function wordTest(word: string): (bar: Bar) => boolean {
  const not = word.length > 1 && word.startsWith("-");
  const text = not ? word.slice(1) : word;
  const colon = text.indexOf(":");
  const field = colon > 0 ? FIELDS[text.slice(0, colon)] : undefined;
  const part = field ? text.slice(colon + 1) : text;
  return (bar) => (field ? (field(bar) ?? "").toLowerCase() : bar.haystack).includes(part) !== not;
}

/** Whether a bar is meant; down times and uses from outside belong to nobody and stay. */
export function matcher(filter: Filter): (bar: Bar) => boolean {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean).map(wordTest);
  return (bar) =>
    (!filter.user || bar.user === filter.user) &&
    (!filter.project || bar.project === filter.project) &&
    (!filter.class || bar.class === filter.class) &&
    words.every((test) => test(bar));
}

const NAMES = ["text", "user", "project", "class"] as const;
const KEYS = { text: "q", user: "user", project: "project", class: "class" } as const;

/** Puts the filter into the parameters of an address; what is as usual is left away. */
export function writeFilter(filter: Filter, into: URLSearchParams): void {
  for (const name of NAMES) if (filter[name]) into.set(KEYS[name], filter[name]);
  if (filter.hidden.length > 0) into.set("without", filter.hidden.join(","));
  if (filter.hideEmpty) into.set("empty", "hide");
}

export function readFilter(from: URLSearchParams): Filter {
  const hidden = (from.get("without") ?? "").split(",").filter((one): one is Look => (LOOKS as readonly string[]).includes(one));
  return {
    text: from.get("q") ?? "",
    user: from.get("user") ?? "",
    project: from.get("project") ?? "",
    class: from.get("class") ?? "",
    hidden,
    hideEmpty: from.get("empty") === "hide",
  };
}
