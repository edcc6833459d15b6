// Keys that work everywhere on the page, and the list of all that the help shows.
import { signal } from "../signals";
import type { Key } from "../i18n";

export interface Shortcut {
  keys: string;
  label: Key;
}

/** By the name of who listens: the page itself, the timeline. */
const lists = signal<Record<string, Shortcut[]>>({});

/** Puts what somebody listens to into the help; answers how to take it away. */
export function listShortcuts(name: string, shortcuts: Shortcut[]): () => void {
  lists.value = { ...lists.value, [name]: shortcuts };
  return () => {
    const { [name]: gone, ...rest } = lists.value;
    if (gone === shortcuts) lists.value = rest;
  };
}

export function allShortcuts(): Shortcut[] {
  return Object.values(lists.value).flat();
}

/** Whether a key typed now belongs to a field or a dialog and not to the page. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const target = event.target;
  if (!(target instanceof Element)) return false;
  return target.closest("input, textarea, select, dialog, [contenteditable]") !== null;
}
