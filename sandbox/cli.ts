import fs from "node:fs";
import path from "node:path";
import { CommanderError } from "commander";
import { readOptions, type ServeOptions } from "./cli-options.ts";
import { environment } from "./config.ts";
import { readReadyFile, readyFileOf, removeReadyFile, writeReadyFile } from "./data-folder.ts";
import { type RunningService, StartError, startService } from "./service.ts";

const here = import.meta.dirname;

/** Built, the explorer and the pictures lie beside the bundle; from source, where they are made. */
const folders = () => {
  const built = path.join(here, "..", "renderer");
  const fromSource = path.join(here, "..", "out", "renderer");
  const explorer = [built, fromSource].find((folder) => fs.existsSync(path.join(folder, "assets")));
  const media = [path.join(here, "media"), path.join(here, "worlds", "seed", "media")].find((folder) =>
    fs.existsSync(folder),
  );
  return { explorerFolder: explorer ?? null, mediaFolder: media ?? here };
};

const fail = (message: string, status: number): never => {
  process.stderr.write(`${message}\n`);
  process.exit(status);
};

const print = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** The service that has the folder already may still be starting; its ready line is worth a short wait. */
const joinRunning = async (options: ServeOptions, refusal: StartError): Promise<void> => {
  const { dataFolder } = options.config;
  for (let tries = 0; dataFolder !== null && tries < 100; tries += 1) {
    const ready = readReadyFile(readyFileOf(dataFolder));
    if (ready) return print(ready);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  fail(refusal.message, 1);
};

const stopOnSignals = (service: RunningService, readyFile: string | null): void => {
  const stop = async (): Promise<void> => {
    await service.stop();
    if (readyFile !== null) removeReadyFile(readyFile, process.pid);
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop());
};

const serve = async (options: ServeOptions): Promise<void> => {
  try {
    const service = await startService(options.config);
    stopOnSignals(service, options.readyFile);
    if (options.readyFile !== null) writeReadyFile(options.readyFile, service.ready);
    print(service.ready);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    if (options.join && error.code === "folder_in_use") return joinRunning(options, error);
    fail(error.message, error.code === "bad_option" ? 2 : 1);
  }
};

const main = async (): Promise<void> => {
  let options: ServeOptions;
  try {
    options = readOptions(process.argv.slice(2), environment(), folders());
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
    if (error instanceof StartError) fail(error.message, 2);
    throw error;
  }
  await serve(options);
};

await main();
