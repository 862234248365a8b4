// `npm start`: installs missing dependencies, builds stale parts, and opens the desktop app; without a display, the
// explorer in the browser.
import { spawn } from "node:child_process";
import path from "node:path";
import { ensureBuilt } from "./lib/built.mjs";
import { run, runMain, Sentence } from "./lib/command.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { chooseMode, findElectron } from "./lib/electron.mjs";
import { projectNode, ROOT, SERVICE } from "./lib/project.mjs";
import { redirectPage } from "./lib/redirect-page.mjs";

await runMain(async () => {
  const { dataFolder, rest } = readArguments(process.argv.slice(2), process.env);
  await ensureDependencies();
  const { mode, because, withoutChromiumSandbox } = await chooseMode();
  if (because !== null) console.log(because);
  await ensureBuilt();
  const program = mode === "desktop" ? findElectron(ROOT, process.env) : null;
  if (program === null) return startForBrowser([...(dataFolder === null ? [] : ["--data", dataFolder]), ...rest]);
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const flags = withoutChromiumSandbox ? ["--no-sandbox"] : [];
  const folder = dataFolder === null ? [] : [`--data-folder=${dataFolder}`];
  const { status, stopped } = await run(program, [...flags, ROOT, ...folder, ...rest], {
    env,
    foreground: true,
    ownGroup: true,
  });
  return stopped ? 0 : status;
});

/**
 * Parses only `--data DIR`, because the desktop app and the service receive it in different ways.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function readArguments(args, env) {
  let dataFolder = env.SANDBOX_DATA ? path.resolve(env.SANDBOX_DATA) : null;
  /** @type {string[]} */
  const rest = [];
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? "";
    if (arg !== "--data" && !arg.startsWith("--data=")) {
      rest.push(arg);
      continue;
    }
    const folder = arg === "--data" ? args[++i] : arg.slice("--data=".length);
    if (!folder) throw new Sentence("--data needs a folder after it.", 2);
    dataFolder = path.resolve(folder);
  }
  return { dataFolder, rest };
}

/** @param {readonly string[]} options */
async function startForBrowser(options) {
  let isReady = false;
  const args = [...SERVICE, "--any-port", "--join", "--greet", ...options];
  const { status, stopped } = await run(projectNode(), args, {
    env: process.env,
    foreground: true,
    ownGroup: true,
    output: (line, pid) => {
      // Lines after the ready line are for the user.
      if (isReady) return console.log(line);
      const ready = parseReadyLine(line);
      if (ready === null) return;
      isReady = true;
      openInBrowser(ready.explorer_url, ready.pid !== pid);
    },
  });
  return stopped ? 0 : status;
}

/**
 * Parses the service's ready line.
 *
 * @param {string} line
 * @returns {{ explorer_url: string, pid: number } | null}
 */
function parseReadyLine(line) {
  try {
    const value = JSON.parse(line);
    return value?.event === "ready" ? value : null;
  } catch {
    return null;
  }
}

/**
 * Opens an address in the default browser, if any. Never fails and never waits, because the address was also printed.
 *
 * @param {string} address
 * @param {boolean} isLeaving this command ends before the browser has opened it
 */
function openInBrowser(address, isLeaving) {
  const { platform, env } = process;
  if (env.BROWSER === "none" || (platform === "linux" && !env.DISPLAY && !env.WAYLAND_DISPLAY)) return;
  const openers = { darwin: ["open"], win32: ["rundll32", "url.dll,FileProtocolHandler"] };
  const [program = "", ...args] = openers[/** @type {keyof typeof openers} */ (platform)] ?? ["xdg-open"];
  const file = redirectPage(address, isLeaving);
  const child = spawn(program, [...args, file], { stdio: "ignore", detached: true, windowsHide: true });
  child.once("error", () => {});
  child.unref();
}
