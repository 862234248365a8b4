import path from "node:path";
import { searchEverywhere } from "../../contract/control/explain-operations.ts";
import { jobsList, requestsList } from "../../contract/control/operations.ts";
import { retentionBounds, retentionSet, worldSummary } from "../../contract/control/world-operations.ts";
import { type Operation, operationPath, type RequestOf } from "../../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert } from "../../contract/operations/partner.ts";
import { worldFileName } from "../../rules/worlds/world-name.ts";
import { Database } from "../../storage/database.ts";
import { newId } from "../../storage/new-id.ts";
import { openStores } from "../../storage/stores.ts";
import { call, jobMaker, type LoadRequest, load, type MakeJob, numberPlate, sent, UNIQUE } from "../load.ts";
import { type Bench, type Service, startService, timeServiceStart } from "../processes.ts";
import { differenceRow, interleave, median, plainRow, type Row, ratioRow } from "../statistics.ts";
import { loadPace } from "./calls.ts";

/** Number of jobs per commit. */
const JOBS_PER_COMMIT = 10_000;

/**
 * Inserts jobs with their records through the stores, into the file of a stopped service. A million over HTTP would
 * take half an hour.
 */
const fill = (file: string, jobs: number, make: MakeJob): void => {
  const db = new Database(file, { durability: "off" });
  const stores = openStores(db);
  const at = Date.now();
  const site = db.get<{ id: string }>(
    "SELECT organization_id AS id FROM businesses WHERE id = ?",
    make(0).repairer_site_id,
  );
  if (!site) throw new Error(`${file} has no site to put jobs at.`);
  for (let first = 0; first < jobs; first += JOBS_PER_COMMIT) {
    db.run("BEGIN");
    for (let number = first; number < Math.min(first + JOBS_PER_COMMIT, jobs); number += 1) {
      const { identity, vehicle = null, ...body } = make(number);
      const id = newId();
      const [claim_number, job_number] = [body.claim_number ?? null, body.job_number ?? null];
      stores.jobs.insert({
        ...{
          id,
          organization_id: site.id,
          repairer_site_id: body.repairer_site_id,
          external_id: identity.external ?? null,
        },
        ...{
          claim_number,
          job_number,
          vehicle,
          vehicle_variant: null,
          work_provider_id: body.work_provider_id ?? null,
        },
        ...{ images: [...(body.images ?? [])], created_at: at, updated_at: at },
      });
      const sent = Buffer.from(JSON.stringify(make(number)));
      stores.requests.insert({
        ...{ id: newId(), at, method: "POST", path: operationPath(jobsInsert), operation: jobsInsert.id },
        ...{ integration_id: null, side: "repairer", status: 200, error_code: null, duration_ms: 1 },
        ...{ request_headers: [], request_body: sent, body_masked: false, response_headers: [], response_body: sent },
        ...{ outcome: "inserted", events: 1, job_id: id, procurement_id: null, label: job_number },
      });
    }
    db.run("COMMIT");
  }
  db.close();
};

const SPREAD = 40;

/** Requests that must be as fast in a large world as in a small one. */
const buildRequests = async (service: Service, world: string, jobs: number): Promise<Record<string, LoadRequest[]>> => {
  const numbers = Array.from({ length: SPREAD }, (_, index) => Math.floor((index * jobs) / SPREAD));
  const control = <O extends Operation>(operation: O, bodies: readonly RequestOf<O>[]): LoadRequest[] =>
    bodies.map((body) => sent(service, operation, body));
  const get = numbers.map((number) => sent(service, jobsGet, { identity: { external: `repair-${number}` } }, world));
  const insert = sent(service, jobsInsert, (await jobMaker(service))(UNIQUE), world);
  const plates = numbers.map(numberPlate);
  return {
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
    "`world.summary`": control(worldSummary, [{ world }]),
    "`requests.list`, first page": control(requestsList, [{ world }]),
    "`requests.list`, search for what nearly every one has": control(requestsList, [{ world, search: "jobs.insert" }]),
    "`requests.list`, search for a plate in a body": control(
      requestsList,
      plates.map((search) => ({ world, search })),
    ),
    "`search.everywhere`, a plate": control(
      searchEverywhere,
      plates.map((query) => ({ world, query })),
    ),
    "`search.everywhere`, what every job has": control(searchEverywhere, [{ world, query: "RO-" }]),
    "`repairer.jobs.get`": get,
    "`repairer.jobs.insert`": [insert],
  };
};

/** Compares call times in worlds of different sizes, one call after the other over one connection. */
export const measureLargeWorlds = async (bench: Bench): Promise<Row[]> => {
  const sizes = bench.quick ? { few: 100, many: 1_000, most: 5_000 } : { few: 1_000, many: 100_000, most: 1_000_000 };
  const maker = await startService(bench, "data");
  for (const world of Object.keys(sizes))
    await call(maker, retentionSet, { world, max_megabytes: retentionBounds.max_megabytes.maximum }, world);
  const make = await jobMaker(maker);
  await maker.stop();
  for (const [world, jobs] of Object.entries(sizes)) {
    bench.say(`  making ${jobs.toLocaleString("en-GB")} jobs …`);
    fill(path.join(bench.folder, "data", "worlds", worldFileName(world)), jobs, make);
  }
  const service = await startService(bench, "data");
  const worlds: Record<string, Record<string, LoadRequest[]>> = {};
  for (const [world, jobs] of Object.entries(sizes)) worlds[world] = await buildRequests(service, world, jobs);
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
    const { few, many, most } = await interleave(loadPace(bench).repetitions, {
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

/** Measures the extra time of the first call to a world. */
export const measureNewWorld = async (bench: Bench): Promise<Row[]> => {
  const service = await startService(bench, "data");
  const time = async (world: string): Promise<number> => {
    const requests = [sent(service, businessesList, {}, world)];
    return (await load(bench, { base: service.base, requests, connections: 1, amount: 40 })).meanMs;
  };
  const { fresh, open } = await interleave(loadPace(bench).repetitions * 2, {
    fresh: () => time(`new-${UNIQUE}`),
    open: () => time("open"),
  });
  const what = "a new world: its first call, longer than the same call to an open one by";
  const reference = { name: "open", values: open };
  return [differenceRow({ what, unit: "ms", values: fresh, reference, target: { most: 10 } })];
};

const REST_MS = 1_000;

/** Measures the cost of thousands of idle worlds: start time and memory. */
export const measureIdleWorlds = async (bench: Bench): Promise<Row[]> => {
  // With the world `default`, this is the limit on worlds (D85).
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
  const { idle, few } = await interleave(loadPace(bench).repetitions, {
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
