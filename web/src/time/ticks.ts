// Where the axis has lines: at round local times, so that a day of 23 or 25 hours is as long as it is.
import { DAY, HOUR, MINUTE, dayStart, instantsOf, wallOf, wallSeconds, weekday } from "./zone";

export interface Tick {
  at: number;
  isDay: boolean; // a local midnight (or what comes instead of it)
}

/** What one pixel row of the axis shows. */
export interface Scale {
  step: number; // seconds of wall clock; a multiple of DAY for days
  labels: "minutes" | "hours" | "days" | "dates" | "months";
}

const STEPS = [5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY, 31 * DAY];

/** Pixels of the number of a day alone. */
const DATE_ROOM = 28;

/** The finest step whose labels still have `room` pixels. */
export function scaleFor(secondsPerPixel: number, room = 58): Scale {
  const step = STEPS.find((one) => one / secondsPerPixel >= room) ?? 31 * DAY;
  if (step > DAY && DAY / secondsPerPixel >= DATE_ROOM) return { step: DAY, labels: "dates" };
  if (step >= 31 * DAY) return { step, labels: "months" };
  if (step >= DAY) return { step, labels: "days" };
  return { step, labels: step < HOUR ? "minutes" : "hours" };
}

function within(zone: string, start: number, end: number, step: number): Tick[] {
  const ticks: Tick[] = [{ at: start, isDay: true }];
  const first = wallSeconds(zone, start);
  const midnight = Math.floor(first / DAY) * DAY;
  for (let wall = midnight + step; wall < midnight + DAY; wall += step) {
    for (const at of instantsOf(zone, wall)) if (at > start && at < end) ticks.push({ at, isDay: false });
  }
  return ticks.sort((a, b) => a.at - b.at);
}

function isDayShown(zone: string, at: number, step: number): boolean {
  if (step >= 31 * DAY) return wallOf(zone, at).day === 1;
  if (step >= 7 * DAY) return weekday(zone, at) === 1;
  return true;
}

/** All ticks in [from, to), and the last one before, from which the first label hangs. */
export function ticksOf(zone: string, from: number, to: number, step: number): Tick[] {
  const ticks: Tick[] = [];
  const back = step >= 31 * DAY ? -31 : step >= 7 * DAY ? -7 : 0;
  for (let day = dayStart(zone, from, back); day < to; ) {
    const next = dayStart(zone, day, 1);
    if (isDayShown(zone, day, step)) {
      if (step >= DAY) ticks.push({ at: day, isDay: true });
      else ticks.push(...within(zone, day, next, step));
    }
    day = next;
  }
  const shown = ticks.findIndex((tick) => tick.at >= from);
  return shown > 1 ? ticks.slice(shown - 1) : shown < 0 ? ticks.slice(-1) : ticks;
}
