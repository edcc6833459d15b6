// Questions and forms over the page. The browser's own <dialog> keeps the focus inside, gives it back
// and closes at Escape.
import { signal } from "../signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "./Icon";

interface DialogProps {
  title: ComponentChildren;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={box} class={wide ? "wide" : ""} aria-labelledby="dialog-title"
      onClose={onClose} onClick={(event) => event.target === box.current && onClose()}>
      <div class="dialog-body">
        <header>
          <h2 id="dialog-title">{title}</h2>
          <button type="button" class="quiet" aria-label={t("action.close")} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

interface Question {
  title: ComponentChildren;
  text?: ComponentChildren;
  /** The word on the button that does it. */
  yes: string;
  isGrave?: boolean;
  act: () => void;
}

const question = signal<Question | null>(null);

/** Asks before something that cannot be taken back. */
export function confirm(asked: Question): void {
  question.value = asked;
}

export function Confirmation() {
  const asked = question.value;
  if (!asked) return null;
  const close = (): void => void (question.value = null);
  return (
    <Dialog title={asked.title} onClose={close}>
      {asked.text && <p>{asked.text}</p>}
      <footer>
        <button type="button" onClick={close} autofocus>{t("action.back")}</button>
        <button type="button" class={asked.isGrave ? "grave" : "primary"} onClick={() => { close(); asked.act(); }}>
          {asked.yes}
        </button>
      </footer>
    </Dialog>
  );
}
