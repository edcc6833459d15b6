// What is done to bookings, with the way back in a note.
import { t } from "../i18n";
import { client, zone } from "../state";
import { toRequest } from "../time/format";
import { toast, toastError } from "../ui/Toast";
import { type Reservation, type Slot, placesText } from "./form";

/** Which of a series: this one, this one and all after it, or all to come. */
export type Scope = "one" | "following" | "all";

function path(booked: { id: string }): string {
  return `reservations/${encodeURIComponent(booked.id)}`;
}

export function isSeries(booked: Reservation): boolean {
  return booked.rule !== null || booked.occurrences > 1;
}

/** The object with the occurrence that a ref names: "r17", "r17.3". */
export async function readBooking(ref: string): Promise<Reservation> {
  const [id = ref, number] = ref.split(".");
  const booked = await client.get<Reservation>(path({ id }));
  const slot = booked.slots?.find((one: Slot) => one.occurrence === Number(number));
  return slot ? { ...booked, ...slot, ref } : booked;
}

export async function create(body: Record<string, unknown>): Promise<Reservation> {
  const booked = await client.send<Reservation>("POST", "reservations", body);
  toast({ text: t("booking.done", { ref: booked.id, n: booked.gpus }), undo: () => void remove(booked, "all", false).catch(toastError) });
  return booked;
}

function target(booked: Reservation, scope: Scope): Record<string, unknown> {
  if (scope === "all" || !isSeries(booked)) return {};
  return scope === "following" ? { occurrence: booked.occurrence, following: true } : { occurrence: booked.occurrence };
}

/** `back` is the change that takes this one back. */
export async function change(booked: Reservation, scope: Scope, body: Record<string, unknown>, back: Record<string, unknown>): Promise<void> {
  const which = target(booked, scope);
  const send = (what: Record<string, unknown>): Promise<unknown> => client.send("PATCH", path(booked), { ...what, ...which });
  await send(body);
  toast({
    text: t("booking.changed", { ref: booked.ref }),
    undo: () => void send(back).then(() => toast({ text: t("booking.undone", { ref: booked.ref }) }), toastError),
  });
}

/** What was cancelled is booked again on the same GPUs, as far as it is one occurrence. */
function again(booked: Reservation): void {
  const body: Record<string, unknown> = {
    on: placesText(booked.where), from: toRequest(booked.start_at, zone.value), until_at: toRequest(booked.end_at, zone.value), zone: zone.value,
  };
  if (booked.name) body.name = booked.name;
  if (booked.project) body.project = booked.project;
  void create(body).catch(toastError);
}

export async function remove(booked: Reservation, scope: Scope, canUndo = true): Promise<void> {
  const query = new URLSearchParams();
  if (scope !== "all" && isSeries(booked)) query.set("occurrence", String(booked.occurrence));
  if (scope === "following" && isSeries(booked)) query.set("following", "1");
  await client.send("DELETE", `${path(booked)}?${query}`);
  const isOne = scope === "one" || !isSeries(booked);
  const isToCome = booked.start_at > Date.now() / 1000;
  toast({
    text: t("booking.cancelled", { ref: scope === "all" ? booked.id : booked.ref }),
    ...(canUndo && isOne && isToCome && { undo: () => again(booked) }),
  });
}
