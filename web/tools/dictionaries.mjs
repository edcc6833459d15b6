// Compares the two dictionaries with each other and with what the source asks for. The type checker
// finds a key that the source or the Chinese dictionary has and the English one lacks, or the reverse;
// this finds keys that nobody uses, placeholders that differ, and text that bypasses the dictionaries.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = new URL("..", import.meta.url).pathname;

export function placeholders(message) {
  const texts = typeof message === "string" ? [message] : Object.values(message);
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1])))].sort();
}

/** What is wrong between the two, as lines. */
export function differences(en, zh) {
  const found = [];
  for (const key of Object.keys(en)) {
    if (!(key in zh)) found.push(`zh.json lacks "${key}"`);
    else if (String(placeholders(en[key])) !== String(placeholders(zh[key])))
      found.push(`"${key}": {${placeholders(en[key])}} in en.json, {${placeholders(zh[key])}} in zh.json`);
  }
  for (const key of Object.keys(zh)) if (!(key in en)) found.push(`en.json lacks "${key}"`);
  return found;
}

/** Keys that no source names. A template `a.${x}` uses every key that begins with "a.". */
export function unused(en, source) {
  const literals = new Set([...source.matchAll(/"([a-z][\w-]*(?:\.[\w-]+)+)"/g)].map((m) => m[1]));
  const prefixes = [...source.matchAll(/`([a-z][\w-]*(?:\.[\w-]+)*\.)\$\{/g)].map((m) => m[1]);
  return Object.keys(en)
    .filter((key) => !literals.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)))
    .map((key) => `"${key}" of en.json is used nowhere`);
}

/** Words between tags, which would be shown in one language only. */
export function untranslated(name, source) {
  const text = />\s*([A-Za-z][A-Za-z]+(?: [A-Za-z]+)*[.:!?]?)\s*<\//g;
  const label = /\s(?:title|placeholder|aria-label|alt)="([^"]*[A-Za-z]{2}[^"]*)"/g;
  return [...source.matchAll(text), ...source.matchAll(label)].map((m) => `${name}: "${m[1]}" bypasses t()`);
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function main() {
  const en = JSON.parse(readFileSync(join(root, "src/i18n/en.json"), "utf8"));
  const zh = JSON.parse(readFileSync(join(root, "src/i18n/zh.json"), "utf8"));
  const files = sources(join(root, "src")).map((path) => [path.slice(root.length), readFileSync(path, "utf8")]);
  const found = [
    ...differences(en, zh),
    ...unused(en, files.map(([, text]) => text).join("\n")),
    ...files.filter(([name]) => name.endsWith(".tsx")).flatMap(([name, text]) => untranslated(name, text)),
  ];
  for (const line of found) console.error(`dictionaries: ${line}`);
  process.exit(found.length ? 1 : 0);
}

if (import.meta.url === `file://${process.argv[1]}`) main();
