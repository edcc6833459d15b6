// The strip of all that is loaded, and the window in it; dragging goes there.
import { useSignalEffect } from "../signals";
import { useRef } from "preact/hooks";
import { t } from "../i18n";
import type { Timeline } from "./controller";
import { drawStrip } from "./load";
import { panBy } from "./view";

const HEIGHT = 34;

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
  useSignalEffect(() => {
    const reach = timeline.store.loaded.value;
    const look = timeline.look.value;
    if (!reach || !look) return;
    const scene = { ...look, model: timeline.store.model, width: timeline.size.value.width, height: HEIGHT, now: timeline.tick.value };
    requestAnimationFrame(() => {
      const ctx = canvas.current?.getContext("2d", { alpha: false });
      if (ctx) drawStrip(ctx, scene, reach);
    });
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
