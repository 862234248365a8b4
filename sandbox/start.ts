#!/usr/bin/env node
import module from "node:module";
import path from "node:path";
import { listenForStop } from "./host/stop-signals.ts";

/** Required by the library that sends notifications. Node 20 would crash in the native module. */
const MIN_NODE = [22, 19] as const;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1])) {
  process.stderr.write(
    `The sandbox needs Node ${MIN_NODE.join(".")} or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org and run the command again.\n`,
  );
  process.exit(1);
}

// Each written world waits for the disk on a thread of this pool, which is created on first use.
// biome-ignore lint/style/noProcessEnv: it is set for the runtime, before anything reads it.
process.env.UV_THREADPOOL_SIZE ??= "16";

// Makes all files private: worlds hold keys, and the service's own file the control token.
process.umask(0o077);

// A stop request during the start must not look like a failure.
if (!["exec", "run", "wait"].includes(process.argv[2] ?? "")) listenForStop();

// Caches compiled code beside the program, which saves two thirds of the compile time. Skipped where nothing can be
// written.
module.enableCompileCache(path.join(import.meta.dirname, "compiled"));

await import("./cli.ts");
