import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Bench } from "../bench.ts";
import type { Service } from "../processes/service.ts";
import { freePort } from "../processes/time-to-answer.ts";
import { peerVersions } from "./install.ts";
import { jsonServerData, mockoonEnvironment, wiremockMapping } from "./peer-files.ts";

/** How a peer is started, and where it takes the one POST. */
export interface Peer {
  readonly port: number;
  readonly program: string;
  readonly args: readonly string[];
  /** An address that a GET shows to be ready, and whether any answer will do. */
  readonly ready: { readonly path: string; readonly any: boolean };
}

export const mockoon = async (folder: string): Promise<Peer> => {
  const file = path.join(folder, "mockoon.json");
  const port = await freePort();
  fs.writeFileSync(file, JSON.stringify(mockoonEnvironment(port)));
  const args = [path.join(folder, "node_modules/@mockoon/cli/bin/run.js"), "start", "-r", "-X", "-d", file];
  return { port, program: process.execPath, args, ready: { path: "/jobs", any: false } };
};

export const jsonServer = async (folder: string): Promise<Peer> => {
  const file = path.join(folder, "json-server.json");
  fs.writeFileSync(file, JSON.stringify(jsonServerData));
  const port = await freePort();
  const cli = path.join(folder, "node_modules/json-server/lib/cli/bin.js");
  const args = [cli, "-q", "-H", "127.0.0.1", "-p", String(port), file];
  return { port, program: process.execPath, args, ready: { path: "/jobs", any: false } };
};

/** Prism serves the service's own document. */
export const prism = async (folder: string, service: Service): Promise<Peer> => {
  const file = path.join(folder, "openapi.json");
  fs.writeFileSync(file, await (await fetch(`${service.ready.base_url}/openapi.json`)).text());
  const port = await freePort();
  const cli = path.join(folder, "node_modules/@stoplight/prism-cli/dist/index.js");
  const args = [cli, "mock", "-v", "error", "-h", "127.0.0.1", "-p", String(port), file];
  return { port, program: process.execPath, args, ready: { path: "/", any: true } };
};

/** @returns null where there is no Java */
export const wiremock = async (folder: string, bench: Bench): Promise<Peer | null> => {
  try {
    execFileSync("java", ["-version"], { stdio: "ignore" });
  } catch {
    bench.say("  WireMock is left out: it needs Java, and there is none here");
    return null;
  }
  const root = path.join(folder, "wiremock");
  fs.mkdirSync(path.join(root, "mappings"), { recursive: true });
  fs.writeFileSync(path.join(root, "mappings", "jobs.json"), JSON.stringify(wiremockMapping));
  const port = await freePort();
  const jar = path.join(folder, `node_modules/wiremock/build/wiremock-standalone-${peerVersions.wiremock}.jar`);
  const where = ["--port", String(port), "--bind-address", "127.0.0.1", "--root-dir", root];
  const args = ["-jar", jar, ...where, "--no-request-journal", "--disable-banner"];
  return { port, program: "java", args, ready: { path: "/__admin/mappings", any: false } };
};
