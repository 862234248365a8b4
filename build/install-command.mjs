// `npm run sandbox:install`: links this clone as the command `sandbox`. Needs no network after the dependencies are
// installed.
import { accessSync, constants, mkdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureBuilt } from "./lib/built.mjs";
import { run, runMain, Sentence } from "./lib/command.mjs";
import { ensureDependencies, findNpm } from "./lib/dependencies.mjs";
import { ROOT } from "./lib/project.mjs";

const IS_WINDOWS = process.platform === "win32";

await runMain(async () => {
  await ensureDependencies();
  await ensureBuilt();
  const prefix = await writablePrefix();
  const { status, output } = await npm("install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", ROOT);
  if (status !== 0) throw new Sentence(`The command could not be installed.\n${output}`);
  const bin = IS_WINDOWS ? prefix : path.join(prefix, "bin");
  console.log(`Installed ${path.join(bin, "sandbox")}, which runs this clone.`);
  console.log(
    (process.env.PATH ?? "").split(path.delimiter).includes(bin)
      ? "Try it: sandbox --help"
      : `Your shell doesn't look there yet. ${IS_WINDOWS ? `Add ${bin} to PATH in the system's settings.` : `Run: export PATH="${bin}:$PATH"`}`,
  );
  return 0;
});

/** npm's own folder of commands; the user's when only root may write to npm's. */
async function writablePrefix() {
  const { output } = await npm("prefix", "--global");
  const prefix = output.trim();
  if (IS_WINDOWS) return prefix;
  try {
    for (const name of ["bin", "lib"]) {
      const folder = path.join(prefix, name);
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
    }
    return prefix;
  } catch {
    return path.join(os.homedir(), ".local");
  }
}

/** @param {readonly string[]} args */
function npm(...args) {
  // `npm run --silent` would silence this npm, too, and hide its reasons for a failure.
  const env = { ...process.env, npm_config_loglevel: "error" };
  const { program, args: first } = findNpm(env);
  return run(program, [...first, ...args], { env, output: "keep" });
}
