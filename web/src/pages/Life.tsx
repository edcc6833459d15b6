// What became of a job and what is foreseen, on one line from submission to end.
import type { Job } from "../api/types";
import { t, type Key } from "../i18n";
import { duration, instant } from "../i18n/format";
import { now, zone } from "../state";
import { hasEnded, isOnGpus } from "./actions";

export interface Stretch {
  kind: "waited" | "waits" | "ran" | "runs" | "late";
  from: number;
  to: number;
}

/** The stretches of a job's life as known at `at`, in order and without gaps. */
export function stretchesOf(job: Job, at: number): Stretch[] {
  const start = job.started_at ?? (hasEnded(job) ? null : job.start?.p50 ?? null);
  const found: Stretch[] = [];
  const add = (kind: Stretch["kind"], from: number, to: number): void => {
    if (to - from >= 1) found.push({ kind, from, to });
  };
  if (start === null) {
    add("waited", job.submitted_at, job.ended_at ?? at);
    return found;
  }
  add("waited", job.submitted_at, Math.min(start, at));
  add("waits", Math.max(at, job.submitted_at), start);
  const end = job.ended_at ?? job.end?.p50 ?? null;
  if (job.started_at !== null) add("ran", start, job.ended_at ?? at);
  if (hasEnded(job) || end === null) return found;
  add("runs", Math.max(at, start), end);
  add("late", Math.max(end, at), job.end?.p90 ?? end);
  return found;
}

const WORDS: Record<Stretch["kind"], Key> = {
  waited: "life.waited", waits: "life.waits", ran: "life.ran", runs: "life.runs", late: "life.late",
};
const WIDTH = 1000;
const HEIGHT = 26;
const TICKS = 4;

export function Life({ job }: { job: Job }) {
  const at = now.value;
  const stretches = stretchesOf(job, at);
  const first = stretches[0]?.from ?? job.submitted_at;
  const last = stretches.at(-1)?.to ?? first;
  if (last - first < 1) return null;
  const x = (time: number): number => ((time - first) / (last - first)) * WIDTH;
  const words = stretches.map(({ kind, from, to }) => `${t(WORDS[kind])} ${duration(to - from)}`);
  return (
    <figure class="life">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words.join(", ")}>
        {stretches.map(({ kind, from, to }) => (
          <rect key={kind} class={`life-${kind}`} x={x(from)} width={Math.max(2, x(to) - x(from))} y="4" height="18">
            <title>{`${t(WORDS[kind])} ${duration(to - from)}`}</title>
          </rect>
        ))}
        {(isOnGpus(job) || !hasEnded(job)) && at < last && <rect class="life-now" x={x(at)} width="3" height={HEIGHT} />}
      </svg>
      <div class="life-ticks" aria-hidden="true">
        {Array.from({ length: TICKS + 1 }, (_, i) => (
          <span key={i}>{instant(first + ((last - first) * i) / TICKS, zone.value, at)}</span>
        ))}
      </div>
      <figcaption>
        {stretches.map(({ kind, from, to }) => (
          <span key={kind} class={`key-${kind}`}>{t(WORDS[kind])} {duration(to - from)}</span>
        ))}
      </figcaption>
    </figure>
  );
}
