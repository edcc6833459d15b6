// The first screen: my jobs, when they start and end, and what they wait for.
import { useSignal } from "../signals";
import type { Job } from "../api/types";
import { useResource } from "../api/resource";
import { t, tx } from "../i18n";
import { hashOf } from "../route";
import { session } from "../state";
import { StateIcon } from "../ui/StateIcon";
import { Text } from "../ui/Text";
import { Problem } from "../ui/Problem";
import { Section } from "../ui/Section";
import { hasEnded, isOnGpus } from "./actions";
import { Actions, Eta, JobLink, placeText, Progress, Reason } from "./JobParts";

const ENDED_SHOWN = 8;
const ICONS_SHOWN = 5;
const ACTIVE_SHOWN = 6;
const FEW = 2;

interface List {
  jobs: Job[];
}

function gpuText(job: Job): string {
  const { now, min, max } = job.gpus;
  if (max === 0) return t("job.no_gpus");
  if (now > 0) return t("job.gpus", { n: now });
  return min === max ? t("job.gpus", { n: max }) : t("job.gpus_range", { min, n: max });
}

function Elements({ job }: { job: Job }) {
  const array = job.array;
  if (!array) return null;
  return (
    <span class="faint">
      {t("job.elements", {
        n: array.elements, pending: array.pending, running: array.running, done: array.done, failed: array.failed,
      })}
    </span>
  );
}

/** One job in a few words; everything else is a click away. */
export function JobCard({ job, showsUser }: { job: Job; showsUser: boolean }) {
  const place = placeText(job.where);
  return (
    <li class={`job-card ${hasEnded(job) ? "ended" : ""}`} data-job={job.id}>
      <div class="what">
        <span class="state-word">
          <StateIcon state={job.state} />
          <span class={`word-${job.state}`}>{t(`state.${job.state}`)}</span>
        </span>
        <JobLink job={job} />
        <span class="faint">
          <span class="num">{job.array_index !== null ? `${job.array_id}_${job.array_index}` : job.id}</span>
          {showsUser && <> · <Text value={job.user} length={20} /></>}
          {job.project && <> · <Text value={job.project} length={24} /></>}
        </span>
      </div>
      <div class="when">
        <div><Eta job={job} /></div>
        <Progress job={job} />
      </div>
      <div class="where">
        {gpuText(job)} {place && <Text value={place} length={40} class="faint" />}
      </div>
      <div class="why">
        <Elements job={job} />
        {!isOnGpus(job) && job.state !== "held" && job.exit_code !== 0 && <Reason job={job} />}
      </div>
      <Actions job={job} />
    </li>
  );
}

/** Nothing of mine: how to begin. */
function Empty() {
  return (
    <div class="empty">
      <h2>{t("mine.empty_title")}</h2>
      <p>{t("mine.empty_text")}</p>
      <pre class="mono">baleen run --gpus 1 -t 2h -- python train.py</pre>
      <p><a class="button primary" href={hashOf("submit")}>{t("submit.title")}</a></p>
    </div>
  );
}

/** What needs a look first stands first: running, then by expected start, then what is held. */
export function inOrder(jobs: Job[]): Job[] {
  const rank = (job: Job): number => (isOnGpus(job) ? 0 : job.state === "held" ? 2 : 1);
  const soon = (job: Job): number => (rank(job) === 0 ? job.end?.p50 : job.start?.p50) ?? Number.MAX_VALUE;
  return [...jobs].sort((a, b) => rank(a) - rank(b) || soon(a) - soon(b) || a.id - b.id);
}

export function few(jobs: Job[]): Job[] {
  return jobs.filter((job) => job.array_id === null).slice(0, ACTIVE_SHOWN);
}

interface CardsProps {
  jobs: Job[];
  showsUser: boolean;
}

function Cards({ jobs, showsUser }: CardsProps) {
  return <ul class="jobs">{jobs.map((job) => <JobCard key={job.id} job={job} showsUser={showsUser} />)}</ul>;
}

const ELEMENTS_SHOWN = 20;
const ELEMENTS_MAX = 1000;

/** Those of an array, with those that have not started; more on demand. */
export function ElementsSection({ job }: { job: Job }) {
  const most = useSignal(ELEMENTS_SHOWN);
  const { data } = useResource<List>(`jobs?array=${job.id}&expand=1&limit=${most.value}`, { on: ["job"] });
  const left = (job.array?.elements ?? 0) - most.value;
  if (!data?.jobs.length) return null;
  return (
    <Section title={t("job.elements_title")}>
      <p class="hint"><Elements job={job} /></p>
      <Cards jobs={data.jobs} showsUser={false} />
      {left > 0 && <button type="button" class="link" onClick={() => (most.value = Math.min(ELEMENTS_MAX, most.value * 5))}>{t("mine.more", { n: left })}</button>}
    </Section>
  );
}

/** So many that the calendar below stays in view; the others, and elements of arrays, on demand. */
function Active({ jobs, showsUser }: CardsProps) {
  const showsAll = useSignal(false);
  const shown = showsAll.value ? jobs : few(jobs);
  return (
    <>
      <Cards jobs={shown} showsUser={showsUser} />
      {shown.length < jobs.length && (
        <button type="button" class="link" onClick={() => (showsAll.value = true)}>{t("mine.more", { n: jobs.length - shown.length })}</button>
      )}
    </>
  );
}

/** Folded while more than a few others run or wait. */
function Ended({ who, showsUser, isOpen }: { who: string; showsUser: boolean; isOpen: boolean }) {
  const { data } = useResource<List>(`jobs?state=ended${who}&last=${ENDED_SHOWN}`, { on: ["job"] });
  if (!data?.jobs.length) return null;
  const jobs = [...data.jobs].sort((a, b) => (b.ended_at ?? 0) - (a.ended_at ?? 0));
  return (
    <details class="ended-jobs" open={isOpen}>
      <summary>
        <h2>{t("mine.ended")}</h2> {jobs.slice(0, ICONS_SHOWN).map((job) => <StateIcon key={job.id} state={job.state} />)}
      </summary>
      <Cards jobs={jobs} showsUser={showsUser} />
    </details>
  );
}

export function Mine() {
  const isMine = session.value?.user != null;
  const who = isMine ? "&user=@" : "";
  const { data, error, reload } = useResource<List>(`jobs?state=active${who}&limit=200`, { on: ["job"] });
  if (!data) return <Problem error={error} retry={reload} />;
  return (
    <>
      <section aria-labelledby="mine-title">
        <h1 id="mine-title">{isMine ? t("nav.mine") : t("mine.title_all")}</h1>
        <Summary jobs={data.jobs} />
        {data.jobs.length === 0 && isMine && <Empty />}
        <Active jobs={inOrder(data.jobs)} showsUser={!isMine} />
      </section>
      <Ended who={who} showsUser={!isMine} isOpen={data.jobs.length <= FEW} />
    </>
  );
}

function Summary({ jobs }: { jobs: Job[] }) {
  const gpus = jobs.reduce((sum, job) => sum + (job.array ? 0 : job.gpus.now), 0);
  const running = jobs.filter((job) => isOnGpus(job) && !job.array).length;
  const waiting = jobs.filter((job) => !isOnGpus(job)).length;
  if (!jobs.length) return null;
  return (
    <p class="summary">
      {tx("mine.summary", {
        running: <strong key="r">{t("mine.running", { n: running })}</strong>,
        gpus: t("job.gpus", { n: gpus }),
        waiting: t("mine.waiting", { n: waiting }),
      })}
    </p>
  );
}
