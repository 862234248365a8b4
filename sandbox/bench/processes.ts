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

/** The running processes of a group of rows, each with its children. */
export class Processes {
  readonly #running = new Set<ChildProcess>();

  spawn(program: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
    // Configures services only by options, so variables are removed.
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
        // The process had already ended.
      }
    }
  }
}

/** Resources of a group of rows. */
export interface Bench {
  /** The built service's entry. */
  readonly service: string;
  /** Services of other commits to compare. */
  readonly others: readonly OtherService[];
  /** Data folders of the group; removed after it. */
  readonly folder: string;
  /** Short runs, whose figures are rough. */
  readonly quick: boolean;
  /** Duration of each load in seconds; null: the group's default. */
  readonly seconds: number | null;
  readonly processes: Processes;
  readonly say: (line: string) => void;
}

export const listen = (server: net.Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)));

/** Returns a port that is currently free. */
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

// The service gets the bench's own Node flags, as with `npm run sandbox`.
const serviceArguments = (bench: Bench, data: string, port: number, entry: string): string[] => {
  const options = ["--port", String(port), "--data", path.join(bench.folder, data), "--log", "silent"];
  return [...process.execArgv, entry, ...options];
};

/** Parses a program's first line as JSON. @throws when it ends before */
export const firstLine = <Said>(child: ChildProcess): Promise<Said> =>
  new Promise((resolve, reject) => {
    createInterface({ input: child.stdout as Readable }).once("line", (line) => resolve(JSON.parse(line)));
    child.once("exit", () => reject(new Error(`${child.spawnargs.join(" ")} ended before it was ready.`)));
  });

/** Returns the path of a bench program. */
export const programPath = (name: string): string => path.join(import.meta.dirname, `${name}.ts`);

/** Starts a built service on a data folder of the group. Resolves when it is ready. */
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

const MAX_WAIT_MS = 60_000;
const ASK_EVERY_MS = 2;

/** An HTTP server program, and an address that responds once it is ready. */
export interface Server {
  readonly args: readonly string[];
  readonly address: string;
  /** Any status means ready, not only success. */
  readonly any?: boolean | undefined;
}

/**
 * Starts a Node program. @returns it, and the milliseconds from its start to the first response @throws after a minute
 */
export const timeStart = async (bench: Bench, { args, address, any = false }: Server) => {
  const startedAt = performance.now();
  const child = bench.processes.spawn(process.execPath, args, { stdio: "ignore" });
  for (;;) {
    const response = await fetch(address).catch(() => null);
    const milliseconds = performance.now() - startedAt;
    await response?.arrayBuffer();
    if (response && (any || response.ok)) return { milliseconds, child };
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended before it answered.`);
    if (milliseconds > MAX_WAIT_MS) throw new Error(`${args.join(" ")} has not answered within a minute.`);
    await sleep(ASK_EVERY_MS);
  }
};

/** Starts the service, measures it, and stops it. @param restMs idle time before memory is measured */
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

/** Returns a process's resident memory in megabytes, including shared pages. */
export const residentMegabytes = (pid: number): number => {
  const kilobytes =
    process.platform === "linux"
      ? /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
      : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(kilobytes) / 1024;
};
