import { existsSync } from "node:fs";
import { run } from "./children.mjs";
import { Sentence } from "./main.mjs";

const TIME_LIMIT_MS = 20 * 60_000;
const SILENCE_MS = 30_000;

// The scripts that packages want to run while they are installed are not run: the one that is needed is run by itself.
// `http` has npm say what it fetches, which is how a registry that does not answer is noticed.
const INSTALL = ["ci", "--ignore-scripts", "--include=dev", "--include=optional", "--loglevel=http"];
const NODE = ["rebuild", "node", "--ignore-scripts=false", "--loglevel=http"];
const IMPATIENT = ["--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"];
const PING = ["ping", "--fetch-timeout=10000", "--fetch-retries=0"];

/** @typedef {{ program: string, args: readonly string[] }} Npm */

/**
 * Installs what the lock file says.
 *
 * @param {string} root
 * @param {Npm} [npm]
 */
export async function installPackages(root, npm = findNpm(process.env)) {
  await runNpm(root, npm, [...INSTALL, ...IMPATIENT]);
}

/**
 * Installs the project's own Node: the package `node` fetches the one for this platform when it is installed.
 *
 * @param {string} root
 * @param {Npm} [npm]
 */
export async function installNode(root, npm = findNpm(process.env)) {
  await runNpm(root, npm, [...NODE, ...IMPATIENT]);
}

/**
 * What to run for `npm`. The Node that runs it must not be the project's own: an installation removes that one first.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Npm}
 */
export function findNpm(env) {
  const cli = env.npm_execpath;
  const node = env.npm_node_execpath;
  const usable = cli && node && /npm(-cli)?\.c?js$/.test(cli) && !node.includes("node_modules") && existsSync(node);
  if (usable) return { program: node, args: [cli] };
  // On Windows npm is a script that only a shell can start; its arguments here are constants.
  if (process.platform === "win32") return { program: "cmd.exe", args: ["/d", "/s", "/c", "npm"] };
  return { program: "npm", args: [] };
}

/**
 * Runs npm and explains a failure in a sentence. npm itself waits many minutes for a registry that does not answer;
 * here it is asked after half a minute of silence whether the registry answers at all, and stopped when it does not.
 *
 * @param {string} root
 * @param {Npm} npm
 * @param {readonly string[]} args
 * @param {number} [silenceMs]
 */
export async function runNpm(root, npm, args, silenceMs = SILENCE_MS) {
  const given = new AbortController();
  let heard = performance.now();
  let unreachable = "";
  const watch = setInterval(async () => {
    if (performance.now() - heard < silenceMs) return;
    heard = performance.now();
    const { output } = await run(npm.program, [...npm.args, ...PING], { cwd: root, timeLimitMs: SILENCE_MS });
    if (!isNetworkFailure(output)) return;
    unreachable = output;
    given.abort();
  }, silenceMs / 10);
  const { code, timedOut, output } = await run(npm.program, [...npm.args, ...args], {
    cwd: root,
    timeLimitMs: TIME_LIMIT_MS,
    signal: given.signal,
    onOutput: () => {
      heard = performance.now();
    },
  }).finally(() => clearInterval(watch));
  if (timedOut) {
    throw new Sentence(
      "npm took more than 20 minutes to install the dependencies and was stopped: check the network, then run the command again.",
    );
  }
  if (code !== 0) throw new Sentence(explainFailure(`${output}${unreachable}`, process.env));
}

/** @param {string} output */
function isNetworkFailure(output) {
  return /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|FETCH_ERROR)\b/.test(
    output,
  );
}

/**
 * @param {string} output what npm wrote
 * @param {NodeJS.ProcessEnv} env
 * @returns {string} one sentence, after npm's own words where they are needed
 */
export function explainFailure(output, env) {
  const registry = env.npm_config_registry ?? "https://registry.npmjs.org/";
  const words = ownWords(output);
  const failed = "The dependencies could not be installed because";
  if (/\b(UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY|SELF_SIGNED_CERT|CERT_HAS_EXPIRED|DEPTH_ZERO_SELF)/.test(words)) {
    return `${failed} the certificate of the npm registry ${registry} is not trusted here: set \`npm config set cafile\` to your network's certificates, then run the command again.`;
  }
  if (isNetworkFailure(words)) {
    return `${failed} the npm registry ${registry} does not answer: check the network, the proxy or \`npm config get registry\`, then run the command again.`;
  }
  if (/\bENOSPC\b/.test(words)) {
    return `${failed} the disk is full: free about 1 GB, then run the command again.`;
  }
  if (/\b(EACCES|EPERM|EROFS|EBUSY)\b/.test(words)) {
    return `${words}\n${failed} a file under node_modules cannot be written: stop what uses it (a running app, a virus scanner), check who owns the folder, then run the command again.`;
  }
  return `${words}\nThe dependencies could not be installed; npm's own words are above.`;
}

/**
 * The end of what npm wrote, without what it says while all is well.
 *
 * @param {string} output
 */
function ownWords(output) {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !/^npm (http|warn)\b/.test(line));
  return lines.slice(-20).join("\n");
}
