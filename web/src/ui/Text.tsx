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

/** The same where all of it must be had: a long one unfolds. */
export function WholeText({ value }: { value: string }) {
  const whole = visible(value);
  const shown = cut(whole, 200);
  if (shown === whole) return <bdi class="mono">{whole}</bdi>;
  return (
    <details class="whole">
      <summary>
        <bdi class="mono">{shown}</bdi>
      </summary>
      <bdi class="mono wrap">{whole}</bdi>
    </details>
  );
}
