// A form for a job, with the start that is foreseen for it before it is submitted.
import { useSignal, type Signal } from "../signals";
import type { ComponentChildren } from "preact";
import { ApiError } from "../api/client";
import { noteChange, useResource } from "../api/resource";
import type { Job, Node } from "../api/types";
import { t, tx, type Key } from "../i18n";
import { hashOf } from "../route";
import { canWrite, client, session } from "../state";
import { Field } from "../ui/Field";
import { Text } from "../ui/Text";
import { errorText, toast } from "../ui/Toast";
import { visible } from "../ui/visible";
import { bodyOf, EMPTY, fieldOf, messageOf, type Values } from "./jobForm";
import { Prediction } from "./Prediction";

const KEPT = "baleen.submit";

interface Form {
  values: Signal<Values>;
  error: Signal<ApiError | null>;
}

type TextField = { [K in keyof Values]: Values[K] extends string ? K : never }[keyof Values];

interface InputProps {
  form: Form;
  name: TextField;
  label: Key;
  hint?: ComponentChildren;
  placeholder?: string;
  options?: [string, string][];
  isLong?: boolean;
}

function Input({ form, name, label, hint, placeholder, options, isLong = false }: InputProps) {
  const { values, error } = form;
  const wrong = error.value && fieldOf(error.value) === name ? visible(messageOf(error.value)) : null;
  const set = (event: { currentTarget: { value: string } }): void => {
    values.value = { ...values.value, [name]: event.currentTarget.value };
  };
  const common = { name, value: values.value[name], onInput: set };
  let input = <input {...common} placeholder={placeholder} spellcheck={false} autocomplete="off" />;
  if (isLong) input = <textarea {...common} rows={7} class="mono" spellcheck={false} placeholder={placeholder} required />;
  if (options) input = <select {...common}>{options.map(([value, word]) => <option key={value} value={value}>{word}</option>)}</select>;
  return <Field label={t(label)} hint={hint} error={wrong}>{input}</Field>;
}

function Check({ form, name, label }: { form: Form; name: "hold" | "promise"; label: Key }) {
  const { values } = form;
  return (
    <label class="check">
      <input type="checkbox" name={name} checked={values.value[name]}
        onChange={(event) => (values.value = { ...values.value, [name]: event.currentTarget.checked })} />
      {t(label)}
    </label>
  );
}

/** Types that a job may ask for. */
function useTypes(): [string, string][] {
  const { data } = useResource<{ nodes: Node[] }>("nodes", { every_s: 60 });
  const types = [...new Set(data?.nodes.map((node) => node.gpu_type).filter((type) => type !== null))].sort();
  return [["", t("gpu.any")], ...types.map((type): [string, string] => [type, visible(type)])];
}

/** Begins with what was asked for last time, and in the folder of the last job, from wherever it came. */
function useFormOfLastTime(): Form {
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Partial<Values>;
  const values = useSignal<Values>({ ...EMPTY, workdir: session.value?.workdir ?? "", ...kept });
  const error = useSignal<ApiError | null>(null);
  return { values, error };
}

async function submit({ values, error }: Form): Promise<void> {
  const { workdir, project, limit, gpus } = values.value;
  try {
    const job = await client.send<Job>("POST", "jobs", bodyOf(values.value));
    localStorage.setItem(KEPT, JSON.stringify({ workdir, project, limit, gpus }));
    noteChange("job");
    toast({ text: tx("done.submit", { name: <Text key="n" value={job.name || String(job.id)} length={40} /> }) });
    location.hash = hashOf("job", String(job.id));
  } catch (reason) {
    error.value = reason instanceof ApiError ? reason : new ApiError(0, "unknown", String(reason));
  }
}

function More({ form }: { form: Form }) {
  const classes: [string, string][] = [
    ["batch", t("class.batch")], ["interactive", t("class.interactive")], ["preemptible", t("class.preemptible")],
  ];
  return (
    <details class="more">
      <summary>{t("submit.more")}</summary>
      <div class="grid">
        <Input form={form} name="class" label="job.class" options={classes} />
        <Input form={form} name="cpus" label="submit.cpus" placeholder="8/gpu" />
        <Input form={form} name="mem" label="submit.mem" placeholder="64GB" />
        <Input form={form} name="array" label="submit.array" placeholder="0-9%2" />
        <Input form={form} name="after" label="job.after" placeholder="17:ok" hint={t("submit.after_hint")} />
        <Input form={form} name="not_before" label="submit.not_before" placeholder="16:00" hint={t("drain.at_hint")} />
        <Input form={form} name="reservation" label="job.reservation" placeholder="r17" />
      </div>
      <div class="row">
        <Check form={form} name="hold" label="submit.hold" />
        <Check form={form} name="promise" label="submit.promise" />
      </div>
    </details>
  );
}

export function Submit() {
  const form = useFormOfLastTime();
  const types = useTypes();
  const { error } = form;
  const isElsewhere = error.value && !fieldOf(error.value);
  if (!canWrite.value) return <p class="problem">{t("submit.read_only")}</p>;
  return (
    <>
      <h1>{t("submit.title")}</h1>
      <form class="submit" onSubmit={(event) => { event.preventDefault(); error.value = null; void submit(form); }}>
        <div class="fields">
          <Input form={form} name="run" label="submit.run" isLong placeholder={"python train.py"} hint={t("submit.run_hint")} />
          <div class="grid">
            <Input form={form} name="name" label="job.name" />
            <Input form={form} name="gpus" label="job.gpus_label" placeholder="4, 2-8" hint={t("submit.gpus_hint")} />
            <Input form={form} name="gpu_type" label="submit.gpu_type" options={types} />
            <Input form={form} name="limit" label="job.limit" placeholder="2h30m" hint={t("submit.limit_hint")} />
            <Input form={form} name="workdir" label="job.workdir" placeholder="/home/me/run" />
            <Input form={form} name="project" label="booking.project" />
          </div>
          <More form={form} />
        </div>
        <aside>
          <Prediction values={form.values} />
          {isElsewhere && <p class="error" role="alert">{error.value && (error.value.status ? visible(messageOf(error.value)) : errorText(error.value))}</p>}
          <button type="submit" class="primary">{t("nav.submit")}</button>
        </aside>
      </form>
    </>
  );
}
