// The whole page, compressed, has a ceiling: it is carried inside the daemon.
//   node tools/size.mjs [FOLDER]
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const BYTES_MAX = 60 * 1024;
const folder = process.argv[2] ?? process.env.BALEEN_WEB_OUT ?? "dist";

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
const sizes = files.map((name) => [name, gzipSync(readFileSync(name), { level: 9 }).length]);
const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
for (const [name, bytes] of sizes) console.log(`${String(bytes).padStart(7)}  ${name}`);
console.log(`${String(total).padStart(7)}  in all, of ${BYTES_MAX}`);
if (files.length === 0 || total > BYTES_MAX) {
  console.error(`size: the page has ${total} bytes compressed; between 1 and ${BYTES_MAX} are allowed`);
  process.exit(1);
}
