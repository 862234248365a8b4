// `npm start`: installs what is missing, builds what is stale, and opens the desktop app, or the explorer in the
// browser where there can be no window.
import { parseStartArguments } from "./lib/arguments.mjs";
import { findElectron, recentFailedTry, tryToInstallElectron } from "./lib/electron-runtime.mjs";
import { runMain } from "./lib/main.mjs";
import { decideMode, decideWithoutRuntime, fetchForbidden, hasDisplay } from "./lib/mode.mjs";
import { openInBrowser } from "./lib/open-address.mjs";
import { ensureBuilt, ensureDependencies, withBootstrapLock } from "./lib/prepare.mjs";
import { projectNode, ROOT, serviceArguments } from "./lib/project.mjs";
import { supervise, superviseService } from "./lib/supervise.mjs";
import { createVoice } from "./lib/voice.mjs";

const voice = createVoice(process.stdout);

await runMain(async () => {
  const options = parseStartArguments(process.argv.slice(2), process.env);
  await ensureDependencies(ROOT, voice);
  const decision = await decide();
  if (decision.because !== null) voice.say(decision.because);
  return decision.mode === "desktop" ? startDesktop(options, decision) : startForBrowser(options);
});

async function decide() {
  const situation = {
    wanted: process.env.INTEGRATIONS_EXPLORER_MODE,
    platform: process.platform,
    display: hasDisplay(process.platform, process.env),
    root: process.getuid?.() === 0,
    runtime: findElectron(ROOT, process.env) !== null,
    noFetch: fetchForbidden(process.env),
    triedToday: recentFailedTry(ROOT, Date.now()) !== null,
  };
  const decision = decideMode(situation);
  if (decision.mode !== "fetch") return decision;
  const fetched = await withBootstrapLock(ROOT, voice, async () => {
    return findElectron(ROOT, process.env) !== null || (await tryToInstallElectron(ROOT, voice, Date.now()));
  });
  return fetched ? decideMode({ ...situation, runtime: true }) : decideWithoutRuntime(situation);
}

/**
 * @param {import("./lib/arguments.mjs").StartOptions} options
 * @param {import("./lib/mode.mjs").Decision} decision
 */
async function startDesktop({ dataFolder, rest }, { withoutChromiumSandbox }) {
  await ensureBuilt(ROOT, voice, ["explorer", "desktop"]);
  const program = findElectron(ROOT, process.env);
  if (program === null) throw new Error("the runtime was there a moment ago");
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const args = [
    ...(withoutChromiumSandbox ? ["--no-sandbox"] : []),
    ROOT,
    ...(dataFolder === null ? [] : [`--data-folder=${dataFolder}`]),
    ...rest,
  ];
  const { status, stopped } = await supervise({ program, args, cwd: ROOT, env }, { ownGroup: true });
  return stopped ? 0 : status;
}

/** @param {import("./lib/arguments.mjs").StartOptions} options */
async function startForBrowser({ dataFolder, rest }) {
  await ensureBuilt(ROOT, voice, ["service", "explorer"]);
  const args = [
    ...serviceArguments(ROOT),
    "--any-port",
    "--join",
    ...(dataFolder === null ? [] : ["--data", dataFolder]),
    ...rest,
  ];
  return superviseService({ program: projectNode(ROOT), args, cwd: ROOT, env: process.env }, (ready, joined) => {
    voice.say("");
    voice.say(joined ? "Integrations Explorer is already running." : "Integrations Explorer is running.");
    voice.say("");
    voice.say(`  explorer  ${ready.explorer_url}`);
    voice.say(`  service   ${ready.base_url}`);
    voice.say("");
    if (!joined) voice.say("Ctrl-C stops it.");
    openInBrowser(ready.explorer_url);
  });
}
