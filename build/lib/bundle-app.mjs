import { resolveConfig } from "electron-vite";
import { build } from "vite";

// `electron-vite build` always builds all three parts; a sandbox without a window needs the explorer alone.
const PARTS = /** @type {const} */ ({ explorer: ["renderer"], desktop: ["main", "preload"] });

process.env.NODE_ENV_ELECTRON_VITE = "production";
const { config } = await resolveConfig({ logLevel: "warn" }, "build", "production");
for (const target of process.argv.slice(2)) {
  for (const part of PARTS[/** @type {keyof typeof PARTS} */ (target)]) await build(config?.[part]);
}
