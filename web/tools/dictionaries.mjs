// Compares the two dictionaries with each other and with what the source asks for. The type checker
// finds a key that the source or the Chinese dictionary has and the English one lacks, or the reverse;
// this finds keys that nobody uses, placeholders that differ, and text that bypasses the dictionaries.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { differences, untranslated, unused } from "./dictionary-rules.mjs";

const root = new URL("..", import.meta.url).pathname;

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

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
