// Prints the figures of docs/internal/benchmarks.md for new builds of the npm package, the image's folder and the
// desktop app.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { runMain } from "./lib/command.mjs";
import { projectNode, ROOT, readJson } from "./lib/project.mjs";

const STARTS = 5;
const NODE = projectNode();

await runMain(async () => {
  const scratch = mkdtempSync(path.join(os.tmpdir(), "packages-"));
  const shell = (/** @type {string} */ command, cwd = ROOT) =>
    execFileSync("bash", ["-c", command], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
  const node = (/** @type {string[]} */ ...args) => execFileSync(NODE, args, { cwd: ROOT, stdio: ["ignore", 2, 2] });
  node("build/package-npm.mjs");
  node("build/package.mjs", "--dir", "--stand-in");

  const { name } = readJson(path.join(ROOT, "out/npm/package.json"));
  const tarball = path.join(scratch, shell(`npm pack ./out/npm --silent --pack-destination ${scratch}`));
  const installed = path.join(scratch, "installed");
  shell(`mkdir ${installed} && npm install --silent --no-audit --no-fund --prefix ${installed} ${tarball}`);
  const modules = path.join(installed, "node_modules");
  row("npm package, packed", megabytes(statSync(tarball).size));
  row("npm package, unpacked", size(path.join(modules, name)));
  row("… with its dependencies", size(modules));
  const command = [path.join(modules, name, "sandbox/cli.js")];
  row("… start until `/__health` answers", await startTimes(command, scratch));

  const image = path.join(scratch, "image");
  cpSync(path.join(ROOT, "out/npm"), image, { recursive: true });
  const dockerfile = readFileSync(path.join(ROOT, "build/Dockerfile"), "utf8").replaceAll("\\\n", "");
  const steps = [...dockerfile.matchAll(/^RUN (?:--mount=\S+ )?(.*)$/gm)].map(([, step = ""]) => step);
  for (const step of steps.filter((one) => !one.includes("/data"))) shell(step, image);
  row("image, what it adds to `node:24-slim`", size(image));
  const inImage = ["--max-semi-space-size=16", path.join(image, "sandbox/cli.js")];
  row("… start until `/__health` answers", await startTimes(inImage, scratch));

  const resources = path.join(ROOT, "out/desktop-on-stand-in/linux-unpacked/resources");
  row("desktop app for Linux x64, without Electron", size(resources));
  row("… of that the archive", megabytes(statSync(path.join(resources, "app.asar")).size));
  rmSync(scratch, { recursive: true });
  return 0;
});

/**
 * @param {string[]} command what Node runs
 * @param {string} scratch
 */
async function startTimes(command, scratch) {
  const times = [];
  for (let start = 0; start < STARTS; start += 1) {
    const data = mkdtempSync(path.join(scratch, "data-"));
    const began = performance.now();
    const args = [...command, "--port", "0", "--data", data, "--log", "silent"];
    const child = spawn(NODE, args, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const { base_url } = JSON.parse(String(await new Promise((resolve) => child.stdout.once("data", resolve))));
    await fetch(`${base_url}/__health`);
    times.push((performance.now() - began) / 1000);
    child.kill();
    await ended;
  }
  return `${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)} s`;
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

/** @param {string} folder */
function size(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return megabytes(files.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0));
}

/**
 * @param {string} what
 * @param {string} measured
 */
function row(what, measured) {
  console.log(`| ${what} | ${measured} |`);
}
