// Lanes of less than a few pixels: what shares a pixel is one mark, so that a picture costs what the
// screen has and not what the cluster has.
import { endAt, startAt } from "./model";
import type { Scene } from "./scene";
import { xOf } from "./view";

const MEANT = 64; // added to a paint's number where the bar matches the filter
const DIM = 0.25;

export interface Mark {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The marks of lanes [first, end), by paint (plus MEANT). */
export function mergeLanes(scene: Scene, first: number, end: number): Map<number, Mark[]> {
  const width = Math.ceil(scene.width - scene.gutter);
  const cells = new Uint8Array(width);
  const marks = new Map<number, Mark[]>();
  const { layout } = scene;
  for (let lane = first; lane < end; ) {
    const y = Math.floor(layout.top[lane]! - scene.scroll);
    let bottom = y + 1;
    cells.fill(0);
    for (; lane < end && Math.floor(layout.top[lane]! - scene.scroll) === y; lane++) {
      if (layout.size[lane] === 0) continue;
      fillLane(scene, lane, cells);
      bottom = Math.max(bottom, Math.floor(layout.top[lane]! + layout.size[lane]! - scene.scroll));
    }
    collect(cells, { x: 0, y, width, height: bottom - y }, marks);
  }
  return marks;
}

function fillLane(scene: Scene, lane: number, cells: Uint8Array): void {
  const { view } = scene;
  const width = cells.length;
  scene.model.each(lane, view.from, view.to, ({ bar }) => {
    if (scene.hidden.includes(bar.look)) return;
    const end = endAt(bar, scene.now);
    if (end <= view.from) return;
    const x = Math.max(0, Math.floor(xOf(view, startAt(bar, scene.now), width)));
    const right = Math.min(width, Math.max(x + 1, Math.round(xOf(view, end, width))));
    const paint = 1 + scene.paintOf(bar) + (scene.matches(bar) ? MEANT : 0);
    for (let i = x; i < right; i++) if (cells[i]! < paint) cells[i] = paint;
  });
}

function collect(cells: Uint8Array, row: Mark, marks: Map<number, Mark[]>): void {
  for (let x = 0; x < cells.length; ) {
    const paint = cells[x]!;
    const start = x;
    while (x < cells.length && cells[x] === paint) x++;
    if (paint === 0) continue;
    let list = marks.get(paint);
    if (!list) marks.set(paint, (list = []));
    list.push({ x: start, y: row.y, width: x - start, height: row.height });
  }
}

export function drawMerged(ctx: CanvasRenderingContext2D, scene: Scene, first: number, end: number): void {
  for (const [paint, marks] of mergeLanes(scene, first, end)) {
    ctx.globalAlpha = paint > MEANT ? 1 : DIM;
    ctx.fillStyle = scene.palette.paints[(paint > MEANT ? paint - MEANT : paint) - 1]!.fill;
    for (const mark of marks) ctx.fillRect(mark.x, mark.y, mark.width, mark.height);
  }
  ctx.globalAlpha = 1;
}
