// The colours of the canvas, read from the style sheet: a theme is a set of variables there.
import { LOOKS, LOOK_INDEX } from "./looks";
import type { Bar } from "./model";

export interface Paint {
  fill: string;
  text: string;
}

/** Whatever else has a colour: band lies behind every other node, plate behind the axis and the names. */
const NAMES = ["background", "band", "line", "dayLine", "weekend", "text", "faint", "now", "select", "conflict", "hatch", "plate"] as const;

export type Palette = Record<(typeof NAMES)[number], string> & {
  paints: Paint[]; // by look, then those of people and projects
};

/** Colours that tell people or projects apart: Okabe and Ito's, and mixtures of them. */
const MANY: Paint[] = [
  ...["#0072b2", "#117733", "#6a4c93", "#7a5c3e"].map((fill) => ({ fill, text: "#fff" })),
  ...["#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#f0e442", "#8ab17d"].map((fill) => ({ fill, text: "black" })),
];

export const NAMES_FROM = LOOKS.length;

/** The same name has the same colour on every page and day. */
export function colorOfName(name: string): number {
  let hash = 2166136261;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
  hash ^= hash >>> 15;
  return NAMES_FROM + (Math.abs(hash) % MANY.length);
}

/** Which of the palette's paints a bar has. Only what belongs to somebody is coloured by name. */
export function paintIndex(bar: Bar, colorBy: "state" | "user" | "project"): number {
  const name = colorBy === "state" ? null : bar[colorBy];
  return name && bar.look !== "clearing" ? colorOfName(name) : LOOK_INDEX[bar.look];
}

export function readPalette(variable: (name: string) => string): Palette {
  const get = (name: string): string => variable(`--${name}`).trim();
  return {
    paints: [...LOOKS.map((look) => ({ fill: get(look), text: get(`on-${look}`) })), ...MANY],
    ...(Object.fromEntries(NAMES.map((name) => [name, get(`tl-${name}`)])) as Record<(typeof NAMES)[number], string>),
  };
}
