// What a drag over lanes means: GPUs and a time, on the quarter hours of the chosen zone.
import { MINUTE, snap } from "../time/zone";
import type { Bar, Lane, Model } from "./model";
import type { Box } from "./scene";

export const SNAP = 15 * MINUTE;

/** A booking as it is dragged: lanes in order, and a time. */
export interface Slot {
  lanes: number[];
  from: number;
  to: number;
}

export interface Point {
  lane: number;
  at: number;
}

/** All between two points: both lanes, and from the quarter hour before to the one behind. */
export function slotOf(model: Model, zone: string, a: Point, b: Point): Slot {
  const from = snap(zone, Math.min(a.at, b.at), SNAP, Math.floor);
  const to = snap(zone, Math.max(a.at, b.at), SNAP, Math.ceil);
  const lanes: number[] = [];
  for (let lane = Math.min(a.lane, b.lane); lane <= Math.max(a.lane, b.lane); lane++) {
    if (!model.lanes[lane]!.isQueue) lanes.push(lane);
  }
  return { lanes, from, to: Math.max(to, from + SNAP) };
}

/** Nothing is booked in what is past: a slot that reaches into it begins with the present. */
export function notBefore(slot: Slot, now: number, zone: string): Slot {
  const first = snap(zone, now, SNAP, Math.floor);
  return { ...slot, from: Math.max(slot.from, first), to: Math.max(slot.to, first + SNAP) };
}

/** The slot of a bar, moved or with one end dragged by some seconds and lanes. */
export function movedSlot(model: Model, zone: string, bar: Bar, by: { edge: "start" | "end" | null; seconds: number; lanes: number }): Slot {
  const lanes = bar.blocks.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
  const shift = (at: number): number => snap(zone, at + by.seconds, SNAP);
  if (by.edge === "start") return { lanes, from: Math.min(shift(bar.start), bar.end - SNAP), to: bar.end };
  if (by.edge === "end") return { lanes, from: bar.start, to: Math.max(shift(bar.end), bar.start + SNAP) };
  const from = shift(bar.start);
  const count = model.lanes.filter((lane) => !lane.isQueue).length;
  const step = Math.max(-Math.min(...lanes), Math.min(by.lanes, count - 1 - Math.max(...lanes)));
  return { lanes: lanes.map((lane) => lane + step), from, to: from + bar.end - bar.start };
}

/** Bars of others that are in the way, as far as the page knows; the daemon has the last word. */
export function conflictsOf(model: Model, slot: Slot, but: Bar | null = null): Bar[] {
  const found = new Set<Bar>();
  for (const lane of slot.lanes) {
    model.each(lane, slot.from, slot.to, ({ bar }) => {
      if (bar.id !== but?.id && isInTheWay(bar) && bar.end > slot.from) found.add(bar);
    });
  }
  return [...found];
}

/** What waits is planned around bookings, and what may give way is cleared for them. */
function isInTheWay(bar: Bar): boolean {
  if (bar.kind === "job") return bar.look === "running" && bar.class !== "preemptible";
  return bar.kind !== "clearing" && bar.state !== "ended" && bar.state !== "released" && bar.state !== "cancelled";
}

/** Neighbouring lanes as boxes; nodes stay apart. */
export function boxesOf(model: Model, slot: Slot): Box[] {
  const boxes: Box[] = [];
  for (const lane of slot.lanes) {
    const last = boxes.at(-1);
    if (last && last.last + 1 === lane && model.lanes[last.last]!.node === model.lanes[lane]!.node) last.last = lane;
    else boxes.push({ first: lane, last: lane, from: slot.from, to: slot.to });
  }
  return boxes;
}

/** "0-3,6": numbers as a list of runs. */
export function runsOf(numbers: number[]): string {
  const runs: string[] = [];
  for (let i = 0; i < numbers.length; ) {
    let end = i;
    while (numbers[end + 1] === numbers[end]! + 1) end++;
    runs.push(end > i ? `${numbers[i]}-${numbers[end]}` : String(numbers[i]));
    i = end + 1;
  }
  return runs.join(",");
}

/** Which GPUs, as requests name them: "n1:0-3 n2:0"; of nodes that only count theirs, the node. */
export function placesOf(lanes: readonly Lane[]): string {
  const nodes = new Map<string, number[]>();
  for (const lane of lanes) {
    const gpus = nodes.get(lane.node) ?? [];
    if (lane.name !== "") gpus.push(Number(lane.name));
    nodes.set(lane.node, gpus);
  }
  return [...nodes].map(([node, gpus]) => (gpus.length > 0 ? `${node}:${runsOf(gpus)}` : node)).join(" ");
}

/** Whether all GPUs that would be booked can be named: counted nodes are booked whole. */
export function canBeNamed(lanes: readonly Lane[]): boolean {
  return lanes.length > 0 && lanes.every((lane) => lane.name !== "");
}
