// The view in the address: a link shows what its sender saw.
import { EVERYTHING, type Filter, readFilter, writeFilter } from "./filter";
import { LANE_MAX, LANE_MIN, SPANS, SPAN_MAX, SPAN_MIN, type SpanName, type View, liveView } from "./view";

export type ColorBy = "state" | "user" | "project";

/** All that the timeline shows, but for the data. */
export interface Shown {
  view: View;
  filter: Filter;
  colorBy: ColorBy;
  folded: readonly string[]; // "pool" or "pool/node", each encoded
}

export const LANE_USUAL = 20;

export function usual(now: number): Shown {
  return { view: liveView(now, SPANS["1d"], LANE_USUAL), filter: EVERYTHING, colorBy: "state", folded: [] };
}

/** "1d" where the span has a name, else its seconds. */
function spanText(span: number): string {
  const name = (Object.keys(SPANS) as SpanName[]).find((one) => Math.abs(SPANS[one] - span) < 1);
  return name ?? String(Math.round(span));
}

export function write(shown: Shown): URLSearchParams {
  const into = new URLSearchParams();
  const { view } = shown;
  if (!view.isLive) {
    into.set("from", String(Math.round(view.from)));
    into.set("to", String(Math.round(view.to)));
  } else if (spanText(view.to - view.from) !== "1d") {
    into.set("span", spanText(view.to - view.from));
  }
  if (Math.abs(view.laneHeight - LANE_USUAL) > 0.01) into.set("lane", String(Math.round(view.laneHeight * 100) / 100));
  if (shown.colorBy !== "state") into.set("color", shown.colorBy);
  if (shown.folded.length > 0) into.set("fold", shown.folded.join(","));
  writeFilter(shown.filter, into);
  return into;
}

function numberOf(text: string | null): number | null {
  const value = text === null || text.trim() === "" ? NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

function readView(from: URLSearchParams, now: number): View {
  const lane = numberOf(from.get("lane"));
  const laneHeight = lane === null ? LANE_USUAL : Math.min(LANE_MAX, Math.max(LANE_MIN, lane));
  const [start, end] = [numberOf(from.get("from")), numberOf(from.get("to"))];
  if (start !== null && end !== null && start >= 0 && end - start >= SPAN_MIN && end - start <= SPAN_MAX && end < 1e11) {
    return { from: start, to: end, isLive: false, laneHeight };
  }
  const span = from.get("span") ?? "";
  const seconds = Object.hasOwn(SPANS, span) ? SPANS[span as SpanName] : numberOf(span);
  const valid = seconds !== null && seconds >= SPAN_MIN && seconds <= SPAN_MAX;
  return liveView(now, valid ? seconds : SPANS["1d"], laneHeight);
}

/** What an address says; what makes no sense in it is as usual. */
export function read(from: URLSearchParams, now: number): Shown {
  const color = from.get("color");
  return {
    view: readView(from, now),
    filter: readFilter(from),
    colorBy: color === "user" || color === "project" ? color : "state",
    folded: (from.get("fold") ?? "").split(",").filter(Boolean),
  };
}
