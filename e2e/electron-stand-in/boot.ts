import { readFileSync } from "node:fs";
import inspector from "node:inspector";
import { createRequire, registerHooks } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { app } from "./app.ts";
import { readAppPackage, readCommandLine } from "./command-line.ts";
import { findArchive, unpackApp } from "./packaged-app.ts";

// The launcher's own name comes first; Electron shows it, then every argument including switches.
const [executable = "", ...args] = process.argv.slice(2);
process.argv.splice(0, process.argv.length, path.resolve(executable), ...args);
const { switches, preloads, appFolder } = readCommandLine(args);
// Beside an archive, every argument is the app's own: a double-clicked file is not an app folder.
const archive = findArchive(path.resolve(executable));
const folder = archive === null ? appFolder : unpackApp(archive);
if (folder === null) throw new Error("electron stand-in: no app is given, and none is packaged beside it");
const about = readAppPackage(folder);

// Reads only the version, because loading the real package starts a download.
const manifest = path.join(import.meta.dirname, "../../node_modules/electron/package.json");
const { version }: { version: string } = JSON.parse(readFileSync(manifest, "utf8"));
Object.assign(process.versions, { electron: version, chrome: "" });

const standIn = pathToFileURL(path.join(import.meta.dirname, "electron.ts")).href;
registerHooks({
  resolve(specifier, context, next) {
    if (!/^electron(\/main)?$/.test(specifier)) return next(specifier, context);
    return { url: standIn, format: "module-typescript", shortCircuit: true };
  },
});

const inspect = switches.get("inspect");
if (inspect !== undefined) inspector.open(Number(inspect));
app.configure(about, switches);
for (const preload of preloads) createRequire(import.meta.url)(preload);
await import(pathToFileURL(about.main).href);
await app.start();
