// Text that somebody outside typed: job names, users, commands, logs. It is only ever put into text
// nodes or drawn on a canvas; here control characters become visible marks, so that a name can neither
// turn the line around nor hide what it is.

/** Characters that shape or hide text instead of being seen; a joiner within an emoji is not among them. */
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\u{e0000}-\u{e0fff}]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d/gu;
/** A heap of marks on one letter grows over the lines beside it: three are left. */
const MARKS = /(\p{M}{3})\p{M}+/gu;
export const CUT_LENGTH = 60;

function mark(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `\u27e8${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
}

/** The text with control characters, direction marks and broken surrogates made visible. */
export function visible(text: string): string {
  return text.replace(UNSEEN, mark).replace(MARKS, "$1");
}

/** Cut to `length` characters as a reader counts them; "…" stands for the rest. */
export function cut(text: string, length = CUT_LENGTH): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length * 4); // enough for emoji of several units
  const letters = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(head)];
  if (head.length < text.length) letters.pop(); // it may be half a character
  else if (letters.length <= length) return text;
  return letters.slice(0, length - 1).map((part) => part.segment).join("") + "…";
}
