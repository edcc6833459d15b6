import { t } from "../i18n";
import { fullInstant, instant, relative } from "../i18n/format";
import { now, zone } from "../state";
import type { Range } from "../api/types";

/** An instant in the chosen zone; the tip says all of it. */
export function When({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={fullInstant(at, zone.value)}>
      {instant(at, zone.value, now.value)}
    </time>
  );
}

/** "in 12 minutes", which goes on by itself. */
export function Ago({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={fullInstant(at, zone.value)}>
      {relative(at, now.value)}
    </time>
  );
}

/** The middle of a forecast, and behind it how late it may become: "15:05 (–15:20)". */
export function WhenRange({ range }: { range: Range | null }) {
  if (!range || range.p50 === null) return <span class="faint">{t("eta.unknown")}</span>;
  const { p10, p50, p90, from } = range;
  const isWide = p90 !== null && p90 - p50 >= 60;
  const tip = from === "limits" || p90 === null ? t("eta.by_limits")
    : t("eta.range", { from: instant(p10 ?? p50, zone.value, now.value), to: instant(p90, zone.value, now.value) });
  return (
    <span class="eta" title={tip}>
      <When at={p50} />
      {isWide && <span class="faint"> (–{instant(p90, zone.value, now.value)})</span>}
    </span>
  );
}
