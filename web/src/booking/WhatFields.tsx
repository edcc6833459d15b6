// Which GPUs: those that are named, or so many of a type and pool.
import { t } from "../i18n";
import type { Model } from "../timeline/model";
import { Field } from "../ui/Field";
import { visible } from "../ui/visible";
import type { Form, Problems } from "./form";

interface Props {
  form: Form;
  problems: Problems;
  onChange: (change: Partial<Form>) => void;
  model: Model;
}

function distinct(values: (string | null)[]): string[] {
  return [...new Set(values.filter((value): value is string => Boolean(value)))].sort();
}

function Choice({ label, value, values, onChange }: { label: string; value: string; values: string[]; onChange: (value: string) => void }) {
  return (
    <Field label={label}>
      {(ties) => (
        <select {...ties} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">{t("booking.any")}</option>
          {values.map((one) => <option key={one} value={one}>{visible(one)}</option>)}
        </select>
      )}
    </Field>
  );
}

function Count({ form, problems, onChange, model }: Props) {
  const lanes = model.lanes.filter((lane) => !lane.isQueue);
  const types = distinct(lanes.map((lane) => lane.type));
  const pools = distinct(lanes.map((lane) => lane.pool));
  return (
    <div class="pair three">
      <Field label={t("booking.count")} error={problems.gpus && t(problems.gpus)}>
        {(ties) => <input {...ties} type="number" min="1" max={lanes.length} value={form.gpus} onInput={({ currentTarget }) => onChange({ gpus: currentTarget.value })} />}
      </Field>
      {types.length > 1 && <Choice label={t("booking.type")} value={form.gpuType} values={types} onChange={(gpuType) => onChange({ gpuType })} />}
      {pools.length > 1 && <Choice label={t("booking.pool")} value={form.pool} values={pools} onChange={(pool) => onChange({ pool })} />}
    </div>
  );
}

export function WhatFields(props: Props) {
  const { form, problems, onChange } = props;
  const radio = (isNamed: boolean, text: string) => (
    <label class="check">
      <input type="radio" name="what" checked={form.isNamed === isNamed} onChange={() => onChange({ isNamed })} />
      {text}
    </label>
  );
  return (
    <fieldset class="what">
      <legend>{t("booking.what")}</legend>
      <div class="row">
        {radio(false, t("booking.any_gpus"))}
        {radio(true, t("booking.these_gpus"))}
      </div>
      {form.isNamed ? (
        <Field label={t("booking.places")} hint={t("booking.places_hint")} error={problems.places && t(problems.places)}>
          {(ties) => <input {...ties} class="mono" value={form.places} onInput={({ currentTarget }) => onChange({ places: currentTarget.value })} />}
        </Field>
      ) : (
        <Count {...props} />
      )}
    </fieldset>
  );
}
