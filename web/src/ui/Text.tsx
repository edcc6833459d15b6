import { cut, CUT_LENGTH, visible } from "./visible";

interface Props {
  value: string | number | null | undefined;
  length?: number;
  class?: string;
}

/** What somebody typed: isolated from the text around it, cut, with all of it in the tip. */
export function Text({ value, length = CUT_LENGTH, class: name }: Props) {
  const whole = visible(String(value ?? ""));
  const shown = cut(whole, length);
  return (
    <bdi class={name} title={shown === whole ? undefined : cut(whole, 2000)}>
      {shown}
    </bdi>
  );
}

/** The same where all of it must be had, line by line: a long one unfolds. */
export function WholeText({ value }: { value: string }) {
  const lines = value.trimEnd().split("\n").map(visible);
  const first = cut(lines[0] ?? "", 160);
  if (lines.length === 1 && first === lines[0]) return <bdi class="mono">{first}</bdi>;
  return (
    <details class="whole">
      <summary><bdi class="mono">{first}</bdi></summary>
      <bdi class="mono wrap">{lines.join("\n")}</bdi>
    </details>
  );
}
