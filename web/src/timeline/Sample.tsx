import type { Look } from "./looks";

/** What a look's bars are drawn with. */
export function Sample({ look }: { look: Look }) {
  return <i class={`tl-key tl-key-${look}`} style={{ backgroundColor: `var(--${look})` }} />;
}
