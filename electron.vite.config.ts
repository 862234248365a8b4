import { readdirSync, readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import type { Plugin } from "vite";

/** The service serves the explorer at `/` and answers its deep links with index.html; electron-vite assumes files. */
const servedFromTheRoot: Plugin = { name: "served-from-the-root", config: () => ({ base: "/" }) };

const seededPictures = "sandbox/worlds/seed/media";

/** Puts the pictures of a fresh world beside the main bundle, where the service in it looks for them. */
const withSeededPictures: Plugin = {
  name: "with-seeded-pictures",
  buildStart() {
    for (const name of readdirSync(seededPictures).filter((file) => file.endsWith(".webp"))) {
      this.emitFile({ type: "asset", fileName: `media/${name}`, source: readFileSync(`${seededPictures}/${name}`) });
    }
  },
};

/** A place's code bears the place's name, so that a list of what a page loads can be read. */
const namedAfterPlace = ({ facadeModuleId }: { readonly facadeModuleId: string | null }): string =>
  `assets/${/features\/([^/]+)\/place\.tsx$/.exec(facadeModuleId ?? "")?.[1] ?? "[name]"}-[hash].js`;

export default defineConfig({
  main: {
    plugins: [withSeededPictures],
    build: {
      // Starting from one file is faster than from a thousand; only the native module has to stay what it is.
      externalizeDeps: false,
      rolldownOptions: {
        input: { main: "electron/main.ts", worker: "sandbox/snapshots/worker.ts" },
        external: ["better-sqlite3"],
        // All in one folder: the service starts the worker that lies beside it.
        output: { format: "es", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload has no module loader: one CommonJS file, everything inside.
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: "electron/preload.ts" },
        output: { format: "cjs", entryFileNames: "[name].cjs" },
      },
    },
  },
  renderer: {
    root: "renderer",
    plugins: [react(), servedFromTheRoot],
    build: {
      outDir: "out/renderer",
      minify: true,
      // The explorer's content security policy allows no inline scripts and no data: addresses for code.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      manifest: true,
      // A test limits what each place loads, compressed.
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      rolldownOptions: {
        input: "renderer/index.html",
        output: {
          chunkFileNames: namedAfterPlace,
          // Puts the modules that several places share into one file: many small ones compress worse and each is a request.
          codeSplitting: { groups: [{ name: "shared", minShareCount: 3, includeDependenciesRecursively: false }] },
        },
      },
    },
  },
});
