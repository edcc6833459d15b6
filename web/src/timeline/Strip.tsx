// The strip of all that is loaded; dragging in it goes there.
import { useSignalEffect } from "../signals";
import { useRef } from "preact/hooks";
import { t } from "../i18n";
import type { Timeline } from "./controller";
import { drawStrip } from "./load";
import { panBy } from "./view";

const HEIGHT = 34;

export function Strip({ timeline }: { timeline: Timeline }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef(0);
  const { width } = timeline.size.value;
  const ratio = timeline.look.value?.ratio ?? 1;
  useSignalEffect(() => {
    const scene = timeline.scene();
    const reach = timeline.store.loaded.value;
    if (!scene || !reach) return;
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const ctx = canvas.current?.getContext("2d", { alpha: false });
      const gpus = scene.model.lanes.filter((lane) => !lane.isQueue).length;
      if (ctx) drawStrip(ctx, { ...scene, height: HEIGHT }, reach, gpus);
    });
  });
  const go = (event: PointerEvent): void => {
    const reach = timeline.store.loaded.value;
    if (!reach || event.buttons === 0 || !canvas.current) return;
    const box = canvas.current.getBoundingClientRect();
    const at = reach.from + ((event.clientX - box.left) / box.width) * (reach.to - reach.from);
    const view = timeline.view.value;
    timeline.setView(panBy(view, (at - (view.from + view.to) / 2) / (view.to - view.from)));
  };
  return (
    <canvas ref={canvas} class="tl-strip" role="img" aria-label={t("timeline.strip")} width={Math.round(width * ratio)} height={Math.round(HEIGHT * ratio)}
      style={{ width: `${width}px`, height: `${HEIGHT}px` }}
      onPointerDown={(event) => { event.currentTarget.setPointerCapture(event.pointerId); go(event); }} onPointerMove={go} />
  );
}
