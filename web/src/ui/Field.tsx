import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | null | undefined;
  /** Given the attributes that tie the input to its label, hint and error. */
  children: (ties: Ties) => JSX.Element;
  class?: string;
}

export interface Ties {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean;
}

/** A labelled input; what is wrong with it stands under it. */
export function Field({ label, hint, error, children, class: name = "" }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div class={`field ${error ? "wrong" : ""} ${name}`}>
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": note ? `${id}-note` : undefined, "aria-invalid": Boolean(error) })}
      {note && <div id={`${id}-note`} class={error ? "error" : "hint"}>{note}</div>}
    </div>
  );
}
