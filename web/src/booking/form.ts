// The form of a booking: its fields as they are typed, what is wrong with them, and the request.
import type { Key } from "../i18n";
import { fromInput, readDuration, toInput, toRequest } from "../time/format";
import { DAY, HOUR, MINUTE, snap, wallSeconds } from "../time/zone";
import { placesOf, runsOf } from "../timeline/drag";
import type { Lane } from "../timeline/model";
import { ONCE, type Repeat, everyOf, readRule } from "./repeat";

export interface Place {
  node: string;
  gpus: number[] | null;
}

/** A reservation of docs/api.md; `slots` of a single one. */
export interface Reservation extends Slot {
  id: string;
  ref: string;
  name: string | null;
  user: string | null;
  project: string | null;
  zone: string | null;
  rule: string | null;
  flex_s: number;
  release_after_s: number;
  occurrences: number;
  slots?: Slot[];
}

export interface Slot {
  occurrence: number;
  state: string;
  start_at: number;
  end_at: number;
  gpus: number;
  gpu_type: string | null;
  where: Place[];
}

export interface Opening {
  kind: "later" | "earlier" | "fewer" | "elsewhere" | "other_type";
  start_at: number;
  end_at: number;
  from_at: number;
  gpus: number;
  gpu_type: string | null;
  where: Place[];
}

export interface Conflict {
  reservation: string | null;
  job: number | null;
  name: string | null;
  user: string | null;
  start_at: number | null;
  end_at: number | null;
  gpus: number;
}

/** What the daemon answers where others have the GPUs. */
export interface Refusal {
  conflicts: Conflict[];
  openings: Opening[];
  gpus: number;
  gpus_free: number;
}

export interface Form {
  name: string;
  project: string;
  from: string; // as <input type=datetime-local> has it, in the zone
  to: string;
  isSecond: boolean; // of two instants that clocks show alike, where they are put back
  isNamed: boolean; // these GPUs, or so many
  places: string;
  gpus: string;
  gpuType: string;
  pool: string;
  repeat: Repeat;
  flex: string;
}

export type Field = "from" | "to" | "gpus" | "places" | "flex" | "rule";
export type Problems = Partial<Record<Field, Key>>;

/** The next hour that begins, for one GPU. */
export function emptyForm(now: number, zone: string): Form {
  const from = snap(zone, now + 10 * MINUTE, 15 * MINUTE, Math.ceil);
  return {
    name: "", project: "", from: toInput(from, zone), to: toInput(from + HOUR, zone), isSecond: false,
    isNamed: false, places: "", gpus: "1", gpuType: "", pool: "", repeat: ONCE, flex: "",
  };
}

export function formOfLanes(lanes: readonly Lane[], from: number, to: number, zone: string): Form {
  const gpus = lanes.filter((lane) => lane.name !== "").length;
  return {
    ...emptyForm(from, zone), from: toInput(from, zone), to: toInput(to, zone), isSecond: fromInput(toInput(from, zone), zone)[1] === from,
    isNamed: lanes.length > 0, places: placesOf(lanes), gpus: String(Math.max(1, gpus)),
  };
}

/** "n1:0-3 n2" of the daemon's list of places. */
export function placesText(where: readonly Place[]): string {
  return where.map(({ node, gpus }) => (gpus ? `${node}:${runsOf(gpus)}` : node)).join(" ");
}

export function formOf(booked: Reservation, zone: string): Form {
  return {
    ...emptyForm(booked.start_at, zone),
    name: booked.name ?? "", project: booked.project ?? "",
    from: toInput(booked.start_at, zone), to: toInput(booked.end_at, zone),
    isSecond: fromInput(toInput(booked.start_at, zone), zone)[1] === booked.start_at,
    isNamed: booked.where.length > 0 && booked.where.every(({ gpus }) => gpus !== null),
    places: placesText(booked.where), gpus: String(booked.gpus), gpuType: "", repeat: readRule(booked.rule),
    flex: booked.flex_s > 0 ? `${booked.flex_s / MINUTE}m` : "",
  };
}

/** One instant of a field; of two the one that is meant, or the later where it must lie behind another. */
export function startOf(form: Form, zone: string): number | null {
  const found = fromInput(form.from, zone);
  return found[form.isSecond ? found.length - 1 : 0] ?? null;
}

export function endOf(form: Form, zone: string): number | null {
  const start = startOf(form, zone) ?? -Infinity;
  const found = fromInput(form.to, zone);
  return found.find((at) => at > start) ?? found[0] ?? null;
}

/** Whether clocks show the start twice, so that it must be said which is meant. */
export function isTwice(form: Form, zone: string): boolean {
  return fromInput(form.from, zone).length > 1;
}

export function problemsOf(form: Form, zone: string): Problems {
  const found: Problems = {};
  const [start, end] = [startOf(form, zone), endOf(form, zone)];
  const isSkipped = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text);
  if (start === null) found.from = isSkipped(form.from) ? "booking.bad_skipped" : "booking.bad_time";
  if (end === null) found.to = isSkipped(form.to) ? "booking.bad_skipped" : "booking.bad_time";
  else if (start !== null && end <= start) found.to = "booking.bad_end";
  else if (start !== null && end - start > 400 * DAY) found.to = "booking.bad_long";
  if (form.isNamed ? form.places.trim() === "" : !/^[1-9]\d{0,5}$/.test(form.gpus.trim())) found[form.isNamed ? "places" : "gpus"] = "booking.bad_gpus";
  if (form.flex.trim() && readDuration(form.flex) === null) found.flex = "booking.bad_duration";
  if (form.repeat.kind === "rule" && !form.repeat.rule.trim()) found.rule = "booking.bad_rule";
  return found;
}

function whatOf(form: Form): Record<string, unknown> {
  if (form.isNamed) return { on: form.places.trim() };
  const what: Record<string, unknown> = { gpus: Number(form.gpus) };
  if (form.gpuType) what.gpu_type = form.gpuType;
  if (form.pool) what.pool = form.pool;
  return what;
}

function timeOf(form: Form, zone: string): Record<string, unknown> {
  return { from: toRequest(startOf(form, zone)!, zone), until_at: toRequest(endOf(form, zone)!, zone) };
}

/** The body of POST /api/v1/reservations, of a form without problems. */
export function requestOf(form: Form, zone: string): Record<string, unknown> {
  const body: Record<string, unknown> = { ...whatOf(form), ...timeOf(form, zone), zone };
  if (form.name.trim()) body.name = form.name.trim();
  if (form.project.trim()) body.project = form.project.trim();
  const every = everyOf(form.repeat);
  if (every) body.every = every;
  if (every && form.repeat.kind !== "rule" && form.repeat.until) body.until = form.repeat.until;
  if (form.flex.trim()) body.flex = form.flex.trim();
  return body;
}

/** The body of PATCH: what is not as it was. What belongs to a whole series is left out of an edit of
 * one of it. */
export function changesOf(before: Form, after: Form, zone: string, isWhole: boolean): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const [was, is] = [requestOf(before, zone), requestOf(after, zone)];
  for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (was[key] !== is[key]) body[key] = is[key] ?? null;
  }
  if (body.from || body.until_at) Object.assign(body, timeOf(after, zone));
  if (body.on || body.gpus) for (const key of ["on", "gpus"]) if (body[key] === null) delete body[key];
  if (!isWhole) for (const key of ["name", "project", "every", "until"]) delete body[key];
  if ((body.every || body.until) && !body.zone) body.zone = zone;
  return body;
}

const LAST_MS = Date.UTC(9999, 0);

/** The text of a field, so many milliseconds later; as it was where no year of four digits has that. */
function moved(text: string, by: number): string {
  const at = Date.parse(`${text}Z`) + by;
  return at > 0 && at < LAST_MS ? new Date(at).toISOString().slice(0, 16) : text;
}

/** The times of the form, as much later or earlier as one wall clock is from another. */
export function shiftForm(form: Form, zone: string, from: number, to: number): Form {
  const by = (wallSeconds(zone, to) - wallSeconds(zone, from)) * 1000;
  return { ...form, from: moved(form.from, by), to: moved(form.to, by) };
}

/** Another start; what was booked stays as long as it was. */
export function startAt(form: Form, from: string): Partial<Form> {
  return { from, to: moved(form.to, Date.parse(`${from}Z`) - Date.parse(`${form.from}Z`)) };
}

/** The form with what an opening offers. */
export function takeOpening(form: Form, opening: Opening, zone: string): Form {
  const end = opening.from_at + (opening.end_at - opening.start_at);
  const places = placesText(opening.where);
  const canName = opening.where.length > 0 && opening.where.every(({ gpus }) => gpus !== null);
  const isNamed = canName && (form.isNamed || opening.kind === "elsewhere");
  return {
    ...form,
    from: toInput(opening.from_at, zone), to: toInput(end, zone),
    isSecond: fromInput(toInput(opening.from_at, zone), zone)[1] === opening.from_at,
    isNamed, places: isNamed ? places : form.places, gpus: String(opening.gpus),
    gpuType: opening.kind === "other_type" ? (opening.gpu_type ?? "") : form.gpuType,
  };
}
