import type { Signal } from "../signals";
import { cloneElement, type ComponentChildren, type VNode } from "preact";
import { useMemo } from "preact/hooks";

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | null | undefined;
  /** The input, or what makes it of the attributes that tie it to its label, hint and error. */
  children: VNode | ((ties: Ties) => VNode);
}

export interface Ties {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean;
}

/** An input that shows and sets a signal. */
export function bound(to: Signal<string>) {
  return {
    value: to.value,
    onInput: (event: { currentTarget: { value: string } }): void => void (to.value = event.currentTarget.value),
  };
}

let count = 0;

/** A labelled input; what is wrong with it stands under it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useMemo(() => `field-${++count}`, []);
  const note = error || hint;
  const ties = { id, "aria-describedby": note ? `${id}-note` : undefined, "aria-invalid": Boolean(error) };
  return (
    <div class={error ? "field wrong" : "field"}>
      <label for={id}>{label}</label>
      {typeof children === "function" ? children(ties) : cloneElement(children, ties)}
      {note && <div id={`${id}-note`} class={error ? "error" : "hint"}>{note}</div>}
    </div>
  );
}
