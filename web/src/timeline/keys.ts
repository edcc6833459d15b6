// What keys do, and how the help says it.
import { LANE_MAX, LANE_MIN, type SpanName } from "./view";

export type Action =
  | { do: "pan"; part: number }
  | { do: "scroll"; lanes: number }
  | { do: "zoom"; factor: number }
  | { do: "size"; factor: number }
  | { do: "span"; span: SpanName }
  | { do: "home" | "reserve" | "filter" | "table" | "fit" };

export const KEYS: { keys: string[]; action: Action }[] = [
  { keys: ["ArrowLeft"], action: { do: "pan", part: -1 / 6 } },
  { keys: ["ArrowRight"], action: { do: "pan", part: 1 / 6 } },
  { keys: ["PageUp"], action: { do: "pan", part: -1 } },
  { keys: ["PageDown"], action: { do: "pan", part: 1 } },
  { keys: ["ArrowUp"], action: { do: "scroll", lanes: -3 } },
  { keys: ["ArrowDown"], action: { do: "scroll", lanes: 3 } },
  { keys: ["+", "="], action: { do: "zoom", factor: 1 / 1.5 } },
  { keys: ["-"], action: { do: "zoom", factor: 1.5 } },
  { keys: ["Home"], action: { do: "home" } },
  { keys: ["1"], action: { do: "span", span: "6h" } },
  { keys: ["2"], action: { do: "span", span: "1d" } },
  { keys: ["3"], action: { do: "span", span: "1w" } },
  { keys: ["]"], action: { do: "size", factor: 1.25 } },
  { keys: ["["], action: { do: "size", factor: 1 / 1.25 } },
  { keys: ["0"], action: { do: "fit" } },
  { keys: ["r"], action: { do: "reserve" } },
  { keys: ["/"], action: { do: "filter" } },
  { keys: ["t"], action: { do: "table" } },
];

/** Keys that elements of the page need for themselves: only where the lanes have the focus. */
const OWN = /^(Arrow|Page|Home)/;

interface Pressed {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/** Keys with Ctrl, Alt or Meta belong to the browser. */
export function actionOf(event: Pressed, hasFocus: boolean): Action | null {
  if (event.ctrlKey || event.altKey || event.metaKey || (!hasFocus && OWN.test(event.key))) return null;
  return KEYS.find(({ keys }) => keys.includes(event.key))?.action ?? null;
}

/** The height at which all lanes are seen at once. */
export function fitHeight(room: number, height: number, laneHeight: number): number {
  return Math.min(LANE_MAX, Math.max(LANE_MIN, (laneHeight * room) / Math.max(1, height)));
}

/** For the help: what the keys and the pointer do; `label` is the end of a key of the dictionaries. */
export const HELP = [
  { keys: "← →", label: "timeline.help_move" },
  { keys: "PgUp PgDn", label: "timeline.help_page" },
  { keys: "↑ ↓", label: "timeline.help_scroll" },
  { keys: "+ −", label: "timeline.help_zoom" },
  { keys: "Home", label: "timeline.help_home" },
  { keys: "1 2 3", label: "timeline.help_span" },
  { keys: "[ ]", label: "timeline.help_size" },
  { keys: "0", label: "timeline.help_fit" },
  { keys: "r", label: "timeline.help_reserve" },
  { keys: "t", label: "timeline.help_table" },
] as const;
