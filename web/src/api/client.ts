// Talks to the daemon that served the page. Whoever asks gets the value or an ApiError.

/** What went wrong, as the daemon says it; code "unreachable" where it did not answer at all. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly field: string | null = null,
    readonly hint: string | null = null,
    /** The whole answer, for errors that tell more (conflicts, openings). */
    readonly body: unknown = null,
  ) {
    super(message);
  }
}

export interface Client {
  get<T>(path: string, signal?: AbortSignal): Promise<T>;
  /** POST, PATCH or DELETE with a JSON body. */
  send<T>(method: "POST" | "PATCH" | "DELETE", path: string, body?: unknown, signal?: AbortSignal): Promise<T>;
  /** An answer that is no JSON, with its headers. */
  raw(path: string, signal?: AbortSignal): Promise<Response>;
}

const BASE = "api/v1/";

function errorOf(status: number, text: string): ApiError {
  try {
    const body = JSON.parse(text) as { error?: Record<string, unknown> };
    const { code, message, field, hint } = body.error ?? {};
    const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
    return new ApiError(status, textOf(code) ?? "unknown", textOf(message) ?? "",
      textOf(field), textOf(hint), body);
  } catch {
    return new ApiError(status, "unknown", text.slice(0, 200));
  }
}

export interface Listener {
  /** The session is over, or there was none. */
  onUnauthorized?(): void;
  /** Whether the daemon answered, whatever it said. */
  onReach?(does: boolean): void;
}

/** With `fetch` of the browser, or one that a test gives. */
export function createClient(fetcher: typeof fetch, listener: Listener = {}): Client {
  async function ask(path: string, init: RequestInit): Promise<Response> {
    let answer: Response;
    try {
      answer = await fetcher(BASE + path, { credentials: "same-origin", cache: "no-store", ...init });
    } catch (reason) {
      if (reason instanceof DOMException && reason.name === "AbortError") throw reason;
      listener.onReach?.(false);
      throw new ApiError(0, "unreachable", "");
    }
    listener.onReach?.(true);
    if (answer.ok) return answer;
    if (answer.status === 401) listener.onUnauthorized?.();
    throw errorOf(answer.status, await answer.text().catch(() => ""));
  }

  return {
    async get<T>(path: string, signal?: AbortSignal): Promise<T> {
      return (await ask(path, { signal: signal ?? null })).json() as Promise<T>;
    },
    async send<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
      const headers = { "Content-Type": "application/json", "X-Baleen": "1" };
      const init = { method, headers, body: JSON.stringify(body ?? {}), signal: signal ?? null };
      return (await ask(path, init)).json() as Promise<T>;
    },
    raw: (path, signal) => ask(path, { signal: signal ?? null }),
  };
}
