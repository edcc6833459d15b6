// What lies under the pointer, in words.
import { useLayoutEffect, useRef } from "preact/hooks";
import { isKey, locale, t, type Key } from "../i18n";
import { bytes, duration, relative } from "../i18n/format";
import { now, zone } from "../state";
import { show, showSpan } from "../time/format";
import { Text } from "../ui/Text";
import type { Timeline } from "./controller";
import { placesOf } from "./drag";
import { Sample } from "./Sample";
import { isOpen } from "./looks";
import type { Bar, Model } from "./model";

const SHOWN_MAX = 3;

export function stateText(bar: Bar): string {
  const code = bar.outcome ?? bar.state;
  const key = bar.kind === "job" ? `state.${code}` : `timeline.state.${code}`;
  return isKey(key) ? t(key as Key) : (code ?? "");
}

export function kindText(bar: Bar): string {
  const key = `timeline.kind.${bar.kind}`;
  return t(isKey(key) ? (key as Key) : `timeline.look.${bar.look}`);
}

export function timeText(bar: Bar): string {
  const has = { start: Number.isFinite(bar.start), end: Number.isFinite(bar.end) };
  if (has.start && has.end) return showSpan(bar.start, bar.end, zone.value, locale());
  if (has.start) return t("timeline.from_on", { from: show(bar.start, "full", zone.value, locale()) });
  return has.end ? t("timeline.until", { to: show(bar.end, "full", zone.value, locale()) }) : t("timeline.open_end");
}

function Doubt({ bar }: { bar: Bar }) {
  if (!isOpen(bar.look) || !Number.isFinite(bar.end)) return null;
  const late = bar.late > bar.end ? t("timeline.late", { at: show(bar.late, "full", zone.value, locale()) }) : "";
  return <p class="faint">{t("timeline.expected")}{late && <> {late}</>}</p>;
}

function One({ bar, model }: { bar: Bar; model: Model }) {
  const length = Number.isFinite(bar.start) && Number.isFinite(bar.end) ? duration(bar.end - bar.start) : "";
  const away = bar.start > now.value && Number.isFinite(bar.start) ? relative(bar.start, now.value) : "";
  return (
    <div class="tl-card-bar">
      <p>
        <Sample look={bar.look} /> <strong><Text value={bar.label ?? bar.ref} length={48} /></strong>{" "}
        {bar.label !== null && bar.label !== bar.ref && <span class="faint"><Text value={bar.ref} length={20} /></span>}
      </p>
      <p>
        {kindText(bar)} · {stateText(bar)}
        {(bar.attempt ?? 1) > 1 && <> · {t("timeline.attempt", { n: bar.attempt! })}</>}
        {bar.user && <> · <Text value={bar.user} length={24} /></>}
        {bar.project && <> · <Text value={bar.project} length={24} /></>}
      </p>
      <p>{timeText(bar)}{length && <span class="faint"> ({length})</span>}{away && <span class="faint">, {away}</span>}</p>
      <p class="faint">
        {bar.gpus > 0 && t("job.gpus", { n: bar.gpus })}
        {bar.memory > 0 && <> · {bytes(bar.memory)}</>}
        {bar.lanes.length > 0 && <> · <Text value={placesOf(model.lanesOf(bar))} length={60} /></>}
      </p>
      <Doubt bar={bar} />
    </div>
  );
}

export function Card({ timeline, onOpen }: { timeline: Timeline; onOpen: (bar: Bar) => void }) {
  const pointed = timeline.pointed.value;
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = timeline.size.value;
  useLayoutEffect(() => {
    const card = box.current;
    if (!card || !pointed) return;
    const x = Math.max(4, Math.min(pointed.x + 14, width - card.offsetWidth - 4));
    const fitsBelow = pointed.y + 18 + card.offsetHeight < height;
    const y = fitsBelow ? pointed.y + 18 : Math.max(4, pointed.y - card.offsetHeight - 12);
    card.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  });
  if (!pointed || timeline.ghost.value) return null;
  const first = pointed.bars[0]!;
  return (
    <div class={`tl-card ${pointed.isPinned ? "pinned" : ""}`} ref={box}>
      {pointed.bars.slice(0, SHOWN_MAX).map((bar) => <One key={bar.id} bar={bar} model={timeline.store.model} />)}
      {pointed.isPinned && first.kind !== "down" && <button type="button" onClick={() => onOpen(first)}>{t("timeline.open")}</button>}
    </div>
  );
}
