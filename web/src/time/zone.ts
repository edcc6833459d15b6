// Time zone arithmetic on top of Intl, which knows the zones but only tells an instant's wall clock.
// Instants are seconds since the epoch. A wall clock is written as the seconds that UTC would show
// the same clock at ("wall seconds"), so that clocks can be added and compared like numbers.

export interface Wall {
  year: number;
  month: number; // 1 to 12
  day: number;
  hour: number;
  minute: number;
}

export const MINUTE = 60;
export const HOUR = 3600;
export const DAY = 86400;

// No zone changes its clocks twice within a week, so two equal ends of a week mean no change in it.
const BUCKET = 7 * DAY;

const clocks = new Map<string, Intl.DateTimeFormat>();
const segments = new Map<string, Map<number, { before: number; after: number; at: number }>>();

function clock(zone: string): Intl.DateTimeFormat {
  let made = clocks.get(zone);
  if (!made) {
    made = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    clocks.set(zone, made);
  }
  return made;
}

export function zoneExists(zone: string): boolean {
  try {
    clock(zone);
    return true;
  } catch {
    return false;
  }
}

function ask(zone: string, at: number): number {
  const part: Record<string, number> = {};
  for (const { type, value } of clock(zone).formatToParts(at * 1000)) part[type] = Number(value);
  const wall = Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!);
  return Math.round(wall / 1000) - at;
}

/** The first second in (low, high] with the offset of `high`. */
function change(zone: string, low: number, high: number): number {
  const before = ask(zone, low);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (ask(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

function segment(zone: string, at: number): { before: number; after: number; at: number } {
  let known = segments.get(zone);
  if (!known) segments.set(zone, (known = new Map()));
  const bucket = Math.floor(at / BUCKET);
  let found = known.get(bucket);
  if (!found) {
    const low = bucket * BUCKET;
    const before = ask(zone, low);
    const after = ask(zone, low + BUCKET);
    found = { before, after, at: before === after ? low + BUCKET : change(zone, low, low + BUCKET) };
    known.set(bucket, found);
  }
  return found;
}

/** Seconds that the zone's clocks are ahead of UTC at this instant. */
export function offsetAt(zone: string, at: number): number {
  const { before, after, at: turn } = segment(zone, Math.floor(at));
  return at < turn ? before : after;
}

export function wallSeconds(zone: string, at: number): number {
  return at + offsetAt(zone, at);
}

export function wallOf(zone: string, at: number): Wall {
  const date = new Date(wallSeconds(zone, at) * 1000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
}

export function secondsOf(wall: Wall): number {
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute) / 1000;
}

/** The instants at which clocks show it: none where they leap over it, two where they show it twice. */
export function instantsOf(zone: string, wall: number): number[] {
  const found = [offsetAt(zone, wall - DAY), offsetAt(zone, wall + DAY)]
    .map((offset) => wall - offset)
    .filter((at) => wallSeconds(zone, at) === wall);
  return [...new Set(found)].sort((a, b) => a - b);
}

/** One instant for a wall clock: the first of two; where clocks leap over it, the leap itself. */
export function instantOf(zone: string, wall: number): number {
  const found = instantsOf(zone, wall);
  if (found.length > 0) return found[0]!;
  return change(zone, wall - DAY - offsetAt(zone, wall - DAY), wall + DAY - offsetAt(zone, wall + DAY));
}

/** The first instant of the local day that `at` lies in, or of one `days` later. */
export function dayStart(zone: string, at: number, days = 0): number {
  const wall = wallSeconds(zone, at);
  return instantOf(zone, Math.floor(wall / DAY) * DAY + days * DAY);
}

/** The nearest instant at which the local clock shows a multiple of `step` (rounding down or up too). */
export function snap(zone: string, at: number, step: number, round = Math.round): number {
  const offset = offsetAt(zone, at);
  return round((at + offset) / step) * step - offset;
}

/** 0 = Sunday … 6 = Saturday, as the zone's calendar has it. */
export function weekday(zone: string, at: number): number {
  return (((Math.floor(wallSeconds(zone, at) / DAY) + 4) % 7) + 7) % 7;
}
