import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";

const folder = "out/sandbox";

// One file starts several times faster than hundreds of modules. Only the native module stays separate.
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
  chunkFileNames: ({ name }) => (name === "cli" ? "command.js" : `${name}.js`),
  // Code loaded on first use, such as the OpenAPI document, stays out of every start.
  codeSplitting: true,
});
await service.close();

// The service expects the worker beside its own file. A separate bundle keeps it out of the start.
const worker = await rolldown({ ...read, input: "sandbox/snapshots/worker.ts" });
output.push(...(await worker.write({ ...write, entryFileNames: "worker.js", codeSplitting: false })).output);
await worker.close();

// With one character outside Latin-1, V8 stores the whole file with two bytes per character.
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

// Converts the seed's SVG pictures to WebP.
cpSync("sandbox/worlds/seed/media", `${folder}/media`, {
  recursive: true,
  filter: (source) => !source.endsWith(".svg"),
});
