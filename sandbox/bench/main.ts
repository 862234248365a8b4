import os from "node:os";
import path from "node:path";
import { CommanderError } from "commander";
import { VERSION } from "../version.ts";
import { Bench } from "./bench.ts";
import { makeRunFolders, type RunFolders, removeFolder } from "./folders.ts";
import { type Group, groups, wantedGroups } from "./groups/groups.ts";
import { describeMachine, type Machine, machineText } from "./machine.ts";
import { type BenchOptions, readBenchOptions } from "./options.ts";
import { fullPace, quickPace } from "./pace.ts";
import { Children } from "./processes/children.ts";
import { type Row, unmeasuredRow, verdictOf } from "./row.ts";
import { tableText } from "./table.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 1_000);

interface Run {
  readonly options: BenchOptions;
  readonly folders: RunFolders;
  /** Of the group that is being measured. */
  children: Children;
}

/** Measures one group with processes and a folder of its own; nothing of it is left for the next to suffer from. */
const measureGroup = async (run: Run, { name, about, measure }: Group): Promise<Row[]> => {
  const began = performance.now();
  const folder = path.join(run.folders.data, name);
  run.children = new Children();
  say(`${name}: ${about} …`);
  try {
    const pace = run.options.quick ? quickPace : fullPace;
    const { chromium } = run.options;
    const { service } = run.folders;
    return await measure(new Bench({ service, folder, pace, children: run.children, say, chromium }));
  } finally {
    run.children.endAll();
    removeFolder(folder);
    say(`  took ${secondsSince(began)} s`);
  }
};

const measureAll = async (run: Run): Promise<{ rows: Row[]; failed: boolean }> => {
  const rows: Row[] = [];
  let failed = false;
  for (const group of wantedGroups(run.options)) {
    try {
      rows.push(...(await measureGroup(run, group)));
    } catch (error) {
      failed = true;
      say(`  failed: ${error instanceof Error ? error.stack : error}`);
      rows.push(unmeasuredRow(group.name, group.about, `failed: ${error instanceof Error ? error.message : error}`));
    }
  }
  return { rows, failed };
};

const print = ({ json, quick }: BenchOptions, machine: Machine, seconds: number, rows: readonly Row[]): void => {
  if (json) {
    const judged = rows.map((row) => ({ ...row, verdict: verdictOf(row) }));
    const result = { version: VERSION, at: new Date().toISOString(), quick, seconds, machine, rows: judged };
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  } else {
    const pace = quick ? ", quick: the figures say little" : "";
    process.stdout.write(`${machineText(machine)}, ${seconds} s${pace}\n\n${tableText(rows)}\n`);
  }
};

/** @returns the exit status: 0 when everything could be measured, whatever the verdicts */
const bench = async (options: BenchOptions): Promise<number> => {
  const run: Run = { options, folders: makeRunFolders(options.folder, options.explorer), children: new Children() };
  const clear = (): void => {
    run.children.endAll();
    run.folders.remove();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      clear();
      process.exit(128 + os.constants.signals[signal]);
    });
  }
  try {
    const machine = describeMachine(run.folders.data);
    if (machine.disk === "tmpfs") {
      say("The data folder is in memory, where a commit costs nothing: choose another with --folder.");
    }
    const began = performance.now();
    const { rows, failed } = await measureAll(run);
    print(options, machine, secondsSince(began), rows);
    return failed ? 1 : 0;
  } finally {
    clear();
  }
};

try {
  process.exitCode = await bench(readBenchOptions(process.argv.slice(2), groups));
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
