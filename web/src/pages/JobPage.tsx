// Everything about one job.
import { useSignal } from "../signals";
import type { ComponentChildren } from "preact";
import type { Job, JobDetails } from "../api/types";
import { useResource } from "../api/resource";
import { t, type Key } from "../i18n";
import { bytes, duration, number } from "../i18n/format";
import { hashOf } from "../route";
import { client, isSignedIn, mayChange } from "../state";
import { bound } from "../ui/Field";
import { Problem } from "../ui/Problem";
import { Section } from "../ui/Section";
import { State } from "../ui/StateIcon";
import { Text, WholeText } from "../ui/Text";
import { toast, toastError } from "../ui/Toast";
import { When, WhenRange } from "../ui/When";
import { hasEnded, pathId } from "./actions";
import { Attempts } from "./Attempts";
import { CurveSection } from "./Curve";
import { ElementsSection } from "./Mine";
import { Actions, placeText, Progress } from "./JobParts";
import { Life } from "./Life";
import { Log } from "./Log";
import { UseSection } from "./Use";
import { WhySection } from "./Why";

function Fact({ name, children }: { name: Key; children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{t(name)}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function gpuRange({ gpus: { min, want, max, now }, array }: Job): string {
  const wish = min === max ? number(max) : `${number(min)}–${number(max)} (${number(want)})`;
  return now > 0 && now !== max && !array ? t("job.gpus_of", { n: now, wish }) : wish;
}

function Times({ job }: { job: JobDetails }) {
  return (
    <>
      <Fact name="job.submitted"><When at={job.submitted_at} /></Fact>
      {job.started_at !== null ? <Fact name="job.started"><When at={job.started_at} /></Fact>
        : !hasEnded(job) && <Fact name="job.starts"><WhenRange range={job.start} /></Fact>}
      {job.promised_at !== null && <Fact name="job.promised"><When at={job.promised_at} /></Fact>}
      {job.ended_at !== null ? <Fact name="job.ended"><When at={job.ended_at} /></Fact>
        : <Fact name="job.ends"><WhenRange range={job.end} /></Fact>}
      <Fact name="job.limit">{job.limit_s !== null ? duration(job.limit_s) : t("report.none")}</Fact>
    </>
  );
}

function Resources({ job }: { job: JobDetails }) {
  return (
    <>
      <Fact name="job.gpus_label">
        {gpuRange(job)} {job.gpu_types?.map((type) => <Text key={type} value={type} length={24} class="tag" />)}
      </Fact>
      {job.where.length > 0 && <Fact name="job.where"><Text value={placeText(job.where)} length={120} /></Fact>}
      <Fact name="job.cpus">{number(job.cpus)} · {bytes(job.mem_bytes)}</Fact>
      {job.exit_code !== null && hasEnded(job) && <Fact name="job.exit">{number(job.exit_code)}</Fact>}
      {job.reservation && <Fact name="job.reservation"><Text value={job.reservation} /></Fact>}
      {job.after.length > 0 && (
        <Fact name="job.after">
          {job.after.map(({ job: id, kind }) => <a key={id} href={hashOf("job", String(id))}>{id}:{kind} </a>)}
        </Fact>
      )}
    </>
  );
}

/** For an elastic job: how many GPUs it shall have. */
function Resize({ job }: { job: JobDetails }) {
  const count = useSignal(String(job.gpus_wish ?? job.gpus.now));
  if (job.gpus.min === job.gpus.max || hasEnded(job) || !mayChange(job.user)) return null;
  const resize = (gpus: number): void => void client.send("POST", `jobs/${pathId(job)}/resize`, { gpus })
    .then(() => toast({ text: t("done.resize") }), toastError);
  return (
    <form class="row resize" onSubmit={(event) => { event.preventDefault(); resize(Number(count.value)); }}>
      <label for="resize">{t("job.resize")}</label>
      <input id="resize" type="number" min={job.gpus.min} max={job.gpus.max} {...bound(count)} />
      <button type="submit">{t("action.resize")}</button>
      {job.gpus_wish !== null && <button type="button" class="link" onClick={() => resize(0)}>{t("job.resize_free")}</button>}
    </form>
  );
}

function Details({ job }: { job: JobDetails }) {
  const command = Array.isArray(job.command) ? job.command.join(" ") : job.command;
  return (
    <Section title={t("job.details")}>
      <dl class="facts long">
        <Fact name="job.name"><WholeText value={job.name} /></Fact>
        {command && <Fact name="job.command"><WholeText value={command} /></Fact>}
        {job.workdir && <Fact name="job.workdir"><WholeText value={job.workdir} /></Fact>}
        {job.log && <Fact name="job.log"><WholeText value={job.log} /></Fact>}
        {job.pid !== null && <Fact name="job.pid">{String(job.pid)}</Fact>}
        <Fact name="job.class">{t(`class.${job.class}`)}</Fact>
      </dl>
    </Section>
  );
}

function Head({ job }: { job: JobDetails }) {
  return (
    <header class="job-head">
      <div>
        <h1><Text value={job.name || String(job.id)} length={80} /></h1>
        <p class="faint">
          <State state={job.state} /> · <span class="num">{job.id}</span>
          {job.array_id !== null && <> · <a href={hashOf("job", String(job.array_id))}>{job.array_id}[{job.array_index}]</a></>} · <Text value={job.user} length={32} />
          {job.project && <> · <Text value={job.project} length={32} /></>}
        </p>
      </div>
      <Actions job={job} />
    </header>
  );
}

export function JobPage({ id }: { id: string }) {
  const { data: job, error, reload } = useResource<JobDetails>(`jobs/${encodeURIComponent(id)}`, { on: ["job"], every_s: 5 });
  if (!job) return <Problem error={error} retry={reload} />;
  return (
    <article class="job-page" data-job={job.id}>
      <Head job={job} />
      <Progress job={job} />
      {!job.array && <Life job={job} />}
      <dl class="facts"><Times job={job} /><Resources job={job} /></dl>
      <Resize job={job} />
      <WhySection job={job} />
      {job.array && <ElementsSection job={job} />}
      {isSignedIn.value && <CurveSection id={pathId(job)} now={job.gpus.now} />}
      <Attempts job={job} />
      {isSignedIn.value && <UseSection job={job} />}
      {isSignedIn.value && job.attempt > 0 && <Log key={job.id} job={job} />}
      <Details job={job} />
    </article>
  );
}
