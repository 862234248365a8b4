#!/usr/bin/env node
import module from "node:module";
import path from "node:path";
import { listenForStop } from "./host/stop-signals.ts";

/** What the library that sends notifications needs; with Node 20 the native module would crash. */
const OLDEST_NODE = [22, 19] as const;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  process.stderr.write(
    `The sandbox needs Node ${OLDEST_NODE.join(".")} or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org and run the command again.\n`,
  );
  process.exit(1);
}

// Each world that was written to waits for the disk on a thread of this pool, which is made at its first use.
// biome-ignore lint/style/noProcessEnv: it is set for the runtime, before anything reads it.
process.env.UV_THREADPOOL_SIZE ??= "16";

// What it writes is its owner's alone: worlds hold keys, and the service's own file the control token.
process.umask(0o077);

// Whoever asks it to stop while it is still starting sees no failure.
if (!["exec", "run", "wait"].includes(process.argv[2] ?? "")) listenForStop();

// What the engine made of the program at its last start, beside the program: reading it takes a third of making it anew.
// Where nothing can be written, it is made anew.
module.enableCompileCache(path.join(import.meta.dirname, "compiled"));

await import("./cli.ts");
