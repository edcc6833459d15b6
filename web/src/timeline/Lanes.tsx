// The canvas: as high as there is room, stuck in a scrolling box that is as high as all lanes.
import { useSignalEffect } from "../signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { language, t } from "../i18n";
import { type Theme, theme } from "../state";
import { isTyping } from "../ui/keys";
import type { Timeline } from "./controller";
import { draw, isInView } from "./draw";
import { makeHatches } from "./hatch";
import { actionOf } from "./keys";
import { readPalette } from "./palette";
import { Pointer, type PointerHooks } from "./pointer";
import { isSame, type Scene } from "./scene";

/** Draws once a frame, however much changes between, and not for changes that are out of sight. */
function useDrawing(timeline: Timeline, canvas: { current: HTMLCanvasElement | null }): void {
  const frame = useRef(0);
  const last = useRef<Scene | null>(null);
  useSignalEffect(() => {
    const scene = timeline.scene();
    if (!scene) return;
    const touched = scene.model.takeTouched();
    if (isSame(scene, last.current) && !isInView(scene, touched)) return;
    last.current = scene;
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const ctx = canvas.current?.getContext("2d", { alpha: false });
      if (!ctx || !canvas.current) return;
      const start = performance.now();
      draw(ctx, scene);
      canvas.current.dispatchEvent(new CustomEvent("drawn", { detail: performance.now() - start }));
    });
  });
}

/** Colours and the density of the screen, read again when one of them changes. */
function useLook(timeline: Timeline, canvas: { current: HTMLCanvasElement | null }): void {
  const read = (chosen: Theme): void => {
    const element = canvas.current;
    const ctx = element?.getContext("2d", { alpha: false });
    if (!element || !ctx) return;
    const style = getComputedStyle(element);
    const palette = readPalette((name) => style.getPropertyValue(name));
    const ratio = devicePixelRatio || 1;
    const tile = (size: number): HTMLCanvasElement => Object.assign(document.createElement("canvas"), { width: size, height: size });
    timeline.look.value = { theme: chosen, palette, ratio, hatches: makeHatches(ctx, tile, palette, ratio) };
  };
  useSignalEffect(() => {
    const chosen = theme.value;
    setTimeout(() => read(chosen)); // the style sheet hears of it at the same time
  });
  useEffect(() => {
    const again = (): void => read(theme.peek());
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", again);
    window.addEventListener("resize", again);
    return () => {
      dark.removeEventListener("change", again);
      window.removeEventListener("resize", again);
    };
  }, []);
}

function useSize(timeline: Timeline, box: { current: HTMLElement | null }): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => void (timeline.size.value = { width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
}

function useKeys(timeline: Timeline, box: { current: HTMLElement | null }, pointer: { current: Pointer | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTyping(event)) return;
      if (event.key === "Escape" && pointer.current?.abandon()) return;
      const action = actionOf(event, document.activeElement === box.current);
      if (!action) return;
      event.preventDefault();
      timeline.act(action);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

export function Lanes({ timeline, hooks, children }: { timeline: Timeline; hooks: PointerHooks; children?: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointer = useRef<Pointer | null>(null);
  const { width, height } = timeline.size.value;
  const ratio = timeline.look.value?.ratio ?? 1;
  useEffect(() => {
    if (canvas.current) pointer.current = new Pointer(canvas.current, timeline, hooks);
    timeline.hooks.room = () => (box.current ? parseFloat(getComputedStyle(box.current).maxHeight) : 0);
    timeline.hooks.scrollBy = (pixels) => box.current?.scrollBy({ top: pixels });
  }, []);
  useSize(timeline, box);
  useLook(timeline, canvas);
  useDrawing(timeline, canvas);
  useKeys(timeline, box, pointer);
  return (
    <div class="tl-box" ref={box} tabIndex={0} role="application" lang={language.value} aria-label={t("timeline.label")}
      aria-describedby="tl-hint" onScroll={({ currentTarget }) => (timeline.scroll.value = currentTarget.scrollTop)}>
      <div class="tl-space" style={{ height: `${timeline.contentHeight()}px` }}>
        <canvas ref={canvas} class="tl-canvas" width={Math.round(width * ratio)} height={Math.round(height * ratio)}
          style={{ width: `${width}px`, height: `${height}px` }} />
        {children}
      </div>
    </div>
  );
}
