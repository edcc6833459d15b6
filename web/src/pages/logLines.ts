// A log as it comes from a process, made fit to be shown: colours kept, everything else harmless.
import { visible } from "../ui/visible";

export interface Piece {
  text: string;
  /** Class names: "fg1" … "fg15", "bold", "dim", "under". */
  style: string;
}

/** Escape sequences: colours (CSI … m), other CSI, titles and links (OSC … BEL or ST), the rest. */
const ESCAPES = /\x1b\[([0-9;:]*)m|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?/g;

interface Pen {
  color: number | null;
  isBold: boolean;
  isDim: boolean;
  isUnder: boolean;
}

const PLAIN: Pen = { color: null, isBold: false, isDim: false, isUnder: false };

function applied(pen: Pen, code: number): Pen {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...pen, isBold: true };
  if (code === 2) return { ...pen, isDim: true };
  if (code === 4) return { ...pen, isUnder: true };
  if (code === 22) return { ...pen, isBold: false, isDim: false };
  if (code === 24) return { ...pen, isUnder: false };
  if (code >= 30 && code <= 37) return { ...pen, color: code - 30 };
  if (code === 39) return { ...pen, color: null };
  if (code >= 90 && code <= 97) return { ...pen, color: code - 82 };
  return pen;
}

/** Colours of 256 and of 24 bits are left at what they were: their numbers are no codes. */
function colored(pen: Pen, codes: number[]): Pen {
  let now = pen;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 38 || code === 48) i += codes[i + 1] === 5 ? 2 : codes[i + 1] === 2 ? 4 : 0;
    else now = applied(now, code);
  }
  return now;
}

function styleOf(pen: Pen): string {
  const names = [pen.color !== null && `fg${pen.color}`, pen.isBold && "bold", pen.isDim && "dim", pen.isUnder && "under"];
  return names.filter(Boolean).join(" ");
}

/** What a terminal would show of a line that a progress bar wrote again and again. */
function lastWritten(line: string): string {
  const ended = line.endsWith("\r") ? line.slice(0, -1) : line;
  return ended.slice(ended.lastIndexOf("\r") + 1);
}

const LINE_LENGTH_MAX = 4000;

/** The pieces of one line, and the pen with which the next one goes on. */
function paint(line: string, pen: Pen): { pieces: Piece[]; pen: Pen } {
  const pieces: Piece[] = [];
  const text = lastWritten(line).slice(0, LINE_LENGTH_MAX);
  let now = pen;
  let from = 0;
  const put = (to: number): void => {
    if (to > from) pieces.push({ text: visible(text.slice(from, to).replace(/\t/g, "    ")), style: styleOf(now) });
  };
  for (const match of text.matchAll(ESCAPES)) {
    put(match.index);
    if (match[1] !== undefined) now = colored(now, match[1].split(/[;:]/).map(Number));
    from = match.index + match[0].length;
  }
  put(text.length);
  return { pieces, pen: now };
}

export interface Line {
  /** Counted from the first line that was read. */
  number: number;
  pieces: Piece[];
}

export const LINES_KEPT = 5000;

/** The end of a log that grows: bytes go in, lines come out; the oldest go when there are too many. */
export class LogTail {
  lines: Line[] = [];
  /** Bytes of it that were shown and are gone, or were never asked for. */
  isCut = false;
  #decoder = new TextDecoder();
  #open = "";
  #pen = PLAIN;
  #count = 0;
  #hasOpenLine = false;

  add(bytes: Uint8Array): void {
    const parts = (this.#open + this.#decoder.decode(bytes, { stream: true })).split("\n");
    if (this.#hasOpenLine) this.lines.pop();
    if (this.#hasOpenLine) this.#count--;
    this.#open = (parts.pop() ?? "").slice(-LINE_LENGTH_MAX * 4);
    for (const line of parts) this.#pen = this.#push(line);
    this.#hasOpenLine = this.#open !== "";
    if (this.#hasOpenLine) this.#push(this.#open);
    if (this.lines.length > LINES_KEPT) {
      this.lines = this.lines.slice(-LINES_KEPT);
      this.isCut = true;
    }
  }

  /** The end of the pen that a whole line leaves; an open line is painted again later. */
  #push(line: string): Pen {
    const { pieces, pen } = paint(line, this.#pen);
    this.lines.push({ number: ++this.#count, pieces });
    return pen;
  }
}

export function plainText(line: Line): string {
  return line.pieces.map((piece) => piece.text).join("");
}

/** Lines that have the words, in any case. */
export function found(lines: Line[], words: string): Line[] {
  const wanted = words.toLowerCase();
  return wanted ? lines.filter((line) => plainText(line).toLowerCase().includes(wanted)) : lines;
}
