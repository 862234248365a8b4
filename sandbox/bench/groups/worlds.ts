import { setTimeout as sleep } from "node:timers/promises";
import { jobsList, requestsList } from "../../contract/control/operations.ts";
import { retentionBounds, retentionSet } from "../../contract/control/retention-operations.ts";
import type { Operation, RequestOf } from "../../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert } from "../../contract/operations/partner.ts";
import { call, insertJobs, jobMaker, load, plateOf, type Sent, sent, UNIQUE } from "../load.ts";
import { type Bench, type Service, startService, timeServiceStart } from "../processes.ts";
import { differenceRow, interleave, median, plainRow, type Row, ratioRow } from "../statistics.ts";
import { paceOf } from "./calls.ts";

const INDEXED_WITHIN_MS = 120_000;

/** Makes a world of so many jobs by inserting them, which leaves as many exchanges; waits until search knows them. */
const fill = async (service: Service, world: string, jobs: number): Promise<void> => {
  await call(service, retentionSet, { world, max_megabytes: retentionBounds.max_megabytes.maximum }, world);
  await insertJobs(service, jobs, world);
  const until = performance.now() + INDEXED_WITHIN_MS;
  while ((await call(service, jobsList, { world, search: plateOf(jobs - 1) })).total === 0) {
    if (performance.now() > until) throw new Error(`Search has not found the newest of ${jobs} jobs in two minutes.`);
    await sleep(200);
  }
};

const SPREAD = 40;

/** The requests that have to take no longer in a large world than in a small one. */
const requestsIn = async (service: Service, world: string, jobs: number): Promise<Record<string, Sent[]>> => {
  const numbers = Array.from({ length: SPREAD }, (_, index) => Math.floor((index * jobs) / SPREAD));
  const control = <O extends Operation>(operation: O, bodies: readonly RequestOf<O>[]): Sent[] =>
    bodies.map((body) => sent(service, operation, body));
  const get = numbers.map((number) => sent(service, jobsGet, { identity: { external: `repair-${number}` } }, world));
  const insert = sent(service, jobsInsert, (await jobMaker(service))(UNIQUE), world);
  const plates = numbers.map(plateOf);
  return {
    "`repairer.jobs.get`": get,
    "`repairer.jobs.insert`": [insert],
    "`jobs.list`, first page": control(jobsList, [{ world }]),
    "`jobs.list`, search for a plate": control(
      jobsList,
      plates.map((search) => ({ world, search })),
    ),
    "`jobs.list`, search for a piece of a plate": control(
      jobsList,
      plates.map((plate) => ({ world, search: plate.slice(1, 7) })),
    ),
    "`jobs.list`, search for what every job has": control(jobsList, [{ world, search: "RO-" }]),
    "`requests.list`, first page": control(requestsList, [{ world }]),
    "`requests.list`, search for what nearly every one has": control(requestsList, [{ world, search: "jobs.insert" }]),
  };
};

/** What the same calls take in worlds of different sizes, one after the other over one connection. */
export const measureLargeWorlds = async (bench: Bench): Promise<Row[]> => {
  const service = await startService(bench, "data");
  const sizes = bench.quick ? { few: 100, many: 1_000, most: 5_000 } : { few: 1_000, many: 100_000, most: 1_000_000 };
  const worlds: Record<string, Record<string, Sent[]>> = {};
  for (const [world, jobs] of Object.entries(sizes)) {
    bench.say(`  inserting ${jobs.toLocaleString("en-GB")} jobs …`);
    await fill(service, world, jobs);
    worlds[world] = await requestsIn(service, world, jobs);
  }
  const count = (size: keyof typeof sizes): string => sizes[size].toLocaleString("en-GB");
  const rows: Row[] = [];
  let [slowest, longestMs] = [{ what: "", ms: 0 }, 0];
  for (const what of Object.keys(worlds.few ?? {})) {
    const time = async (world: keyof typeof sizes): Promise<number> => {
      const requests = worlds[world]?.[what] ?? [];
      const loaded = await load(bench, { base: service.base, requests, connections: 1, seconds: 0.4 });
      if (world === "most") {
        if (loaded.meanMs > slowest.ms) slowest = { what, ms: loaded.meanMs };
        longestMs = Math.max(longestMs, loaded.longestMs);
      }
      return loaded.meanMs;
    };
    const { few, many, most } = await interleave(paceOf(bench).repetitions, {
      few: () => time("few"),
      many: () => time("many"),
      most: () => time("most"),
    });
    rows.push(
      ratioRow({
        what: `${count("many")} jobs: ${what}`,
        unit: "ms",
        values: many,
        reference: { name: `${count("few")} jobs`, values: few },
        target: { most: 1.5 },
        note: `${median(most).toFixed(2)} ms with ${count("most")}`,
      }),
    );
  }
  const what = `${count("most")} jobs and as many exchanges: the slowest of these calls`;
  const note = `${slowest.what}; the longest single one of all ${longestMs} ms`;
  rows.push(plainRow({ what, unit: "ms", values: [slowest.ms], target: { most: 50 }, note }));
  return rows;
};

/** What the first call to a world takes more than the same call to one that is open. */
export const measureNewWorld = async (bench: Bench): Promise<Row[]> => {
  const service = await startService(bench, "data");
  const time = async (world: string): Promise<number> => {
    const requests = [sent(service, businessesList, {}, world)];
    return (await load(bench, { base: service.base, requests, connections: 1, amount: 40 })).meanMs;
  };
  const { fresh, open } = await interleave(paceOf(bench).repetitions * 2, {
    fresh: () => time(`new-${UNIQUE}`),
    open: () => time("open"),
  });
  const what = "a new world: its first call, longer than the same call to an open one by";
  const reference = { name: "open", values: open };
  return [differenceRow({ what, unit: "ms", values: fresh, reference, target: { most: 10 } })];
};

const REST_MS = 1_000;

/** What thousands of worlds cost that nobody calls: time at the start, and memory. */
export const measureIdleWorlds = async (bench: Bench): Promise<Row[]> => {
  // With the world `default` as many as there may be (D85).
  const count = bench.quick ? 500 : 9_999;
  const service = await startService(bench, "idle");
  const requests = [sent(service, businessesList, {}, `idle-${UNIQUE}`)];
  const { perSecond } = await load(bench, { base: service.base, requests, connections: 4, amount: count });
  await service.stop();
  const memory: Record<"idle" | "few", number[]> = { idle: [], few: [] };
  const start = async (data: "idle" | "few"): Promise<number> => {
    const { milliseconds, megabytes } = await timeServiceStart(bench, data, REST_MS);
    memory[data].push((megabytes * 1_024) / count);
    return milliseconds;
  };
  const { idle, few } = await interleave(paceOf(bench).repetitions, {
    idle: () => start("idle"),
    few: () => start("few"),
  });
  const worlds = `${count.toLocaleString("en-GB")} idle worlds`;
  return [
    differenceRow({
      what: `${worlds}: start-up, slower by`,
      unit: "ms",
      values: idle,
      reference: { name: "without", values: few },
      target: { most: 100 },
      note: `made at ${perSecond.toFixed(0)} /s`,
    }),
    differenceRow({
      what: `${worlds}: memory after a start, divided by their number, more by`,
      unit: "KB",
      values: memory.idle,
      reference: { name: "without", values: memory.few },
      target: { most: 20 },
    }),
  ];
};
