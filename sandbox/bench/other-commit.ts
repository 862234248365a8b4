import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { CHECKOUT } from "./run-folders.ts";

const run = promisify(execFile);
const CACHE = path.join(CHECKOUT, "node_modules/.cache/integrations-explorer/commits");
const INSTALL = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"];

/** The service of another commit, built by that commit. */
export interface OtherService {
  /** The commit's name on the command line. */
  readonly name: string;
  /** The built service's entry. */
  readonly entry: string;
}

const git = async (...args: string[]): Promise<string> =>
  (await run("git", args, { cwd: CHECKOUT, maxBuffer: 1 << 20 })).stdout.trim();

/** A commit's name on the command line is unknown. */
export class UnknownCommitError extends Error {}

/** @throws UnknownCommitError */
const resolveCommit = async (name: string): Promise<string> => {
  try {
    return await git("rev-parse", "--verify", "--end-of-options", `${name}^{commit}`);
  } catch {
    throw new UnknownCommitError(
      `There is no commit ${name} in this checkout. \`git log --oneline\` lists those there are.`,
    );
  }
};

/** Provides the packages of a lockfile: the checkout's own for an equal lockfile, else a new installation. */
const install = async (folder: string): Promise<void> => {
  const read = (from: string): string => fs.readFileSync(path.join(from, "package-lock.json"), "utf8");
  if (read(folder) === read(CHECKOUT)) {
    fs.symlinkSync(path.join(CHECKOUT, "node_modules"), path.join(folder, "node_modules"), "junction");
    return;
  }
  // On Windows, npm is a script that needs a shell. Its constants need no quoting.
  await run("npm", INSTALL, { cwd: folder, shell: process.platform === "win32" });
};

type Say = (line: string) => void;

const buildOtherService = async (name: string, commit: string, say: Say): Promise<OtherService> => {
  const built = path.join(CACHE, `${commit}-built`);
  const entry = path.join(built, "out/sandbox/cli.js");
  if (fs.existsSync(built)) return { name, entry };
  say(`building ${name} (${commit.slice(0, 8)}) …`);
  fs.mkdirSync(CACHE, { recursive: true });
  // Another process may build the same commit.
  const folder = fs.mkdtempSync(path.join(CACHE, `${commit}-`));
  try {
    const archive = path.join(folder, "commit.tar");
    await git("archive", "--format=tar", `--output=${archive}`, commit);
    await run("tar", ["-xf", "commit.tar"], { cwd: folder });
    fs.rmSync(archive);
    await install(folder);
    await run(process.execPath, ["build/lib/bundle-service.mjs"], { cwd: folder });
    if (!fs.existsSync(built)) fs.renameSync(folder, built);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  return { name, entry };
};

/**
 * Builds the services of other commits, each with that commit's packages and bundler, and caches them. Only exports
 * files from git: the checkout stays unchanged.
 *
 * @throws UnknownCommitError before the first is built
 * @throws for a commit that cannot be installed or built
 */
export const buildOtherServices = async (names: readonly string[], say: Say): Promise<OtherService[]> => {
  const commits: (readonly [name: string, commit: string])[] = [];
  for (const name of names) commits.push([name, await resolveCommit(name)]);
  const services: OtherService[] = [];
  for (const [name, commit] of commits) services.push(await buildOtherService(name, commit, say));
  return services;
};
