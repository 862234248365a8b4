import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { businessesList } from "../../contract/operations/partner.ts";
import type { Bench } from "../bench.ts";
import { NUMBER } from "../load/request-text.ts";
import { interleaved } from "../plan.ts";
import { residentMegabytes } from "../processes/resident-memory.ts";
import { type Service, startService } from "../processes/service.ts";
import { type ServiceStart, timeServiceStart } from "../processes/service-start.ts";
import { plainRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import { loadRequest } from "../workload.ts";

const GROUP = "idle-worlds";
const SETTLE_MS = 1_000;
const LONGEST_MS = 120_000;
/** What an open world may cost: its connection's cache and statements. */
const HANDLE_MEGABYTES = 0.2;
/** What the medians of a few starts differ by when nothing differs. */
const NOISE_MEGABYTES = 5;

const callWorlds = (bench: Bench, service: Service, world: string) =>
  bench.load({
    port: service.port,
    connections: 4,
    request: loadRequest(service, businessesList, {}, { headers: { "x-sandbox-tenant": world } }),
    numbers: { from: bench.newNumbers() },
    status: 200,
    warmupMs: 0,
    measureMs: LONGEST_MS,
    requests: bench.pace.worlds,
  });

/** How many worlds a process has open; null where the system does not tell. */
const openWorlds = (pid: number): number | null => {
  if (process.platform !== "linux") return null;
  const folder = `/proc/${pid}/fd`;
  const files = fs.readdirSync(folder).flatMap((name) => {
    try {
      return [fs.readlinkSync(`${folder}/${name}`)];
    } catch {
      // Closed in the meantime.
      return [];
    }
  });
  return new Set(files.filter((file) => /[/]worlds[/].*[.]sqlite$/.test(file))).size;
};

interface Made {
  readonly worlds: number;
  readonly open: number | null;
  /** What memory grew by, beside as many calls to one world. */
  readonly grewBy: number;
  readonly perSecond: number;
}

const makeWorlds = async (bench: Bench): Promise<Made> => {
  const service = await startService(bench, "idle-worlds");
  await callWorlds(bench, service, "one");
  await sleep(SETTLE_MS);
  const before = residentMegabytes(service.pid);
  const { answered, perSecond } = await callWorlds(bench, service, `idle-${NUMBER}`);
  await sleep(SETTLE_MS);
  const made = { worlds: answered, open: openWorlds(service.pid), grewBy: residentMegabytes(service.pid) - before };
  await service.stop();
  return { ...made, perSecond };
};

/** What thousands of worlds cost that nobody calls: memory, and time at the start. */
export const measureIdleWorlds = async (bench: Bench): Promise<Row[]> => {
  const made = await makeWorlds(bench);
  const starts: Record<"few" | "idle", ServiceStart[]> = { few: [], idle: [] };
  for (const { name, counts } of interleaved(["few", "idle"], bench.pace.repetitions)) {
    const start = await timeServiceStart(bench, `${name}-worlds`, SETTLE_MS);
    if (counts) starts[name].push(start);
  }
  const worlds = `${made.worlds.toLocaleString("en-GB")} idle worlds`;
  const difference = (what: string, key: keyof ServiceStart, unit: "ms" | "MB", most: number): Row => {
    const idle = starts.idle.map((start) => start[key]);
    const few = starts.few.map((start) => start[key]);
    return {
      group: GROUP,
      what: `${worlds}: ${what}`,
      measured: { value: median(idle), unit },
      beside: { name: "without", figure: { value: median(few), unit } },
      judged: { value: median(idle) - median(few), unit },
      range: null,
      target: { most },
      notes: [],
      samples: { idle, few },
    };
  };
  const handles = (made.open ?? 0) * HANDLE_MEGABYTES;
  return [
    difference("start-up, slower by", "milliseconds", "ms", 100),
    difference("memory after the start, more by", "megabytes", "MB", NOISE_MEGABYTES),
    plainRow(
      GROUP,
      `${worlds}: memory after making them, more by`,
      { value: made.grewBy, unit: "MB" },
      {
        target: made.open === null ? null : { most: handles + NOISE_MEGABYTES },
        notes: [`${made.open ?? "unknown"} of them open`, `made at ${Math.round(made.perSecond)} /s`],
      },
    ),
  ];
};
