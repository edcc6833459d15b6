// Where each lane lies on the screen: groups of pools and nodes, folded or not, without lanes that are
// hidden. Lanes of what is folded are squeezed into one row, so that a folded group still shows its use.
import type { Lane, Model } from "./model";
import { LANE_NAMED } from "./view";

export interface Group {
  key: string; // "pool" or "pool/node"
  name: string;
  isPool: boolean;
  isFolded: boolean;
  first: number; // lanes, both included
  last: number;
  y: number;
  height: number; // of all of it, its heading included
}

export interface Layout {
  top: Float64Array; // of each lane
  size: Float64Array; // its height, 0 where it is hidden
  groups: Group[];
  height: number;
}

export const POOL_HEADING = 22;
const FOLDED = 26;
const GAP = 6; // between nodes whose GPUs are named

export interface LayoutWish {
  laneHeight: number;
  folded: readonly string[];
  isHidden: (lane: number) => boolean;
  queueRows: number; // of what has no GPU yet, that are used
}

interface Maker {
  layout: Layout;
  wish: LayoutWish;
  lanes: readonly Lane[];
}

export function poolKey(lane: Lane): string {
  return lane.isQueue ? "" : encodeURIComponent(lane.pool);
}

export function nodeKey(lane: Lane): string {
  return `${encodeURIComponent(lane.pool)}/${encodeURIComponent(lane.node)}`;
}

/** The end of the run of lanes from `first` on that share a key. */
function runEnd(lanes: readonly Lane[], first: number, key: (lane: Lane) => string): number {
  let end = first;
  while (end < lanes.length && key(lanes[end]!) === key(lanes[first]!)) end++;
  return end;
}

function shownLanes(maker: Maker, first: number, end: number): number[] {
  const shown: number[] = [];
  const queue = maker.lanes.findIndex((lane) => lane.isQueue);
  for (let lane = first; lane < end; lane++) {
    const isUnused = maker.lanes[lane]!.isQueue && lane - queue >= maker.wish.queueRows;
    if (!isUnused && !maker.wish.isHidden(lane)) shown.push(lane);
  }
  return shown;
}

/** Puts lanes below each other and answers where they end. */
function place(layout: Layout, lanes: number[], y: number, size: number): number {
  for (const lane of lanes) {
    layout.top[lane] = y;
    layout.size[lane] = size;
    y += size;
  }
  return y;
}

function placeNode(maker: Maker, first: number, end: number, y: number): number {
  const { layout, wish, lanes } = maker;
  const shown = shownLanes(maker, first, end);
  if (shown.length === 0) return y;
  const lane = lanes[first]!;
  const key = nodeKey(lane);
  const isFolded = !lane.isQueue && wish.folded.includes(key);
  const size = isFolded ? Math.min(FOLDED, wish.laneHeight * shown.length) / shown.length : wish.laneHeight;
  const bottom = place(layout, shown, y, size);
  layout.groups.push({ key, name: lane.node, isPool: false, isFolded, first: shown[0]!, last: shown.at(-1)!, y, height: bottom - y });
  return bottom + (wish.laneHeight >= LANE_NAMED ? GAP : wish.laneHeight >= 4 ? 2 : 0);
}

function placePool(maker: Maker, first: number, end: number, y: number, hasHeading: boolean): number {
  const { layout, wish, lanes } = maker;
  const shown = shownLanes(maker, first, end);
  if (shown.length === 0) return y;
  const key = poolKey(lanes[first]!);
  const isFolded = key !== "" && wish.folded.includes(key);
  const group: Group = { key, name: lanes[first]!.pool, isPool: true, isFolded, first: shown[0]!, last: shown.at(-1)!, y, height: 0 };
  if (hasHeading) {
    layout.groups.push(group);
    y += POOL_HEADING;
  }
  if (isFolded) {
    y = place(layout, shown, y, Math.min(FOLDED, wish.laneHeight * shown.length) / shown.length) + GAP;
  } else {
    for (let node = first; node < end; ) {
      const next = Math.min(end, runEnd(lanes, node, nodeKey));
      y = placeNode(maker, node, next, y);
      node = next;
    }
  }
  group.height = y - group.y;
  return y;
}

/** Hidden lanes have no height and lie where they would be. */
export function makeLayout(model: Model, wish: LayoutWish): Layout {
  const count = model.lanes.length;
  const layout: Layout = { top: new Float64Array(count), size: new Float64Array(count), groups: [], height: 0 };
  const maker: Maker = { layout, wish, lanes: model.lanes };
  const pools = new Set(model.lanes.map(poolKey));
  let y = 0;
  for (let first = 0; first < count; ) {
    const end = runEnd(model.lanes, first, poolKey);
    y = placePool(maker, first, end, y, pools.size > 2 || model.lanes[first]!.isQueue);
    first = end;
  }
  layout.height = y;
  settleHidden(layout);
  return layout;
}

function settleHidden(layout: Layout): void {
  let y = 0;
  for (let lane = 0; lane < layout.top.length; lane++) {
    if (layout.size[lane]! > 0) y = layout.top[lane]! + layout.size[lane]!;
    else layout.top[lane] = y;
  }
}

/** The first lane whose lower edge lies below y. */
export function firstLaneAt(layout: Layout, y: number): number {
  let low = 0;
  let high = layout.top.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (layout.top[middle]! + layout.size[middle]! <= y) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The lane at y, or -1 between lanes. */
export function laneAt(layout: Layout, y: number): number {
  const lane = firstLaneAt(layout, y);
  return lane < layout.top.length && layout.top[lane]! <= y && layout.size[lane]! > 0 ? lane : -1;
}
