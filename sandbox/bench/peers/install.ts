import fs from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Bench } from "../bench.ts";
import { ended } from "../processes/children.ts";

/** What is compared with, at the versions the comparison was made for. WireMock's package brings its jar. */
export const peerVersions = {
  "@mockoon/cli": "9.9.0",
  "@stoplight/prism-cli": "5.16.0",
  "json-server": "0.17.4",
  wiremock: "3.13.2",
} as const;

const TIME_LIMIT_MS = 8 * 60_000;
const INSTALL = [
  "install",
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--no-package-lock",
  "--fetch-retries=1",
  "--fetch-retry-mintimeout=1000",
  "--fetch-timeout=20000",
];

/** On Windows npm is a script that only a shell can start; its arguments here are constants. */
const npm = process.platform === "win32" ? ["cmd.exe", "/d", "/s", "/c", "npm"] : ["npm"];

/**
 * Installs the peers into a folder of the bench, which goes when the run ends.
 *
 * @returns the folder, or why there is none
 */
export const installPeers = async (
  bench: Bench,
): Promise<{ readonly folder: string } | { readonly reason: string }> => {
  const folder = path.join(bench.folder, "peers");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true }));
  const wanted = Object.entries(peerVersions).map(([name, version]) => `${name}@${version}`);
  const [program = "npm", ...args] = npm;
  const child = bench.children.spawn(program, [...args, ...INSTALL, ...wanted], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: TIME_LIMIT_MS,
  });
  const failure = await Promise.race([
    Promise.all([text(child.stderr as Readable), ended(child)]).then(([said]) => (child.exitCode === 0 ? null : said)),
    new Promise<string>((resolve) => child.once("error", (error) => resolve(error.message))),
  ]);
  if (failure === null) return { folder };
  const lines = failure.split("\n").filter((line) => line.trim() !== "" && !line.includes("npm warn"));
  return { reason: `the peers could not be installed with npm (${lines[0] ?? "it did not end in time"})` };
};
