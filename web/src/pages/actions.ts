// What can be done to a job, with the way back or a question before it.
import { createElement, type ComponentChildren } from "preact";
import type { Job, JobState } from "../api/types";
import { noteChange } from "../api/resource";
import { t, tx } from "../i18n";
import { client, mayChange } from "../state";
import { confirm } from "../ui/Dialog";
import { announce } from "../ui/Live";
import { Text } from "../ui/Text";
import { toast, toastError } from "../ui/Toast";

export const ENDED: readonly JobState[] = ["completed", "failed", "cancelled", "timeout", "lost"];
const ON_GPUS: readonly JobState[] = ["starting", "running", "resizing", "stopping"];

export type Verb = "cancel" | "hold" | "release" | "requeue";

export const hasEnded = (job: { state: JobState }): boolean => ENDED.includes(job.state);
export const isOnGpus = (job: { state: JobState }): boolean => ON_GPUS.includes(job.state);

/** What makes sense for a job as it is, for who looks at it. */
export function verbsOf(job: Job): Verb[] {
  if (!mayChange(job.user) || hasEnded(job) || job.state === "stopping") return [];
  if (isOnGpus(job)) return ["requeue", "cancel"];
  return [job.state === "held" ? "release" : "hold", "cancel"];
}

/** The id as it stands in a path: of an element that has not started, ARRAY_INDEX. */
export function pathId(job: Job): string {
  return String(job.id);
}

function named(job: Job): ComponentChildren {
  return createElement(Text, { value: job.name || String(job.id), length: 40 });
}

async function ask(job: Job, verb: Verb): Promise<boolean> {
  try {
    await client.send("POST", `jobs/${pathId(job)}/${verb}`);
    noteChange("job");
    return true;
  } catch (reason) {
    toastError(reason);
    return false;
  }
}

async function holdOrRelease(job: Job, verb: "hold" | "release"): Promise<void> {
  if (!(await ask(job, verb))) return;
  const back = verb === "hold" ? "release" : "hold";
  toast({
    text: tx(verb === "hold" ? "done.hold" : "done.release", { name: named(job) }),
    undo: () => void ask(job, back),
  });
  announce(t(verb === "hold" ? "done.hold" : "done.release", { name: job.name }));
}

async function stop(job: Job, verb: "cancel" | "requeue"): Promise<void> {
  if (await ask(job, verb)) toast({ text: tx(verb === "cancel" ? "done.cancel" : "done.requeue", { name: named(job) }) });
}

/** Does it, after asking where work would be lost. */
export function act(job: Job, verb: Verb): void {
  if (verb === "hold" || verb === "release") {
    void holdOrRelease(job, verb);
    return;
  }
  confirm({
    title: tx(verb === "cancel" ? "ask.cancel" : "ask.requeue", { name: named(job) }),
    text: isOnGpus(job) ? t(verb === "cancel" ? "ask.cancel_running" : "ask.requeue_running")
      : t("ask.cancel_waiting"),
    yes: t(verb === "cancel" ? "ask.cancel_yes" : "ask.requeue_yes"),
    isGrave: verb === "cancel",
    act: () => void stop(job, verb),
  });
}

/** PATCH of a job; `before` is what undoes it, null where nothing does. */
export async function change(job: Job, set: Record<string, unknown>, before: Record<string, unknown> | null): Promise<boolean> {
  try {
    await client.send("PATCH", `jobs/${pathId(job)}`, set);
  } catch (reason) {
    toastError(reason);
    return false;
  }
  noteChange("job");
  const note = { text: tx("done.change", { name: named(job) }) };
  toast(before ? { ...note, undo: () => void change(job, before, null) } : note);
  return true;
}
