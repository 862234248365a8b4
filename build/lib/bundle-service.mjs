import { cpSync } from "node:fs";
import { rolldown } from "rolldown";

// One file starts several times faster than the hundreds of modules it is made of. Only the native module has to stay
// where it is.
const bundle = await rolldown({
  input: "sandbox/cli.ts",
  platform: "node",
  external: ["better-sqlite3"],
  logLevel: "warn",
});
await bundle.write({
  file: "out/sandbox/cli.js",
  format: "esm",
  codeSplitting: false,
  keepNames: true,
  minify: false,
  sourcemap: true,
  comments: { legal: true },
});
await bundle.close();

// The pictures of the seeded world are drawn as SVG and served as WebP.
cpSync("sandbox/worlds/seed/media", "out/sandbox/media", {
  recursive: true,
  filter: (source) => !source.endsWith(".svg"),
});
