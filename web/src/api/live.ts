// What the daemon tells by itself: server-sent events with numbers, from where the page stopped. The
// stream is read with fetch, as EventSource cannot say where to go on after it was closed.

export interface Change {
  event: "upsert" | "remove";
  data: { type: string; id: string | number } & Record<string, unknown>;
}

/** "live": changes come; "lost": they do not, and what is shown grows old. */
export type Status = "connecting" | "live" | "lost";

export interface LiveOptions {
  fetcher: typeof fetch;
  path: string;
  /** Reads everything again and answers the number of the last change in it. */
  load: (signal: AbortSignal) => Promise<number>;
  /** Changes since, some at once. */
  apply: (changes: Change[]) => void;
  onStatus: (status: Status) => void;
}

/** A stream without a sign of life for so long is dead: the daemon sends a line every 15 s. */
const SILENCE_MS = 40_000;
const RETRY_MS = [500, 1000, 2000, 5000, 10_000, 20_000];
/** At most five pictures a second. */
const PICTURE_MS = 200;

interface Message {
  id: number | null;
  event: string;
  data: string;
}

/** Reads lines of a stream of events into messages; keeps what is not whole yet. */
export class Parser {
  #rest = "";
  #fields: Message = { id: null, event: "", data: "" };

  read(text: string): Message[] {
    const messages: Message[] = [];
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop()!;
    for (const line of lines) {
      if (line !== "") this.#take(line);
      else {
        if (this.#fields.id !== null || this.#fields.event || this.#fields.data) messages.push(this.#fields);
        this.#fields = { id: null, event: "", data: "" };
      }
    }
    return messages;
  }

  #take(line: string): void {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "id" && /^\d+$/.test(value)) this.#fields.id = Number(value);
    else if (name === "event") this.#fields.event = value;
    else if (name === "data") this.#fields.data += (this.#fields.data && "\n") + value;
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** Loads, then follows; starts again with what came since, or from the beginning where that is gone. */
export class Live {
  #seq = -1;
  #failures = 0;
  readonly #whole = new AbortController();
  #attempt = new AbortController();
  #heard = Date.now();
  #queue: Change[] = [];
  #picture: ReturnType<typeof setTimeout> | null = null;
  readonly #watch: ReturnType<typeof setInterval>;

  readonly #options: LiveOptions;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#watch = setInterval(() => this.#check(), 5000);
    void this.#run();
  }

  /** Reads everything again, as when another window of time is looked at. */
  reload(): void {
    this.#seq = -1;
    this.#attempt.abort();
  }

  /** A laptop that woke up, or a network that came back: no need to wait for the next try. */
  wake(): void {
    if (Date.now() - this.#heard < SILENCE_MS / 2) return;
    this.#failures = 0;
    this.#attempt.abort();
  }

  stop(): void {
    clearInterval(this.#watch);
    if (this.#picture) clearTimeout(this.#picture);
    this.#whole.abort();
    this.#attempt.abort();
  }

  #check(): void {
    if (Date.now() - this.#heard > SILENCE_MS) this.#attempt.abort();
  }

  async #run(): Promise<void> {
    while (!this.#whole.signal.aborted) {
      this.#attempt = new AbortController();
      try {
        await this.#follow(this.#attempt.signal);
      } catch {
        if (!this.#attempt.signal.aborted) await this.#pause();
      }
    }
  }

  async #pause(): Promise<void> {
    this.#options.onStatus("lost");
    const ms = RETRY_MS[Math.min(this.#failures++, RETRY_MS.length - 1)]!;
    await wait(ms * (0.8 + 0.4 * Math.random()), this.#attempt.signal);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    this.#heard = Date.now();
    if (this.#seq < 0) {
      this.#queue = [];
      this.#seq = await this.#options.load(signal);
    }
    const headers = { Accept: "text/event-stream", "Last-Event-ID": String(this.#seq) };
    const answer = await this.#options.fetcher(this.#options.path, { headers, signal, credentials: "same-origin", cache: "no-store" });
    if (!answer.ok || !answer.body) throw new Error(String(answer.status));
    this.#heard = Date.now();
    this.#failures = 0;
    this.#options.onStatus("live");
    await this.#readAll(answer.body.getReader());
    throw new Error("the stream ended");
  }

  async #readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const parser = new Parser();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.#heard = Date.now();
      for (const message of parser.read(decoder.decode(value, { stream: true }))) this.#take(message);
    }
  }

  #take(message: Message): void {
    if (message.event === "resync") return this.reload();
    if (message.id !== null) this.#seq = message.id;
    if (message.event !== "upsert" && message.event !== "remove") return;
    try {
      this.#queue.push({ event: message.event, data: JSON.parse(message.data) as Change["data"] });
    } catch {
      return this.reload();
    }
    this.#picture ??= setTimeout(() => this.#flush(), PICTURE_MS);
  }

  #flush(): void {
    this.#picture = null;
    const changes = this.#queue;
    this.#queue = [];
    if (changes.length > 0) this.#options.apply(changes);
  }
}
