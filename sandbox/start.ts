#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import path from "node:path";

// What the engine made of the program at its last start, beside the program: reading it takes a third of making it anew.
// Where nothing can be written, it is made anew.
enableCompileCache(path.join(import.meta.dirname, "compiled"));

await import("./cli.ts");
