// The strip below: how many GPUs are used, booked or planned over all the time that is loaded, and
// which part of it is seen. It is also what is dragged to get somewhere else.
import { type Model, endAt, startAt } from "./model";
import { LOOK_INDEX } from "./looks";
import type { Palette } from "./palette";

export interface Reach {
  from: number;
  to: number;
}

/** Used, booked, planned: the looks whose colours they have. */
const PAINTS = [LOOK_INDEX.running, LOOK_INDEX.reserved, LOOK_INDEX.planned];
const LAYER_OF: Record<string, number> = { done: 0, failed: 0, running: 0, outside: 0, reserved: 1, planned: 2 };

/** GPUs per column and layer. A column counts what its middle sees, and what is shorter than it. */
export function loadOf(model: Model, reach: Reach, columns: number, now: number): Float32Array[] {
  const layers = PAINTS.map(() => new Float32Array(columns + 1));
  const scale = columns / (reach.to - reach.from);
  for (const bar of model.bars.values()) {
    const layer = layers[LAYER_OF[bar.look] ?? -1];
    if (!layer || bar.lanes.length === 0) continue;
    const end = endAt(bar, now);
    const first = Math.max(0, Math.floor((startAt(bar, now) - reach.from) * scale));
    const last = Math.min(columns, Math.max(first + 1, Math.round((end - reach.from) * scale)));
    if (first >= columns || end <= reach.from) continue;
    layer[first]! += bar.gpus;
    layer[last]! -= bar.gpus;
  }
  for (const layer of layers) for (let i = 1; i <= columns; i++) layer[i]! += layer[i - 1]!;
  return layers;
}

export interface StripScene {
  reach: Reach;
  model: Model;
  palette: Palette;
  ratio: number;
  width: number;
  height: number;
  now: number;
}

const COLUMN = 2; // pixels

/** Draws it on a canvas of its own. */
export function drawStrip(ctx: CanvasRenderingContext2D, scene: StripScene): void {
  const { model, width, height, palette, ratio, reach } = scene;
  const columns = Math.max(1, Math.floor(width / COLUMN));
  const layers = loadOf(model, reach, columns, scene.now);
  const gpus = Math.max(1, model.lanes.filter((lane) => !lane.isQueue).length);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.fillStyle = palette.plate;
  ctx.fillRect(0, 0, width, height);
  const base = new Float32Array(columns).fill(height);
  layers.forEach((layer, at) => {
    ctx.fillStyle = palette.paints[PAINTS[at]!]!.fill;
    for (let i = 0; i < columns; i++) {
      const size = Math.min(base[i]!, (layer[i]! / gpus) * (height - 2));
      if (size < 0.2) continue;
      base[i]! -= size;
      ctx.fillRect(i * COLUMN, base[i]!, COLUMN, size);
    }
  });
  ctx.fillStyle = palette.now;
  ctx.fillRect(Math.round(((scene.now - reach.from) / (reach.to - reach.from)) * width), 0, 2, height);
}
