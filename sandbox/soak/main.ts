import { randomInt } from "node:crypto";
import os from "node:os";
import path from "node:path";
import { CommanderError } from "commander";
import { makeRunFolders } from "../bench/run-folders.ts";
import { dice } from "../testing/many-jobs.ts";
import { CommandProcess } from "../testing/process.ts";
import { Fault } from "./ledger.ts";
import { readSoakOptions, type SoakOptions } from "./options.ts";
import { countsText, Soak } from "./soak.ts";

const began = performance.now();
const minutesGone = (): number => (performance.now() - began) / 60_000;
const say = (line: string): void => void process.stderr.write(`${minutesGone().toFixed(1)} min  ${line}\n`);

/** @returns the exit status: 0 when everything held, 1 at the first thing that does not */
const soak = async (options: SoakOptions): Promise<number> => {
  const seed = options.seed ?? randomInt(1_000_000_000);
  const folders = makeRunFolders();
  const run = new Soak({
    data: path.join(folders.data, "service"),
    start: (...args) => new CommandProcess(args, {}, folders.service),
    roll: dice(seed),
    writers: 6,
    pauseMs: 400,
    hangOneIn: 4_000,
    life: { least: 1, most: 400 },
    over: () => minutesGone() >= options.minutes,
    say,
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      void run.end();
      folders.remove();
      process.exit(128 + os.constants.signals[signal]);
    });
  }
  say(`Seed ${seed}, ${options.minutes} minutes, data in ${folders.data}`);
  try {
    process.stdout.write(`${countsText(await run.run())}, seed ${seed}\n`);
    folders.remove();
    return 0;
  } catch (error) {
    say(error instanceof Fault ? error.message : String(error instanceof Error ? error.stack : error));
    say(`It did not hold, with seed ${seed}. The data is kept in ${folders.data} until the next run.`);
    return 1;
  }
};

try {
  process.exitCode = await soak(readSoakOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
