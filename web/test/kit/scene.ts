// Clusters, bars and scenes for tests.
import type { Lane as ApiLane } from "../../src/api/types";
import { Ruler } from "../../src/timeline/label";
import { makeLayout } from "../../src/timeline/layout";
import { LOOKS, LOOK_INDEX } from "../../src/timeline/looks";
import { type ApiBar, Model } from "../../src/timeline/model";
import type { Palette } from "../../src/timeline/palette";
import type { Scene } from "../../src/timeline/scene";

export const HOUR = 3600;
export const T0 = 1_796_040_000; // 2026-11-30 08:00 in Shanghai

/** `nodes` nodes n1, n2 … of `gpus` GPUs. */
export function lanesOf(nodes: number, gpus: number, pool = "default"): ApiLane[] {
  return Array.from({ length: nodes * gpus }, (_, i) => {
    const node = `n${Math.floor(i / gpus) + 1}`;
    return { id: `${node}:${i % gpus}`, node, pool, gpu: i % gpus, gpus: 1, type: "A100", mem_bytes: 80 * 2 ** 30 };
  });
}

let count = 0;

/** A running job on lanes, from and to hours from T0, unless said otherwise. */
export function bar(lanes: string[], from: number, to: number, more: Partial<ApiBar> = {}): ApiBar {
  const id = `job-${++count}`;
  return {
    id, kind: "job", ref: String(count), lanes, gpus: lanes.length, start_at: T0 + from * HOUR, end_at: T0 + to * HOUR,
    end_p90_at: null, state: "running", user: "anna", project: "vision", label: `train-${count}`, ...more,
  };
}

export const PALETTE: Palette = {
  paints: [...LOOKS.map((look) => ({ fill: `fill-${look}`, text: `text-${look}` })),
    ...Array.from({ length: 10 }, (_, i) => ({ fill: `fill-name-${i}`, text: `text-name-${i}` }))],
  background: "background", band: "band", line: "line", dayLine: "day-line", weekend: "weekend", text: "text",
  faint: "faint", now: "now", select: "select", conflict: "conflict", hatch: "hatch", plate: "plate",
};

/** Ten hours from T0 on 1,000 pixels: an hour is 100 pixels wide. */
export function sceneOf(model: Model, more: Partial<Scene> = {}): Scene {
  const laneHeight = more.view?.laneHeight ?? 20;
  const wish = { laneHeight, folded: [], isHidden: () => false, queueRows: model.queueRows() };
  return {
    model, layout: makeLayout(model, wish), view: { from: T0, to: T0 + 10 * HOUR, isLive: false, laneHeight }, scroll: 0,
    width: 1100, height: 400, gutter: 100, axis: 40, ratio: 1, palette: PALETTE, hatches: [], ruler: new Ruler(),
    words: { gpus: (n) => `${n} GPU`, memory: (bytes) => `${bytes / 2 ** 30} GiB`, queue: "no GPU yet" },
    matches: () => true, hidden: [], paintOf: (one) => LOOK_INDEX[one.look], now: T0 + HOUR, zone: "Asia/Shanghai",
    lang: "en-GB", hover: null, ghost: null, crosshair: null, ...more,
  };
}
