// What the GPUs of a running job do, as far as something measures them.
import type { Job, Use } from "../api/types";
import { useResource } from "../api/resource";
import { isKey, t } from "../i18n";
import { bytes, percent } from "../i18n/format";
import { Section } from "../ui/Section";
import { Text } from "../ui/Text";
import { isOnGpus, pathId } from "./actions";

const HEIGHT = 20;

/** Strokes through the points of 0 to 1 that were measured, one unit apart; what was not, is a gap. */
export function strokes(values: (number | null)[]): string {
  return values.map((value, i) => (value === null ? "" : `${values[i - 1] == null ? "M" : "L"}${i} ${HEIGHT * (1 - value)}h.01`)).join("");
}

const last = (values: (number | null)[]): number | null => [...values].reverse().find((value) => value !== null) ?? null;

function Row({ gpu }: { gpu: Use["gpus"][number] }) {
  const [share, memory] = [last(gpu.utilization), last(gpu.mem_used_bytes)];
  return (
    <li>
      <Text value={`${gpu.node}:${gpu.gpu}`} length={24} />
      <svg class="curve" viewBox={`0 -1 ${Math.max(1, gpu.utilization.length - 1)} ${HEIGHT + 2}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="fit" d={strokes(gpu.utilization)} />
      </svg>
      <span class="num">{share === null ? "–" : percent(share)}</span>
      <span class="faint">{memory !== null && bytes(memory)}{memory !== null && gpu.mem_bytes !== null && ` / ${bytes(gpu.mem_bytes)}`}</span>
    </li>
  );
}

/** A job that has no GPUs now is asked nothing. */
export function UseSection({ job }: { job: Job }) {
  const { data } = useResource<Use>(isOnGpus(job) && job.gpus.now > 0 ? `jobs/${pathId(job)}/use` : null, { every_s: 15 });
  if (!data) return null;
  const key = `use.${data.reason ?? ""}`;
  return (
    <Section title={t("job.gpu_use")}>
      {data.gpus.length > 0 ? <ul class="gpu-use">{data.gpus.map((gpu) => <Row key={`${gpu.node}:${gpu.gpu}`} gpu={gpu} />)}</ul>
        : <p class="hint">{isKey(key) ? t(key) : <Text value={data.reason_text} length={200} />}</p>}
    </Section>
  );
}
