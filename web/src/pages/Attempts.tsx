// Each run of a job that was put back, moved or tried again: when, on what, and why it ended.
import type { JobDetails } from "../api/types";
import { t } from "../i18n";
import { duration } from "../i18n/format";
import { reasonText } from "../reasons";
import { now, zone } from "../state";
import { Section } from "../ui/Section";
import { Text } from "../ui/Text";
import { When } from "../ui/When";
import { hasEnded, isOnGpus } from "./actions";
import { placeText } from "./JobParts";

/** A single run that goes on, or was the last, is what the page is about anyhow. */
export function Attempts({ job }: { job: JobDetails }) {
  const isPlain = hasEnded(job) || isOnGpus(job) ? 1 : 0;
  if (job.attempts.length <= isPlain) return null;
  return (
    <Section title={t("job.attempts")}>
      <div class="scroll card" tabIndex={0}>
        <table class="attempts">
          <tbody>
            {job.attempts.map((run) => (
              <tr key={run.attempt}>
                <th scope="row">{run.attempt}</th>
                <td>{t(`state.${run.outcome ?? job.state}`)}</td>
                <td>{run.started_at !== null && <><When at={run.started_at} /> · {duration((run.ended_at ?? now.value) - run.started_at)}</>}</td>
                <td>{t("job.gpus", { n: run.gpus })} <Text value={placeText(run.where)} length={40} class="faint" /></td>
                <td><Text value={reasonText(run, zone.value, now.value)} length={160} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
