// Mouse, touch and wheel over the lanes. A drag over free lanes books them; of one's own booking it moves
// or resizes; elsewhere it pans. On touch a finger pans, two zoom, and one that rests books.
import { now, zone } from "../state";
import type { Timeline } from "./controller";
import { type Point, type Slot, conflictsOf, movedSlot, notBefore, slotOf } from "./drag";
import { type Hit, blocksAt, hit } from "./hit";
import { laneAt } from "./layout";
import type { Bar } from "./model";
import type { Scene } from "./scene";
import { panBy, pinch, resizeLanes, timeAt } from "./view";

export interface PointerHooks {
  canBook: () => boolean;
  mayMove: (bar: Bar) => boolean;
  onBook: (slot: Slot) => void;
  onMove: (bar: Bar, slot: Slot) => void;
  onOpen: (bar: Bar) => void;
  /** What is said beside the ghost. */
  say: (slot: Slot, conflicts: Bar[]) => string;
}

const CLICK_PX = 5;
const REST_MS = 450;

type Drag =
  | { kind: "wait"; hit: Hit; x: number; y: number }
  | { kind: "pan"; x: number }
  | { kind: "book"; from: Point }
  | { kind: "move"; bar: Bar; edge: "start" | "end" | null; from: Point; slot: Slot }
  | { kind: "pinch" };

export class Pointer {
  #drag: Drag | null = null;
  readonly #fingers = new Map<number, { x: number; y: number }>();
  #rest: ReturnType<typeof setTimeout> | null = null;

  readonly #canvas: HTMLElement;
  readonly #timeline: Timeline;
  readonly #hooks: PointerHooks;

  constructor(canvas: HTMLElement, timeline: Timeline, hooks: PointerHooks) {
    this.#canvas = canvas;
    this.#timeline = timeline;
    this.#hooks = hooks;
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", (event) => this.#cancel(event));
    canvas.addEventListener("pointerleave", () => this.#leave());
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    // a finger that books must not scroll the lanes
    canvas.addEventListener("touchmove", (event) => this.#isDrawing() && event.preventDefault(), { passive: false });
    canvas.addEventListener("contextmenu", (event) => this.#isDrawing() && event.preventDefault());
  }

  /** Escape takes a drag back. */
  abandon(): boolean {
    const was = this.#isDrawing();
    this.#finish();
    return was;
  }

  #isDrawing(): boolean {
    return this.#drag?.kind === "book" || this.#drag?.kind === "move";
  }

  #finish(): void {
    if (this.#rest) clearTimeout(this.#rest);
    this.#rest = null;
    this.#drag = null;
    this.#timeline.ghost.value = null;
  }

  #at(event: { clientX: number; clientY: number }): { x: number; y: number } {
    const box = this.#canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #part(scene: Scene, x: number): number {
    return (x - scene.gutter) / (scene.width - scene.gutter);
  }

  /** The lane and instant below the pointer; beyond the lanes, the nearest. */
  #point(scene: Scene, x: number, y: number): Point {
    const down = Math.min(Math.max(y - scene.axis + scene.scroll, 0), scene.layout.height - 1);
    let lane = laneAt(scene.layout, down);
    for (let by = 1; lane < 0 && by < 40; by++) lane = Math.max(laneAt(scene.layout, down - by), laneAt(scene.layout, down + by));
    return { lane: Math.max(0, lane), at: timeAt(scene.view, x - scene.gutter, scene.width - scene.gutter) };
  }

  // --- buttons and fingers ---------------------------------------------------------------------

  #down(event: PointerEvent): void {
    const scene = this.#timeline.scene();
    if (!scene || event.button > 1) return;
    const { x, y } = this.#at(event);
    this.#fingers.set(event.pointerId, { x, y });
    this.#canvas.setPointerCapture(event.pointerId);
    if (this.#fingers.size > 1) {
      this.#finish();
      this.#drag = { kind: "pinch" };
      return;
    }
    this.#timeline.pointed.value = null;
    this.#timeline.crosshair.value = null;
    const found = hit(scene, x, y);
    const isPan = event.button === 1 || event.shiftKey;
    this.#drag = isPan ? { kind: "pan", x } : { kind: "wait", hit: found, x, y };
    if (event.pointerType === "touch") this.#rest = setTimeout(() => this.#begin(scene, true), REST_MS);
  }

  /** A press has become a drag: which one, says where it began. */
  #begin(scene: Scene, mayDraw: boolean): void {
    const drag = this.#drag;
    if (drag?.kind !== "wait") return;
    const { hit: on, x, y } = drag;
    if (on.part === "group" || on.part === "names") return void (this.#drag = { kind: "pan", x });
    if (on.part === "bar" && mayDraw && this.#hooks.mayMove(on.block.bar)) {
      const { bar } = on.block;
      this.#drag = { kind: "move", bar, edge: on.edge, from: this.#point(scene, x, y), slot: movedSlot(scene.model, zone.peek(), bar, { edge: null, seconds: 0, lanes: 0 }) };
      return;
    }
    const isFree = on.part === "lane" || (on.part === "bar" && on.block.bar.look === "planned");
    this.#drag = isFree && mayDraw && this.#hooks.canBook() ? { kind: "book", from: this.#point(scene, x, y) } : { kind: "pan", x };
    if (this.#drag.kind === "book") this.#drawBooking(scene, x, y);
  }

  #move(event: PointerEvent): void {
    const scene = this.#timeline.scene();
    if (!scene) return;
    const { x, y } = this.#at(event);
    const before = this.#fingers.get(event.pointerId);
    if (!before) return this.#hover(scene, x, y);
    if (this.#drag?.kind === "pinch") this.#pinch(scene, event.pointerId, x);
    this.#fingers.set(event.pointerId, { x, y });
    if (this.#drag?.kind === "wait" && Math.hypot(x - this.#drag.x, y - this.#drag.y) > CLICK_PX) {
      if (this.#rest) clearTimeout(this.#rest);
      this.#begin(scene, event.pointerType !== "touch");
    }
    this.#dragTo(scene, x, y);
  }

  #dragTo(scene: Scene, x: number, y: number): void {
    const drag = this.#drag;
    if (drag?.kind === "pan") {
      this.#timeline.setView(panBy(scene.view, -(x - drag.x) / (scene.width - scene.gutter)));
      drag.x = x;
    } else if (drag?.kind === "book") this.#drawBooking(scene, x, y);
    else if (drag?.kind === "move") this.#drawMove(scene, drag, this.#point(scene, x, y));
    if (this.#isDrawing()) this.#scrollAtEdge(scene, y);
  }

  #scrollAtEdge(scene: Scene, y: number): void {
    if (y > scene.height - 12) this.#timeline.hooks.scrollBy(8);
    else if (y < scene.axis + 12 && scene.scroll > 0) this.#timeline.hooks.scrollBy(-8);
  }

  #drawBooking(scene: Scene, x: number, y: number): void {
    if (this.#drag?.kind !== "book") return;
    const slot = notBefore(slotOf(scene.model, zone.peek(), this.#drag.from, this.#point(scene, x, y)), now.peek(), zone.peek());
    this.#show(scene, slot, null);
  }

  #drawMove(scene: Scene, drag: Drag & { kind: "move" }, to: Point): void {
    const by = { edge: drag.edge, seconds: to.at - drag.from.at, lanes: drag.edge ? 0 : to.lane - drag.from.lane };
    drag.slot = movedSlot(scene.model, zone.peek(), drag.bar, by);
    this.#show(scene, drag.slot, drag.bar);
  }

  #show(scene: Scene, slot: Slot, but: Bar | null): void {
    const conflicts = conflictsOf(scene.model, slot, but);
    this.#timeline.ghost.value = { slot, isConflict: conflicts.length > 0, text: this.#hooks.say(slot, conflicts) };
  }

  #pinch(scene: Scene, id: number, x: number): void {
    const [a, b] = [...this.#fingers.entries()];
    if (!a || !b) return;
    const before = [a, b].map(([, finger]) => this.#part(scene, finger.x)) as [number, number];
    const after = [a, b].map(([finger, { x: old }]) => this.#part(scene, finger === id ? x : old)) as [number, number];
    this.#timeline.setView(pinch(scene.view, before, after));
  }

  #up(event: PointerEvent): void {
    const drag = this.#drag;
    const slot = this.#timeline.ghost.peek()?.slot;
    const wasPinch = drag?.kind === "pinch" && this.#fingers.size > 1;
    this.#fingers.delete(event.pointerId);
    this.#finish();
    if (wasPinch) return;
    if (drag?.kind === "wait") this.#click(drag.hit, drag.x, drag.y, event.pointerType === "touch");
    else if (drag?.kind === "book" && slot) this.#hooks.onBook(slot);
    else if (drag?.kind === "move" && slot && hasMoved(drag.bar, slot)) this.#hooks.onMove(drag.bar, slot);
  }

  #cancel(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
    this.#finish();
  }

  #click(on: Hit, x: number, y: number, isTouch: boolean): void {
    if (on.part === "group" && on.group.key) this.#timeline.fold(on.group.key);
    if (on.part !== "bar") return;
    if (isTouch) this.#timeline.pointed.value = { bars: [on.block.bar], x, y, isPinned: true };
    else this.#hooks.onOpen(on.block.bar);
  }

  // --- without buttons -------------------------------------------------------------------------

  #hover(scene: Scene, x: number, y: number): void {
    const on = hit(scene, x, y);
    this.#timeline.crosshair.value = "at" in on ? on.at : null;
    const bars = on.part === "bar" ? blocksAt(scene, on.lane, on.at).map(({ bar }) => bar) : [];
    if (!this.#timeline.pointed.peek()?.isPinned) this.#timeline.pointed.value = bars.length > 0 ? { bars, x, y, isPinned: false } : null;
    this.#canvas.style.cursor = this.#cursor(on);
  }

  #cursor(on: Hit): string {
    if (on.part === "bar") return this.#hooks.mayMove(on.block.bar) ? (on.edge ? "ew-resize" : "move") : "pointer";
    if (on.part === "lane") return this.#hooks.canBook() ? "cell" : "grab";
    if (on.part === "group") return "pointer";
    return on.part === "axis" ? "grab" : "default";
  }

  #leave(): void {
    this.#timeline.crosshair.value = null;
    if (!this.#timeline.pointed.peek()?.isPinned) this.#timeline.pointed.value = null;
  }

  #wheel(event: WheelEvent): void {
    const scene = this.#timeline.scene();
    if (!scene) return;
    const step = event.deltaMode === 1 ? 16 : 1;
    const [dx, dy] = [event.deltaX * step, event.deltaY * step];
    const { x } = this.#at(event);
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.#timeline.zoomAt(Math.exp(Math.max(-1, Math.min(1, dy / 300))), Math.max(0, this.#part(scene, x)));
    } else if (event.altKey) {
      event.preventDefault();
      this.#timeline.setView(resizeLanes(scene.view, Math.exp(-dy / 400)));
    } else if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) {
      event.preventDefault();
      this.#timeline.setView(panBy(scene.view, (event.shiftKey && dx === 0 ? dy : dx) / (scene.width - scene.gutter)));
    }
  }
}

function hasMoved(bar: Bar, slot: Slot): boolean {
  const lanes = bar.blocks.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
  return slot.from !== bar.start || slot.to !== bar.end || slot.lanes.join() !== lanes.join();
}
