import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { build } from "electron-builder";
import { copyBuilt } from "./copy-built.mjs";
import { desktopConfiguration, NOTICES, STAGE } from "./desktop-configuration.mjs";
import { findElectron } from "./electron.mjs";
import { thirdPartyLicences } from "./licences.mjs";
import { projectNode, ROOT, readJson } from "./project.mjs";
import { readReleases, releaseNotes } from "./releases.mjs";

const STAND_IN = path.join(ROOT, "out/stand-in");

const { values } = parseArgs({
  options: {
    dir: { type: "boolean", default: false },
    "stand-in": { type: "boolean", default: false },
    linux: { type: "boolean", default: false },
    mac: { type: "boolean", default: false },
    win: { type: "boolean", default: false },
    x64: { type: "boolean", default: false },
    arm64: { type: "boolean", default: false },
  },
});
// GitHub sets an unset secret to an empty text, which electron-builder would take for a certificate.
for (const [name, value] of Object.entries(process.env)) if (value === "") delete process.env[name];
const releases = readReleases(process.env);
stageApp();
const runtime = chooseDist();
const { version: releasedVersion } = readJson(path.join(ROOT, "package.json"));
await build({
  projectDir: ROOT,
  config: desktopConfiguration(
    runtime,
    releases && { url: releases.url, notes: releaseNotes(releasedVersion) },
    process.env,
  ),
  publish: "never",
  dir: values.dir,
  x64: values.x64,
  arm64: values.arm64,
  ...(values.linux ? { linux: [] } : {}),
  ...(values.mac ? { mac: [] } : {}),
  ...(values.win ? { win: [] } : {}),
});

/** Collects the archive's content and the files beside it. */
function stageApp() {
  const stage = path.join(ROOT, STAGE);
  rmSync(stage, { recursive: true, force: true });
  for (const part of ["main", "preload", "renderer", "story", "help"]) copyBuilt(part, path.join(stage, "out", part));
  const { name, productName, version, description, license, homepage, type, main } = readJson(
    path.join(ROOT, "package.json"),
  );
  const author = "Integrations Explorer contributors";
  const manifest = {
    name,
    productName,
    version,
    description,
    license,
    homepage,
    author,
    type,
    main,
    ...(releases && { releases }),
  };
  writeFileSync(path.join(stage, "package.json"), JSON.stringify(manifest, null, 2));
  mkdirSync(path.join(ROOT, NOTICES), { recursive: true });
  writeFileSync(path.join(ROOT, NOTICES, "THIRD-PARTY-LICENCES.txt"), thirdPartyLicences(ROOT));
}

/**
 * Returns the Electron to package: electron-builder's own download; for a test on this machine, the installed one, or
 * the tests' stand-in without one.
 */
function chooseDist() {
  const isForHere = values.dir && !values.mac && !values.win && !values.arm64 && process.platform === "linux";
  if (!isForHere) return { electronDist: null, isStandIn: false };
  const installed = findElectron(ROOT, process.env);
  if (installed !== null && !values["stand-in"]) return { electronDist: path.dirname(installed), isStandIn: false };
  console.error("This package runs on the stand-in of the tests instead of Electron, and on this machine only.");
  mkdirSync(STAND_IN, { recursive: true });
  const launcher = path.join(STAND_IN, "electron");
  const boot = path.join(ROOT, "e2e/electron-stand-in/boot.ts");
  writeFileSync(launcher, `#!/bin/sh\nexec "${projectNode()}" "${boot}" "$0" "$@"\n`);
  chmodSync(launcher, 0o755);
  return { electronDist: STAND_IN, isStandIn: true };
}
