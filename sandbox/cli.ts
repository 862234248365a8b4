import fs from "node:fs";
import path from "node:path";
import { CommanderError } from "commander";
import { activity } from "./command/activity.ts";
import { exec } from "./command/exec.ts";
import { listen } from "./command/listen.ts";
import { nodes } from "./command/nodes.ts";
import { helpAsOption, readOptions, type ServeOptions } from "./command/options.ts";
import { run } from "./command/run.ts";
import { tail } from "./command/tail.ts";
import { token } from "./command/token.ts";
import { verifyEvidence } from "./command/verify-evidence.ts";
import { findUnready, wait } from "./command/wait.ts";
import { environment } from "./config.ts";
import type { ReadyLine } from "./contract/ready-line.ts";
import { readReadyFile, readyFilePath, removeReadyFile, writeReadyFile } from "./host/data-folder.ts";
import { StartError } from "./host/start-error.ts";
import { onStop } from "./host/stop-signals.ts";
import { direct } from "./scenario/route.ts";
import type { RunningService } from "./service.ts";

const folder = import.meta.dirname;

/** Explorer and pictures: beside the bundle when built, else in the source tree. */
const folders = () => {
  const built = path.join(folder, "..", "renderer");
  const fromSource = path.join(folder, "..", "out", "renderer");
  const explorer = [built, fromSource].find((folder) => fs.existsSync(path.join(folder, "assets")));
  const media = [path.join(folder, "media"), path.join(folder, "worlds", "seed", "media")].find((folder) =>
    fs.existsSync(folder),
  );
  return { explorerFolder: explorer ?? null, mediaFolder: media ?? folder };
};

/** Options of a service for one command: free port, no data, no log. */
const EXEC_OPTIONS = ["--port", "0", "--memory", "--log", "silent"];

const fail = (message: string, status: number): never => {
  process.stderr.write(`${message}\n`);
  process.exit(status);
};

/** Greeting for people, in place of the ready line. */
const greeting = ({ pid, explorer_url, base_url }: ReadyLine): string => {
  const isOurs = pid === process.pid;
  return `
Integrations Explorer is ${isOurs ? "" : "already "}running.

  explorer  ${explorer_url}
  service   ${base_url}
${isOurs ? "\nCtrl-C stops it.\n" : ""}`;
};

const announce = (ready: ReadyLine, { greet }: ServeOptions): void => {
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  if (greet) process.stdout.write(greeting(ready));
  else if (process.stderr.isTTY) process.stderr.write(greeting(ready));
};

/** The service that uses the folder may still be starting, so its ready line is awaited briefly. */
const joinRunning = async (options: ServeOptions, refusal: StartError): Promise<void> => {
  const { dataFolder } = options.config;
  for (let reads = 0; dataFolder !== null && reads < 100; reads += 1) {
    const ready = readReadyFile(readyFilePath(dataFolder));
    if (ready) {
      // The parent's channel would keep this process alive.
      process.channel?.unref();
      return announce(ready, options);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  fail(refusal.message, 1);
};

/** Warns when a ready file was taken over from a service that still responds. */
const noteTaken = async (file: string, before: ReadyLine | null): Promise<void> => {
  if (before === null || (await findUnready(before.base_url, direct)) !== null) return;
  process.stderr.write(
    `The ready file ${file} named the sandbox at ${before.base_url}, which still runs, and now names this one. Give each its own --ready-file.\n`,
  );
};

const leaveReadyFile = async (file: string, service: RunningService): Promise<void> => {
  try {
    const before = readReadyFile(file);
    writeReadyFile(file, service.ready);
    void noteTaken(file, before);
  } catch (error) {
    await service.stop();
    const problem = error instanceof Error && "code" in error ? error.code : error;
    fail(`Can’t write the ready file ${file} (${problem}). Choose another with --ready-file.`, 1);
  }
};

/** Starts the service. A stop request during the start takes effect right after it. */
const startStoppable = async ({ config, readyFile }: ServeOptions): Promise<RunningService> => {
  const stopRequest = Promise.withResolvers<void>();
  onStop(stopRequest.resolve);
  // Most commands call a running service, so they load none.
  const { startService } = await import("./service.ts");
  const service = await startService(config);
  void stopRequest.promise.then(async () => {
    await service.stop();
    if (readyFile !== null) removeReadyFile(readyFile, process.pid);
    process.exit(0);
  });
  return service;
};

const serve = async (options: ServeOptions): Promise<void> => {
  try {
    const service = await startStoppable(options);
    if (options.readyFile !== null) await leaveReadyFile(options.readyFile, service);
    announce(service.ready, options);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    onStop(() => process.exit(0));
    if (options.join && error.code === "folder_in_use") return joinRunning(options, error);
    fail(error.message, error.code === "bad_option" ? 2 : 1);
  }
};

/** Continues when a reader such as `head` closes the pipe: others may still call the service, and a run cleans up. */
const ignoreClosedPipe = (error: NodeJS.ErrnoException): void => {
  if (error.code !== "EPIPE") throw error;
};

const runConfig = () => readOptions(EXEC_OPTIONS, {}, folders()).config;
const execConfig = () => {
  const { SANDBOX_DELIVERIES, SANDBOX_IDLE_RESET } = environment();
  return readOptions(EXEC_OPTIONS, { SANDBOX_DELIVERIES, SANDBOX_IDLE_RESET }, folders()).config;
};
const commands = new Map<string, (argv: readonly string[]) => number | Promise<number>>([
  ...Object.entries({ activity, listen, nodes, tail, token, wait, "verify-evidence": verifyEvidence }),
  ["run", (argv) => run(argv, runConfig)],
  ["exec", (argv) => exec(argv, execConfig)],
]);

const main = async (): Promise<void> => {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
  const argv = helpAsOption(process.argv.slice(2));
  const [subcommand, ...rest] = argv;
  let options: ServeOptions;
  try {
    const command = commands.get(subcommand ?? "");
    if (command) process.exit(await command(rest));
    options = readOptions(argv, environment(), folders());
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
    if (error instanceof StartError) fail(error.message, 2);
    throw error;
  }
  await serve(options);
};

await main();
