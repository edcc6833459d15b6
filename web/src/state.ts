// What the whole page shares: who looks at it, in which zone and colours, and what time it is.
import { computed, effect, signal } from "./signals";
import { ApiError, createClient, type Client } from "./api/client";
import type { Session } from "./api/types";

export type Theme = "auto" | "light" | "dark";

/** undefined: not asked yet; null: nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined);
/** Whether the daemon answered when it was asked last. */
export const reachable = signal(true);

export const client: Client = createClient(
  (...what) => fetch(...what),
  { onUnauthorized: () => void (session.peek()?.user && loadSession()), onReach: (does) => (reachable.value = does) },
);

/** Seconds since the epoch; goes on each second while the page is seen. */
export const now = signal(Math.floor(Date.now() / 1000));

const KEPT_ZONE = "baleen.zone";
const KEPT_THEME = "baleen.theme";
/** A zone that was chosen, or "" for the daemon's. */
export const chosenZone = signal(known(kept(KEPT_ZONE)));
export const theme = signal((kept(KEPT_THEME) ?? "auto") as Theme);

export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const daemonZone = signal("");
/** Of the daemon. */
export const siteZone = computed(() => daemonZone.value || browserZone);
/** The zone in which all times are shown. */
export const zone = computed(() => chosenZone.value || siteZone.value);

/** Whether somebody is signed in: a public view shows no logs, curves and reports. */
export const isSignedIn = computed(() => session.value?.user != null);

/** Whether who looks may change anything at all. */
export const canWrite = computed(() => {
  const scope = session.value?.scope;
  return scope === "submit" || scope === "admin";
});

/** Whether who looks may change what is `user`'s. */
export function mayChange(user: string | null): boolean {
  return canWrite.value && (session.value?.admin === true || session.value?.user === user);
}

function kept(name: string): string | null {
  return globalThis.localStorage?.getItem(name) ?? null;
}

/** The zone, or "" where this browser does not know it. */
function known(zone: string | null): string {
  try {
    return zone ? new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone && zone : "";
  } catch {
    return "";
  }
}

export async function loadSession(): Promise<void> {
  try {
    const found = await client.get<Session>("session");
    daemonZone.value = known(found.zone);
    session.value = found.user !== null || found.public ? found : null;
  } catch (reason) {
    const isRefusal = reason instanceof ApiError && reason.status > 0;
    if (isRefusal) session.value = null;
    else setTimeout(() => void loadSession(), 2000);
  }
}

export async function signIn(proof: { token: string } | { code: string }): Promise<void> {
  await client.send("POST", "session", proof);
  await loadSession();
}

export async function signOut(): Promise<void> {
  await client.send("DELETE", "session");
  await loadSession(); // what everybody may see is shown on
}

const systemDark = globalThis.matchMedia?.("(prefers-color-scheme: dark)");

/** The style sheets know light and dark alone. */
function paint(): void {
  const chosen = theme.peek();
  document.documentElement.dataset["theme"] = chosen === "auto" ? (systemDark.matches ? "dark" : "light") : chosen;
}

/** Starts the clock and keeps what was chosen. */
export function startState(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Math.floor(Date.now() / 1000);
  }, 1000);
  document.addEventListener("visibilitychange", () => (now.value = Math.floor(Date.now() / 1000)));
  effect(() => localStorage.setItem(KEPT_ZONE, chosenZone.value));
  effect(() => {
    localStorage.setItem(KEPT_THEME, theme.value);
    paint();
  });
  systemDark.addEventListener("change", paint);
  void loadSession();
}
