// Values that are watched: who reads one while it renders or runs is run again when it changes. This is the
// part of @preact/signals that the page uses, in a fifth of its size: the page has a ceiling.
import { options, type Component, type VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";

/** Something that can be read, with a number that grows when its value changes. */
interface Source {
  readers: Set<Reader>;
  /** The number, after the value has been brought up to date. */
  version(): number;
}

/** A component, an effect or a computed value, with what it read last. */
interface Reader {
  read: Map<Source, number>;
  /** Something that it read may have changed. */
  wake(): void;
}

let reader: Reader | null = null;

function track(source: Source): void {
  if (!reader) return;
  reader.read.set(source, source.version());
  source.readers.add(reader);
}

function forget(who: Reader): void {
  for (const source of who.read.keys()) source.readers.delete(who);
  who.read.clear();
}

const hasNews = (who: Reader): boolean => [...who.read].some(([source, version]) => source.version() !== version);

/** Runs what reads, and notes what it read. */
function watched<T>(who: Reader, work: () => T): T {
  const outer = reader;
  forget(who);
  reader = who;
  try {
    return work();
  } finally {
    reader = outer;
  }
}

export interface ReadonlySignal<T> {
  readonly value: T;
  /** The value, without being watched. */
  peek(): T;
}

export interface Signal<T> extends ReadonlySignal<T> {
  value: T;
}

export function signal<T>(first: T): Signal<T> {
  let held = first;
  let version = 0;
  const source: Source = { readers: new Set(), version: () => version };
  return {
    get value() {
      track(source);
      return held;
    },
    set value(next) {
      if (Object.is(next, held)) return;
      held = next;
      version++;
      for (const who of [...source.readers]) who.wake();
    },
    peek: () => held,
  };
}

/** Worked out when it is asked for, and again only when something that it read has changed. */
export function computed<T>(work: () => T): ReadonlySignal<T> {
  let held: T;
  let version = 0;
  let isStale = true;
  const self: Reader = {
    read: new Map(),
    wake() {
      if (isStale) return;
      isStale = true;
      for (const who of [...source.readers]) who.wake();
    },
  };
  const source: Source = {
    readers: new Set(),
    version() {
      if (isStale && (version === 0 || hasNews(self))) {
        const next = watched(self, work);
        if (version === 0 || !Object.is(next, held)) version++;
        held = next;
      }
      isStale = false;
      return version;
    },
  };
  const peek = (): T => {
    source.version();
    return held;
  };
  return {
    get value() {
      track(source);
      return peek();
    },
    peek,
  };
}

const ROUNDS_MAX = 100;

/** Runs now and whenever something that it read has changed; answers how to end that. What `work` answers,
 * if it is a function, is called before each further run and at the end. */
export function effect(work: () => unknown): () => void {
  let clean: unknown;
  let isRunning = false;
  const self: Reader = {
    read: new Map(),
    wake() {
      if (!isRunning && hasNews(self)) run();
    },
  };
  const sweep = (): void => {
    if (typeof clean === "function") clean();
    clean = undefined;
  };
  const run = (): void => {
    isRunning = true;
    try {
      let rounds = 0;
      do {
        if (++rounds > ROUNDS_MAX) throw new Error("an effect changes what it reads without end");
        sweep();
        clean = watched(self, work);
      } while (hasNews(self)); // it may have written what it read
    } finally {
      isRunning = false;
    }
  };
  run();
  return () => {
    forget(self);
    sweep();
  };
}

export function useSignal<T>(first: T): Signal<T> {
  return useMemo(() => signal(first), []);
}

export function useSignalEffect(work: () => unknown): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => effect(() => latest.current()), []);
}

/* What Preact calls while it renders: a component is a reader from the start of its own rendering until
 * something else begins. The names are the short ones of its build. */
interface Inner extends VNode {
  __c?: Component & { reader?: Reader };
}
interface Hooks {
  __b?: (vnode: Inner) => void;
  __r?: (vnode: Inner) => void;
  __e?: (...all: unknown[]) => void;
  diffed?: (vnode: Inner) => void;
  unmount?: (vnode: Inner) => void;
}

function hook<K extends keyof Hooks>(name: K, also: (vnode: Inner) => void): void {
  const hooks = options as Hooks;
  const before = hooks[name] as ((...all: unknown[]) => void) | undefined;
  hooks[name] = ((...all: unknown[]) => {
    also(all[0] as Inner);
    before?.(...all);
  }) as Hooks[K];
}

const nobody = (): void => void (reader = null);

hook("__b", nobody);
hook("__e", nobody);
hook("diffed", nobody);
hook("__r", ({ __c: component }) => {
  if (!component) return;
  component.reader ??= { read: new Map(), wake: () => component.reader && hasNews(component.reader) && component.setState({}) };
  forget(component.reader);
  reader = component.reader;
});
hook("unmount", ({ __c: component }) => component?.reader && forget(component.reader));
