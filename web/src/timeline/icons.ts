// The same signs as elsewhere on the page, drawn on the canvas: a state is not told by its colour alone.
import { PATHS } from "../ui/StateIcon";
import type { Look } from "./looks";

const RING = "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 2a5 5 0 1 0 0 10A5 5 0 0 0 8 3z";

const SIGNS: Record<Look, string> = {
  running: PATHS.running,
  planned: PATHS.queued,
  done: PATHS.completed,
  failed: PATHS.failed,
  reserved: "M2 1h2v14H2zM4 1l11 4-11 4z",
  clearing: "M2 2l6 6-6 6zM8 2l6 6-6 6z",
  down: `${RING}M4 5l1-1 7 7-1 1z`,
  outside: `${RING}M7 3h2v10H7zM3 7h10v2H3z`,
};

const made = new Map<Look, Path2D>();
const FIELD = 16;
export const ICON = 10; // pixels

/** Draws the sign with its upper left corner at x, y. */
export function drawIcon(ctx: CanvasRenderingContext2D, look: Look, x: number, y: number, color: string): void {
  let sign = made.get(look);
  if (!sign) made.set(look, (sign = new Path2D(SIGNS[look])));
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(ICON / FIELD, ICON / FIELD);
  ctx.fillStyle = color;
  ctx.fill(sign);
  ctx.restore();
}
