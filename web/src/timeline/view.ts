// Which time is seen, and how large a lane is: values and what changes them. The view that follows
// the present is kept as a span, so that a link to it still shows the present tomorrow.
import { DAY, HOUR, MINUTE } from "../time/zone";

export interface View {
  from: number; // seconds since the epoch
  to: number;
  isLive: boolean; // moves along with the present
  laneHeight: number; // pixels
}

export const SPAN_MIN = 10 * MINUTE;
export const SPAN_MAX = 120 * DAY;
export const LANE_MIN = 0.5;
export const LANE_MAX = 44;
export const LANE_NAMED = 14; // from here on each GPU has its name
export const LANE_BLOCKS = 4; // from here on each bar is drawn; below, bars are merged by pixel

/** Where the present lies in a view that follows it. */
const LIVE_AT = 0.2;

export const SPANS = { "6h": 6 * HOUR, "1d": DAY, "1w": 7 * DAY } as const;
export type SpanName = keyof typeof SPANS;

export function liveView(now: number, span: number, laneHeight: number): View {
  const from = now - span * LIVE_AT;
  return { from, to: from + span, isLive: true, laneHeight };
}

/** The same view at a later present. */
export function follow(view: View, now: number): View {
  return view.isLive ? liveView(now, view.to - view.from, view.laneHeight) : view;
}

/** Moves it by a part of its width: 1 = one whole window later. */
export function panBy(view: View, part: number): View {
  const by = (view.to - view.from) * part;
  return { ...view, from: view.from + by, to: view.to + by, isLive: false };
}

/** Zooms by a factor (2 = twice as much time) around the instant at this part of the width. */
export function zoomBy(view: View, factor: number, at = 0.5): View {
  const span = view.to - view.from;
  const next = Math.min(SPAN_MAX, Math.max(SPAN_MIN, span * factor));
  const still = view.from + span * at;
  return { ...view, from: still - next * at, to: still + next * (1 - at), isLive: view.isLive && next === span };
}

/** A span around the middle of the view, or around the present where that is seen. */
export function spanOf(view: View, span: number, now: number): View {
  if (view.isLive || (now > view.from && now < view.to)) return liveView(now, span, view.laneHeight);
  const middle = (view.from + view.to) / 2;
  return { ...view, from: middle - span / 2, to: middle + span / 2, isLive: false };
}

export function resizeLanes(view: View, factor: number): View {
  return { ...view, laneHeight: Math.min(LANE_MAX, Math.max(LANE_MIN, view.laneHeight * factor)) };
}

/** Both fingers stay on the instants that they touched. */
export function pinch(view: View, before: [number, number], after: [number, number]): View {
  const span = view.to - view.from;
  const [a, b] = [view.from + span * before[0], view.from + span * before[1]];
  const width = after[1] - after[0];
  if (Math.abs(width) < 0.02 || a === b) return view;
  const next = Math.min(SPAN_MAX, Math.max(SPAN_MIN, (b - a) / width));
  const from = a - next * after[0];
  return { ...view, from, to: from + next, isLive: false };
}

export function timeAt(view: View, x: number, width: number): number {
  return view.from + ((view.to - view.from) * x) / width;
}

export function xOf(view: View, at: number, width: number): number {
  return ((at - view.from) / (view.to - view.from)) * width;
}
