import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { measureExplorer } from "../../e2e/bench/explorer.ts";
import { measureCalls } from "./groups/calls.ts";
import { measureReceivers, measureSubscribed } from "./groups/deliveries.ts";
import { measurePeers } from "./groups/peers.ts";
import { measureColdStart, measureMemory } from "./groups/process.ts";
import { measureIdleWorlds, measureLargeWorlds, measureNewWorld } from "./groups/worlds.ts";
import { measureWorldsAtOnce } from "./groups/worlds-at-once.ts";
import { buildOtherServices, type OtherService, UnknownCommitError } from "./other-commit.ts";
import { type Bench, Processes } from "./processes.ts";
import { CHECKOUT, makeRunFolders } from "./run-folders.ts";
import { type Row, rowVerdict, tableText, unmeasuredRow } from "./statistics.ts";

/** The groups of rows in the table's order. */
const groups: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
  calls: measureCalls,
  "worlds-at-once": measureWorldsAtOnce,
  subscribed: measureSubscribed,
  receivers: measureReceivers,
  "cold-start": measureColdStart,
  memory: measureMemory,
  "large-worlds": measureLargeWorlds,
  "new-world": measureNewWorld,
  "idle-worlds": measureIdleWorlds,
  peers: measurePeers,
  explorer: measureExplorer,
};

/** Groups that also measure other commits. */
const COMPARED_GROUPS = ["calls", "worlds-at-once"];

const HELP = `Usage: npm run bench -- [options]

Measures the built service against this machine's own limits and prints each target's verdict.

  --only NAME       one group of rows, may be repeated: ${Object.keys(groups).join(", ")}
  --against COMMIT  another commit's service in the same run, may be repeated: without --only, ${COMPARED_GROUPS.join(" and ")} alone
  --seconds N       how long each load is
  --peers           also Mockoon, json-server, Prism and WireMock, installed with npm
  --explorer        the explorer in a Chromium instead, a quarter of an hour
  --quick           short: the figures say little
  --write           write the table into docs/internal/benchmarks.md

Progress goes to standard error. Ctrl-C ends everything.`;

const flag = { type: "boolean", default: false } as const;
const options = {
  only: { type: "string", multiple: true, default: [] as string[] },
  against: { type: "string", multiple: true, default: [] as string[] },
  seconds: { type: "string" },
  ...{ peers: flag, explorer: flag, quick: flag, write: flag, help: flag },
} as const;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const secondsSince = (startedAt: number): number => Math.round((performance.now() - startedAt) / 1_000);

interface BenchOptions {
  readonly names: readonly string[];
  readonly others: readonly OtherService[];
  readonly quick: boolean;
  readonly seconds: number | null;
  readonly explorer: boolean;
}

/** @returns the rows, and whether every group could be measured */
const measure = async ({
  names,
  explorer,
  ...benchOptions
}: BenchOptions): Promise<{ rows: Row[]; failed: boolean }> => {
  const folders = makeRunFolders(explorer);
  let processes = new Processes();
  const clear = (): void => {
    processes.killAll();
    folders.remove();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      clear();
      process.exit(128 + os.constants.signals[signal]);
    });
  }
  const rows: Row[] = [];
  let failed = false;
  for (const name of names) {
    const startedAt = performance.now();
    const folder = path.join(folders.data, name);
    processes = new Processes();
    say(`${name} …`);
    try {
      rows.push(
        ...((await groups[name]?.({ ...benchOptions, service: folders.service, folder, processes, say })) ?? []),
      );
    } catch (error) {
      failed = true;
      say(`  failed: ${error instanceof Error ? error.stack : error}`);
      rows.push(unmeasuredRow(name, `failed: ${error instanceof Error ? error.message : error}`));
    }
    // Prevents a group's processes from slowing down the next.
    processes.killAll();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    say(`  took ${secondsSince(startedAt)} s`);
  }
  clear();
  return { rows, failed };
};

const machineText = (): string => {
  const processors = `${os.availableParallelism()} × ${os.cpus()[0]?.model.trim()}`;
  const memory = `${Math.round(os.totalmem() / 1024 ** 3)} GB`;
  const load = `load before the run ${os.loadavg()[0]?.toFixed(1)}`;
  const date = new Date().toISOString().slice(0, 10);
  return [date, processors, memory, `${os.type()} ${os.release()} ${os.arch()}`, `Node ${process.version}`, load].join(
    ", ",
  );
};

/** Replaces the table in docs/internal/benchmarks.md. */
const write = (name: "service" | "explorer", text: string): void => {
  const file = path.join(CHECKOUT, "docs/internal/benchmarks.md");
  const [begin, end] = [`<!-- ${name}: written by npm run bench -->`, `<!-- end of ${name} -->`];
  const page = fs.readFileSync(file, "utf8");
  const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)];
  fs.writeFileSync(file, `${page.slice(0, from)}\n\n${text}\n\n${page.slice(to)}`);
};

/** Returns the problem of the options, or null. */
const optionProblem = (only: readonly string[], seconds: number | null): string | null => {
  const unknown = only.find((name) => !(name in groups));
  if (unknown !== undefined) return `There is no group ${unknown}.`;
  if (seconds !== null && !(seconds > 0)) return "--seconds needs a number above 0.";
  return null;
};

/** Returns the options; null after saying which one is unknown. */
const readValues = () => {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    say(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    return null;
  }
};

/** @returns the exit status: 0 when everything was measured and all assertions passed, regardless of other verdicts */
const bench = async (): Promise<number> => {
  const values = readValues();
  if (values === null) return 2;
  const { against, peers, explorer, quick } = values;
  const only = values.only.map((name) => name.replaceAll(" ", "-"));
  const seconds = values.seconds === undefined ? null : Number(values.seconds);
  const fault = optionProblem(only, seconds);
  if (values.help || fault !== null) {
    if (fault !== null) say(`${fault}\n`);
    say(HELP);
    return fault === null ? 0 : 2;
  }
  const service =
    against.length > 0 ? COMPARED_GROUPS : Object.keys(groups).filter((name) => peers || name !== "peers");
  const whole = explorer ? ["explorer"] : service.filter((name) => name !== "explorer");
  const others = await buildOtherServices(against, say);
  const machine = machineText();
  const startedAt = performance.now();
  const names = only.length > 0 ? Object.keys(groups).filter((name) => only.includes(name)) : whole;
  const { rows, failed } = await measure({ names, others, quick, seconds, explorer: names.includes("explorer") });
  const head = `${machine}, ${secondsSince(startedAt)} s${quick ? ", **quick: the figures say little**" : ""}`;
  const text = `${head}\n\n${tableText(rows)}`;
  process.stdout.write(`${text}\n`);
  if (values.write) write(explorer ? "explorer" : "service", text);
  const broken = rows.filter((row) => row.isAsserted === true && rowVerdict(row) !== "met");
  if (broken.length > 0) say(`${broken.length} rows do not hold that must: not every answered call is on record.`);
  return failed || broken.length > 0 ? 1 : 0;
};

process.exitCode = await bench().catch((error: unknown) => {
  if (!(error instanceof UnknownCommitError)) throw error;
  say(error.message);
  return 2;
});
