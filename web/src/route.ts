// The address behind `#`: #/PAGE/ID?key=value. It carries the view, so that a copied address shows the same.
import { signal } from "./signals";

export const PAGES = ["", "timeline", "job", "nodes", "reports", "submit", "admin", "in"] as const;
export type Page = (typeof PAGES)[number];

export interface Route {
  page: Page;
  /** What stands behind the page: the id of a job, a one-time code. */
  id: string;
  query: URLSearchParams;
}

/** What a hash means; an unknown page is the first one. */
export function parseHash(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const [page = "", ...rest] = path.split("/");
  const known = (PAGES as readonly string[]).includes(page);
  return { page: known ? (page as Page) : "", id: known ? decode(rest.join("/")) : "", query: new URLSearchParams(query) };
}

/** The hash of a page; parameters that are empty are left out. */
export function hashOf(page: Page, id = "", query: Record<string, string> = {}): string {
  const kept = Object.entries(query).filter(([, value]) => value !== "");
  const search = new URLSearchParams(kept).toString();
  return `#/${page}${id ? `/${encodeURIComponent(id)}` : ""}${search ? `?${search}` : ""}`;
}

export const route = signal<Route>(parseHash(globalThis.location?.hash ?? ""));
globalThis.addEventListener?.("hashchange", () => {
  route.value = parseHash(location.hash);
});

/** Changes the parameters of the address and keeps the rest; null takes one away. Makes no step back. */
export function setQuery(changes: Record<string, string | null>): void {
  const query = new URLSearchParams(route.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") query.delete(name);
    else query.set(name, value);
  }
  const { page, id } = route.value;
  history.replaceState(null, "", hashOf(page, id, Object.fromEntries(query)));
  route.value = { page, id, query };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
