// When a job would start if it were submitted now, and whom it would delay; asked while the form is filled.
import { useSignal, type Signal } from "../signals";
import { useEffect } from "preact/hooks";
import { ApiError } from "../api/client";
import type { Plan } from "../api/types";
import { t, tx } from "../i18n";
import { duration } from "../i18n/format";
import { hashOf } from "../route";
import { reasonText } from "../reasons";
import { client, now, zone } from "../state";
import { Text } from "../ui/Text";
import { errorText } from "../ui/Toast";
import { visible } from "../ui/visible";
import { WhenRange } from "../ui/When";
import { bodyOf, fieldOf, messageOf, type Values } from "./jobForm";

const REST_MS = 600;
const SHOWN = 5;

interface Answer {
  plan: Plan | null;
  error: ApiError | null;
  isAsking: boolean;
}

/** Asked anew when the form has been at rest; an older question is given up. */
function usePlan(body: string): Answer | null {
  const answer = useSignal<Answer | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      answer.value = { plan: answer.value?.plan ?? null, error: null, isAsking: true };
      client.send<Plan>("POST", "plan", JSON.parse(body), stop.signal).then(
        (plan) => (answer.value = { plan, error: null, isAsking: false }),
        (reason: unknown) => {
          if (stop.signal.aborted) return;
          const error = reason instanceof ApiError ? reason : new ApiError(0, "unknown", String(reason));
          // a daemon without forecasts: the form does without
          answer.value = error.code === "not_found" ? null : { plan: null, error, isAsking: false };
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [body]);
  return answer.value;
}

function Delays({ plan }: { plan: Plan }) {
  if (!plan.delayed_count) return <p class="good">{t("plan.delays_nobody")}</p>;
  return (
    <>
      <p>{t("plan.delays", { n: plan.delayed_count })}</p>
      <ul class="delays">
        {plan.delays.slice(0, SHOWN).map((one) => (
          <li key={one.id}>
            <a href={hashOf("job", String(one.id))}><Text value={one.name || String(one.id)} length={24} /></a>
            {" "}<Text value={one.user} length={16} class="faint" /> {one.by_s !== null ? `+${duration(one.by_s)}` : t("plan.never")}
          </li>
        ))}
      </ul>
    </>
  );
}

export function Prediction({ values }: { values: Signal<Values> }) {
  const isReady = values.value.run.trim() !== "" && values.value.workdir.trim() !== "";
  const answer = usePlan(JSON.stringify(bodyOf({ ...values.value, run: values.value.run || "true", workdir: values.value.workdir || "/" })));
  if (!answer) return null;
  const { plan, error, isAsking } = answer;
  const isAtField = error !== null && fieldOf(error) !== "";
  return (
    <section class="prediction" aria-live="polite" aria-busy={isAsking}>
      <h2>{t("plan.title")}</h2>
      {plan && (
        <>
          <p class="when-big">{plan.now ? t("plan.now") : tx("plan.starts", { when: <WhenRange key="w" range={plan.start} /> })}</p>
          {plan.end?.p50 != null && <p>{tx("plan.ends", { when: <WhenRange key="w" range={plan.end} /> })}</p>}
          {!plan.now && plan.waits_for && <Text value={reasonText(plan.waits_for, zone.value, now.value)} length={200} class="faint" />}
          <Delays plan={plan} />
          {plan.runs > 0 && <p class="hint">{t("plan.runs", { n: plan.runs })}</p>}
        </>
      )}
      {error && isReady && (
        <p class={isAtField ? "hint" : "error"}>{error.status ? visible(messageOf(error)) : errorText(error)}</p>
      )}
    </section>
  );
}
