import { jobsGet, jobsInsert } from "../../contract/operations/partner.ts";
import { plural } from "../../contract/plural.ts";
import { forBare, insertJobs, jobMaker, load, type Sent, sent, UNIQUE } from "../load.ts";
import { type Bench, freePort, programOf, type Service, startService, timeStart } from "../processes.ts";
import { interleave, type Row, ratioRow } from "../statistics.ts";

const JOBS = 200;

/** How many loads are counted, and how long each is. */
export const paceOf = ({ quick }: Bench) => (quick ? { repetitions: 2, seconds: 0.5 } : { repetitions: 5, seconds: 2 });

/** Starts H, the bare server that everything is compared with. @returns its address */
export const startBare = async (bench: Bench): Promise<string> => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  await timeStart(bench, { args: [programOf("bare-server"), String(port)], address });
  return address;
};

interface Compared {
  readonly service: Service;
  readonly bare: string;
  readonly what: string;
  readonly requests: readonly Sent[];
  readonly connections: number;
  readonly least: number;
}

/** The row of requests over several connections, beside H under the same load. */
const besideBare = async (bench: Bench, compared: Compared): Promise<Row> => {
  const { service, bare, what, requests, connections, least } = compared;
  const { repetitions, seconds } = paceOf(bench);
  const { H, ours } = await interleave(repetitions, {
    H: async () => (await load(bench, { base: bare, requests: forBare(requests), connections, seconds })).perSecond,
    ours: async () => (await load(bench, { base: service.base, requests, connections, seconds })).perSecond,
  });
  return ratioRow({
    what: `\`${what}\`, ${plural(connections, "connection")}`,
    unit: "/s",
    values: ours,
    reference: { name: "H", values: H },
    target: { least },
  });
};

/** Reads of two hundred jobs in turn. */
export const measureGet = async (bench: Bench): Promise<Row[]> => {
  const [service, bare] = await Promise.all([startService(bench, "get"), startBare(bench)]);
  await insertJobs(service, JOBS);
  const requests = Array.from({ length: JOBS }, (_, number) =>
    sent(service, jobsGet, { identity: { external: `repair-${number}` } }),
  );
  return [await besideBare(bench, { service, bare, what: jobsGet.id, requests, connections: 64, least: 0.45 })];
};

/** Durable mutations: every insert a new job with its event and its exchange recorded, nobody subscribed. */
export const measureInsert = async (bench: Bench): Promise<Row[]> => {
  const [service, bare] = await Promise.all([startService(bench, "insert"), startBare(bench)]);
  const requests = [sent(service, jobsInsert, (await jobMaker(service))(UNIQUE))];
  const insert = { service, bare, what: jobsInsert.id, requests };
  return [
    await besideBare(bench, { ...insert, connections: 1, least: 0.15 }),
    await besideBare(bench, { ...insert, connections: 64, least: 0.25 }),
  ];
};
