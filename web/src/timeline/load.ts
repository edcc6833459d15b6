// The strip below: how many GPUs are used, booked or planned over all the time that is loaded, and
// which part of it is seen. It is also what is dragged to get somewhere else.
import type { Model } from "./model";
import type { Scene } from "./scene";
import { LOOK_INDEX } from "./looks";

export interface Reach {
  from: number;
  to: number;
}

const LAYERS = ["used", "reserved", "planned"] as const;
const LAYER_OF: Record<string, number> = { done: 0, failed: 0, running: 0, outside: 0, reserved: 1, planned: 2 };

/** GPUs per column and layer. A column counts what its middle sees, and what is shorter than it. */
export function loadOf(model: Model, reach: Reach, columns: number, now: number): Float32Array[] {
  const layers = LAYERS.map(() => new Float32Array(columns + 1));
  const scale = columns / (reach.to - reach.from);
  for (const bar of model.bars.values()) {
    const layer = layers[LAYER_OF[bar.look] ?? -1];
    if (!layer || bar.lanes.length === 0) continue;
    const end = bar.end === Infinity ? Math.max(now, bar.start) : bar.end;
    const first = Math.max(0, Math.floor((bar.start - reach.from) * scale));
    const last = Math.min(columns, Math.max(first + 1, Math.round((end - reach.from) * scale)));
    if (first >= columns || end <= reach.from) continue;
    layer[first]! += bar.gpus;
    layer[last]! -= bar.gpus;
  }
  for (const layer of layers) for (let i = 1; i <= columns; i++) layer[i]! += layer[i - 1]!;
  return layers;
}

/** Draws it on a canvas of its own, of the size that the scene says. */
export function drawStrip(ctx: CanvasRenderingContext2D, scene: Scene, reach: Reach, gpus: number): void {
  const { width, height, palette, ratio } = scene;
  const columns = Math.max(1, Math.floor(width / 2));
  const layers = loadOf(scene.model, reach, columns, scene.now);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.fillStyle = palette.plate;
  ctx.fillRect(0, 0, width, height);
  const paints = [LOOK_INDEX.running, LOOK_INDEX.reserved, LOOK_INDEX.planned];
  for (let i = 0; i < columns; i++) {
    let y = height;
    layers.forEach((layer, at) => {
      const size = Math.min(y, (layer[i]! / Math.max(1, gpus)) * (height - 2));
      if (size < 0.2) return;
      ctx.fillStyle = palette.paints[paints[at]!]!.fill;
      ctx.fillRect(i * 2, y - size, 2, size);
      y -= size;
    });
  }
  drawWindow(ctx, scene, reach);
}

function drawWindow(ctx: CanvasRenderingContext2D, scene: Scene, reach: Reach): void {
  const { width, height, palette, view } = scene;
  const x = (at: number): number => ((at - reach.from) / (reach.to - reach.from)) * width;
  ctx.fillStyle = palette.background;
  ctx.globalAlpha = 0.6;
  ctx.fillRect(0, 0, x(view.from), height);
  ctx.fillRect(x(view.to), 0, width - x(view.to), height);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = palette.select;
  ctx.lineWidth = 2;
  ctx.strokeRect(x(view.from) + 1, 1, Math.max(2, x(view.to) - x(view.from) - 2), height - 2);
  ctx.fillStyle = palette.now;
  ctx.fillRect(Math.round(x(scene.now)), 0, 2, height);
}
