// Which jobs are about to start.
import type { Job } from "../api/types";

const SOON_S = 5 * 60;

/** Jobs that start within five minutes and of which it has not been said, with the minutes. */
export function startingSoon(jobs: readonly Job[], at: number, said: ReadonlySet<number>): { job: Job; minutes: number }[] {
  return jobs.flatMap((job) => {
    const left = (job.start?.p50 ?? Infinity) - at;
    return left >= 0 && left <= SOON_S && !said.has(job.id) ? [{ job, minutes: Math.max(1, Math.round(left / 60)) }] : [];
  });
}
