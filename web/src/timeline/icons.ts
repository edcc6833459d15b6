// A sign for each look, of ten pixels, so that no state is told by colour alone.
import type { Look } from "./looks";

type Draw = (ctx: CanvasRenderingContext2D) => void;

function lines(...points: [number, number][][]): Draw {
  return (ctx) => {
    ctx.beginPath();
    for (const [start, ...rest] of points) {
      ctx.moveTo(...start!);
      for (const point of rest) ctx.lineTo(...point);
    }
    ctx.stroke();
  };
}

const ring: Draw = (ctx) => {
  ctx.beginPath();
  ctx.arc(5, 5, 4, 0, 2 * Math.PI);
  ctx.stroke();
};

function both(...draws: Draw[]): Draw {
  return (ctx) => draws.forEach((draw) => draw(ctx));
}

const triangle: Draw = (ctx) => {
  ctx.beginPath();
  ctx.moveTo(2, 1);
  ctx.lineTo(9, 5);
  ctx.lineTo(2, 9);
  ctx.fill();
};

const SIGNS: Record<Look, Draw> = {
  running: triangle,
  planned: both(ring, lines([[5, 2.5], [5, 5], [7, 6]])),
  done: lines([[1, 5.5], [4, 8.5], [9, 2]]),
  failed: lines([[1.5, 1.5], [8.5, 8.5]], [[8.5, 1.5], [1.5, 8.5]]),
  reserved: lines([[2, 9.5], [2, 1], [8.5, 3], [2, 5.5]]),
  clearing: lines([[1, 2], [4, 5], [1, 8]], [[5, 2], [8, 5], [5, 8]]),
  down: both(ring, lines([[2.2, 2.2], [7.8, 7.8]])),
  outside: both(ring, lines([[5, 1], [5, 9]], [[1, 5], [9, 5]])),
};

/** Draws the sign with its upper left corner at x, y. */
export function drawIcon(ctx: CanvasRenderingContext2D, look: Look, x: number, y: number, color: string): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.strokeStyle = ctx.fillStyle = color;
  ctx.lineWidth = 1.5;
  SIGNS[look](ctx);
  ctx.restore();
}
