// Compresses the page's files as well as gzip can, for the daemon to carry. What a browser loads has a
// ceiling: all files, but of the dictionaries only one.
//   node tools/size.mjs [FOLDER]    FOLDER/../packed gets NAME.gz of each file
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import zopfli from "@gfx/zopfli";

const BYTES_MAX = 60 * 1024;
const ITERATIONS = 15;
const compress = promisify(zopfli.gzip);

function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesOf(path) : [path];
  });
}

const folder = resolve(process.argv[2] ?? process.env.BALEEN_WEB_OUT ?? "dist");
const packed = join(dirname(folder), "packed");
rmSync(packed, { recursive: true, force: true });
const LANGUAGE = /^assets\/_dictionary_[^/]*\.js$/;
let common = 0;
let dictionary = 0;
for (const file of filesOf(folder).sort()) {
  const name = relative(folder, file);
  const bytes = await compress(readFileSync(file), { numiterations: ITERATIONS });
  mkdirSync(dirname(join(packed, name)), { recursive: true });
  writeFileSync(join(packed, `${name}.gz`), bytes);
  if (LANGUAGE.test(name)) dictionary = Math.max(dictionary, bytes.length);
  else common += bytes.length;
  console.log(`${String(bytes.length).padStart(7)}  ${name}`);
}
const total = common + dictionary;
console.log(`${String(total).padStart(7)}  with one dictionary, of ${BYTES_MAX}`);
if (total === 0 || total > BYTES_MAX) {
  console.error(`size: the page has ${total} bytes compressed; between 1 and ${BYTES_MAX} are allowed`);
  process.exit(1);
}
