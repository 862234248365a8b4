import { deliveriesList } from "../../contract/control/operations.ts";
import { jobsInsert } from "../../contract/operations/partner.ts";
import type { BareSenderCalls } from "../actors/bare-sender.ts";
import { actorFile, type Bench } from "../bench.ts";
import { measureInterleaved } from "../plan.ts";
import { Actor } from "../processes/actor.ts";
import { type Service, startService } from "../processes/service.ts";
import { comparedRow, type Row } from "../row.ts";
import { call, insertBody, loadRequest } from "../workload.ts";
import { type Consumer, startConsumer, subscribe } from "./consumer.ts";

const IN_FLIGHT = 16;
/** A try is given up after 10 s (D72); a receiver must not hold one for anything like as long. */
const LONGEST_HOLD_MS = 5_000;
const PATIENCE_MS = 60_000;

interface Backlog {
  readonly world: string;
  readonly addresses: number;
  readonly deliveries: number;
}

/** Resolves when nothing waits: every attempt is on record. */
const nothingPending = async (service: Service, world: string): Promise<void> => {
  const until = Date.now() + PATIENCE_MS;
  while ((await call(service, deliveriesList, { world, status: "pending", limit: 1 })).items.length > 0) {
    if (Date.now() > until) throw new Error("Deliveries that were acknowledged are still pending.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** Holds the receiver back while a backlog grows, then lets it answer. @returns deliveries a second until the last */
const drain = async (bench: Bench, service: Service, consumer: Consumer, backlog: Backlog): Promise<number> => {
  const { world, addresses, deliveries } = backlog;
  const headers = { "x-sandbox-tenant": world };
  await consumer.calls.call("forget", null);
  await consumer.calls.call("hold", null);
  const { answered } = await bench.load({
    port: service.port,
    connections: 64,
    request: loadRequest(service, jobsInsert, await insertBody(service), { headers }),
    numbers: { from: bench.newNumbers() },
    status: 200,
    warmupMs: 0,
    measureMs: LONGEST_HOLD_MS,
    requests: Math.ceil(deliveries / addresses),
  });
  const expected = answered * addresses;
  const began = await consumer.calls.call("release", null);
  const received = await consumer.calls.call("waitFor", { distinct: expected, timeoutMs: PATIENCE_MS });
  if (received.distinct < expected || received.lastAt === null) {
    throw new Error(`${received.distinct} of ${expected} deliveries arrived within ${PATIENCE_MS / 1_000} s.`);
  }
  await nothingPending(service, world);
  return (expected / (received.lastAt - began)) * 1_000;
};

/** How fast a backlog drains to one fast receiver, every attempt on record, beside a sender that records nothing. */
export const measureDeliveries = async (bench: Bench): Promise<Row[]> => {
  const consumer = await startConsumer(bench);
  const sender = new Actor<BareSenderCalls>(bench.children, actorFile("bare-sender"));
  const service = await startService(bench, "deliveries");
  const { backlog: deliveries, warmupMs, loadMs: measureMs } = bench.pace;
  const one: Backlog = { world: "one-address", addresses: 1, deliveries };
  const many: Backlog = { world: "many-addresses", addresses: IN_FLIGHT, deliveries };
  for (const { world, addresses } of [one, many]) {
    for (let at = 1; at <= addresses; at += 1) await subscribe(service, consumer, world, `/hooks/${at}`);
  }
  const values = await measureInterleaved(
    {
      bare: () => sender.call("send", { port: consumer.port, path: "/bare", inFlight: IN_FLIGHT, warmupMs, measureMs }),
      one: () => drain(bench, service, consumer, one),
      many: () => drain(bench, service, consumer, many),
    },
    Math.ceil(bench.pace.repetitions / 2),
  );
  consumer.calls.end();
  sender.end();
  await service.stop();
  const reference = { name: `Pool.request at ${IN_FLIGHT}`, values: values.bare };
  const common = { group: "deliveries", unit: "/s", reference } as const;
  const backlogNote = `a backlog of ${deliveries.toLocaleString("en-GB")}`;
  return [
    comparedRow({
      ...common,
      what: "deliveries, durable attempt records, one fast consumer, one address",
      values: values.one,
      target: { least: 0.35 },
      notes: [`${backlogNote}, in event order`],
    }),
    comparedRow({
      ...common,
      what: `the same, ${IN_FLIGHT} addresses of the consumer`,
      values: values.many,
      target: null,
      notes: [backlogNote],
    }),
  ];
};
