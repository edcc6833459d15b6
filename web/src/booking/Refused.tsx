import { locale, t, tx } from "../i18n";
import { duration } from "../i18n/format";
import { zone } from "../state";
import { showSpan } from "../time/format";
import { Text } from "../ui/Text";
import { type Conflict, type Opening, type Refusal, placesText } from "./form";

function When({ from, to }: { from: number | null; to: number | null }) {
  if (from === null || to === null) return <>{t("booking.no_end")}</>;
  return <>{showSpan(from, to, zone.value, locale())}</>;
}

function Holder({ conflict }: { conflict: Conflict }) {
  const name = conflict.name ?? conflict.reservation ?? (conflict.job === null ? "?" : String(conflict.job));
  return (
    <li>
      {tx("booking.holder", {
        name: <Text value={name} length={40} />,
        user: <Text value={conflict.user ?? "?"} length={24} />,
        n: conflict.gpus,
        when: <When from={conflict.start_at} to={conflict.end_at} />,
      })}
    </li>
  );
}

function kindText(opening: Opening, start: number | null): string {
  if (opening.kind === "later" || opening.kind === "earlier") {
    const by = start === null ? 0 : Math.abs(opening.start_at - start);
    return t(`booking.opening.${opening.kind}`, { by: duration(by) });
  }
  return t(`booking.opening.${opening.kind}`);
}

interface Props {
  refusal: Refusal;
  /** The start that was asked for. */
  start: number | null;
  isBusy: boolean;
  onTake: (opening: Opening) => void;
}

/** Who has the GPUs, and what could be had instead: one click books it. */
export function Refused({ refusal, start, isBusy, onTake }: Props) {
  const { conflicts, openings } = refusal;
  return (
    <section class="refused" role="alert">
      <p><strong>{t("booking.taken", { n: refusal.gpus, free: refusal.gpus_free })}</strong></p>
      <ul class="holders">{conflicts.slice(0, 4).map((conflict, i) => <Holder key={i} conflict={conflict} />)}</ul>
      {openings.length > 0 ? <p>{t("booking.instead")}</p> : <p>{t("booking.nothing")}</p>}
      <div class="openings">
        {openings.map((opening, i) => (
          <button key={i} type="button" class="opening" disabled={isBusy} onClick={() => onTake(opening)}>
            <strong>{kindText(opening, start)}</strong>
            <span><When from={opening.start_at} to={opening.end_at} /></span>
            <span class="faint">
              {t("job.gpus", { n: opening.gpus })}
              {opening.gpu_type && <> · <Text value={opening.gpu_type} length={20} /></>}
              {opening.where.length > 0 && <> · <Text value={placesText(opening.where)} length={36} /></>}
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}
