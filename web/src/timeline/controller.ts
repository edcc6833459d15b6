// The state of the timeline on the screen, and what the user does to it. Everything that is drawn
// follows from its signals.
import { computed, effect, signal } from "../signals";
import { locale, t } from "../i18n";
import { bytes } from "../i18n/format";
import { route, setQuery } from "../route";
import { type Theme, chosenZone, client, now, zone } from "../state";
import { zoneExists } from "../time/zone";
import { type Shown, read, usual, write } from "./address";
import { type Slot, boxesOf } from "./drag";
import { CHOSEN, type Filter, isFiltering, matcher } from "./filter";
import type { Hatches } from "./hatch";
import { type Action, fitHeight } from "./keys";
import { Ruler } from "./label";
import { type Layout, makeLayout } from "./layout";
import { type Bar, type Model, endAt } from "./model";
import { type Palette, paintIndex } from "./palette";
import type { Ghost, Scene, Words } from "./scene";
import { Store } from "./store";
import { SPANS, type View, follow, liveView, panBy, resizeLanes, spanOf, zoomBy } from "./view";

export const AXIS = 40;
const BOTTOM = 6;
const WRITE_MS = 300;

export interface Pointed {
  bars: Bar[]; // the uppermost first
  x: number; // on the canvas
  y: number;
  isPinned: boolean; // stays until something else is touched
}

/** What can be chosen from: looks with how many there are, users, projects, classes, kinds. */
export type Summary = { looks: Record<string, number> } & Record<(typeof CHOSEN)[number], string[]>;

const CHOICES_MAX = 1000;

function summaryOf({ counts }: Model): Summary {
  const lists = CHOSEN.map((of) => [of, [...counts[of].keys()].sort().slice(0, CHOICES_MAX)]);
  return { looks: Object.fromEntries(counts.look), ...Object.fromEntries(lists) };
}

/** Making a number into words costs more than drawing it. */
function remembered(say: (n: number) => string): (n: number) => string {
  const known = new Map<number, string>();
  return (n) => {
    let text = known.get(n);
    if (text === undefined) known.set(n, (text = say(n)));
    return text;
  };
}

function makeWords(): Words {
  return {
    gpus: remembered((n) => t("job.gpus", { n })),
    memory: remembered((n) => (n > 0 ? bytes(n) : "")),
    queue: t("timeline.queue"),
  };
}

/** The zone of the address, where it names one that this browser knows. */
function takeZone(): void {
  const asked = route.peek().query.get("zone") ?? "";
  if (asked && zoneExists(asked)) chosenZone.value = asked;
}

export class Timeline {
  readonly shown = signal<Shown>(read(route.value.query, now.value));
  readonly size = signal({ width: 0, height: 0 });
  readonly scroll = signal(0);
  readonly pointed = signal<Pointed | null>(null);
  readonly ghost = signal<{ slot: Slot; isConflict: boolean; text: string } | null>(null);
  readonly crosshair = signal<number | null>(null);
  readonly isTableOpen = signal(false);
  readonly look = signal<{ theme: Theme; palette: Palette; hatches: Hatches; ratio: number } | null>(null);
  readonly store: Store;
  readonly ruler = new Ruler();
  /** What needs the page: the frame sets them. */
  hooks = { reserve: (): void => {}, filter: (): void => {}, scrollBy: (_pixels: number): void => {}, room: (): number => 0 };

  readonly #ends: (() => void)[] = [];
  #written = "";

  /** The present, in steps that are seen. */
  readonly tick = computed(() => {
    const { from, to } = this.shown.value.view;
    const step = Math.min(60, Math.max(1, Math.round((to - from) / Math.max(400, this.size.value.width) / 2)));
    return Math.floor(now.value / step) * step;
  });
  readonly view = computed(() => follow(this.shown.value.view, this.tick.value));
  readonly gutter = computed(() => (this.size.value.width < 560 ? 84 : 148));
  // parts of what is shown, so that panning makes neither the layout nor the lists again
  readonly #laneHeight = computed(() => this.shown.value.view.laneHeight);
  readonly #folded = computed(() => this.shown.value.folded);
  readonly filter = computed(() => this.shown.value.filter);
  readonly colorBy = computed(() => this.shown.value.colorBy);
  readonly matches = computed(() => matcher(this.filter.value));
  readonly #paintOf = computed(() => {
    const by = this.colorBy.value;
    return (bar: Bar) => paintIndex(bar, by);
  });
  readonly #queueRows = computed(() => this.store.model.queueRows());
  readonly layout = computed(() => this.#makeLayout());
  // as text, so that a change that leaves all counts as they are changes nothing
  readonly #summary = computed(() => JSON.stringify(summaryOf(this.store.model)));
  readonly summary = computed(() => JSON.parse(this.#summary.value) as Summary);
  readonly #words = computed(() => makeWords());

  constructor() {
    takeZone();
    this.store = new Store(client, this.view.value);
    this.#ends.push(effect(() => this.store.look(this.view.value)));
    this.#ends.push(effect(() => this.#keepAddress()));
    this.#ends.push(effect(() => this.#takeAddress()));
  }

  stop(): void {
    this.#ends.forEach((end) => end());
    if (this.#timer) clearTimeout(this.#timer);
    this.store.stop();
  }

  // --- the address -----------------------------------------------------------------------------

  #timer: ReturnType<typeof setTimeout> | null = null;

  #keepAddress(): void {
    const shown = this.shown.value;
    const kept = chosenZone.value;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#putAddress(write(shown), kept), WRITE_MS);
  }

  #putAddress(query: URLSearchParams, kept: string): void {
    if (kept) query.set("zone", kept);
    const names = new Set([...new URLSearchParams(this.#written).keys(), ...route.value.query.keys(), ...query.keys()]);
    this.#written = query.toString();
    setQuery(Object.fromEntries([...names].map((name) => [name, query.get(name)])));
  }

  /** An address that was typed, or a step back. */
  #takeAddress(): void {
    const query = route.value.query.toString();
    if (query === this.#written || !["", "timeline"].includes(route.value.page)) return;
    this.#written = query;
    takeZone();
    this.shown.value = read(route.value.query, now.peek());
  }

  // --- what is drawn ---------------------------------------------------------------------------

  #makeLayout(): Layout {
    const isHidden = this.filter.value.hideEmpty ? this.#emptyLanes() : () => false;
    const wish = { laneHeight: this.#laneHeight.value, folded: this.#folded.value, isHidden, queueRows: this.#queueRows.value };
    return makeLayout(this.store.index.value, wish);
  }

  /** Lanes without a bar in view that is meant. */
  #emptyLanes(): (lane: number) => boolean {
    const { from, to } = this.view.value;
    const matches = this.matches.value;
    const filter = this.filter.value;
    const { model } = this.store;
    const present = this.tick.value;
    const isMeant = (bar: Bar): boolean => matches(bar) && !filter.hidden.includes(bar.look) && (bar.kind !== "down" || !isFiltering(filter));
    return (lane) => {
      let isEmpty = true;
      model.each(lane, from, to, ({ bar }) => (isEmpty &&= !isMeant(bar) || endAt(bar, present) <= from));
      return isEmpty;
    };
  }

  /** The height of all lanes and the axis. */
  contentHeight(): number {
    return AXIS + this.layout.value.height + BOTTOM;
  }

  scene(): Scene | null {
    const look = this.look.value;
    const { width, height } = this.size.value;
    if (!look || width < 50 || height < 50) return null;
    return {
      model: this.store.model,
      layout: this.layout.value,
      view: this.view.value,
      scroll: this.scroll.value,
      width,
      height,
      gutter: this.gutter.value,
      axis: AXIS,
      ...look,
      ruler: this.ruler,
      words: this.#words.value,
      matches: this.matches.value,
      hidden: this.filter.value.hidden,
      paintOf: this.#paintOf.value,
      now: this.tick.value,
      zone: zone.value,
      lang: locale(),
      hover: this.pointed.value?.bars[0] ?? null,
      ghost: this.#ghostOf(),
      crosshair: this.crosshair.value,
    };
  }

  #ghostOf(): Ghost | null {
    const ghost = this.ghost.value;
    return ghost && { boxes: boxesOf(this.store.model, ghost.slot), isConflict: ghost.isConflict, text: ghost.text };
  }

  // --- what the user does ----------------------------------------------------------------------

  setView(view: View): void {
    this.shown.value = { ...this.shown.peek(), view };
  }

  setFilter(change: Partial<Filter>): void {
    const shown = this.shown.peek();
    this.shown.value = { ...shown, filter: { ...shown.filter, ...change } };
  }

  fold(key: string): void {
    const shown = this.shown.peek();
    const folded = shown.folded.includes(key) ? shown.folded.filter((one) => one !== key) : [...shown.folded, key];
    this.shown.value = { ...shown, folded };
  }

  reset(): void {
    this.shown.value = usual(now.peek());
  }

  zoomAt(factor: number, part = 0.5): void {
    const view = this.view.peek();
    const next = zoomBy(view, factor, part);
    // by the keys, the present stays where it is and the view goes on following it
    this.setView(view.isLive && part === 0.5 ? liveView(this.tick.peek(), next.to - next.from, view.laneHeight) : next);
  }

  act(action: Action): void {
    const view = this.view.peek();
    switch (action.do) {
      case "pan": return this.setView(panBy(view, action.part));
      case "scroll": return this.hooks.scrollBy(action.lanes * view.laneHeight);
      case "zoom": return this.zoomAt(action.factor);
      case "size": return this.setView(resizeLanes(view, action.factor));
      case "fit": return this.#fit();
      case "span": return this.setView(spanOf(view, SPANS[action.span], this.tick.peek()));
      case "home": return this.setView(liveView(this.tick.peek(), view.to - view.from, view.laneHeight));
      case "reserve": return this.hooks.reserve();
      case "filter": return this.hooks.filter();
      case "table": this.isTableOpen.value = !this.isTableOpen.peek();
    }
  }

  #fit(): void {
    const view = this.view.peek();
    const room = this.hooks.room() - AXIS - BOTTOM;
    this.setView({ ...view, laneHeight: fitHeight(room, this.layout.peek().height, view.laneHeight) });
  }
}
