// Hatches: what a colour says is said by them as well.
import { LOOK_INDEX, type Look } from "./looks";
import type { Palette } from "./palette";

type Lines = (ctx: CanvasRenderingContext2D) => void;

const SIZE = 8;

function slanted(width: number): Lines {
  return (ctx) => {
    ctx.lineWidth = width;
    ctx.beginPath();
    for (const by of [-SIZE, 0, SIZE]) {
      ctx.moveTo(by - 1, SIZE + 1);
      ctx.lineTo(by + SIZE + 1, -1);
    }
    ctx.stroke();
  };
}

const crossed: Lines = (ctx) => {
  slanted(1)(ctx);
  ctx.translate(SIZE, 0);
  ctx.scale(-1, 1);
  slanted(1)(ctx);
};

const LINES: Partial<Record<Look, Lines>> = {
  reserved: slanted(2),
  clearing: slanted(3.4),
  down: crossed,
};

export type Hatches = (CanvasPattern | null)[];

/** A pattern for each look that has one. `tile` makes a small canvas of so many pixels. */
export function makeHatches(
  ctx: CanvasRenderingContext2D,
  tile: (size: number) => HTMLCanvasElement,
  palette: Palette,
  ratio: number,
): Hatches {
  const hatches: Hatches = [];
  for (const [look, lines] of Object.entries(LINES) as [Look, Lines][]) {
    const canvas = tile(Math.round(SIZE * ratio));
    const pen = canvas.getContext("2d");
    if (!pen) continue;
    pen.scale(canvas.width / SIZE, canvas.height / SIZE);
    pen.strokeStyle = look === "clearing" ? palette.paints[LOOK_INDEX.clearing]!.text : palette.hatch;
    lines(pen);
    hatches[LOOK_INDEX[look]] = ctx.createPattern(canvas, "repeat");
  }
  return hatches;
}

/** Hatches move along with what they lie on. */
export function moveHatches(hatches: Hatches, x: number, y: number, ratio: number): void {
  const matrix = { a: 1 / ratio, d: 1 / ratio, e: x % SIZE, f: y % SIZE };
  for (const hatch of hatches) hatch?.setTransform(matrix);
}
