import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildOtherServices, UnknownCommitError } from "../bench/other-commit.ts";
import { makeRunFolders } from "../bench/run-folders.ts";
import { CommandProcess } from "../testing/process.ts";
import { failures } from "./cluster/failures.ts";
import { soakCluster } from "./cluster/outside.ts";
import { Soak } from "./soak.ts";

const USAGE = `Usage: npm run soak -- [--minutes N (60) | --kills N] [--worlds N (20)]
       npm run soak -- --cluster [--minutes N (30)] [--worlds N (300)]
                             [--failure NAME] [--against COMMIT]
       npm run soak -- --cluster --throughput

Writes to the built service in that many worlds at once, kills it so often, or until the minutes are over, and checks
that nothing acknowledged is lost, every event was delivered and every answered call is on record. With --cluster it is three nodes, HAProxy and
PostgreSQL with Patroni, and each thing that can fail fails in turn, or only the one named; with --against they are also
replaced by another commit's service, and back. --throughput measures them instead. Progress goes to standard error. Ctrl-C ends everything. Status 1: something did not hold.
`;

const startedAt = performance.now();
const elapsedMinutes = (): number => (performance.now() - startedAt) / 60_000;
const say = (line: string): void => void process.stderr.write(`${elapsedMinutes().toFixed(1)} min  ${line}\n`);

/** @returns the exit status: 0 without a violation, 1 at the first one */
const soak = async (worlds: number, minutes: number, kills: number): Promise<number> => {
  const folders = makeRunFolders();
  const run = new Soak({
    data: path.join(folders.data, "service"),
    start: (...args) => new CommandProcess(args, {}, folders.service),
    life: { least: worlds, most: worlds * 20 },
    over: (killed) => killed >= kills || elapsedMinutes() >= minutes,
    ...{ worlds, pauseMs: 1_000, say },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      void run.end();
      folders.remove();
      process.exit(128 + os.constants.signals[signal]);
    });
  }
  say(`${worlds} worlds, data in ${folders.data}`);
  try {
    process.stdout.write(`Everything held: ${JSON.stringify(await run.run())}\n`);
    folders.remove();
    return 0;
  } catch (error) {
    say(`${error instanceof Error ? error.message : error}\nThe data is kept in ${folders.data} until the next run.`);
    return 1;
  }
};

const [text, flag] = [{ type: "string" }, { type: "boolean", default: false }] as const;
const options = {
  ...{ minutes: text, kills: text, worlds: text, failure: text, against: text },
  ...{ cluster: flag, throughput: flag },
} as const;
const { values } = parseArgs({ options, strict: false });
const { cluster, throughput, ...given } = values;
const { kills = Number.POSITIVE_INFINITY, worlds = cluster ? 300 : 20, failure, against, ...rest } = given;
const { minutes = cluster ? 30 : given.kills === undefined ? 60 : Number.POSITIVE_INFINITY, ...unknown } = rest;
const names = failures.map(({ name }) => name);
const isUnderstood =
  Number(minutes) > 0 &&
  Number(worlds) > 0 &&
  Number(kills) > 0 &&
  Object.keys(unknown).length === 0 &&
  (cluster ? given.kills === undefined : !throughput && failure === undefined && against === undefined) &&
  (failure === undefined || names.includes(String(failure)));

/** @returns the exit status */
const main = async (): Promise<number> => {
  if (!isUnderstood) {
    process.stderr.write(`${USAGE}\nNAME is one of: ${names.join("; ")}.\n`);
    return 2;
  }
  if (!cluster) return soak(Number(worlds), Number(minutes), Number(kills));
  const [other] = await buildOtherServices(against === undefined ? [] : [String(against)], say);
  return soakCluster({
    ...{ minutes: Number(minutes), worlds: Number(worlds), isThroughput: throughput === true },
    only: failure === undefined ? null : String(failure),
    other: other?.entry ?? null,
  });
};

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof UnknownCommitError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return 2;
});
