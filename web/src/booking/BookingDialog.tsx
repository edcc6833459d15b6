// A booking typed in a form: a new one, or one that is changed or cancelled.
import { useEffect, useState } from "preact/hooks";
import type { ReadonlySignal } from "../signals";
import { ApiError } from "../api/client";
import { locale, t } from "../i18n";
import { duration } from "../i18n/format";
import { canWrite, client, mayChange, zone } from "../state";
import { show, showOffset } from "../time/format";
import type { Model } from "../timeline/model";
import { Dialog } from "../ui/Dialog";
import { Field } from "../ui/Field";
import { Text } from "../ui/Text";
import { errorText } from "../ui/Toast";
import { type Scope, create, isSeries, remove } from "./actions";
import { type Form, type Opening, type Problems, type Refusal, endOf, isTwice, problemsOf, requestOf, startAt, startOf, takeOpening } from "./form";
import { Refused } from "./Refused";
import { RepeatFields } from "./RepeatFields";
import { type Draft, applyChange, draft } from "./state";
import { WhatFields } from "./WhatFields";
import "./booking.css";

interface FieldsProps {
  form: Form;
  problems: Problems;
  onChange: (change: Partial<Form>) => void;
}

function message(problem: Problems[keyof Problems]): string | undefined {
  return problem && t(problem);
}

function TimeFields({ form, problems, onChange }: FieldsProps) {
  const [start, end] = [startOf(form, zone.value), endOf(form, zone.value)];
  const said = (at: number | null): string => (at === null ? "" : show(at, "full", zone.value, locale()));
  const length = start !== null && end !== null && end > start ? `${said(end)} · ${duration(end - start)}` : said(end);
  return (
    <>
      <div class="pair">
        <Field label={t("booking.from")} error={message(problems.from)} hint={said(start)}>
          {(ties) => <input {...ties} type="datetime-local" required value={form.from} onInput={({ currentTarget }) => onChange(startAt(form, currentTarget.value))} />}
        </Field>
        <Field label={t("booking.to")} error={message(problems.to)} hint={length}>
          {(ties) => <input {...ties} type="datetime-local" required value={form.to} onInput={({ currentTarget }) => onChange({ to: currentTarget.value })} />}
        </Field>
      </div>
      {isTwice(form, zone.value) && (
        <label class="check">
          <input type="checkbox" checked={form.isSecond} onChange={({ currentTarget }) => onChange({ isSecond: currentTarget.checked })} />
          {t("booking.second")}
        </label>
      )}
      <p class="hint">{t("booking.zone", { zone: zone.value, offset: showOffset(zone.value, start ?? 0) })}</p>
    </>
  );
}

const SCOPES: Scope[] = ["one", "following", "all"];

function ScopeFields({ scope, onChange }: { scope: Scope; onChange: (scope: Scope) => void }) {
  return (
    <fieldset class="scope">
      <legend>{t("booking.scope")}</legend>
      {SCOPES.map((one) => (
        <label key={one} class="check">
          <input type="radio" name="scope" checked={scope === one} onChange={() => onChange(one)} />
          {t(`booking.scope.${one}`)}
        </label>
      ))}
    </fieldset>
  );
}

function NameFields({ form, onChange }: FieldsProps) {
  return (
    <div class="pair">
      <Field label={t("booking.name")}>
        {(ties) => <input {...ties} value={form.name} maxLength={200} autofocus onInput={({ currentTarget }) => onChange({ name: currentTarget.value })} />}
      </Field>
      <Field label={t("booking.project")} hint={t("booking.project_hint")}>
        {(ties) => <input {...ties} value={form.project} maxLength={200} onInput={({ currentTarget }) => onChange({ project: currentTarget.value })} />}
      </Field>
    </div>
  );
}

/** What the daemon said: that it fits, who is in the way, or what is wrong. */
type Answer = { refusal: Refusal } | { error: string } | "fits" | null;

function answerOf(reason: unknown): Answer {
  const body = reason instanceof ApiError ? (reason.body as Partial<Refusal> | null) : null;
  if (body && Array.isArray(body.openings) && Array.isArray(body.conflicts) && body.conflicts.length + body.openings.length > 0) {
    return { refusal: body as Refusal };
  }
  return { error: errorText(reason) };
}

const REST_MS = 500;

/** Whether what the form asks for could be had, asked when it has been at rest. */
function useTrial(body: string, tell: (answer: Answer) => void): void {
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      if (body) client.send("POST", "reservations?try=1", JSON.parse(body), stop.signal)
        .then(() => tell("fits"), (reason: unknown) => stop.signal.aborted || tell(answerOf(reason)));
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [body]);
}

function useDraft(opened: Draft) {
  const [form, setForm] = useState(opened.form);
  const [scope, setScope] = useState<Scope>(opened.scope);
  const [answer, setAnswer] = useState<Answer>(null);
  const [isBusy, setBusy] = useState(false);
  const [isTried, setTried] = useState(false);
  const found = problemsOf(form, zone.value);
  const isAsked = !opened.booked && canWrite.value && !isBusy && !Object.keys(found).length;
  useTrial(isAsked ? JSON.stringify(requestOf(form, zone.value)) : "", setAnswer);

  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    try {
      await work();
      draft.value = null;
    } catch (reason) {
      setAnswer(answerOf(reason));
      setBusy(false);
    }
  }
  function save(wanted: Form): void {
    setTried(true);
    if (Object.keys(problemsOf(wanted, zone.value)).length > 0) return;
    void run(() => (opened.booked ? applyChange({ ...opened, form: wanted, scope }) : create(requestOf(wanted, zone.value))));
  }
  return {
    form, scope, answer, isBusy, problems: isTried ? found : {}, setScope, save,
    edit: (change: Partial<Form>): void => {
      setForm({ ...form, ...change });
      setAnswer(null);
    },
    take: (opening: Opening): void => {
      const taken = takeOpening(form, opening, zone.value);
      setForm(taken);
      save(taken);
    },
    cancel: (): void => void (opened.booked && run(() => remove(opened.booked!, scope))),
  };
}

function Shell({ opened, model }: { opened: Draft; model: Model }) {
  const { form, scope, answer, isBusy, problems, setScope, save, edit, take, cancel } = useDraft(opened);
  const { booked } = opened;
  const mayEdit = !booked || mayChange(booked.user);
  const hasScope = booked !== null && isSeries(booked);
  const isWhole = !hasScope || scope === "all";
  const fields = { form, problems, onChange: edit };
  return (
    <Dialog wide title={booked ? <Title opened={opened} /> : t("booking.title")} onClose={() => (draft.value = null)}>
      <form class="booking" noValidate onSubmit={(event) => { event.preventDefault(); save(form); }}>
        <fieldset class="bare" disabled={!mayEdit || isBusy}>
          {isWhole && <NameFields {...fields} />}
          <TimeFields {...fields} />
          <WhatFields {...fields} model={model} />
          {isWhole && <RepeatFields repeat={form.repeat} error={message(problems.rule)} onChange={(repeat) => edit({ repeat })} />}
          <Field label={t("booking.flex")} hint={t("booking.flex_hint")} error={message(problems.flex)}>
            {(ties) => <input {...ties} value={form.flex} placeholder="2h" onInput={({ currentTarget }) => edit({ flex: currentTarget.value })} />}
          </Field>
          {hasScope && <ScopeFields scope={scope} onChange={setScope} />}
        </fieldset>
        {answer && typeof answer === "object" && "error" in answer && <p class="error" role="alert">{answer.error}</p>}
        {answer && typeof answer === "object" && "refusal" in answer && <Refused refusal={answer.refusal} start={startOf(form, zone.value)} isBusy={isBusy} onTake={take} />}
        <footer>
          {booked && mayEdit && <button type="button" class="danger" disabled={isBusy} onClick={cancel}>{t("booking.cancel")}</button>}
          {!mayEdit && <span class="hint">{t("booking.not_yours")}</span>}
          <span class="grow good" role="status">{answer === "fits" && t("booking.fits")}</span>
          {mayEdit && <button class="primary" disabled={isBusy}>{booked ? t("booking.save") : t("booking.book")}</button>}
        </footer>
      </form>
    </Dialog>
  );
}

function Title({ opened }: { opened: Draft }) {
  const { booked } = opened;
  if (!booked) return null;
  return (
    <>
      {booked.ref} <Text value={booked.name} length={40} /> <small class="faint"><Text value={booked.user} length={24} /></small>
    </>
  );
}

export function BookingDialog({ model }: { model: ReadonlySignal<Model> }) {
  const opened = draft.value;
  return opened && <Shell key={`${opened.booked?.ref ?? ""} ${opened.form.from} ${opened.form.places}`} opened={opened} model={model.value} />;
}
