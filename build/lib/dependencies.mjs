import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run } from "./children.mjs";
import { Sentence } from "./main.mjs";
import { cacheFolder, projectNode, readJson } from "./project.mjs";

const TIME_LIMIT_MS = 20 * 60_000;
/** npm tries for minutes by itself where a registry does not answer; a person should not wait that long. */
const NPM_FLAGS = [
  "--include=dev",
  "--include=optional",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
  "--fetch-timeout=30000",
  "--fetch-retries=1",
  "--fetch-retry-mintimeout=1000",
  "--fetch-retry-maxtimeout=5000",
];

/**
 * Whether what is installed is what `package-lock.json` says.
 *
 * @param {string} root
 * @returns {"current" | "missing" | "changed"}
 */
export function dependencyState(root) {
  if (!existsSync(path.join(root, "node_modules"))) return "missing";
  if (readStamp(root) === stampOf(root)) return existsSync(projectNode(root)) ? "current" : "changed";
  if (!existsSync(projectNode(root)) || !installedMatchesLock(root)) return "changed";
  // Someone ran npm himself: nothing to do but to remember it.
  writeStamp(root);
  return "current";
}

/**
 * Installs what the lock file says, with the npm that started this command.
 *
 * @param {string} root
 */
export async function installDependencies(root) {
  const npm = findNpm(process.env);
  const { code, timedOut, output } = await run(npm.program, [...npm.args, "ci", ...NPM_FLAGS], {
    cwd: root,
    timeLimitMs: TIME_LIMIT_MS,
  });
  if (timedOut)
    throw new Sentence(
      "npm took more than 20 minutes to install the dependencies and was stopped: check the network, then run the command again.",
    );
  if (code !== 0) throw new Sentence(explainFailure(output, process.env));
  if (!existsSync(projectNode(root)))
    await run(npm.program, [...npm.args, "rebuild", "node", "--ignore-scripts=false"], { cwd: root });
  if (!existsSync(projectNode(root))) {
    throw new Sentence(
      "Node 24 is missing from the installed dependencies: run `npm rebuild node --ignore-scripts=false --foreground-scripts` to see why, then run the command again.",
    );
  }
  writeStamp(root);
}

/**
 * What to run for `npm`. The Node that runs npm must not be the project's own: `npm ci` removes that one first.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ program: string, args: string[] }}
 */
export function findNpm(env) {
  const cli = env.npm_execpath;
  const node = env.npm_node_execpath;
  const usable = cli && node && /npm(-cli)?\.c?js$/.test(cli) && !node.includes("node_modules") && existsSync(node);
  if (usable) return { program: node, args: [cli] };
  // On Windows npm is a script that only a shell can start; its arguments here are constants.
  return process.platform === "win32"
    ? { program: "cmd.exe", args: ["/d", "/s", "/c", "npm"] }
    : { program: "npm", args: [] };
}

/**
 * @param {string} output what npm wrote
 * @param {NodeJS.ProcessEnv} env
 * @returns {string} one sentence, after npm's own words where they are needed
 */
export function explainFailure(output, env) {
  const registry = env.npm_config_registry ?? "https://registry.npmjs.org/";
  if (
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|FETCH_ERROR)\b/.test(
      output,
    )
  ) {
    return `The dependencies could not be installed because the npm registry ${registry} does not answer: check the network, the proxy or \`npm config get registry\`, then run the command again.`;
  }
  if (
    /\b(UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_VERIFY_LEAF|SELF_SIGNED_CERT|CERT_HAS_EXPIRED|DEPTH_ZERO_SELF_SIGNED)/.test(
      output,
    )
  ) {
    return `The dependencies could not be installed because the certificate of the npm registry ${registry} is not trusted here: set \`npm config set cafile\` to your network's certificates, then run the command again.`;
  }
  if (/\bENOSPC\b/.test(output))
    return "The dependencies could not be installed because the disk is full: free about 1 GB, then run the command again.";
  if (/\b(EACCES|EPERM|EROFS|EBUSY)\b/.test(output)) {
    return `${lastLines(output)}\nThe dependencies could not be installed because a file under node_modules cannot be written: stop what uses it (a running app, a virus scanner), check who owns the folder, then run the command again.`;
  }
  return `${lastLines(output)}\nThe dependencies could not be installed; npm's own words are above.`;
}

/** @param {string} output */
function lastLines(output) {
  return output.trimEnd().split("\n").slice(-20).join("\n");
}

/** @param {string} root */
function stampFile(root) {
  return path.join(cacheFolder(root), "dependencies");
}

/** A folder may be shared between machines, and what is installed differs by platform. @param {string} root */
function stampOf(root) {
  const lock = createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  return `${lock} ${process.platform}-${process.arch}`;
}

/** @param {string} root */
function readStamp(root) {
  try {
    return readFileSync(stampFile(root), "utf8");
  } catch {
    return null;
  }
}

/** @param {string} root */
function writeStamp(root) {
  mkdirSync(cacheFolder(root), { recursive: true });
  writeFileSync(stampFile(root), stampOf(root));
}

/**
 * npm writes down what it installed when it has finished. Equal versions in the same places mean there is nothing to do;
 * an optional package may be missing because it is for another platform.
 *
 * @param {string} root
 */
function installedMatchesLock(root) {
  const wanted = readJson(path.join(root, "package-lock.json"))?.packages;
  const installed = readJson(path.join(root, "node_modules/.package-lock.json"))?.packages;
  if (!wanted || !installed) return false;
  const missing = Object.entries(wanted).some(([place, { version, optional }]) => {
    if (place === "") return false;
    return place in installed ? installed[place].version !== version : !optional;
  });
  return !missing && Object.keys(installed).every((place) => place in wanted);
}
