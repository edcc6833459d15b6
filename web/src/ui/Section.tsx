import type { ComponentChildren } from "preact";

/** A part of a page under its heading, which is also its name. */
export function Section({ title, class: name, children }: { title: string; class?: string; children: ComponentChildren }) {
  return (
    <section class={name} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
