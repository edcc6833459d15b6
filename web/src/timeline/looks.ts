// How a bar looks, by what it is and how it stands. The order is that of the legend, and of strength
// where several bars share a pixel.

export const LOOKS = ["done", "planned", "outside", "reserved", "running", "clearing", "failed", "down"] as const;
export type Look = (typeof LOOKS)[number];

export const LOOK_INDEX = Object.fromEntries(LOOKS.map((look, i) => [look, i])) as Record<Look, number>;

const BY_STATE: Record<string, Look> = {
  held: "planned",
  waiting: "planned",
  queued: "planned",
  starting: "running",
  running: "running",
  resizing: "running",
  stopping: "running",
  completed: "done",
  cancelled: "done",
  failed: "failed",
  timeout: "failed",
  lost: "failed",
};

const BY_KIND: Record<string, Look> = {
  reservation: "reserved",
  clearing: "clearing",
  down: "down",
  outside: "outside",
};

export function lookOf(bar: { kind: string; state: string | null }): Look {
  return BY_KIND[bar.kind] ?? BY_STATE[bar.state ?? ""] ?? "planned";
}

/** Whether the bar's end is only foreseen. */
export function isOpen(look: Look): boolean {
  return look === "planned" || look === "running";
}
