import { jobsInsert } from "../../contract/operations/partner.ts";
import type { Bench } from "../bench.ts";
import { measureSync, ratioWithSync } from "../disk-sync.ts";
import { measureInterleaved } from "../plan.ts";
import { startService } from "../processes/service.ts";
import { comparedRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import { insertBody, loadRequest } from "../workload.ts";
import { startBare } from "./bare.ts";

const LEVELS = [
  { connections: 1, least: 0.25 },
  { connections: 10, least: 0.4 },
  { connections: 64, least: 0.5 },
];

/** Nobody to share a commit with: over one connection the disk is most of it. */
const diskNote = (perSecond: number, syncMs: number): string =>
  `a bare write and sync of a page took ${syncMs.toFixed(2)} ms on this disk: H waiting for one before each answer would be at ${ratioWithSync(perSecond, syncMs).toFixed(2)} ×`;

/** Durable mutations: every insert a new job with its event in the outbox, nobody subscribed. */
export const measureJobsInsert = async (bench: Bench): Promise<Row[]> => {
  const bare = await startBare(bench);
  const service = await startService(bench, "jobs-insert");
  const body = await insertBody(service);
  const rows: Row[] = [];
  for (const { connections, least } of LEVELS) {
    const rate = async (port: number): Promise<number> => {
      const { warmupMs, loadMs: measureMs } = bench.pace;
      const request = loadRequest(service, jobsInsert, body, { port });
      const load = { port, connections, request, numbers: { from: bench.newNumbers() }, status: 200 };
      return (await bench.load({ ...load, warmupMs, measureMs })).perSecond;
    };
    const { H, ours, sync } = await measureInterleaved(
      {
        H: () => rate(bare.port),
        ours: () => rate(service.port),
        sync: async () => measureSync(bench.folder),
      },
      bench.pace.repetitions,
    );
    rows.push(
      comparedRow({
        group: "jobs.insert",
        what: `\`repairer.jobs.insert\`, durable, ${connections} connection${connections === 1 ? "" : "s"}`,
        unit: "/s",
        values: ours,
        reference: { name: "H", values: H },
        target: { least },
        notes: connections === 1 ? [diskNote(median(H), median(sync))] : [],
      }),
    );
  }
  bare.end();
  await service.stop();
  return rows;
};
