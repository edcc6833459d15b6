// All that one picture is made of. Drawing reads it and changes nothing but the canvas.
import type { Hatches } from "./hatch";
import type { Ruler } from "./label";
import type { Layout } from "./layout";
import type { Look } from "./looks";
import { type Bar, type Block, type Model, endAt, startAt } from "./model";
import type { Palette } from "./palette";
import type { View } from "./view";

export interface Box {
  first: number; // lanes, both included
  last: number;
  from: number;
  to: number;
}

/** What is drawn with the pointer: a booking to be, or one on its way to another place. */
export interface Ghost {
  boxes: Box[];
  isConflict: boolean;
  text: string;
}

export interface Words {
  gpus(n: number): string;
  memory(bytes: number): string;
  queue: string; // the heading of what has no GPU yet
}

export interface Scene {
  model: Model;
  layout: Layout;
  view: View;
  scroll: number;
  width: number; // of the whole canvas, in CSS pixels
  height: number;
  gutter: number; // the names' width
  axis: number; // the axis' height
  ratio: number; // device pixels of one
  palette: Palette;
  hatches: Hatches;
  ruler: Ruler;
  words: Words;
  matches: (bar: Bar) => boolean;
  hidden: readonly Look[];
  paintOf: (bar: Bar) => number;
  now: number;
  zone: string;
  lang: string;
  hover: Bar | null;
  ghost: Ghost | null;
  crosshair: number | null; // an instant
}

export const FONT = '12px system-ui, -apple-system, "Segoe UI", "Noto Sans", "Noto Sans CJK SC", sans-serif';
export const FONT_BOLD = `600 ${FONT}`;
export const FONT_SMALL = FONT.replace("12px", "11px");

/** Whether they show the same, but for what changed in the model. */
export function isSame<T extends object>(scene: T, other: T | null): boolean {
  return other !== null && (Object.keys(scene) as (keyof T)[]).every((key) => scene[key] === other[key]);
}

/** A frame's number marks the blocks that it has, so that none is drawn once a lane. */
let frame = 0;

export interface Piece {
  block: Block;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The part of a block that is seen, in pixels of the plot (left of it are the names, above it the axis). */
export function pieceOf(scene: Scene, block: Block): Piece {
  const { view, layout } = scene;
  const width = scene.width - scene.gutter;
  const scale = width / (view.to - view.from);
  const { bar } = block;
  const x = Math.max(-8, (startAt(bar, scene.now) - view.from) * scale);
  const right = Math.min(width + 8, (endAt(bar, scene.now) - view.from) * scale);
  const y = layout.top[block.first]! - scene.scroll;
  const bottom = layout.top[block.last]! + layout.size[block.last]! - scene.scroll;
  return { block, x, y, width: Math.max(right - x, 1.5), height: bottom - y };
}

/** The blocks in view on lanes [first, end), each once. */
export function blocksIn(scene: Scene, first: number, end: number): Block[] {
  const found: Block[] = [];
  const mark = ++frame;
  const { view, model, layout } = scene;
  const hidden = new Set(scene.hidden);
  for (let lane = first; lane < end; lane++) {
    if (layout.size[lane] === 0) continue;
    model.each(lane, view.from, view.to, (block) => {
      const isSeen = Math.max(endAt(block.bar, scene.now), block.bar.late) > view.from;
      if (block.mark === mark || !isSeen || hidden.has(block.bar.look)) return;
      block.mark = mark;
      found.push(block);
    });
  }
  return found;
}
