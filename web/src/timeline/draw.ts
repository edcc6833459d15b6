// One picture of the timeline.
import { drawBars } from "./bars";
import { drawAxis, drawGround, drawLines, drawNames } from "./frame";
import { moveHatches } from "./hatch";
import { firstLaneAt, type Layout } from "./layout";
import { drawMerged } from "./merged";
import { type Block, reachOf } from "./model";
import { FONT_BOLD, type Box, type Ghost, type Scene } from "./scene";
import { LANE_BLOCKS, xOf } from "./view";

type Context = CanvasRenderingContext2D;

/** Lanes [first, end) that are seen. */
export function lanesInView(scene: Scene): { first: number; end: number } {
  const { layout, scroll } = scene;
  const first = firstLaneAt(layout, scroll);
  let end = firstLaneAt(layout, scroll + scene.height - scene.axis);
  if (end < layout.top.length) end++;
  return { first, end };
}

/** Whether any of the blocks is, or was, in what is seen. */
export function isInView(scene: Scene, blocks: readonly Block[]): boolean {
  const { first, end } = lanesInView(scene);
  const { from, to } = scene.view;
  return blocks.some((block) => block.last >= first && block.first < end && block.bar.start < to && reachOf(block.bar) > from);
}

export function draw(ctx: Context, scene: Scene): void {
  const { first, end } = lanesInView(scene);
  ctx.setTransform(scene.ratio, 0, 0, scene.ratio, 0, 0);
  ctx.fillStyle = scene.palette.background;
  ctx.fillRect(0, 0, scene.width, scene.height);
  ctx.save();
  ctx.beginPath();
  ctx.rect(scene.gutter, scene.axis, scene.width - scene.gutter, scene.height - scene.axis);
  ctx.clip();
  ctx.translate(scene.gutter, scene.axis);
  drawGround(ctx, scene, first, end);
  drawLanes(ctx, scene, first, end);
  drawLines(ctx, scene);
  if (scene.ghost) drawGhost(ctx, scene, scene.ghost);
  ctx.restore();
  drawNames(ctx, scene, first, end);
  ctx.save();
  ctx.translate(scene.gutter, 0);
  ctx.beginPath();
  ctx.rect(0, 0, scene.width - scene.gutter, scene.axis);
  ctx.clip();
  drawAxis(ctx, scene);
  ctx.restore();
}

/** Runs of lanes that are large enough have each bar, others are merged. */
function drawLanes(ctx: Context, scene: Scene, first: number, end: number): void {
  const scale = (scene.width - scene.gutter) / (scene.view.to - scene.view.from);
  moveHatches(scene.hatches, -((scene.view.from * scale) % 8), -scene.scroll, scene.ratio);
  for (let lane = first; lane < end; ) {
    const isLarge = isLargeLane(scene.layout, lane);
    let next = lane + 1;
    while (next < end && isLargeLane(scene.layout, next) === isLarge) next++;
    if (isLarge) drawBars(ctx, scene, lane, next);
    else drawMerged(ctx, scene, lane, next);
    lane = next;
  }
}

/** Hidden lanes go with any others. */
function isLargeLane(layout: Layout, lane: number): boolean {
  return layout.size[lane] === 0 || layout.size[lane]! >= LANE_BLOCKS;
}

function drawGhost(ctx: Context, scene: Scene, ghost: Ghost): void {
  const { palette } = scene;
  const color = ghost.isConflict ? palette.conflict : palette.select;
  for (const box of ghost.boxes) {
    const at = boxOf(scene, box);
    ctx.globalAlpha = 0.28;
    ctx.fillStyle = color;
    ctx.fillRect(at.x, at.y, at.width, at.height);
    ctx.globalAlpha = 1;
    ctx.strokeStyle = color;
    ctx.lineWidth = 2;
    ctx.strokeRect(at.x, at.y, at.width, at.height);
  }
  const first = ghost.boxes[0];
  if (first && ghost.text) drawGhostText(ctx, scene, boxOf(scene, first), { color, text: ghost.text });
}

function boxOf(scene: Scene, box: Box): { x: number; y: number; width: number; height: number } {
  const width = scene.width - scene.gutter;
  const x = xOf(scene.view, box.from, width);
  const y = scene.layout.top[box.first]! - scene.scroll;
  return {
    x,
    y,
    width: xOf(scene.view, box.to, width) - x,
    height: scene.layout.top[box.last]! + scene.layout.size[box.last]! - scene.scroll - y,
  };
}

/** Above the ghost, or in it at the upper edge; always within the plot. */
function drawGhostText(ctx: Context, scene: Scene, at: { x: number; y: number }, said: { color: string; text: string }): void {
  ctx.font = FONT_BOLD;
  ctx.textBaseline = "middle";
  const width = Math.min(ctx.measureText(said.text).width + 12, scene.width - scene.gutter - 4);
  const x = Math.max(2, Math.min(at.x, scene.width - scene.gutter - width - 2));
  const y = at.y < 22 ? Math.max(at.y, 0) + 12 : at.y - 12;
  ctx.fillStyle = said.color;
  ctx.beginPath();
  ctx.roundRect(x, y - 10, width, 20, 4);
  ctx.fill();
  ctx.fillStyle = scene.palette.background;
  ctx.fillText(said.text, x + 6, y + 0.5, width - 12);
}
