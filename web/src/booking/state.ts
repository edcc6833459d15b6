// Which booking is open in the dialog: a new one, or one that is looked at and changed.
import { signal } from "../signals";
import { now, zone } from "../state";
import { toInput } from "../time/format";
import type { Slot as DragSlot } from "../timeline/drag";
import type { Lane } from "../timeline/model";
import { toastError } from "../ui/Toast";
import { change, isSeries, readBooking, type Scope } from "./actions";
import { type Form, type Reservation, changesOf, emptyForm, formOf, formOfLanes, placesText, shiftForm } from "./form";

export interface Draft {
  /** null for a new one. */
  booked: Reservation | null;
  before: Form;
  form: Form;
  scope: Scope;
}

export const draft = signal<Draft | null>(null);

function open(form: Form): void {
  draft.value = { booked: null, before: form, form, scope: "all" };
}

export function bookNew(): void {
  open(emptyForm(now.peek(), zone.peek()));
}

/** Of a drag over lanes; what had begun by then begins at once. */
export function bookLanes(lanes: readonly Lane[], slot: DragSlot): void {
  const from = Math.max(slot.from, now.peek());
  open({ ...formOfLanes(lanes, slot.from, slot.to, zone.peek()), ...(from > slot.from && { from: toInput(from, zone.peek()) }) });
}

export async function openBooking(ref: string, change: Partial<Form> = {}): Promise<void> {
  try {
    const booked = await readBooking(ref);
    const before = formOf(booked, zone.peek());
    draft.value = { booked, before, form: { ...before, ...change }, scope: isSeries(booked) ? "one" : "all" };
  } catch (reason) {
    toastError(reason);
  }
}

/** A bar that was dragged elsewhere: done at once, or asked about where it is one of a series. */
export async function moveBooking(ref: string, form: Form, places: string): Promise<void> {
  try {
    const booked = await readBooking(ref);
    const moved: Partial<Form> = { from: form.from, to: form.to, isSecond: form.isSecond };
    if (places !== placesText(booked.where)) Object.assign(moved, { isNamed: true, places });
    if (isSeries(booked)) return await openBooking(ref, moved);
    const before = formOf(booked, zone.peek());
    await applyChange({ booked, before, form: { ...before, ...moved }, scope: "all" });
  } catch (reason) {
    toastError(reason);
  }
}

/** A change of the whole series is said of the next occurrence, whichever was looked at. */
function ofNext(booked: Reservation, form: Form): Form {
  const next = booked.slots?.find((slot) => slot.state === "booked");
  return next ? shiftForm(form, zone.peek(), booked.start_at, next.start_at) : form;
}

export async function applyChange(open: Draft): Promise<void> {
  const { booked, before, form, scope } = open;
  if (!booked) return;
  const [was, is] = [before, form].map((one) => (scope === "all" ? ofNext(booked, one) : one)) as [Form, Form];
  const between = (from: Form, to: Form) => changesOf(from, to, zone.peek(), scope === "all");
  const body = between(was, is);
  if (Object.keys(body).length > 0) await change(booked, scope, body, between(is, was));
}
