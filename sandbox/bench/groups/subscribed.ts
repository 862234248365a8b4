import { jobsInsert } from "../../contract/operations/partner.ts";
import type { Received } from "../actors/consumer.ts";
import type { Bench } from "../bench.ts";
import { startService } from "../processes/service.ts";
import { comparedRow, plainRow, type Row } from "../row.ts";
import { rangeOf } from "../statistics.ts";
import { insertBody, loadRequest } from "../workload.ts";
import { startBare } from "./bare.ts";
import { startConsumer, subscribe } from "./consumer.ts";

const GROUP = "subscribed";
const CONNECTIONS = 64;
const WORLD = "subscribed";
/** A subscriber that is told much later is not waited for. */
const PATIENCE_MS = 30_000;
const WHAT = `\`repairer.jobs.insert\`, one subscriber acknowledging, ${CONNECTIONS} connections`;
const WHAT_SETTLED = "until every event of it was delivered, after the end of the load (slowest repetition)";

interface Round {
  readonly H: number;
  readonly ours: number;
  /** Seconds from the last answer to the last event. */
  readonly settled: number;
}

/** Mutations while a subscriber is told of each, and how long after the last one it has been told of all. */
export const measureSubscribed = async (bench: Bench): Promise<Row[]> => {
  const bare = await startBare(bench);
  const consumer = await startConsumer(bench);
  const service = await startService(bench, "subscribed");
  const headers = { "x-sandbox-tenant": WORLD };
  await subscribe(service, consumer, WORLD, "/hooks");
  const body = await insertBody(service);
  const { warmupMs } = bench.pace;
  const measureMs = bench.pace.loadMs * 2;
  const load = (port: number) =>
    bench.load({
      port,
      connections: CONNECTIONS,
      request: loadRequest(service, jobsInsert, body, { port, headers }),
      numbers: { from: bench.newNumbers() },
      status: 200,
      warmupMs,
      measureMs,
    });

  const rounds: Round[] = [];
  let [inserted, late] = [0, ""];
  let received: Received = { distinct: 0, repeated: 0, lastAt: null };
  // One round more than is counted: the first warms everything up.
  while (rounds.length <= Math.ceil(bench.pace.repetitions / 2) && late === "") {
    const H = (await load(bare.port)).perSecond;
    const ours = await load(service.port);
    inserted += ours.answered;
    received = await consumer.calls.call("waitFor", { distinct: inserted, timeoutMs: PATIENCE_MS });
    const missing = inserted - received.distinct;
    if (missing > 0)
      late = `${missing} of ${ours.answered} events had not arrived ${PATIENCE_MS / 1_000} s after a load`;
    const lastAt = missing > 0 ? Date.now() : (received.lastAt ?? 0);
    rounds.push({ H, ours: ours.perSecond, settled: Math.max(0, (lastAt - ours.endedAt) / 1_000) });
  }
  bare.end();
  consumer.calls.end();
  await service.stop();
  const counted = rounds.length > 1 ? rounds.slice(1) : rounds;
  const settled = counted.map((round) => round.settled);
  const notes = [
    `${inserted.toLocaleString("en-GB")} inserts, ${received.distinct.toLocaleString("en-GB")} different message_ids received`,
    ...(late === "" ? [] : [late]),
  ];
  return [
    comparedRow({
      group: GROUP,
      what: WHAT,
      unit: "/s",
      values: counted.map(({ ours }) => ours),
      reference: { name: "H", values: counted.map(({ H }) => H) },
      target: { least: 0.25 },
    }),
    plainRow(
      GROUP,
      WHAT_SETTLED,
      { value: Math.max(...settled), unit: "s" },
      {
        target: { most: 2 },
        notes,
        range: rangeOf(settled),
        samples: { settled },
      },
    ),
  ];
};
