// Why a job is not running yet, who holds what it needs, and what would make it start sooner.
import type { Instead, JobDetails, Neighbour, Why } from "../api/types";
import { useResource } from "../api/resource";
import { t, tx } from "../i18n";
import { hashOf } from "../route";
import { mayChange, now, zone } from "../state";
import { reasonText } from "../reasons";
import { Section } from "../ui/Section";
import { StateIcon } from "../ui/StateIcon";
import { Text } from "../ui/Text";
import { When, WhenRange } from "../ui/When";
import { change, hasEnded, isOnGpus, pathId } from "./actions";

const SHOWN = 8;

function Neighbours({ title, list, count }: { title: string; list: Neighbour[]; count: number }) {
  if (!count) return null;
  return (
    <div class="neighbours">
      <h3>{title}</h3>
      <ul>
        {list.slice(0, SHOWN).map((one) => (
          <li key={one.id}>
            <StateIcon state={one.state} />
            <a href={hashOf("job", String(one.id))} class="num">{one.id}</a> <Text value={one.user} length={24} />
            {" · "}{t("job.gpus", { n: one.gpus })}
            {one.until !== null && <> · {tx("why.until", { at: <When key="at" at={one.until} /> })}</>}
          </li>
        ))}
      </ul>
      {count > SHOWN && <p class="faint">{t("mine.more", { n: count - Math.min(SHOWN, list.length) })}</p>}
    </div>
  );
}

function Nodes({ nodes }: { nodes: Why["nodes"] }) {
  if (!nodes.length) return null;
  return (
    <div class="neighbours">
      <h3>{t("why.nodes")}</h3>
      <ul>
        {nodes.slice(0, SHOWN).map((node) => (
          <li key={node.name}>
            <Text value={node.name} length={32} /> · {t("why.free", { n: node.gpus_free, all: node.gpus })}
            {node.state !== "up" && <> · <Text value={node.state} /></>}
          </li>
        ))}
      </ul>
      {nodes.length > SHOWN && <p class="faint">{t("mine.more", { n: nodes.length - SHOWN })}</p>}
    </div>
  );
}

/** The values that a change replaces, to take it back with; null where not all of them are known. */
export function backOf(job: JobDetails, set: Record<string, unknown>): Record<string, unknown> | null {
  const now: Record<string, unknown> = {
    gpus: job.gpus.min === job.gpus.max ? job.gpus.max : `${job.gpus.min}-${job.gpus.max}`,
    limit: job.limit_s !== null ? `${Math.round(job.limit_s)}s` : null,
    priority: job.priority,
    not_before: job.not_before_at,
    gpu_type: job.gpu_types,
    nodes: job.nodes_max,
    class: job.class,
  };
  const keys = Object.keys(set);
  return keys.every((key) => key in now) ? Object.fromEntries(keys.map((key) => [key, now[key]])) : null;
}

const labelOf = ({ flags, set }: Instead): string =>
  flags ?? Object.entries(set).map(([key, value]) => `${key}=${String(value)}`).join(" ");

function Choice({ job, instead }: { job: JobDetails; instead: Instead }) {
  const when = instead.now ? t("why.now") : <WhenRange range={instead.start} />;
  return (
    <li>
      <button type="button" onClick={() => void change(job, instead.set, backOf(job, instead.set))}>
        <code><bdi>{labelOf(instead)}</bdi></code>
        <span>{tx("why.instead_starts", { when })}</span>
        {instead.before && <span class="faint">{tx("why.instead_before", { ref: <bdi key="b">{instead.before}</bdi> })}</span>}
      </button>
    </li>
  );
}

/** Each change is a button: it is made at once, and can be taken back. */
function Sooner({ job, list }: { job: JobDetails; list: Instead[] }) {
  if (!list.length || !mayChange(job.user)) return null;
  return (
    <div class="sooner">
      <h3>{t("why.sooner")}</h3>
      <ul>{list.map((instead) => <Choice key={labelOf(instead)} job={job} instead={instead} />)}</ul>
    </div>
  );
}

export function WhySection({ job }: { job: JobDetails }) {
  const asks = !hasEnded(job) && !isOnGpus(job);
  const { data } = useResource<Why>(asks ? `why/${pathId(job)}` : null, { on: ["job", "node", "reservation"], every_s: 15 });
  const reason = reasonText(data ?? job, zone.value, now.value);
  if (!reason) return null;
  return (
    <Section title={t(asks ? "why.title" : hasEnded(job) ? "why.title_ended" : "why.title_started")} class={asks ? "why-section waits" : "why-section"}>
      <p class="because"><Text value={reason} length={400} /></p>
      {asks && data && (
        <>
          <p>{t("eta.starts")} <WhenRange range={data.start} /></p>
          <Sooner job={job} list={data.instead ?? []} />
          <div class="columns">
            <Neighbours title={t("why.running")} list={data.running} count={data.running_count} />
            <Neighbours title={t("why.ahead")} list={data.ahead} count={data.ahead_count} />
            <Nodes nodes={data.nodes} />
          </div>
        </>
      )}
    </Section>
  );
}
