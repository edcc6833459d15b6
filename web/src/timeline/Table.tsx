// The timeline as a table: the same bars by the same filter, for the keyboard and for screen readers. Only
// the rows that are seen, and some around, are there.
import { useRef } from "preact/hooks";
import { useSignal } from "../signals";
import { t, type Key } from "../i18n";
import { mayChange } from "../state";
import { hashOf } from "../route";
import { Text } from "../ui/Text";
import { kindText, stateText, timeText } from "./Card";
import type { Timeline } from "./controller";
import { placesOf } from "./drag";
import { Sample } from "./Sample";
import { type Bar, endAt } from "./model";

const ROW = 34; // pixels, as the style sheet says
const AROUND = 8;

/** The bars in view that are meant, in order of their starts. */
export function rowsOf(timeline: Timeline): Bar[] {
  const { from, to } = timeline.view.value;
  const matches = timeline.matches.value;
  const { hidden } = timeline.filter.value;
  return [...timeline.store.model.bars.values()]
    .filter((bar) => bar.start < to && endAt(bar, timeline.tick.value) > from && matches(bar) && !hidden.includes(bar.look))
    .sort((a, b) => (a.start === b.start ? a.id.localeCompare(b.id) : a.start - b.start));
}

interface TableProps {
  timeline: Timeline;
  onOpen: (bar: Bar) => void;
}

function Row({ bar, at, where, onOpen }: { bar: Bar; at: number; where: string; onOpen: (bar: Bar) => void }) {
  const name = <Text value={bar.label ?? bar.ref} length={36} />;
  const canOpen = bar.kind === "reservation" || bar.kind === "clearing";
  return (
    <tr aria-rowindex={at + 2} data-row={at}>
      <th scope="row">
        {bar.kind === "job" ? <a href={hashOf("job", String(bar.ref))}>{name}</a>
          : canOpen ? <button type="button" class="link" onClick={() => onOpen(bar)}>{name}</button> : name}
      </th>
      <td><Sample look={bar.look} /> {kindText(bar)} · {stateText(bar)}</td>
      <td><Text value={bar.user} length={20} /></td>
      <td><Text value={bar.project} length={20} /></td>
      <td class="num">{bar.gpus}</td>
      <td><Text value={where} length={28} /></td>
      <td>{timeText(bar)}</td>
      <td>{canOpen && mayChange(bar.user) && <button type="button" class="link" onClick={() => onOpen(bar)}>{t("timeline.edit")}</button>}</td>
    </tr>
  );
}

/** Arrows go from row to row, also to those that are not there yet. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }, count: number): void {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
  const row = (event.target as HTMLElement).closest<HTMLElement>("[data-row]");
  if (!step || !row) return;
  event.preventDefault();
  event.stopPropagation();
  const box = event.currentTarget;
  const to = Math.max(0, Math.min(count - 1, Number(row.dataset["row"]) + step));
  box.scrollTop = Math.max(0, Math.min(box.scrollTop, to * ROW), (to + 2) * ROW - box.clientHeight);
  requestAnimationFrame(() => requestAnimationFrame(() => box.querySelector<HTMLElement>(`[data-row="${to}"] a, [data-row="${to}"] button`)?.focus()));
}

function Body({ timeline, onOpen }: TableProps) {
  const scroll = useSignal(0);
  const box = useRef<HTMLDivElement>(null);
  const rows = rowsOf(timeline);
  const seen = Math.ceil((box.current?.clientHeight ?? 400) / ROW);
  const first = Math.max(0, Math.min(rows.length - seen, Math.floor(scroll.value / ROW)) - AROUND);
  const last = Math.min(rows.length, first + seen + 2 * AROUND);
  const columns: Key[] = ["job.name", "timeline.column.state", "timeline.user", "booking.project", "job.gpus_label", "job.where", "timeline.column.time", "timeline.edit"];
  return (
    <div class="tl-table" ref={box} tabIndex={0} role="region" aria-label={t("timeline.table")}
      onScroll={({ currentTarget }) => (scroll.value = currentTarget.scrollTop)} onKeyDown={(event) => moveFocus(event, rows.length)}>
      <table aria-rowcount={rows.length + 1}>
        <thead><tr aria-rowindex={1}>{columns.map((name) => <th key={name} scope="col" class={name === "job.gpus_label" ? "num" : ""}>{t(name)}</th>)}</tr></thead>
        <tbody>
          <tr style={{ height: `${first * ROW}px` }} aria-hidden="true" />
          {rows.slice(first, last).map((bar, i) => <Row key={bar.id} bar={bar} at={first + i} where={placesOf(timeline.store.model.lanesOf(bar))} onOpen={onOpen} />)}
          <tr style={{ height: `${(rows.length - last) * ROW}px` }} aria-hidden="true" />
        </tbody>
      </table>
      {rows.length === 0 && <p class="faint">{t("timeline.no_rows")}</p>}
    </div>
  );
}

export function Table({ timeline, onOpen }: TableProps) {
  const isOpen = timeline.isTableOpen.value;
  return (
    <section class="tl-twin">
      <button type="button" aria-expanded={isOpen} onClick={() => timeline.act({ do: "table" })}>{isOpen ? t("timeline.hide_table") : t("timeline.show_table")}</button>
      {isOpen && <Body timeline={timeline} onOpen={onOpen} />}
    </section>
  );
}
