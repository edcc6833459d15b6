import { t } from "../i18n";
import type { JobState } from "../api/types";

/** Shapes on a field of 16: a state is told by its shape as well as by its colour. */
export const PATHS: Record<JobState, string> = {
  held: "M5 3h2v10H5zM9 3h2v10H9z",
  waiting: "M3 6h5v4H3zM8 7h2v2H8zM10 6h3v4h-3z",
  queued: "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 2a5 5 0 1 0 0 10A5 5 0 0 0 8 3zM7 4h2v3.5h3v2H7z",
  starting: "M4 3l5 5-5 5zM10 3h2v10h-2z",
  running: "M4 2l10 6-10 6z",
  resizing: "M6 3v3h4V3l4 5-4 5v-3H6v3L2 8z",
  stopping: "M4 4h8v8H4z",
  completed: "M2 8l2-2 3 3 5-6 2 2-7 8z",
  failed: "M4 2l4 4 4-4 2 2-4 4 4 4-2 2-4-4-4 4-2-2 4-4-4-4z",
  cancelled: "M2 7h12v2H2z",
  timeout: "M4 2h8v2l-3 4 3 4v2H4v-2l3-4-3-4z",
  lost: "M7 11h2v2H7zM5 3h6v5H9v2H7V6h2V5H5z",
};

export function StateIcon({ state }: { state: JobState }) {
  return (
    <svg class={`state state-${state}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[state] ?? PATHS.lost} />
    </svg>
  );
}

/** The icon and the word. */
export function State({ state }: { state: JobState }) {
  return (
    <span class="state-word">
      <StateIcon state={state} />
      {t(`state.${state}`)}
    </span>
  );
}
