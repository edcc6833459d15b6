// The list of keys, and the keys that work everywhere.
import { signal } from "../signals";
import { t } from "../i18n";
import { hashOf, type Page } from "../route";
import { Dialog } from "./Dialog";
import { allShortcuts, isTyping, listShortcuts } from "./keys";

const isOpen = signal(false);

export const showHelp = (): void => void (isOpen.value = true);

const GO: Record<string, Page> = { m: "", t: "timeline", n: "nodes", r: "reports", s: "submit", a: "admin" };
const GO_MS = 1200;
let goUntil = 0;

function onKey(event: KeyboardEvent): void {
  if (isTyping(event)) return;
  if (event.key === "?") {
    showHelp();
  } else if (event.key === "g") {
    goUntil = event.timeStamp + GO_MS;
    return;
  } else if (event.timeStamp < goUntil && event.key in GO) {
    event.preventDefault();
    event.stopImmediatePropagation();
    location.hash = hashOf(GO[event.key] ?? "");
  }
  goUntil = 0;
}

/** Before others listen, so that the second key of a pair does nothing else. */
export function startKeys(): void {
  window.addEventListener("keydown", onKey, true);
  listShortcuts("page", [
    { keys: "?", label: "help.title" },
    { keys: "g m", label: "nav.mine" },
    { keys: "g t", label: "timeline.title" },
    { keys: "g n", label: "nav.nodes" },
    { keys: "g r", label: "nav.reports" },
    { keys: "g s", label: "nav.submit" },
    { keys: "g a", label: "nav.admin" },
    { keys: "/", label: "help.filter" },
    { keys: "Esc", label: "help.close" },
  ]);
}

export function Help() {
  if (!isOpen.value) return null;
  return (
    <Dialog title={t("help.title")} onClose={() => (isOpen.value = false)}>
      <dl class="shortcuts">
        {allShortcuts().map(({ keys, label }) => (
          <div key={keys}>
            <dt>{keys.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{t(label)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
