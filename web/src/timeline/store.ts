// The bars of the window in view and one more on either side, kept as the daemon says.
import { computed, signal } from "../signals";
import type { Client } from "../api/client";
import { type Change, Live, type Status } from "../api/live";
import { type Changing, noteChange } from "../api/resource";
import type { Lane as ApiLane } from "../api/types";
import { lookOf } from "./looks";
import { type ApiBar, Model } from "./model";
import type { Reach } from "./load";

interface Answer {
  lanes: ApiLane[];
  bars: ApiBar[];
  seq: number;
  left_out: number;
}

const NOTED: readonly string[] = ["job", "node", "reservation"];
/** Panning goes on for a moment: one question for all of it. */
const SETTLE_MS = 120;

export class Store {
  /** Another object with each change of the model. */
  readonly #current = signal({ model: new Model() });
  /** The model for those who need its lanes alone: another one when all was read again. */
  readonly index = computed(() => this.#current.value.model);
  readonly status = signal<Status>("connecting");
  readonly loaded = signal<Reach | null>(null);
  readonly leftOut = signal(0);
  readonly failure = signal<unknown>(null);

  #wanted: Reach;
  readonly #strange = new Set<string>();
  readonly #live: Live;
  #timer: ReturnType<typeof setTimeout> | null = null;
  readonly #wake = (): void => {
    if (!document.hidden) this.#live.wake();
  };

  readonly #client: Client;

  constructor(client: Client, view: Reach) {
    this.#client = client;
    this.#wanted = around(view);
    this.#live = new Live({
      fetcher: (...what) => fetch(...what),
      path: "api/v1/events",
      load: (stop) => this.#load(stop),
      apply: (changes) => this.#apply(changes),
      onStatus: (status) => (this.status.value = status),
    });
    for (const name of ["online", "pageshow", "focus"]) window.addEventListener(name, this.#wake);
    document.addEventListener("visibilitychange", this.#wake);
  }

  /** Whoever reads it while drawing is told of its changes. */
  get model(): Model {
    return this.#current.value.model;
  }

  stop(): void {
    this.#live.stop();
    if (this.#timer) clearTimeout(this.#timer);
    for (const name of ["online", "pageshow", "focus"]) window.removeEventListener(name, this.#wake);
    document.removeEventListener("visibilitychange", this.#wake);
  }

  /** Makes sure that what is looked at is there, soon. */
  look(view: Reach): void {
    if (view.from >= this.#wanted.from && view.to <= this.#wanted.to) return;
    this.#wanted = around(view);
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#live.reload(), SETTLE_MS);
  }

  async #load(stop: AbortSignal): Promise<number> {
    const reach = this.#wanted;
    const path = `timeline?from=${Math.floor(reach.from)}&to=${Math.ceil(reach.to)}`;
    try {
      const answer = await this.#client.get<Answer>(path, stop);
      this.loaded.value = reach;
      this.leftOut.value = answer.left_out;
      this.failure.value = null;
      this.#current.value = { model: new Model(answer.lanes, answer.bars) };
      return answer.seq;
    } catch (reason) {
      if (!stop.aborted) this.failure.value = reason;
      throw reason;
    }
  }

  #apply(changes: Change[]): void {
    const bars: (ApiBar | string)[] = [];
    for (const { event, data } of changes) {
      if (data.type === "bar") bars.push(event === "remove" ? String(data.id) : this.#within(data as unknown as ApiBar));
      else if (NOTED.includes(data.type)) noteChange(data.type as Changing);
    }
    if (bars.length === 0) return;
    if (bars.filter((bar) => typeof bar !== "string" && this.#isOnNewLane(bar)).length > 0) return this.#live.reload();
    const { model } = this.#current.peek();
    model.update(bars);
    this.#current.value = { model };
  }

  /** A bar that is not in the window any more is as good as gone. */
  #within(bar: ApiBar): ApiBar | string {
    const { from, to } = this.loaded.value ?? this.#wanted;
    const isOver = (bar.end_at ?? Infinity) < from && lookOf(bar) !== "running";
    return (bar.start_at ?? -Infinity) < to && !isOver ? bar : bar.id;
  }

  /** Whether a node has joined that the page has not heard of; each name is asked for once. */
  #isOnNewLane(bar: ApiBar): boolean {
    const unknown = bar.lanes.filter((lane) => this.#current.peek().model.laneIndex(lane) < 0 && !this.#strange.has(lane));
    unknown.forEach((lane) => this.#strange.add(lane));
    return unknown.length > 0;
  }
}

function around(view: Reach): Reach {
  const span = view.to - view.from;
  return { from: Math.max(0, view.from - span), to: view.to + span };
}
