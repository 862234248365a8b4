import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { ended } from "./children.ts";
import { residentMegabytes } from "./resident-memory.ts";
import { freePort, timeToAnswer } from "./time-to-answer.ts";

export interface ServiceStart {
  /** From spawn to the first 200 of `/__health`. */
  readonly milliseconds: number;
  /** Resident memory once it had settled. */
  readonly megabytes: number;
}

/** Starts the built service on a data folder, looks at it, and stops it as a person does. */
export const timeServiceStart = async (bench: Bench, data: string, settleMs = 0): Promise<ServiceStart> => {
  const port = await freePort();
  const args = [
    ...process.execArgv,
    bench.service,
    "--port",
    String(port),
    "--data",
    path.join(bench.folder, data),
    "--log",
    "silent",
  ];
  const { milliseconds, child } = await timeToAnswer(bench.children, {
    program: process.execPath,
    args,
    port,
    path: "/__health",
    any: false,
  });
  await sleep(settleMs);
  const megabytes = residentMegabytes(child.pid ?? 0);
  child.kill("SIGTERM");
  await ended(child);
  return { milliseconds, megabytes };
};
