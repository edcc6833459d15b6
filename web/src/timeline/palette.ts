// The colours of the canvas, read from the style sheet: a theme is a set of variables there.
import { LOOKS, LOOK_INDEX, type Look } from "./looks";
import type { Bar } from "./model";

export interface Paint {
  fill: string;
  text: string;
}

export interface Palette {
  paints: Paint[]; // by look, then those of people and projects
  background: string;
  band: string; // behind every other node
  line: string;
  dayLine: string;
  weekend: string;
  text: string;
  faint: string;
  now: string;
  select: string;
  conflict: string;
  hatch: string;
  plate: string; // behind the axis and the names
}

/** Colours that tell people or projects apart: Okabe and Ito's, and mixtures of them. */
const MANY: Paint[] = [
  { fill: "#0072b2", text: "#fff" },
  { fill: "#e69f00", text: "#000000" },
  { fill: "#009e73", text: "#000000" },
  { fill: "#cc79a7", text: "#000000" },
  { fill: "#56b4e9", text: "#000000" },
  { fill: "#117733", text: "#fff" },
  { fill: "#f0e442", text: "#000000" },
  { fill: "#6a4c93", text: "#fff" },
  { fill: "#8ab17d", text: "#000000" },
  { fill: "#7a5c3e", text: "#fff" },
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
  const get = (name: string): string => variable(`--tl-${name}`).trim();
  const paint = (look: Look): Paint => ({ fill: get(look), text: get(`${look}-text`) });
  return {
    paints: [...LOOKS.map(paint), ...MANY],
    background: get("background"),
    band: get("band"),
    line: get("line"),
    dayLine: get("day-line"),
    weekend: get("weekend"),
    text: get("text"),
    faint: get("faint"),
    now: get("now"),
    select: get("select"),
    conflict: get("conflict"),
    hatch: get("hatch"),
    plate: get("plate"),
  };
}
