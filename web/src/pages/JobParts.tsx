// Pieces of a job that several pages show.
import type { Job, Place, Range } from "../api/types";
import { t } from "../i18n";
import { percent } from "../i18n/format";
import { hashOf } from "../route";
import { reasonText } from "../reasons";
import { now, zone } from "../state";
import { Text } from "../ui/Text";
import { Ago, When, WhenRange } from "../ui/When";
import { act, hasEnded, isOnGpus, verbsOf, type Verb } from "./actions";

/** Numbers in few words: 0,1,2,5 -> "0-2,5". */
export function spans(numbers: number[]): string {
  const sorted = [...numbers].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; i++) {
    const first = sorted[i];
    while (sorted[i + 1] === (sorted[i] ?? NaN) + 1) i++;
    parts.push(first === sorted[i] ? `${first}` : `${first}-${sorted[i]}`);
  }
  return parts.join(",");
}

export function placeText(where: Place[]): string {
  return where.map(({ node, gpus }) => (gpus?.length ? `${node}:${spans(gpus)}` : node)).join(" ");
}

export function JobLink({ job }: { job: Pick<Job, "id" | "name" | "array_id" | "array_index"> }) {
  return (
    <a class="job-link" href={hashOf("job", String(job.id))}>
      <Text value={job.name || String(job.id)} length={48} />
    </a>
  );
}

export function Reason({ job }: { job: Job }) {
  const text = reasonText(job, zone.value, now.value);
  return text ? <Text value={text} length={160} class="reason" /> : null;
}

const WORDS: Record<Verb, "action.cancel" | "action.hold" | "action.release" | "action.requeue"> = {
  cancel: "action.cancel",
  hold: "action.hold",
  release: "action.release",
  requeue: "action.requeue",
};

export function Actions({ job }: { job: Job }) {
  return (
    <span class="actions">
      {verbsOf(job).map((verb) => (
        <button key={verb} type="button" class={verb === "cancel" ? "danger" : ""} onClick={() => act(job, verb)}>
          {t(WORDS[verb])}
        </button>
      ))}
    </span>
  );
}

/** Between 0 and 1: what the job says of itself, or how much of the time until its end is over. */
export function doneRatio(job: Job, at: number): number | null {
  if (job.progress !== null) return Math.min(1, Math.max(0, job.progress));
  const end = job.end?.p50;
  if (!isOnGpus(job) || job.started_at === null || !end || end <= job.started_at) return null;
  return Math.min(1, Math.max(0, (at - job.started_at) / (end - job.started_at)));
}

/** An SVG, as widths in style attributes are not allowed here. */
export function Progress({ job }: { job: Job }) {
  const ratio = doneRatio(job, now.value);
  if (ratio === null) return null;
  const label = job.progress !== null ? t("job.progress_said") : t("job.progress_time");
  return (
    <span class="progress" title={label}>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={`${label} ${percent(ratio)}`}>
        <rect width="100" height="6" class="track" />
        <rect width={ratio * 100} height="6" class={job.progress !== null ? "fill" : "fill by-time"} />
      </svg>
      <span class="num">{percent(ratio)}</span>
    </span>
  );
}

/** "· in 12 minutes", where the instant is known. */
function Distance({ range }: { range: Range | null }) {
  return range?.p50 != null ? <span class="faint distance"> · <Ago at={range.p50} /></span> : null;
}

/** The one instant that matters now: when it starts, when it will be done, when it ended. */
export function Eta({ job }: { job: Job }) {
  if (hasEnded(job)) return job.ended_at !== null ? <>{t("eta.ended")} <When at={job.ended_at} /></> : null;
  if (isOnGpus(job)) return <>{t("eta.ends")} <WhenRange range={job.end} /><Distance range={job.end} /></>;
  if (job.state === "held") return <span class="faint">{t("eta.held")}</span>;
  return <>{t("eta.starts")} <WhenRange range={job.start} /><Distance range={job.start} /></>;
}
