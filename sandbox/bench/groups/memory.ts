import { setTimeout as sleep } from "node:timers/promises";
import { jobsInsert } from "../../contract/operations/partner.ts";
import type { Bench } from "../bench.ts";
import { residentMegabytes } from "../processes/resident-memory.ts";
import { startService } from "../processes/service.ts";
import { plainRow, type Row } from "../row.ts";
import { median, rangeOf } from "../statistics.ts";
import { insertBody, loadRequest } from "../workload.ts";

const GROUP = "memory";
const STARTS = 3;
const SETTLE_MS = 2_000;
const CONNECTIONS = 64;

/** Resident memory of the service's process: after its start, and after many mutations. */
export const measureMemory = async (bench: Bench): Promise<Row[]> => {
  const idle: number[] = [];
  for (let start = 1; start <= STARTS; start += 1) {
    const service = await startService(bench, `memory-${start}`);
    const health = await fetch(`${service.ready.base_url}/__health`);
    if (health.status !== 200) throw new Error(`/__health answered ${health.status}.`);
    await sleep(SETTLE_MS);
    idle.push(residentMegabytes(service.pid));
    await service.stop();
  }
  const { mutations } = bench.pace;
  const service = await startService(bench, "memory-1");
  const { answered } = await bench.load({
    port: service.port,
    connections: CONNECTIONS,
    request: loadRequest(service, jobsInsert, await insertBody(service)),
    numbers: { from: bench.newNumbers() },
    status: 200,
    warmupMs: 0,
    measureMs: 120_000,
    requests: mutations,
  });
  await sleep(SETTLE_MS);
  const after = residentMegabytes(service.pid);
  await service.stop();
  const few = answered < mutations ? [`only ${answered} within two minutes`] : [];
  return [
    plainRow(
      GROUP,
      "memory headless, idle",
      { value: median(idle), unit: "MB" },
      { target: { most: 95 }, range: rangeOf(idle), samples: { idle } },
    ),
    plainRow(
      GROUP,
      `memory headless, after ${mutations.toLocaleString("en-GB")} mutations`,
      { value: after, unit: "MB" },
      { target: { most: 200 }, notes: few },
    ),
  ];
};
