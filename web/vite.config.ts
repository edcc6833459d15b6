import { join } from "node:path";
import { defineConfig } from "vite";
import { compactKeys, ownPattern } from "./tools/compact";

// BALEEN_SOCKET: where `npm run dev` finds a daemon.
const socketPath = process.env["BALEEN_SOCKET"] ?? "";
const source = join(__dirname, "src");

export default defineConfig({
  base: "./",
  plugins: [compactKeys(source)],
  esbuild: {
    // the classic call is shorter than the automatic one
    jsx: "transform", jsxFactory: "h", jsxFragment: "Fragment", jsxInject: 'import { h, Fragment } from "preact"',
    legalComments: "none",
  },
  build: {
    target: "es2022",
    minify: "terser", // the page is carried inside the daemon: what is slow to make is made once
    terserOptions: {
      module: true, ecma: 2020,
      compress: { passes: 3, unsafe: true, unsafe_arrows: true, inline: 1 },
      mangle: { properties: { regex: ownPattern(source, join(__dirname, "node_modules")), keep_quoted: true } },
    },
    outDir: process.env["BALEEN_WEB_OUT"] ?? "dist",
    modulePreload: false,
    assetsInlineLimit: 0, // the page's security policy allows no data: addresses
    cssCodeSplit: false,
    reportCompressedSize: false,
    emptyOutDir: true,
  },
  server: {
    proxy: { "/api": { target: { socketPath } as unknown as string, changeOrigin: false } },
  },
});
