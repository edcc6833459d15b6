// Bars at the scales where each of them is drawn.
import { isOpen } from "./looks";
import { drawIcon, ICON } from "./icons";
import { LOOK_INDEX } from "./looks";
import { isolate } from "./label";
import { type Block, drawOrder } from "./model";
import { NAMES_FROM, type Paint } from "./palette";
import { FONT, type Piece, type Scene, blocksIn, pieceOf } from "./scene";
import { xOf } from "./view";

type Context = CanvasRenderingContext2D;

const DIM = 0.2;
const ROUND_FROM = 7; // pixels; corners of what is narrower are not seen

/** Draws what is seen of lanes [first, end). The context's origin is the plot's upper left corner. */
export function drawBars(ctx: Context, scene: Scene, first: number, end: number): void {
  const blocks = blocksIn(scene, first, end).sort((a, b) => drawOrder(a) - drawOrder(b) || a.bar.start - b.bar.start);
  const pieces = blocks.map((block) => inset(scene, pieceOf(scene, block)));
  ctx.font = FONT;
  ctx.textBaseline = "middle";
  for (const piece of pieces) drawTail(ctx, scene, piece);
  for (const piece of pieces) drawBody(ctx, scene, piece);
}

/** A job leaves the edge of the reservation visible that it runs in. */
function inset(scene: Scene, piece: Piece): Piece {
  const gap = scene.view.laneHeight >= 8 ? 1 : 0.5;
  const by = piece.block.bar.kind === "job" && scene.view.laneHeight >= 12 ? gap + 1.5 : gap;
  return { ...piece, y: piece.y + by, height: Math.max(1, piece.height - 2 * by), width: Math.max(1.5, piece.width - 0.5) };
}

function drawBody(ctx: Context, scene: Scene, piece: Piece): void {
  const { bar } = piece.block;
  const paint = scene.palette.paints[scene.paintOf(bar)]!;
  const isMeant = scene.matches(bar);
  ctx.globalAlpha = isMeant ? 1 : DIM;
  ctx.fillStyle = paint.fill;
  fill(ctx, piece);
  drawHatch(ctx, scene, piece);
  if (isMeant) drawText(ctx, scene, piece, paint);
  ctx.globalAlpha = 1;
  if (scene.hover?.id === bar.id) outline(ctx, piece, scene.palette.select, 2);
}

function fill(ctx: Context, piece: Piece): void {
  if (piece.width < ROUND_FROM || piece.height < ROUND_FROM) {
    ctx.fillRect(piece.x, piece.y, piece.width, piece.height);
    return;
  }
  ctx.beginPath();
  ctx.roundRect(piece.x, piece.y, piece.width, piece.height, 3);
  ctx.fill();
}

function outline(ctx: Context, piece: Piece, color: string, width: number): void {
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.strokeRect(piece.x - 0.5, piece.y - 0.5, piece.width + 1, piece.height + 1);
}

function drawHatch(ctx: Context, scene: Scene, piece: Piece): void {
  const { bar } = piece.block;
  const hatch = scene.hatches[LOOK_INDEX[bar.look]];
  if (hatch) {
    ctx.fillStyle = hatch;
    ctx.fillRect(piece.x, piece.y, piece.width, piece.height);
  }
  if (bar.look === "planned" && piece.height > 4) outlinePlanned(ctx, scene, piece);
}

/** What is only planned has a broken edge. */
function outlinePlanned(ctx: Context, scene: Scene, piece: Piece): void {
  if (piece.width < ROUND_FROM) return;
  ctx.strokeStyle = scene.palette.text;
  ctx.lineWidth = 1;
  ctx.setLineDash([4, 3]);
  ctx.strokeRect(piece.x + 0.5, piece.y + 0.5, piece.width - 1, piece.height - 1);
  ctx.setLineDash([]);
}

/** Name, then GPUs and memory, as far as there is room; in a high bar below each other. */
function drawText(ctx: Context, scene: Scene, piece: Piece, paint: Paint): void {
  const left = Math.max(piece.x, 0) + 5;
  const room = Math.min(piece.x + piece.width, scene.width - scene.gutter) - left - 3;
  if (piece.height < 11 || room < ICON) return;
  const { bar } = piece.block;
  const middle = piece.y + piece.height / 2;
  const details = detailsOf(scene, piece.block);
  const isHigh = piece.height >= 32 && details !== "";
  const y = isHigh ? middle - 7.5 : middle;
  const indent = ICON + 5;
  const name = scene.ruler.fit(ctx, isHigh ? bar.title : `${bar.title}${details && ` · ${details}`}`, room - indent);
  const below = isHigh ? scene.ruler.fit(ctx, details, room - indent) : "";
  if (scene.hatches[LOOK_INDEX[bar.look]]) {
    // letters do not stand on lines
    const widest = Math.max(scene.ruler.width(ctx, name), scene.ruler.width(ctx, below));
    ctx.fillStyle = paint.fill;
    ctx.fillRect(left - 2, y - 7.5, Math.min(indent + widest + 4, room + 3), isHigh ? 30 : 15);
  }
  drawIcon(ctx, bar.look, left, y - ICON / 2, paint.text);
  ctx.fillStyle = paint.text;
  if (name) ctx.fillText(isolate(name), left + indent, y + 0.5);
  if (below) ctx.fillText(isolate(below), left + indent, y + 15.5);
}

function detailsOf(scene: Scene, block: Block): string {
  const { bar } = block;
  if (bar.kind === "down" || bar.gpus === 0) return "";
  const owner = scene.paintOf(bar) >= NAMES_FROM || bar.look === "reserved" ? bar.owner : "";
  return [scene.words.gpus(bar.gpus), scene.words.memory(bar.memory), owner].filter(Boolean).join(" · ");
}

/** The doubt about the end, up to the next bar of the lane and never over it. */
function drawTail(ctx: Context, scene: Scene, piece: Piece): void {
  const { bar } = piece.block;
  const isUnknown = bar.end === Infinity && isOpen(bar.look);
  if ((!isUnknown && bar.late <= bar.end) || piece.height < 3) return;
  const width = scene.width - scene.gutter;
  const start = piece.x + piece.width;
  const next = tailLimit(scene, piece.block);
  const end = Math.min(xOf(scene.view, isUnknown ? Infinity : bar.late, width), xOf(scene.view, next, width) - 2, width);
  if (end - start < 2) return;
  const y = Math.round(piece.y + piece.height / 2) + 0.5;
  ctx.globalAlpha = scene.matches(bar) ? 1 : DIM;
  ctx.strokeStyle = scene.palette.paints[scene.paintOf(bar)]!.fill;
  ctx.lineWidth = 2;
  if (isUnknown) ctx.setLineDash([2, 4]);
  ctx.beginPath();
  ctx.moveTo(start, y);
  ctx.lineTo(end, y);
  ctx.stroke();
  ctx.setLineDash([]);
  if (!isUnknown && bar.late < next) drawCap(ctx, end, y);
  ctx.globalAlpha = 1;
}

function drawCap(ctx: Context, x: number, y: number): void {
  ctx.beginPath();
  ctx.moveTo(x, y - 4);
  ctx.lineTo(x, y + 4);
  ctx.stroke();
}

function tailLimit(scene: Scene, block: Block): number {
  let next = Infinity;
  const from = Math.min(block.bar.end, Math.max(scene.now, block.bar.start));
  for (let lane = block.first; lane <= block.last; lane++) {
    next = Math.min(next, scene.model.nextStart(lane, from, block.bar));
  }
  return next;
}
