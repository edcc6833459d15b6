// Short notes at the edge: what was done, and the way back.
import { signal } from "../signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { ApiError } from "../api/client";
import { t } from "../i18n";
import { visible } from "./visible";
import { Icon } from "./Icon";

export interface Note {
  text: ComponentChildren;
  kind?: "bad";
  undo?: () => void;
}

const notes = signal<(Note & { id: number })[]>([]);
let count = 0;
const KEPT_MS = 8000;
const KEPT_MAX = 4;

export function toast(note: Note): void {
  notes.value = [...notes.value.slice(1 - KEPT_MAX), { ...note, id: ++count }];
}

/** What the daemon refused, in its words, or that it did not answer. */
export function errorText(reason: unknown): string {
  if (!(reason instanceof ApiError)) return visible(String(reason));
  if (reason.code === "unreachable") return t("app.unreachable");
  if (reason.status === 401) return t("error.signed_out");
  const said = reason.message || t("error.status", { status: String(reason.status) });
  return visible(reason.hint ? `${said} (${reason.hint})` : said);
}

export function toastError(reason: unknown): void {
  toast({ text: errorText(reason), kind: "bad" });
}

function close(id: number): void {
  notes.value = notes.value.filter((note) => note.id !== id);
}

function One({ id, text, kind, undo }: Note & { id: number }) {
  useEffect(() => {
    if (kind === "bad") return;
    const timer = setTimeout(() => close(id), KEPT_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <li class={kind === "bad" ? "toast bad" : "toast"} role={kind === "bad" ? "alert" : "status"}>
      <span>{text}</span>
      {undo && (
        <button class="link" onClick={() => { close(id); undo(); }}>
          {t("action.undo")}
        </button>
      )}
      <button class="quiet" aria-label={t("action.close")} onClick={() => close(id)}>
        <Icon name="close" />
      </button>
    </li>
  );
}

export function Toasts() {
  return (
    <section aria-label={t("toasts.label")}>
      <ul class="toasts">{notes.value.map((note) => <One key={note.id} {...note} />)}</ul>
    </section>
  );
}
