// How a booking repeats: what the form offers, the RRULE of it, and both in words.
import { type Params, t } from "../i18n";

export const KINDS = ["none", "daily", "weekdays", "weekly", "monthly", "rule"] as const;
export type Kind = (typeof KINDS)[number];

export interface Repeat {
  kind: Kind;
  interval: number; // every so many days, weeks, months
  days: readonly number[]; // of a week, 0 = Sunday; none: the day of the first one
  until: string; // the last day, "2026-12-24", or ""
  rule: string; // an RRULE that the form has no fields for
}

export const ONCE: Repeat = { kind: "none", interval: 1, days: [], until: "", rule: "" };

const CODES = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const UNITS: Partial<Record<Kind, string>> = { daily: "DAILY", weekly: "WEEKLY", monthly: "MONTHLY" };
const WORK_DAYS = "MO,TU,WE,TH,FR";
/** Monday first, as the week is written. */
export const WEEK = [1, 2, 3, 4, 5, 6, 0];

function inWeek(days: readonly number[]): number[] {
  return WEEK.filter((day) => days.includes(day));
}

/** The value of `every`, or null for one that does not repeat. */
export function everyOf(repeat: Repeat): string | null {
  if (repeat.kind === "none") return null;
  if (repeat.kind === "rule") return repeat.rule.trim();
  if (repeat.kind === "weekdays") return "weekdays";
  const parts = [`FREQ=${UNITS[repeat.kind]}`];
  if (repeat.interval > 1) parts.push(`INTERVAL=${repeat.interval}`);
  if (repeat.kind === "weekly" && repeat.days.length > 0) parts.push(`BYDAY=${inWeek(repeat.days).map((day) => CODES[day]).join(",")}`);
  return parts.join(";");
}

function partsOf(rule: string): Map<string, string> {
  return new Map(rule.split(";").map((part) => [part.split("=")[0]!.toUpperCase(), part.split("=")[1] ?? ""]));
}

/** "20261224T080000Z" as a day. */
function dayOf(until: string | undefined): string {
  const found = /^(\d{4})(\d\d)(\d\d)/.exec(until ?? "");
  return found ? found.slice(1).join("-") : "";
}

/** What fields can show of a rule of the daemon; other rules stay as they are. */
export function readRule(rule: string | null): Repeat {
  if (!rule) return ONCE;
  const parts = partsOf(rule);
  const kind = (Object.keys(UNITS) as Kind[]).find((one) => UNITS[one] === parts.get("FREQ"));
  const days = (parts.get("BYDAY") ?? "").split(",").filter(Boolean);
  const known = ["FREQ", "INTERVAL", "BYDAY", "UNTIL", "WKST"];
  const isKnown = [...parts.keys()].every((key) => known.includes(key)) && days.every((day) => CODES.includes(day));
  const until = dayOf(parts.get("UNTIL"));
  if (!kind || !isKnown || (days.length > 0 && kind !== "weekly")) return { ...ONCE, kind: "rule", rule };
  const interval = Number(parts.get("INTERVAL") ?? 1);
  if (interval === 1 && inWeek(days.map((day) => CODES.indexOf(day))).map((day) => CODES[day]).join() === WORK_DAYS) {
    return { ...ONCE, kind: "weekdays", until };
  }
  return { ...ONCE, kind, interval, days: days.map((day) => CODES.indexOf(day)), until };
}

export function dayName(day: number, lang: string, length: "short" | "narrow" = "short"): string {
  const sunday = Date.UTC(2026, 10, 29);
  return new Intl.DateTimeFormat(lang, { weekday: length, timeZone: "UTC" }).format(sunday + day * 86400_000);
}

function listOf(items: string[], lang: string): string {
  return new Intl.ListFormat(lang, { type: "conjunction", style: "short" }).format(items);
}

function untilWords(until: string, lang: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(until)) return "";
  const day = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(`${until}T12:00:00Z`));
  return t("booking.until_day", { day });
}

function everyWords({ kind, interval, days }: Repeat, lang: string): string {
  const params: Params = { n: interval };
  if (kind === "daily") return interval > 1 ? t("booking.every_n_days", params) : t("booking.every_day");
  if (kind === "monthly") return interval > 1 ? t("booking.every_n_months", params) : t("booking.every_month");
  if (kind === "weekdays") return t("booking.every_weekday");
  const week = interval > 1 ? t("booking.every_n_weeks", params) : t("booking.every_week");
  return days.length > 0 ? t("booking.on_days", { every: week, days: listOf(inWeek(days).map((day) => dayName(day, lang)), lang) }) : week;
}

/** "every week on Mon and Wed, until 24 Dec 2026"; an unusual rule as it is written. */
export function repeatWords(repeat: Repeat, lang: string): string {
  if (repeat.kind === "none") return t("booking.once");
  if (repeat.kind === "rule") return repeat.rule;
  return everyWords(repeat, lang) + untilWords(repeat.until, lang);
}
