// The strip of all that is loaded, and the window in it; dragging goes there.
import { useSignalEffect } from "../signals";
import { useRef } from "preact/hooks";
import { t } from "../i18n";
import type { Timeline } from "./controller";
import { drawStrip, type StripScene } from "./load";
import { isSame } from "./scene";
import { panBy } from "./view";

const HEIGHT = 34;
const GATHER_MS = 2000;

/** Where the view lies in what is loaded. */
function Window({ timeline }: { timeline: Timeline }) {
  const reach = timeline.store.loaded.value;
  if (!reach) return null;
  const { from, to } = timeline.view.value;
  const part = (at: number): number => Math.max(0, Math.min(1, (at - reach.from) / (reach.to - reach.from))) * 100;
  return <div class="tl-window" style={{ left: `${part(from)}%`, right: `${100 - part(to)}%` }} />;
}

export function Strip({ timeline }: { timeline: Timeline }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width } = timeline.size.value;
  const ratio = timeline.look.value?.ratio ?? 1;
  const last = useRef<StripScene | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useSignalEffect(() => {
    const reach = timeline.store.loaded.value;
    const look = timeline.look.value;
    if (!reach || !look) return;
    const scene = { ...look, reach, model: timeline.store.model, width: timeline.size.value.width, height: HEIGHT, now: timeline.tick.value };
    const isChange = isSame<StripScene>(scene, last.current);
    last.current = scene;
    // all bars are counted for it: changes may wait for each other
    if (isChange && timer.current) return;
    if (timer.current) clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = null;
      const ctx = canvas.current?.getContext("2d", { alpha: false });
      if (ctx) drawStrip(ctx, scene);
    }, isChange ? GATHER_MS : 0);
  });
  const go = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    const reach = timeline.store.loaded.value;
    if (!reach || event.buttons === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const at = reach.from + ((event.clientX - box.left) / box.width) * (reach.to - reach.from);
    const view = timeline.view.value;
    timeline.setView(panBy(view, (at - (view.from + view.to) / 2) / (view.to - view.from)));
  };
  return (
    <div class="tl-strip" role="img" aria-label={t("timeline.strip")}
      onPointerDown={(event) => { event.currentTarget.setPointerCapture(event.pointerId); go(event); }} onPointerMove={go}>
      <canvas ref={canvas} width={Math.round(width * ratio)} height={Math.round(HEIGHT * ratio)} style={{ width: `${width}px`, height: `${HEIGHT}px` }} />
      <Window timeline={timeline} />
    </div>
  );
}
