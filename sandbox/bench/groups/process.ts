import { setTimeout as sleep } from "node:timers/promises";
import { DEFAULT_WORLD } from "../../rules/worlds/world-name.ts";
import { load } from "../load.ts";
import { type Bench, residentMegabytes, startService, timeServiceStart } from "../processes.ts";
import { interleave, median, plainRow, type Row } from "../statistics.ts";
import { inserts, loadPace, reads } from "./calls.ts";

/** Time from start to first response: with a new data folder, and with a used one. */
export const measureColdStart = async (bench: Bench): Promise<Row[]> => {
  let folders = 0;
  const { first, again } = await interleave(loadPace(bench).repetitions * 2, {
    first: async () => (await timeServiceStart(bench, `new-${folders++}`)).milliseconds,
    again: async () => (await timeServiceStart(bench, "new-0")).milliseconds,
  });
  const note = `${median(again).toFixed(0)} ms in a folder that was used before`;
  const what = "cold start headless, spawn to first 200, a new data folder";
  return [plainRow({ what, unit: "ms", values: first, target: { most: 350 }, note })];
};

const REST_MS = 2_000;

/** Resident memory of the process: after its start, after many mutations, and after as many reads. */
export const measureMemory = async (bench: Bench): Promise<Row[]> => {
  const idle: number[] = [];
  for (let start = 0; start < 3; start += 1) {
    idle.push((await timeServiceStart(bench, `idle-${start}`, REST_MS)).megabytes);
  }
  const amount = bench.quick ? 10_000 : 100_000;
  const after = async (what: string, prepare: typeof reads): Promise<Row> => {
    const service = await startService(bench, what);
    const { requests } = await prepare(service, DEFAULT_WORLD);
    await load(bench, { base: service.base, requests, connections: 64, amount });
    await sleep(REST_MS);
    const megabytes = residentMegabytes(service.pid);
    await service.stop();
    const row = `memory headless, after ${amount.toLocaleString("en-GB")} ${what}`;
    return plainRow({ what: row, unit: "MB", values: [megabytes], target: { most: 220 } });
  };
  return [
    plainRow({ what: "memory headless, idle", unit: "MB", values: idle, target: { most: 100 } }),
    await after("mutations", inserts),
    await after("reads", reads),
  ];
};
