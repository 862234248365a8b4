import path from "node:path";
import { jobsGet, jobsInsert } from "../../contract/operations/partner.ts";
import { plural } from "../../contract/text.ts";
import { insertJobs, jobMaker, type LoadRequest, load, sent, UNIQUE, withoutPlaceholders } from "../load.ts";
import { type Bench, freePort, programPath, type Service, startService, timeStart } from "../processes.ts";
import { countExchanges, keepAll } from "../records.ts";
import { compareCommits, interleave, type Row, ratioRow } from "../statistics.ts";

const JOBS = 200;
export const OURS = "ours";

/** Number of counted loads, and the duration of each. */
export const loadPace = ({ quick, seconds }: Bench) => ({
  repetitions: quick ? 2 : 5,
  seconds: seconds ?? (quick ? 0.5 : 2),
});

/** Starts H, the bare server of all comparisons. @param storeFiles a file to store rows in @returns its address */
export const startBare = async (bench: Bench, ...storeFiles: readonly string[]): Promise<string> => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  await timeStart(bench, { args: [programPath("bare-server"), String(port), ...storeFiles], address });
  return address;
};

/** Requests of one operation over some connections. */
interface Scenario {
  readonly what: string;
  /** World of its own, so that its calls can be counted. */
  readonly world: string;
  readonly connections: number;
  readonly least: number;
  /** Creates the requests' records in the world. @returns the requests, and the number of calls so far */
  readonly prepare: (service: Service, world: string) => Promise<{ requests: LoadRequest[]; responses: number }>;
}

export const reads: Scenario["prepare"] = async (service, world) => {
  await insertJobs(service, JOBS, world);
  const jobs = Array.from({ length: JOBS }, (_, number) => ({ identity: { external: `repair-${number}` } }));
  return { requests: jobs.map((body) => sent(service, jobsGet, body, world)), responses: JOBS };
};

/** Durable mutations: every insert creates a job, an event and a record; nobody is subscribed. */
export const inserts: Scenario["prepare"] = async (service, world) => {
  const job = await jobMaker(service);
  return { requests: [sent(service, jobsInsert, job(UNIQUE), world)], responses: 0 };
};

const buildScenario = (id: string, connections: number, least: number, prepare: Scenario["prepare"]): Scenario => ({
  what: `\`${id}\`, ${plural(connections, "connection")}`,
  world: `${id}-${connections}`,
  ...{ connections, least, prepare },
});

const scenarios: readonly Scenario[] = [
  buildScenario(jobsGet.id, 64, 0.38, reads),
  buildScenario(jobsInsert.id, 1, 0.18, inserts),
  buildScenario(jobsInsert.id, 10, 0.14, inserts),
  buildScenario(jobsInsert.id, 64, 0.22, inserts),
];

/** A measured service, and its responses in each world. */
export interface MeasuredService {
  readonly name: string;
  readonly data: string;
  readonly service: Service;
  readonly responseCounts: Map<string, number>;
}

/**
 * Runs loads with a fixed number of requests, so that every response is counted: a load with a fixed duration ends with
 * responses in flight.
 */
const prepareLoad = async (bench: Bench, scenario: Scenario, { name, service, responseCounts }: MeasuredService) => {
  const { world, connections } = scenario;
  await keepAll(service, world);
  const prepared = await scenario.prepare(service, world);
  responseCounts.set(world, prepared.responses);
  const { seconds } = loadPace(bench);
  let amount = connections * 50;
  const run = async (): Promise<number> => {
    const loaded = await load(bench, { base: service.base, requests: prepared.requests, connections, amount });
    responseCounts.set(world, (responseCounts.get(world) ?? 0) + loaded.responses);
    amount = Math.max(connections, Math.round(loaded.perSecond * seconds));
    return loaded.perSecond;
  };
  return { name, requests: prepared.requests, run };
};

/** The bare servers for comparison. */
interface Bare {
  readonly plain: string;
  /** Syncs with each call, like every service with a single caller: the limit of this disk. */
  readonly durable: string;
}

const DURABLE = "a bare server that keeps one row a call";

/** Rates of a scenario: this commit's compared with H and with other commits, and theirs compared with H. */
const rateRows = async (
  bench: Bench,
  scenario: Scenario,
  bare: Bare,
  all: readonly MeasuredService[],
): Promise<Row[]> => {
  const { what, connections, least } = scenario;
  const { repetitions, seconds } = loadPace(bench);
  const loads: Awaited<ReturnType<typeof prepareLoad>>[] = [];
  for (const measured of all) loads.push(await prepareLoad(bench, scenario, measured));
  const requests = withoutPlaceholders(loads[0]?.requests ?? []);
  const rateOf = async (base: string): Promise<number> =>
    (await load(bench, { base, requests, connections, seconds })).perSecond;
  const waitsAlone = connections === 1;
  const variants: Record<string, () => Promise<number>> = {
    H: () => rateOf(bare.plain),
    ...(waitsAlone ? { [DURABLE]: () => rateOf(bare.durable) } : {}),
    ...Object.fromEntries(loads.map(({ name, run }) => [name, run])),
  };
  const { H = [], ...rates } = await interleave(repetitions, variants);
  const reference = { name: "H", values: H };
  const rows = all.map(({ name }) => {
    const values = rates[name] ?? [];
    if (name !== OURS) return ratioRow({ what: `… at ${name}`, unit: "/s", values, reference, target: null });
    const against = bench.others.map((other) => compareCommits(other.name, values, rates[other.name] ?? []));
    return { ...ratioRow({ what, unit: "/s", values, reference, target: { least } }), against };
  });
  if (!waitsAlone) return rows;
  const values = rates[DURABLE] ?? [];
  return [...rows, ratioRow({ what: `… ${DURABLE}`, unit: "/s", values, reference, target: null })];
};

/** Checks that every answered call is recorded: asserted for this commit, reported for others. */
export const measureRecords = (
  bench: Bench,
  { name, data, responseCounts }: MeasuredService,
  worlds: readonly string[],
): Row => {
  const sum = (count: (world: string) => number): number => worlds.reduce((all, world) => all + count(world), 0);
  const recorded = sum((world) => countExchanges(bench, data, world));
  const responses = sum((world) => responseCounts.get(world) ?? 0);
  return {
    what: name === OURS ? "… exchanges on record" : `… at ${name}: exchanges on record`,
    measured: { value: recorded, unit: "exchanges" },
    beside: { name: "of", value: responses, unit: "answers" },
    // Any difference counts, so one of a million must not be rounded away.
    judged: {
      value: Math.floor((1_000 * Math.min(recorded, responses)) / Math.max(recorded, responses, 1)) / 10,
      unit: "%",
    },
    range: null,
    target: name === OURS ? { least: 100 } : null,
    note: null,
    isAsserted: name === OURS,
  };
};

/** Measures reads and durable mutations of this commit and others in the same run, then checks the records. */
export const measureCalls = async (bench: Bench): Promise<Row[]> => {
  const storeFile = path.join(bench.folder, "kept.sqlite");
  const bare = { plain: await startBare(bench), durable: await startBare(bench, storeFile) };
  const services = [{ name: OURS, entry: bench.service }, ...bench.others];
  const all: MeasuredService[] = [];
  for (const [index, { name, entry }] of services.entries()) {
    const data = `calls-${index}`;
    all.push({ name, data, service: await startService(bench, data, entry), responseCounts: new Map() });
  }
  const recordsAt = (place: number, scenario: Scenario): Row[] => {
    const measured = all[place];
    return measured ? [measureRecords(bench, measured, [scenario.world])] : [];
  };
  const rates: Row[][] = [];
  for (const scenario of scenarios) {
    bench.say(`  ${scenario.what} …`);
    rates.push(await rateRows(bench, scenario, bare, all));
  }
  for (const { service } of all) await service.stop();
  return scenarios.flatMap((scenario, index) => {
    const [own = [], others = []] = [rates[index]?.slice(0, all.length), rates[index]?.slice(all.length)];
    return [...own.flatMap((rate, place) => [rate, ...recordsAt(place, scenario)]), ...others];
  });
};
