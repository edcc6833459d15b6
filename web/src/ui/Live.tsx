// What a screen reader is told at once, without being looked for.
import { signal } from "../signals";

const said = signal("");

export function announce(text: string): void {
  said.value = said.value === text ? `${text}\u00a0` : text; // the same again is said again
}

export function LiveRegion() {
  return (
    <div class="unseen" role="status" aria-live="polite">
      {said.value}
    </div>
  );
}
