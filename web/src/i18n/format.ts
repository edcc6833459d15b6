// Numbers, sizes, durations and instants in the chosen language and time zone.
import { show } from "../time/format";
import { locale } from "./index";

const DAY_S = 86400;

/** The day alone: "Mon 30 Nov". */
export function day(at: number, zone: string): string {
  return show(at, "day", zone, locale());
}

/** As short as it can be said now: "15:05" today, "Tue 1 Dec, 15:05" on another day. */
export function instant(at: number, zone: string, now: number): string {
  return show(at, day(at, zone) === day(now, zone) ? "time" : "full", zone, locale());
}

/** With the day and the zone, whatever day it is. */
export function fullInstant(at: number, zone: string): string {
  return `${show(at, "full", zone, locale())} ${zone}`;
}

function unit(value: number, name: string): string {
  return new Intl.NumberFormat(locale(), { style: "unit", unit: name, unitDisplay: "short" }).format(value);
}

const UNITS: [string, number][] = [["day", DAY_S], ["hour", 3600], ["minute", 60], ["second", 1]];

/** In at most two units: "3 hr 20 min", "2 days 4 hr", "45 sec". */
export function duration(seconds: number): string {
  let rest = Math.max(0, Math.round(seconds));
  if (rest >= 3600) rest = Math.round(rest / 60) * 60;
  const first = UNITS.findIndex(([, size]) => rest >= size);
  if (first < 0) return unit(0, "second");
  const said = UNITS.slice(first, first + 2).map(([name, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? unit(count, name) : "";
  });
  return said.filter(Boolean).join(" ");
}

/** "in 12 minutes", "3 hours ago". */
export function relative(at: number, now: number): string {
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  const away = at - now;
  const [name, size] = UNITS.find(([, length]) => Math.abs(away) >= length) ?? ["second", 1];
  return words.format(Math.round(away / size), name as Intl.RelativeTimeFormatUnit);
}

export function number(value: number, digits = 0): string {
  return value.toLocaleString(locale(), { maximumFractionDigits: digits });
}

/** Of significance: 0.0123, 4.57, 1,234. */
export function measure(value: number): string {
  return value.toLocaleString(locale(), { maximumSignificantDigits: 3 });
}

export function percent(ratio: number): string {
  return ratio.toLocaleString(locale(), { style: "percent", maximumFractionDigits: 0 });
}

/** Powers of 1024, as the command line says them. */
export function bytes(value: number): string {
  const names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  const power = Math.min(names.length - 1, value > 0 ? Math.floor(Math.log2(value) / 10) : 0);
  return `${number(value / 1024 ** power, power > 0 && value / 1024 ** power < 10 ? 1 : 0)} ${names[power]}`;
}
