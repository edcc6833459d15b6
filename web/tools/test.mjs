// Bundles test/**/*.test.ts and runs them with node's own test runner; prints TAP.
//   node tools/test.mjs [WORD]    only files whose name has the word
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { build } from "esbuild";

const root = new URL("..", import.meta.url).pathname;
const word = process.argv[2] ?? "";

function tests(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return tests(path);
    return /\.test\.tsx?$/.test(entry.name) && entry.name.includes(word) ? [path] : [];
  });
}

const folder = mkdtempSync(join(tmpdir(), "baleen-web-"));
const bundle = join(folder, "tests.mjs");
let status = 1;
try {
  await build({
    stdin: {
      contents: tests(join(root, "test")).sort().map((path) => `import ${JSON.stringify(path)};`).join("\n"),
      resolveDir: root,
    },
    bundle: true, platform: "node", format: "esm", target: "node18", outfile: bundle, sourcemap: "inline",
    jsx: "automatic", jsxImportSource: "preact", logLevel: "warning",
  });
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  status = spawnSync(process.execPath, ["--enable-source-maps", "--test-reporter=tap", bundle],
    { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(status);
