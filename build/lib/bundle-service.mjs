import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";

const folder = "out/sandbox";

// One file starts several times faster than the hundreds of modules it is made of. Only the native module has to stay
// where it is.
/** @type {import("rolldown").OutputOptions} */
const write = {
  dir: folder,
  format: "esm",
  keepNames: true,
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  sourcemap: true,
  comments: { legal: true },
};
/** @type {import("rolldown").InputOptions} */
const read = { platform: "node", external: ["better-sqlite3", "pg-native"], logLevel: "warn" };

const service = await rolldown({ ...read, input: "sandbox/start.ts" });
const { output } = await service.write({
  ...write,
  entryFileNames: "cli.js",
  chunkFileNames: ({ name }) => (name === "cli" ? "service.js" : `${name}.js`),
  // What is loaded on first use, such as the OpenAPI document, stays out of what every start has to read.
  codeSplitting: true,
});
await service.close();

// Beside the service's own file, which is where the service looks for it; alone, so that a start reads nothing of it.
const worker = await rolldown({ ...read, input: "sandbox/snapshots/worker.ts" });
output.push(...(await worker.write({ ...write, entryFileNames: "worker.js", codeSplitting: false })).output);
await worker.close();

// One character outside Latin-1 makes the engine keep two bytes for each of the millions in the file.
for (const { type, fileName } of output) {
  if (type === "chunk") escapeNonAscii(path.join(folder, fileName));
}

/** @param {string} file */
function escapeNonAscii(file) {
  const code = readFileSync(file, "utf8");
  const escaped = code.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  writeFileSync(file, escaped);
}

// The pictures of the seeded world are drawn as SVG and served as WebP.
cpSync("sandbox/worlds/seed/media", `${folder}/media`, {
  recursive: true,
  filter: (source) => !source.endsWith(".svg"),
});
