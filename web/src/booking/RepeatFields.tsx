import { locale, t } from "../i18n";
import { Field } from "../ui/Field";
import { KINDS, type Kind, type Repeat, WEEK, dayName, repeatWords } from "./repeat";

interface Props {
  repeat: Repeat;
  error: string | undefined;
  onChange: (repeat: Repeat) => void;
}

function Days({ repeat, onChange }: Props) {
  const toggle = (day: number): void => {
    const days = repeat.days.includes(day) ? repeat.days.filter((one) => one !== day) : [...repeat.days, day];
    onChange({ ...repeat, days });
  };
  return (
    <fieldset class="weekdays">
      <legend>{t("booking.days")}</legend>
      {WEEK.map((day) => (
        <label key={day}>
          <input type="checkbox" checked={repeat.days.includes(day)} onChange={() => toggle(day)} />
          <span>{dayName(day, locale())}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** How often, until when, and the same in words. */
export function RepeatFields(props: Props) {
  const { repeat, error, onChange } = props;
  const hasInterval = ["daily", "weekly", "monthly"].includes(repeat.kind);
  const isSeries = repeat.kind !== "none";
  return (
    <div class="repeat">
      <div class="pair">
        <Field label={t("booking.repeat")}>
          {(ties) => (
            <select {...ties} value={repeat.kind} onChange={({ currentTarget }) => onChange({ ...repeat, kind: currentTarget.value as Kind })}>
              {KINDS.map((kind) => <option key={kind} value={kind}>{t(`booking.repeat.${kind}`)}</option>)}
            </select>
          )}
        </Field>
        {isSeries && repeat.kind !== "rule" && (
          <Field label={t("booking.until")}>
            {(ties) => <input {...ties} type="date" value={repeat.until} onInput={({ currentTarget }) => onChange({ ...repeat, until: currentTarget.value })} />}
          </Field>
        )}
      </div>
      {hasInterval && (
        <Field label={t(`booking.interval.${repeat.kind as "daily" | "weekly" | "monthly"}`)}>
          {(ties) => (
            <input {...ties} type="number" min="1" max="52" value={repeat.interval}
              onInput={({ currentTarget }) => onChange({ ...repeat, interval: Math.max(1, Math.min(52, Math.round(Number(currentTarget.value)) || 1)) })} />
          )}
        </Field>
      )}
      {repeat.kind === "weekly" && <Days {...props} />}
      {repeat.kind === "rule" && (
        <Field label={t("booking.rule")} error={error} hint="FREQ=MONTHLY;BYDAY=1MO">
          {(ties) => <input {...ties} class="mono" value={repeat.rule} onInput={({ currentTarget }) => onChange({ ...repeat, rule: currentTarget.value })} />}
        </Field>
      )}
      {isSeries && <p class="words">{repeatWords(repeat, locale())}</p>}
    </div>
  );
}
