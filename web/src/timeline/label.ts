// Texts on the canvas: isolated from what stands beside them, and cut to the room that there is.

/** So that letters written from right to left do not reorder what stands beside them. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

/** The first characters, never half of a pair. */
export function cutAt(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? length - 1 : length);
}

/** Measures texts of one font and remembers. */
export class Ruler {
  readonly #known = new Map<string, number>();

  width(ctx: CanvasRenderingContext2D, text: string): number {
    let width = this.#known.get(text);
    if (width === undefined) {
      if (this.#known.size > 20000) this.#known.clear();
      width = ctx.measureText(text).width;
      this.#known.set(text, width);
    }
    return width;
  }

  /** The text, or its beginning that fits; empty where not even a letter does. */
  fit(ctx: CanvasRenderingContext2D, text: string, room: number): string {
    const width = this.width(ctx, text);
    if (width <= room) return text;
    for (let length = Math.ceil((text.length * room) / width); length > 0; length--) {
      const cut = `${cutAt(text, length)}…`;
      if (this.width(ctx, cut) <= room) return cut;
    }
    return "";
  }
}
