// The calendar of all GPUs.
import { useEffect, useState } from "preact/hooks";
import { BookingDialog } from "../booking/BookingDialog";
import { formOfLanes } from "../booking/form";
import { bookLanes, bookNew, moveBooking, openBooking } from "../booking/state";
import { locale, t } from "../i18n";
import { duration } from "../i18n/format";
import { hashOf, route } from "../route";
import { canWrite, mayChange, now, zone } from "../state";
import { showSpan } from "../time/format";
import { listShortcuts } from "../ui/keys";
import { errorText } from "../ui/Toast";
import { Card } from "./Card";
import { Timeline as Controller } from "./controller";
import { placesOf, type Slot } from "./drag";
import { HELP } from "./keys";
import { Lanes } from "./Lanes";
import type { Bar } from "./model";
import type { PointerHooks } from "./pointer";
import { useSoon } from "./soon";
import { Strip } from "./Strip";
import { Table } from "./Table";
import { Legend, Toolbar } from "./Toolbar";
import "./timeline.css";

function openBar(bar: Bar): void {
  if (bar.kind === "job") location.hash = hashOf("job", String(bar.ref));
  else if (bar.kind === "reservation" || bar.kind === "clearing") void openBooking(String(bar.ref));
}

/** "4 GPUs, Mon 30 Nov, 09:00 – 12:30"; with what is in the way. */
function sayGhost(slot: Slot, conflicts: Bar[]): string {
  const text = `${t("job.gpus", { n: slot.lanes.length })} · ${showSpan(slot.from, slot.to, zone.value, locale())} · ${duration(slot.to - slot.from)}`;
  const [first] = conflicts;
  return first ? `${text} · ${t("timeline.taken_by", { name: first.title })}` : text;
}

function hooksOf(timeline: Controller): PointerHooks {
  const lanesOf = (slot: Slot) => slot.lanes.map((lane) => timeline.store.model.lanes[lane]!);
  return {
    canBook: () => canWrite.value,
    mayMove: (bar) => bar.kind === "reservation" && bar.state === "booked" && bar.start > now.value && mayChange(bar.user),
    onBook: (slot) => bookLanes(lanesOf(slot), slot),
    onMove: (bar, slot) => void moveBooking(String(bar.ref), formOfLanes(lanesOf(slot), slot.from, slot.to, zone.value), placesOf(lanesOf(slot))),
    onOpen: openBar,
    say: sayGhost,
  };
}

/** What is shown is old, incomplete, or not there. */
function Notice({ timeline }: { timeline: Controller }) {
  const { status, loaded, leftOut, failure } = timeline.store;
  if (!loaded.value) return <p class="tl-notice" role="status">{failure.value ? errorText(failure.value) : t("app.loading")}</p>;
  if (status.value === "lost") return <p class="tl-notice warn" role="status">{t("timeline.stale")}</p>;
  return leftOut.value > 0 ? <p class="tl-notice" role="status">{t("timeline.left_out", { n: leftOut.value })}</p> : null;
}

export function Timeline() {
  const [timeline] = useState(() => new Controller());
  useEffect(() => {
    timeline.hooks.reserve = () => canWrite.value && bookNew();
    const unlist = listShortcuts("timeline", HELP.map(({ keys, label }) => ({ keys, label })));
    return () => {
      unlist();
      timeline.stop();
    };
  }, []);
  useSoon();
  const Heading = route.value.page === "timeline" ? "h1" : "h2";
  return (
    <section class="tl" aria-labelledby="tl-title">
      <Heading id="tl-title">{t("timeline.title")}</Heading>
      <Toolbar timeline={timeline} />
      <Notice timeline={timeline} />
      <div class="tl-frame">
        <Lanes timeline={timeline} hooks={hooksOf(timeline)} />
        <Card timeline={timeline} onOpen={openBar} />
        <Strip timeline={timeline} />
      </div>
      <p id="tl-hint" class="tl-hint">{canWrite.value ? t("timeline.hint_book") : t("timeline.hint")}</p>
      <Legend timeline={timeline} />
      <Table timeline={timeline} onOpen={openBar} />
      <BookingDialog model={timeline.store.index} />
    </section>
  );
}
