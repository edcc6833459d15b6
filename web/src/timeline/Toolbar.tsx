import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { locale, t, type Key } from "../i18n";
import { canWrite, session, zone } from "../state";
import { showSpan } from "../time/format";
import { Icon } from "../ui/Icon";
import { visible } from "../ui/visible";
import type { ColorBy } from "./address";
import { CHOSEN } from "./filter";
import type { Timeline } from "./controller";
import { Sample } from "./Sample";
import type { Action } from "./keys";
import { LOOKS, type Look } from "./looks";
import { SPANS, type SpanName } from "./view";

interface Props {
  timeline: Timeline;
}

interface ToolProps extends Props {
  label: Key;
  action: Action;
  children: ComponentChildren;
}

function Tool({ timeline, label, action, children }: ToolProps) {
  return <button type="button" class="quiet" title={t(label)} aria-label={t(label)} onClick={() => timeline.act(action)}>{children}</button>;
}

function Spans({ timeline }: Props) {
  const { from, to } = timeline.view.value;
  return (
    <div class="tl-group" role="group" aria-label={t("timeline.span")}>
      {(Object.keys(SPANS) as SpanName[]).map((span) => (
        <button key={span} type="button" aria-pressed={Math.abs(to - from - SPANS[span]) < 1} onClick={() => timeline.act({ do: "span", span })}>
          {t(`timeline.span.${span}`)}
        </button>
      ))}
    </div>
  );
}

function Moves({ timeline }: Props) {
  const { from, to, isLive } = timeline.view.value;
  return (
    <div class="tl-group">
      <Tool timeline={timeline} label="timeline.earlier" action={{ do: "pan", part: -0.5 }}>‹</Tool>
      <button type="button" aria-pressed={isLive} onClick={() => timeline.act({ do: "home" })}>{t("timeline.now")}</button>
      <Tool timeline={timeline} label="timeline.later" action={{ do: "pan", part: 0.5 }}>›</Tool>
      <span class="tl-span">{showSpan(from, to, zone.value, locale())}</span>
    </div>
  );
}

function Sizes({ timeline }: Props) {
  return (
    <div class="tl-group tl-sizes">
      <Tool timeline={timeline} label="timeline.zoom_out" action={{ do: "zoom", factor: 1.5 }}>−</Tool>
      <Tool timeline={timeline} label="timeline.zoom_in" action={{ do: "zoom", factor: 1 / 1.5 }}>+</Tool>
      <Tool timeline={timeline} label="timeline.lower" action={{ do: "size", factor: 1 / 1.25 }}>≡</Tool>
      <Tool timeline={timeline} label="timeline.taller" action={{ do: "size", factor: 1.25 }}>☰</Tool>
      <Tool timeline={timeline} label="timeline.fit" action={{ do: "fit" }}>⤢</Tool>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  all: string;
  value: string;
  values: string[];
  first?: string | null | undefined;
  onChange: (value: string) => void;
}

function Choice({ label, all, value, values, first, onChange }: ChoiceProps) {
  const rest = values.filter((one) => one !== first);
  return (
    <select aria-label={label} title={label} value={value} class={value ? "chosen" : ""} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">{all}</option>
      {first && <option value={first}>{t("timeline.me", { user: visible(first) })}</option>}
      {value && value !== first && !values.includes(value) && <option value={value}>{visible(value)}</option>}
      {rest.map((one) => <option key={one} value={one}>{visible(one)}</option>)}
    </select>
  );
}

/** Of each list its name, its "all", and whether it is there with one value in it. */
const LISTS: Record<(typeof CHOSEN)[number], [Key, Key, boolean?]> = {
  user: ["timeline.user", "timeline.all_users", true],
  project: ["booking.project", "timeline.all_projects", true],
  class: ["job.class", "timeline.all_classes"],
  job_kind: ["by.kind", "timeline.all_kinds"],
};

function Filters({ timeline }: Props) {
  const filter = timeline.filter.value;
  const choices = timeline.summary.value;
  const box = useRef<HTMLInputElement>(null);
  timeline.hooks.filter = () => box.current?.focus();
  return (
    <div class="tl-filters" role="search" aria-label={t("timeline.filters")}>
      <input ref={box} type="search" placeholder={t("timeline.search")} aria-label={t("timeline.search")} title={t("timeline.search_hint")} value={filter.text}
        onInput={({ currentTarget }) => timeline.setFilter({ text: currentTarget.value })}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()} />
      {CHOSEN.map((name) => {
        const [label, all, isAlways] = LISTS[name];
        return (isAlways || choices[name].length > 1 || filter[name]) && (
          <Choice key={name} label={t(label)} all={t(all)} value={filter[name]} values={choices[name]}
            first={name === "user" ? session.value?.user : null} onChange={(value) => timeline.setFilter({ [name]: value })} />
        );
      })}
      <label class="check">
        <input type="checkbox" checked={filter.hideEmpty} onChange={({ currentTarget }) => timeline.setFilter({ hideEmpty: currentTarget.checked })} />
        {t("timeline.hide_empty")}
      </label>
      <select aria-label={t("timeline.color")} title={t("timeline.color")} value={timeline.colorBy.value}
        onChange={({ currentTarget }) => (timeline.shown.value = { ...timeline.shown.peek(), colorBy: currentTarget.value as ColorBy })}>
        {(["state", "user", "project"] as const).map((by) => <option key={by} value={by}>{t(`timeline.color.${by}`)}</option>)}
      </select>
    </div>
  );
}

export function Toolbar({ timeline }: Props) {
  return (
    <div class="tl-tools">
      <Spans timeline={timeline} />
      <Moves timeline={timeline} />
      <Sizes timeline={timeline} />
      <span class="grow" />
      {canWrite.value && (
        <button type="button" class="primary" onClick={() => timeline.act({ do: "reserve" })}>
          <Icon name="plus" /> {t("timeline.book")}
        </button>
      )}
      <Filters timeline={timeline} />
    </div>
  );
}

/** What colours and hatches mean; pressing one hides what looks so. */
export function Legend({ timeline }: Props) {
  const { hidden } = timeline.filter.value;
  const counts = timeline.summary.value.looks;
  const toggle = (look: Look): void =>
    timeline.setFilter({ hidden: hidden.includes(look) ? hidden.filter((one) => one !== look) : [...hidden, look] });
  const shown = LOOKS.filter((look) => counts[look] || hidden.includes(look));
  return (
    <div class="tl-legend" role="group" aria-label={t("timeline.legend")}>
      {shown.map((look) => (
        <button key={look} type="button" class="quiet" aria-pressed={!hidden.includes(look)} title={t("timeline.toggle")} onClick={() => toggle(look)}>
          <Sample look={look} /> {t(`timeline.look.${look}`)} <span class="faint num">{counts[look] ?? 0}</span>
        </button>
      ))}
    </div>
  );
}
