import { jobsList } from "../../contract/control/operations.ts";
import { jobsGet, jobsInsert } from "../../contract/operations/partner.ts";
import type { Bench } from "../bench.ts";
import { plateOf } from "../grown-jobs.ts";
import type { LoadOrder } from "../load/load-order.ts";
import { measureInterleaved } from "../plan.ts";
import type { Service } from "../processes/service.ts";
import { comparedRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import { getBody, insertBody, loadRequest } from "../workload.ts";
import { startGrown } from "./grown.ts";

const FEW = 1_000;
const TARGET = { most: 1.3 };
const INSERTS = 60;
const CALLS = 42;
const TERMS = 3;
/** The head of every grown job's number. */
const EVERYWHERE = "RO-";
const LONGEST_MS = 600;

type Timed = Pick<LoadOrder, "request" | "numbers" | "requests">;

/** Milliseconds of one call after the other, over one connection: the median. */
const timeOf = async (bench: Bench, { port }: Service, timed: Timed): Promise<number> => {
  const load = { ...timed, port, connections: 1, status: 200, warmupMs: 0, measureMs: LONGEST_MS };
  return (await bench.load(load)).medianMs;
};

/** Several searches, one after the other. */
const timeSearch = async (bench: Bench, service: Service, searches: readonly string[]): Promise<number> => {
  const times: number[] = [];
  for (const search of searches) {
    const request = loadRequest(service, jobsList, { search });
    times.push(
      await timeOf(bench, service, { request, numbers: { from: 0 }, requests: Math.ceil(CALLS / searches.length) }),
    );
  }
  return median(times);
};

/** What the same calls take in a large world and in a small one. */
export const measureManyJobs = async (bench: Bench): Promise<Row[]> => {
  const few = await startGrown(bench, FEW);
  bench.say(`  writing ${bench.pace.jobs.toLocaleString("en-GB")} jobs and the index of their search …`);
  const many = await startGrown(bench, bench.pace.jobs);
  const body = await insertBody(few.service);
  const plates = Array.from({ length: TERMS }, (_, index) => plateOf(index * 37 + 5));
  // As long as it has to be for a million random plates to have it about once.
  const pieces = plates.map((plate) => plate.slice(1, 7));

  const timed: readonly {
    readonly what: string;
    readonly time: (service: Service, jobs: number) => Promise<number>;
  }[] = [
    {
      what: "`repairer.jobs.get`",
      time: (service, jobs) =>
        timeOf(bench, service, {
          request: loadRequest(service, jobsGet, getBody),
          numbers: { below: jobs },
          requests: CALLS * 5,
        }),
    },
    {
      what: "control `jobs.list`, first page",
      time: (service) =>
        timeOf(bench, service, { request: loadRequest(service, jobsList, {}), numbers: { from: 0 }, requests: CALLS }),
    },
    { what: "control `jobs.list`, search for a plate", time: (service) => timeSearch(bench, service, plates) },
    {
      what: "control `jobs.list`, search for a piece of a plate",
      time: (service) => timeSearch(bench, service, pieces),
    },
    {
      what: "control `jobs.list`, search for what every job has",
      time: (service) => timeSearch(bench, service, [EVERYWHERE]),
    },
    {
      what: "`repairer.jobs.insert`",
      time: (service) =>
        timeOf(bench, service, {
          request: loadRequest(service, jobsInsert, body),
          numbers: { from: bench.newNumbers() },
          requests: INSERTS,
        }),
    },
  ];
  const rows: Row[] = [];
  for (const { what, time } of timed) {
    const values = await measureInterleaved(
      { few: () => time(few.service, few.jobs), many: () => time(many.service, many.jobs) },
      bench.pace.repetitions,
    );
    rows.push(
      comparedRow({
        group: "many-jobs",
        what: `${many.jobs.toLocaleString("en-GB")} jobs: ${what}`,
        unit: "ms",
        values: values.many,
        reference: { name: `${FEW.toLocaleString("en-GB")} jobs`, values: values.few },
        target: TARGET,
      }),
    );
  }
  await few.service.stop();
  await many.service.stop();
  return rows;
};
