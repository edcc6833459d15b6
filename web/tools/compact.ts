// Makes the bundle smaller: keys of the dictionaries, which are long so that they can be read, become
// numbers where the source names them in full. Keys that are made while the page runs ("state." + …) stay.
// And says which names of the source are nobody else's.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

type Dictionary = Record<string, unknown>;

const LITERAL = /(=?)(["'])([a-z][\w-]*(?:\.[\w-]+)+)\2/g;
/** Beginnings of keys that the source completes with a code: `state.${…}`. */
const MADE = /`([a-z][\w-]*(?:\.[\w-]+)*\.)\$\{/g;

/** The number of each key that no template can make, by the order of the English dictionary. */
export function numbersOf(keys: string[], source: string): Map<string, number> {
  const made = [...source.matchAll(MADE)].map((match) => match[1] ?? "");
  const whole = keys.filter((key) => !made.some((prefix) => key.startsWith(prefix)));
  return new Map(whole.map((key, number) => [key, number]));
}

/** The source with numbers in place of keys; in braces where one is the value of an attribute. */
export function numbered(source: string, numbers: Map<string, number>): string {
  return source.replace(LITERAL, (whole, equals: string, _quote: string, key: string) => {
    const number = numbers.get(key);
    if (number === undefined) return whole;
    return equals ? `={${number}}` : String(number);
  });
}

/** Forms of which there is one alone are a text. */
function plain(message: unknown): unknown {
  const forms = Object.values(message as object);
  return typeof message === "object" && forms.length === 1 ? forms[0] : message;
}

/** A dictionary as an array, with the other keys beside it. */
export function arrayOf(dictionary: Dictionary, numbers: Map<string, number>): string {
  const texts = [...numbers.keys()].map((key) => plain(dictionary[key]));
  const rest = Object.fromEntries(Object.entries(dictionary).filter(([key]) => !numbers.has(key)).map(([key, text]) => [key, plain(text)]));
  return `export default Object.assign(${JSON.stringify(texts)}, ${JSON.stringify(rest)});`;
}

function sources(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[]).filter((name) => /\.tsx?$/.test(name));
}

const CAMEL = /\b[a-z]+[A-Z]\w*/g;

/** Names with capitals inside that the source gives to its own things: the build shortens them. The daemon says
 * `end_at` and never `endAt`; what browsers and libraries call something stands in `kept`, and what the source
 * has in quotes may be asked for by that text. */
export function ownNames(source: string, kept: string): string[] {
  const others = new Set(kept.match(CAMEL));
  for (const [, quoted] of source.matchAll(/["'`](\w+)["'`]/g)) others.add(quoted!);
  return [...new Set(source.match(CAMEL))].filter((name) => !others.has(name));
}

/** The texts in which browsers and libraries say their names. */
function foreign(packages: string): string {
  const files = (folder: string, wanted: RegExp): string[] =>
    readdirSync(join(packages, folder)).filter((name) => wanted.test(name)).map((name) => join(packages, folder, name));
  return [
    ...files("typescript/lib", /^lib\..*\.d\.ts$/), ...files("preact/src", /\.d\.ts$/), ...files("preact/dist", /\.module\.js$/),
    ...files("preact/hooks/dist", /\.module\.js$/),
  ].map((name) => readFileSync(name, "utf8")).join("\n");
}

/** A pattern of the names of properties that the build may shorten. */
export function ownPattern(folder: string, packages: string): RegExp {
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const kept = foreign(packages) + read("i18n/en.json") + read("api/types.ts");
  return new RegExp(`^(?:${ownNames(sources(folder).map(read).join("\n"), kept).join("|")})$`);
}

const VIRTUAL = "\0dictionary:";

/** `folder`: the source, with the dictionaries in i18n; `english`: the one whose order counts. */
export function compactKeys(folder: string, english = "en.json"): Plugin {
  let numbers = new Map<string, number>();
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return {
    name: "compact-keys",
    apply: "build",
    enforce: "pre",
    buildStart() {
      numbers = numbersOf(Object.keys(JSON.parse(read(join("i18n", english))) as Dictionary), sources(folder).map(read).join("\n"));
    },
    resolveId(source, importer) {
      const isDictionary = /^\.\/\w+\.json$/.test(source) && /[\\/]i18n[\\/]index\.ts$/.test(importer ?? "");
      return isDictionary ? VIRTUAL + source.slice(2, -".json".length) : null;
    },
    load(id) {
      if (!id.startsWith(VIRTUAL)) return null;
      return arrayOf(JSON.parse(read(join("i18n", `${id.slice(VIRTUAL.length)}.json`))) as Dictionary, numbers);
    },
    transform(code, id) {
      return /[\\/]src[\\/].*\.tsx?$/.test(id) ? { code: numbered(code, numbers), map: null } : null;
    },
  };
}
