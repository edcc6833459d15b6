// A 2D context that draws nothing and remembers everything: what a picture consists of.

export interface Call {
  name: string;
  args: unknown[];
  fill: unknown;
  stroke: unknown;
  alpha: number;
  at: { x: number; y: number }; // the origin by then
}

interface State {
  fillStyle: unknown;
  strokeStyle: unknown;
  globalAlpha: number;
  x: number;
  y: number;
}

const METHODS = ["fillRect", "strokeRect", "fillText", "beginPath", "moveTo", "lineTo", "rect", "roundRect", "arc", "fill", "stroke", "clip", "setLineDash", "scale"];
const LETTER = 6; // pixels

(globalThis as { Path2D?: unknown }).Path2D = class {};

export class Recorder {
  readonly calls: Call[] = [];
  private state: State = { fillStyle: "#000000", strokeStyle: "#000000", globalAlpha: 1, x: 0, y: 0 };
  private readonly stack: State[] = [];

  static make(): { recorder: Recorder; ctx: CanvasRenderingContext2D } {
    const recorder = new Recorder();
    return { recorder, ctx: new Proxy({}, recorder.handler()) as CanvasRenderingContext2D };
  }

  private handler(): ProxyHandler<object> {
    return {
      get: (_, name: string) => this.member(name),
      set: (_, name: string, value: unknown) => {
        (this.state as unknown as Record<string, unknown>)[name] = value;
        return true;
      },
    };
  }

  private member(name: string): unknown {
    if (METHODS.includes(name)) return (...args: unknown[]) => this.note(name, args);
    const own: Record<string, unknown> = {
      save: () => this.stack.push({ ...this.state }),
      restore: () => (this.state = this.stack.pop() ?? this.state),
      translate: (x: number, y: number) => ((this.state.x += x), (this.state.y += y)),
      setTransform: () => ((this.state.x = 0), (this.state.y = 0)),
      measureText: (text: string) => ({ width: text.length * LETTER }),
    };
    return name in own ? own[name] : (this.state as unknown as Record<string, unknown>)[name];
  }

  private note(name: string, args: unknown[]): void {
    const { fillStyle, strokeStyle, globalAlpha, x, y } = this.state;
    this.calls.push({ name, args, fill: fillStyle, stroke: strokeStyle, alpha: globalAlpha, at: { x, y } });
  }

  of(name: string): Call[] {
    return this.calls.filter((call) => call.name === name);
  }

  /** What was written, without the marks of isolation. */
  texts(): string[] {
    return this.of("fillText").map(({ args }) => String(args[0]).replace(/[\u2066-\u2069]/g, ""));
  }

  /** Rectangles that were filled with a colour, in the coordinates of the whole canvas. */
  rects(fill: string): { x: number; y: number; width: number; height: number }[] {
    const isFill = (call: Call): boolean => call.fill === fill && (call.name === "fillRect" || call.name === "roundRect");
    return this.calls.filter(isFill).map(({ args, at }) => {
      const [x, y, width, height] = args as [number, number, number, number];
      return { x: x + at.x, y: y + at.y, width, height };
    });
  }
}
