import { defineConfig } from "vite";

// BALEEN_SOCKET: where `npm run dev` finds a daemon.
const socketPath = process.env["BALEEN_SOCKET"] ?? "";

export default defineConfig({
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: {
    target: "es2021",
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
