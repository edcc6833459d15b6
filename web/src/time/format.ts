// Instants in words of a language and a zone, for the canvas and for fields and requests.
import { DAY, HOUR, MINUTE, instantsOf, offsetAt, secondsOf, wallOf } from "./zone";

const STYLES = {
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  day: { weekday: "short", day: "numeric", month: "short" },
  date: { day: "numeric" },
  month: { month: "long", year: "numeric" },
  full: { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

export type Style = keyof typeof STYLES;

const made = new Map<string, Intl.DateTimeFormat>();

/** "09:00", "Mon 30 Nov", "Mon 30 Nov, 09:00". */
export function show(at: number, style: Style, zone: string, lang: string): string {
  const key = `${style} ${zone} ${lang}`;
  let format = made.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(lang, { ...STYLES[style], timeZone: zone });
    made.set(key, format);
  }
  return format.format(at * 1000);
}

/** "Mon 30 Nov, 09:00 – 12:30", with the day once where it is the same. */
export function showSpan(from: number, to: number, zone: string, lang: string): string {
  const sameDay = show(from, "day", zone, lang) === show(to, "day", zone, lang) && to - from < 2 * DAY;
  return `${show(from, "full", zone, lang)} – ${show(to, sameDay ? "time" : "full", zone, lang)}`;
}

/** "UTC+8", "UTC−3:30". */
export function showOffset(zone: string, at: number): string {
  const offset = offsetAt(zone, at);
  const minutes = Math.abs(Math.round(offset / MINUTE));
  const rest = minutes % 60 ? `:${String(minutes % 60).padStart(2, "0")}` : "";
  return `UTC${offset < 0 ? "−" : "+"}${Math.floor(minutes / 60)}${rest}`;
}

const two = (value: number) => String(value).padStart(2, "0");

/** The value of <input type=datetime-local>. */
export function toInput(at: number, zone: string): string {
  const wall = wallOf(zone, at);
  return `${String(wall.year).padStart(4, "0")}-${two(wall.month)}-${two(wall.day)}T${two(wall.hour)}:${two(wall.minute)}`;
}

/** The instants that the text of such a field means: none for no time, and in an hour left out. */
export function fromInput(text: string, zone: string): number[] {
  const found = /^(\d{4,5})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)/.exec(text);
  if (!found) return [];
  const [year, month, day, hour, minute] = found.slice(1).map(Number) as [number, number, number, number, number];
  const wall = secondsOf({ year, month, day, hour, minute });
  return Number.isFinite(wall) ? instantsOf(zone, wall) : [];
}

/** An instant with its offset, as requests name it: "2026-12-01T09:00:00+08:00". */
export function toRequest(at: number, zone: string): string {
  const offset = offsetAt(zone, at);
  const minutes = Math.abs(offset) / MINUTE;
  if (!Number.isInteger(minutes)) return new Date(at * 1000).toISOString().replace(".000", "");
  return `${toInput(at, zone)}:${two(Math.floor(at) % 60)}${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const UNITS: Record<string, number> = { w: 7 * DAY, d: DAY, h: HOUR, m: MINUTE, min: MINUTE };

/** Seconds of "90m", "2h 30m", "1.5h", "3d"; null where it is none. */
export function readDuration(text: string): number | null {
  let total = 0;
  const rest = text.trim().replace(/(\d+(?:[.,]\d+)?)\s*(min|[wdhm])/gi, (_, value: string, name: string) => {
    total += Number(value.replace(",", ".")) * UNITS[name.toLowerCase()]!;
    return "";
  });
  return rest.trim() === "" && total > 0 ? Math.round(total) : null;
}
