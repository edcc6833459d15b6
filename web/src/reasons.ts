// Why a job is where it is, worded by code and numbers.
import { isKey, t, type Key } from "./i18n";
import { instant } from "./i18n/format";
import type { ReasonNumbers } from "./api/types";

export interface Reasoned {
  reason: string | null;
  reason_text: string | null;
  reason_numbers: ReasonNumbers | null;
}

type Numbers = { job: number; need: number; have: number; at: number };

/** Codes whose sentence depends on their numbers: the key of the one to take. */
const CHOICES: Record<string, (n: Numbers) => Key> = {
  resources: (n) =>
    n.need <= 0 ? "because.resources_other" : n.have >= n.need ? "because.resources_apart" : "because.resources",
  priority: (n) => (n.need > 1 ? "because.priority_place" : "because.priority"),
  not_before: (n) => (n.at > 0 ? "because.not_before_at" : "because.not_before"),
  retry: (n) => (n.at > 0 ? "because.retry_at" : "because.retry"),
  exit: (n) => (n.have > 0 ? "because.signal" : "because.exit"),
  requeue: (n) => (n.need < 0 ? "because.requeue_self" : "because.requeue"),
  reserved: (n) => (n.job < 0 ? "because.reserved_promise" : "because.reserved"),
  cleared: (n) => (n.job < 0 ? "because.cleared_promise" : "because.cleared"),
  preempted: (n) => {
    if (n.at > 0) return n.job < 0 ? "because.preempted_promise" : "because.preempted_slot";
    return n.job > 0 ? "because.preempted_for" : "because.preempted";
  },
};

/** The sentence in the chosen language; what this page does not know yet, as the daemon says it. */
export function reasonText(of: Reasoned, zone: string, now: number): string {
  const code = of.reason ?? "";
  const given = of.reason_numbers;
  if (!code) return "";
  if (!given || code === "start_failed") return of.reason_text ?? code;
  const numbers: Numbers = { job: given.job ?? 0, need: given.need ?? 0, have: given.have ?? 0, at: given.at ?? 0 };
  const key = CHOICES[code]?.(numbers) ?? `reason.${code}`;
  if (!isKey(key)) return of.reason_text ?? code;
  return t(key, {
    job: String(Math.abs(numbers.job)),
    n: numbers.need,
    have: numbers.have,
    need: String(numbers.need), // a uid or an exit code: no separators
    at: numbers.at > 0 ? instant(numbers.at, zone, now) : "",
  });
}
