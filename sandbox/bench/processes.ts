import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { ReadyLine } from "../host/ready-line.ts";
import type { OtherService } from "./other-commit.ts";

const OWN_GROUP = process.platform !== "win32";

/** The processes that a group of rows has running, each with whatever it starts. */
export class Processes {
  readonly #running = new Set<ChildProcess>();

  spawn(program: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
    // What would change a service is said on its command line alone.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("SANDBOX_")));
    const child = spawn(program, [...args], { env, ...options, detached: OWN_GROUP });
    this.#running.add(child);
    for (const event of ["exit", "error"]) child.once(event, () => this.#running.delete(child));
    return child;
  }

  killAll(): void {
    for (const child of this.#running) {
      try {
        if (OWN_GROUP && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        else child.kill("SIGKILL");
      } catch {
        // It has ended by itself.
      }
    }
  }
}

/** What a group of rows measures with. */
export interface Bench {
  /** The built service's entry. */
  readonly service: string;
  /** The services of other commits, measured beside it. */
  readonly others: readonly OtherService[];
  /** The data folders of the group; removed after it. */
  readonly folder: string;
  /** Short: the figures say little. */
  readonly quick: boolean;
  /** How long each load is, in seconds; null: as long as the group thinks right. */
  readonly seconds: number | null;
  readonly processes: Processes;
  readonly say: (line: string) => void;
}

export const listen = (server: net.Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)));

/** A port that nobody listens on just now. */
export const freePort = async (): Promise<number> => {
  const server = net.createServer();
  const port = await listen(server);
  server.close();
  return port;
};

/** Resolves when the process has ended. */
export const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
};

export interface Service {
  readonly ready: ReadyLine;
  readonly base: string;
  readonly pid: number;
  stop(): Promise<void>;
}

// The service runs with the flags the bench itself was given, as `npm run sandbox` runs it.
const serviceArguments = (bench: Bench, data: string, port: number, entry: string): string[] => {
  const options = ["--port", String(port), "--data", path.join(bench.folder, data), "--log", "silent"];
  return [...process.execArgv, entry, ...options];
};

/** What a program says in its first line, in JSON. @throws when it ends before */
export const firstLine = <Said>(child: ChildProcess): Promise<Said> =>
  new Promise((resolve, reject) => {
    createInterface({ input: child.stdout as Readable }).once("line", (line) => resolve(JSON.parse(line)));
    child.once("exit", () => reject(new Error(`${child.spawnargs.join(" ")} ended before it was ready.`)));
  });

/** A file of the bench that runs as a process of its own. */
export const programPath = (name: string): string => path.join(import.meta.dirname, `${name}.ts`);

/** Starts a built service on a data folder of the group. Resolves when it can be used. */
export const startService = async (
  bench: Bench,
  data: string,
  entry = bench.service,
  options: readonly string[] = [],
): Promise<Service> => {
  const args = [...serviceArguments(bench, data, 0, entry), ...options];
  const child = bench.processes.spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ready = await firstLine<ReadyLine>(child);
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended(child);
  };
  return { ready, base: ready.base_url, pid: ready.pid, stop };
};

const PATIENCE_MS = 60_000;
const ASK_EVERY_MS = 2;

/** A program that serves HTTP, and an address of it that answers once it is ready. */
export interface Server {
  readonly args: readonly string[];
  readonly address: string;
  /** Any answer says that it is ready, not only a success. */
  readonly any?: boolean | undefined;
}

/** Starts a Node program. @returns it, and the milliseconds from spawn to its first answer @throws after a minute */
export const timeStart = async (bench: Bench, { args, address, any = false }: Server) => {
  const began = performance.now();
  const child = bench.processes.spawn(process.execPath, args, { stdio: "ignore" });
  for (;;) {
    const answer = await fetch(address).catch(() => null);
    const milliseconds = performance.now() - began;
    await answer?.arrayBuffer();
    if (answer && (any || answer.ok)) return { milliseconds, child };
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended before it answered.`);
    if (milliseconds > PATIENCE_MS) throw new Error(`${args.join(" ")} has not answered within a minute.`);
    await sleep(ASK_EVERY_MS);
  }
};

/** Starts the service, measures it, and stops it. @param restMs how long it rests before memory is measured */
export const timeServiceStart = async (bench: Bench, data: string, restMs = 0) => {
  const port = await freePort();
  const server = {
    args: serviceArguments(bench, data, port, bench.service),
    address: `http://127.0.0.1:${port}/__health`,
  };
  const { milliseconds, child } = await timeStart(bench, server);
  await sleep(restMs);
  const megabytes = residentMegabytes(child.pid ?? 0);
  child.kill("SIGTERM");
  await ended(child);
  return { milliseconds, megabytes };
};

/** Megabytes of memory that a process holds: what the system counts, shared pages included. */
export const residentMegabytes = (pid: number): number => {
  const kilobytes =
    process.platform === "linux"
      ? /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
      : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(kilobytes) / 1024;
};
