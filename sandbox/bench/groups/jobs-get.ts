import { jobsGet, jobsInsert } from "../../contract/operations/partner.ts";
import type { Bench } from "../bench.ts";
import { measureInterleaved } from "../plan.ts";
import { startService } from "../processes/service.ts";
import { comparedRow, type Row } from "../row.ts";
import { getBody, insertBody, loadRequest } from "../workload.ts";
import { startBare } from "./bare.ts";

const JOBS = 1_000;
const CONNECTIONS = 64;

/** Reads: the job of a number drawn at random, of a thousand. */
export const measureJobsGet = async (bench: Bench): Promise<Row[]> => {
  const bare = await startBare(bench);
  const service = await startService(bench, "jobs-get");
  const insert = loadRequest(service, jobsInsert, await insertBody(service));
  const once = { connections: CONNECTIONS, status: 200, warmupMs: 0, measureMs: 60_000 };
  await bench.load({ ...once, port: service.port, request: insert, numbers: { from: 0 }, requests: JOBS });

  const rate = async (port: number): Promise<number> => {
    const { warmupMs, loadMs: measureMs } = bench.pace;
    const request = loadRequest(service, jobsGet, getBody, { port });
    const load = { port, connections: CONNECTIONS, request, numbers: { below: JOBS }, status: 200 };
    return (await bench.load({ ...load, warmupMs, measureMs })).perSecond;
  };
  const { H, ours } = await measureInterleaved(
    { H: () => rate(bare.port), ours: () => rate(service.port) },
    bench.pace.repetitions,
  );
  bare.end();
  await service.stop();
  return [
    comparedRow({
      group: "jobs.get",
      what: `\`repairer.jobs.get\`, ${CONNECTIONS} connections`,
      unit: "/s",
      values: ours,
      reference: { name: "H", values: H },
      target: { least: 0.55 },
    }),
  ];
};
