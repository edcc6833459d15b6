// What lies around the bars: bands and lines below them, names on the left, the axis above, the present.
import { visible } from "../ui/visible";
import { isolate } from "./label";
import { POOL_HEADING, type Group } from "./layout";
import { FONT, FONT_BOLD, FONT_SMALL, type Scene } from "./scene";
import { show, showOffset } from "../time/format";
import { scaleFor, ticksOf } from "../time/ticks";
import { DAY, dayStart, weekday } from "../time/zone";
import { LANE_BLOCKS, LANE_NAMED, xOf } from "./view";

type Context = CanvasRenderingContext2D;

/** Behind the bars; the context's origin is the plot's corner. */
export function drawGround(ctx: Context, scene: Scene, first: number, end: number): void {
  const width = scene.width - scene.gutter;
  drawBands(ctx, scene, width);
  drawWeekends(ctx, scene, width);
  if (scene.view.laneHeight >= LANE_BLOCKS) drawLaneLines(ctx, scene, first, end);
  drawGrid(ctx, scene, width);
}

function seen(scene: Scene): Group[] {
  return scene.layout.groups.filter(
    (group) => group.y + group.height > scene.scroll && group.y < scene.scroll + scene.height,
  );
}

function drawBands(ctx: Context, scene: Scene, width: number): void {
  const nodes = scene.layout.groups.filter((group) => !group.isPool);
  ctx.fillStyle = scene.palette.band;
  nodes.forEach((group, i) => {
    if (i % 2 === 0 && group.y + group.height > scene.scroll && group.y < scene.scroll + scene.height) {
      ctx.fillRect(0, group.y - scene.scroll, width, group.height);
    }
  });
}

function drawWeekends(ctx: Context, scene: Scene, width: number): void {
  const { view, zone } = scene;
  if (view.to - view.from < DAY || view.to - view.from > 70 * DAY) return;
  ctx.fillStyle = scene.palette.weekend;
  for (let day = dayStart(zone, view.from); day < view.to; ) {
    const next = dayStart(zone, day, 1);
    const x = xOf(view, day, width);
    if ([0, 6].includes(weekday(zone, day))) ctx.fillRect(x, 0, xOf(view, next, width) - x, scene.height);
    day = next;
  }
}

function drawLaneLines(ctx: Context, scene: Scene, first: number, end: number): void {
  const { layout } = scene;
  ctx.strokeStyle = scene.palette.line;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let lane = first; lane < end; lane++) {
    if (layout.size[lane]! < LANE_BLOCKS) continue;
    const y = Math.round(layout.top[lane]! + layout.size[lane]! - scene.scroll) + 0.5;
    ctx.moveTo(0, y);
    ctx.lineTo(scene.width - scene.gutter, y);
  }
  ctx.stroke();
}

function drawGrid(ctx: Context, scene: Scene, width: number): void {
  const { view, zone } = scene;
  const { step } = scaleFor((view.to - view.from) / width);
  const ticks = ticksOf(zone, view.from, view.to, step);
  for (const isDay of [false, true]) {
    ctx.strokeStyle = isDay ? scene.palette.dayLine : scene.palette.line;
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (const tick of ticks) {
      if (tick.isDay !== isDay) continue;
      const x = Math.round(xOf(view, tick.at, width)) + 0.5;
      ctx.moveTo(x, 0);
      ctx.lineTo(x, scene.height);
    }
    ctx.stroke();
  }
}

// --- the axis ----------------------------------------------------------------------------------

/** Two rows: the days, and below them the hours; with days as steps, the months and the days. */
export function drawAxis(ctx: Context, scene: Scene): void {
  const width = scene.width - scene.gutter;
  const { view, palette } = scene;
  ctx.fillStyle = palette.plate;
  ctx.fillRect(0, 0, width, scene.axis);
  const fine = scaleFor((view.to - view.from) / width);
  ctx.textBaseline = "middle";
  if (fine.labels === "months") {
    drawRow(ctx, scene, { step: fine.step, style: "month", y: scene.axis / 2, bold: true });
  } else {
    const isDays = fine.step >= DAY;
    drawRow(ctx, scene, { step: isDays ? 31 * DAY : DAY, style: isDays ? "month" : "day", y: 13, bold: true });
    drawRow(ctx, scene, { step: fine.step, style: fine.labels === "dates" ? "date" : isDays ? "day" : "time", y: 31, bold: false });
  }
  ctx.strokeStyle = palette.dayLine;
  ctx.lineWidth = 1;
  ctx.strokeRect(-1, -1, width + 2, scene.axis + 0.5);
  if (scene.crosshair !== null) drawTime(ctx, scene, scene.crosshair, palette.faint);
  drawTime(ctx, scene, scene.now, palette.now);
}

/** Pixels on either side of the present where its own time stands. */
const NOW_ROOM = 22;

interface AxisRow {
  step: number;
  style: "month" | "day" | "date" | "time";
  y: number;
  bold: boolean;
}

function drawRow(ctx: Context, scene: Scene, row: AxisRow): void {
  const width = scene.width - scene.gutter;
  const { view, zone, palette } = scene;
  const ticks = ticksOf(zone, view.from, view.to, row.step);
  const present = xOf(view, scene.now, width);
  ctx.font = row.bold ? FONT_BOLD : FONT_SMALL;
  ticks.forEach((tick, i) => {
    const x = xOf(view, tick.at, width);
    const next = i + 1 < ticks.length ? xOf(view, ticks[i + 1]!.at, width) : Infinity;
    const text = show(tick.at, row.style, zone, scene.lang);
    ctx.fillStyle = row.bold ? palette.text : palette.faint;
    const room = ctx.measureText(text).width;
    const left = row.bold ? Math.max(x, 0) + 6 : x - room / 2;
    const isFree = row.bold ? left + room <= next - 6 : left >= 0 && room < next - x && Math.abs(x - present) > room / 2 + NOW_ROOM;
    if (isFree) ctx.fillText(text, left, row.y);
  });
}

/** The time of an instant, on a plate in the lower row. */
function drawTime(ctx: Context, scene: Scene, at: number, color: string): void {
  const x = xOf(scene.view, at, scene.width - scene.gutter);
  if (x < 0 || x > scene.width - scene.gutter) return;
  const text = show(at, "time", scene.zone, scene.lang);
  ctx.font = FONT_SMALL;
  const room = ctx.measureText(text).width + 10;
  ctx.fillStyle = color;
  ctx.beginPath();
  ctx.roundRect(x - room / 2, scene.axis - 18, room, 16, 4);
  ctx.fill();
  ctx.fillStyle = scene.palette.background;
  ctx.textAlign = "center";
  ctx.fillText(text, x, scene.axis - 9.5);
  ctx.textAlign = "left";
}

/** Over the bars: the present and the instant under the pointer. */
export function drawLines(ctx: Context, scene: Scene): void {
  const width = scene.width - scene.gutter;
  const line = (at: number, color: string, thick: number): void => {
    const x = xOf(scene.view, at, width);
    if (x < 0 || x > width) return;
    ctx.fillStyle = color;
    ctx.fillRect(Math.round(x - thick / 2), 0, thick, scene.height);
  };
  if (scene.crosshair !== null) line(scene.crosshair, scene.palette.faint, 1);
  line(scene.now, scene.palette.now, 2);
}

// --- the names ---------------------------------------------------------------------------------

/** Left of the plot; the context's origin is the canvas' corner. */
export function drawNames(ctx: Context, scene: Scene, first: number, end: number): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, scene.axis, scene.gutter, scene.height);
  ctx.clip();
  ctx.fillStyle = scene.palette.plate;
  ctx.fillRect(0, scene.axis, scene.gutter, scene.height);
  ctx.translate(0, scene.axis - scene.scroll);
  ctx.textBaseline = "middle";
  for (const group of seen(scene)) drawGroup(ctx, scene, group);
  if (scene.view.laneHeight >= LANE_NAMED) drawLaneNames(ctx, scene, first, end);
  ctx.restore();
  drawCorner(ctx, scene);
}

function drawGroup(ctx: Context, scene: Scene, group: Group): void {
  if (group.isPool) drawPool(ctx, scene, group);
  else if (group.height >= 11 && group.name) drawNode(ctx, scene, group);
}

function triangle(ctx: Context, x: number, y: number, isFolded: boolean): void {
  ctx.beginPath();
  if (isFolded) {
    ctx.moveTo(x + 2, y - 4);
    ctx.lineTo(x + 7, y);
    ctx.lineTo(x + 2, y + 4);
  } else {
    ctx.moveTo(x, y - 2);
    ctx.lineTo(x + 8, y - 2);
    ctx.lineTo(x + 4, y + 3.5);
  }
  ctx.fill();
}

function drawPool(ctx: Context, scene: Scene, group: Group): void {
  const y = group.y + POOL_HEADING / 2;
  ctx.fillStyle = scene.palette.text;
  if (group.key) triangle(ctx, 6, y, group.isFolded);
  ctx.font = FONT_BOLD;
  const name = group.key ? visible(group.name) : scene.words.queue;
  ctx.fillText(isolate(scene.ruler.fit(ctx, name, scene.gutter - 24)), 19, y);
}

/** A node's name stays in sight while any of its lanes is. */
function drawNode(ctx: Context, scene: Scene, group: Group): void {
  const isTall = group.height >= 30;
  const top = Math.min(Math.max(group.y, scene.scroll), group.y + group.height - (isTall ? 30 : group.height));
  const y = isTall ? top + 10 : group.y + group.height / 2;
  ctx.fillStyle = scene.palette.text;
  triangle(ctx, 6, y, group.isFolded);
  ctx.font = FONT;
  ctx.fillText(isolate(scene.ruler.fit(ctx, visible(group.name), scene.gutter - 46)), 19, y);
  const lane = scene.model.lanes[group.first]!;
  const kind = [lane.type && visible(lane.type), scene.words.memory(lane.memory)].filter(Boolean).join(" ");
  if (isTall && kind) {
    ctx.font = FONT_SMALL;
    ctx.fillStyle = scene.palette.faint;
    ctx.fillText(isolate(scene.ruler.fit(ctx, kind, scene.gutter - 46)), 19, y + 14);
  }
}

function drawLaneNames(ctx: Context, scene: Scene, first: number, end: number): void {
  ctx.font = FONT_SMALL;
  ctx.textAlign = "right";
  ctx.fillStyle = scene.palette.faint;
  for (let lane = first; lane < end; lane++) {
    const size = scene.layout.size[lane]!;
    if (size >= LANE_NAMED) ctx.fillText(scene.model.lanes[lane]!.name, scene.gutter - 8, scene.layout.top[lane]! + size / 2);
  }
  ctx.textAlign = "left";
}

/** Above the names stands the zone that the axis is in. */
function drawCorner(ctx: Context, scene: Scene): void {
  const { palette, zone } = scene;
  ctx.fillStyle = palette.plate;
  ctx.fillRect(0, 0, scene.gutter, scene.axis);
  const middle = (scene.view.from + scene.view.to) / 2;
  ctx.fillStyle = palette.faint;
  ctx.font = FONT_SMALL;
  ctx.fillText(scene.ruler.fit(ctx, zone.replace(/^.*\//, "").replace(/_/g, " "), scene.gutter - 12), 8, 13);
  ctx.fillText(showOffset(zone, middle), 8, 31);
  ctx.strokeStyle = palette.dayLine;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(0, scene.axis - 0.5);
  ctx.lineTo(scene.gutter, scene.axis - 0.5);
  ctx.moveTo(scene.gutter - 0.5, 0);
  ctx.lineTo(scene.gutter - 0.5, scene.height);
  ctx.stroke();
}

