#!/usr/bin/env node
import module from "node:module";
import path from "node:path";
import { listenForStop } from "./host/stop-signals.ts";

const OLDEST_NODE = 22;
const major = Number(process.versions.node.split(".", 1)[0]);
if (major < OLDEST_NODE) {
  process.stderr.write(
    `The sandbox needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}: start it with \`npm run sandbox\`, which brings its own.\n`,
  );
  process.exit(1);
}

// What it writes is its owner's alone: worlds hold keys, and the service's own file the control token.
process.umask(0o077);

// Whoever asks it to stop while it is still starting sees no failure.
if (!["exec", "run", "wait"].includes(process.argv[2] ?? "")) listenForStop();

// What the engine made of the program at its last start, beside the program: reading it takes a third of making it anew.
// Where nothing can be written, it is made anew.
module.enableCompileCache(path.join(import.meta.dirname, "compiled"));

await import("./cli.ts");
