// Something that the daemon tells, kept fresh: asked anew when it changes (live.ts notes it) and, in case
// no event comes, from time to time; not while the page is hidden.
import { signal, useSignal, useSignalEffect, type Signal } from "../signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { client } from "../state";
import { ApiError } from "./client";

export type Changing = "job" | "node" | "reservation";

const counts: Record<Changing, Signal<number>> = { job: signal(0), node: signal(0), reservation: signal(0) };

/** Says that something of this type changed: what shows it asks again. */
export function noteChange(type: Changing): void {
  counts[type].value++;
}

export interface Resource<T> {
  data: T | null;
  error: ApiError | null;
  reload: () => void;
}

interface Options {
  /** Changes of these make it ask again. */
  on?: Changing[];
  every_s?: number;
}

const EVERY_S = 10;
/** Changes come in bursts: one question for those of so long. */
const GATHER_MS = 400;

/** What `path` answers; a null path asks nothing. An old value stays while a new one is on its way. */
export function useResource<T>(path: string | null, options: Options = {}): Resource<T> {
  const data = useSignal<{ path: string | null; value: T | null }>({ path: null, value: null });
  const error = useSignal<ApiError | null>(null);
  const latest = useRef(0);

  const load = useCallback(() => {
    const mine = ++latest.current;
    if (path === null) return;
    client.get<T>(path).then(
      (value) => {
        if (mine !== latest.current) return;
        data.value = { path, value };
        error.value = null;
      },
      (reason: unknown) => {
        if (mine !== latest.current) return;
        error.value = reason instanceof ApiError ? reason : new ApiError(0, "unknown", String(reason));
      },
    );
  }, [path]);

  useEffect(() => {
    error.value = null;
    load();
    const timer = setInterval(() => {
      if (!document.hidden) load();
    }, (options.every_s ?? EVERY_S) * 1000);
    return () => {
      latest.current++;
      clearInterval(timer);
    };
  }, [load]);
  useChanges(options.on ?? [], load);

  const kept = data.value.path === path ? data.value.value : null;
  return { data: kept, error: error.value, reload: load };
}

function useChanges(types: Changing[], load: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const seen = useRef("");
  const current = useRef(load);
  current.current = load;
  useSignalEffect(() => {
    const state = types.map((type) => counts[type].value).join(" ");
    const isFirst = seen.current === "";
    const isSame = seen.current === state;
    seen.current = state || " ";
    if (isFirst || isSame || timer.current) return;
    timer.current = setTimeout(() => {
      timer.current = null;
      current.current();
    }, GATHER_MS);
  });
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
}
