import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { ReadyLine } from "../../ready-line.ts";
import type { Bench } from "../bench.ts";
import { ended } from "./children.ts";
import { plainEnvironment } from "./plain-environment.ts";

export interface Service {
  readonly ready: ReadyLine;
  readonly port: number;
  readonly pid: number;
  /** As a person stops it: everything is written and closed. */
  stop(): Promise<void>;
}

/** The built service on a data folder of the bench, as `npm run sandbox` runs it: with the flags the bench itself was given. Resolves when it can be used. */
export const startService = async (bench: Bench, data: string, args: readonly string[] = []): Promise<Service> => {
  const all = [
    ...process.execArgv,
    bench.service,
    "--port",
    "0",
    "--data",
    path.join(bench.folder, data),
    "--log",
    "silent",
    ...args,
  ];
  const child = bench.children.spawn(process.execPath, all, {
    stdio: ["ignore", "pipe", "inherit"],
    env: plainEnvironment(),
  });
  const ready = await new Promise<ReadyLine>((resolve, reject) => {
    createInterface({ input: child.stdout as Readable }).once("line", (line) => resolve(JSON.parse(line)));
    child.once("error", reject);
    child.once("exit", () => reject(new Error("The service ended before it was ready.")));
  });
  return {
    ready,
    port: Number(new URL(ready.base_url).port),
    pid: ready.pid,
    stop: async () => {
      child.kill("SIGTERM");
      await ended(child);
    },
  };
};
