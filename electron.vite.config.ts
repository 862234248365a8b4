import { readdirSync, readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import type { Plugin } from "vite";

/** The service serves the explorer at `/` and answers its deep links with index.html; electron-vite assumes files. */
const servedFromTheRoot: Plugin = { name: "served-from-the-root", config: () => ({ base: "/" }) };

/**
 * Names what a page does not need at once in a template, from which main.tsx takes it when the page is of use: then it
 * is fetched into the browser's cache and not run, and opening it needs no service, which may be away.
 */
const fetchedOnceOfUse: Plugin = {
  name: "fetched-once-of-use",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle = {} }) {
      const late = Object.keys(bundle).filter((file) => /\.(js|css)$/.test(file) && !html.includes(file));
      const links = late.map((file) => ({ tag: "link", attrs: { rel: "prefetch", href: `/${file}` } }));
      return [{ tag: "template", attrs: { id: "late" }, children: links, injectTo: "body" }];
    },
  },
};

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

/** The file of a place's code. */
const PLACE = new RegExp(`/(${readdirSync("renderer/features").join("|")})-[^/]+$`);

/** What the frame has of its own and places use too: every page loads all of it, so that it is one file. */
const FRAME = new RegExp(
  [
    "/renderer/app/(boundary|live/use-live|shell/rail|theme/scheme)\\.",
    "/renderer/components/(late-menu|operation)\\.",
    "/renderer/domain/(exchange/exchange|world/(mutations|pin-button|worlds-ui))\\.",
    "/use-mantine-color-scheme\\.",
    "/Icon(ChevronUp|InfoCircle|Moon|Pin|Search|Sun|DeviceDesktop)\\.",
  ].join("|"),
);

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
    plugins: [react(), servedFromTheRoot, fetchedOnceOfUse],
    build: {
      outDir: "out/renderer",
      minify: true,
      // The explorer's content security policy allows no inline scripts and no data: addresses for code.
      assetsInlineLimit: 0,
      // What a place needs is fetched at once with it. What is opened later was fetched by then: naming its parts for each
      // of a hundred late parts would be a list that every page loads. Style sheets must be there before it is drawn.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (file, dependencies, { hostType }) =>
          hostType === "html" || PLACE.test(file)
            ? dependencies
            : dependencies.filter((one) => one.endsWith(".css") || one === file),
      },
      manifest: true,
      rolldownOptions: {
        input: "renderer/index.html",
        output: {
          chunkFileNames: namedAfterPlace,
          // What so many parts share is one file: fifty small ones would compress worse, and each is a request. What draws
          // long lists is large, and only for the places that have one.
          codeSplitting: {
            groups: [
              {
                name: "frame",
                test: FRAME,
                includeDependenciesRecursively: false,
              },
              {
                name: "shared",
                test: /^(?!.*@tanstack[/](react-)?virtual)/,
                minShareCount: 18,
                includeDependenciesRecursively: false,
              },
            ],
          },
        },
      },
    },
  },
});
