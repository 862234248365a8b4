import { setTimeout as sleep } from "node:timers/promises";
import { jobsGet, jobsInsert } from "../../contract/operations/partner.ts";
import { call, jobMaker, load, type MakeJob, sent, subscribe, UNIQUE, withoutPlaceholders } from "../load.ts";
import { type Bench, firstLine, programPath, type Service, startService } from "../processes.ts";
import { Receiver } from "../receiver.ts";
import { differenceRow, median, p95, plainRow, type Row, ratioRow } from "../statistics.ts";
import { loadPace, startBare } from "./calls.ts";

const connections = 64;
/** Time until missing deliveries count as lost, in milliseconds. */
const MAX_WAIT_MS = 60_000;

/** Calls until a promise resolves. @returns the duration of each call, in milliseconds */
const callWhile = async (promise: Promise<unknown>, once: () => Promise<unknown>, pauseMs: number) => {
  const times: number[] = [];
  let over = false;
  const end = promise.finally(() => {
    over = true;
  });
  while (!over) {
    const startedAt = performance.now();
    await once();
    times.push(performance.now() - startedAt);
    await sleep(pauseMs);
  }
  await end;
  return times;
};

/** Mutations with one subscriber that acknowledges each; lost and out-of-order deliveries; draining a backlog. */
export const measureSubscribed = async (bench: Bench): Promise<Row[]> => {
  const [service, bare] = await Promise.all([startService(bench, "data"), startBare(bench)]);
  const receiver = new Receiver();
  await subscribe(service, await receiver.listen());
  const job = await jobMaker(service);
  const requests = [sent(service, jobsInsert, job(UNIQUE))];
  const { id } = await call(service, jobsInsert, job(0));
  let inserted = 1;
  const insert = async (amount: number): Promise<number> => {
    const { responses, perSecond } = await load(bench, { base: service.base, requests, connections, amount });
    inserted += responses;
    return perSecond;
  };
  const values: Record<"H" | "ours" | "drained" | "calls", number[]> = { H: [], ours: [], drained: [], calls: [] };
  for (let round = 0; round <= (bench.quick ? 1 : 3); round += 1) {
    const { seconds } = loadPace(bench);
    const H = (await load(bench, { base: bare, requests: withoutPlaceholders(requests), connections, seconds }))
      .perSecond;
    const ours = await insert(bench.quick ? 2_000 : 15_000);
    await receiver.waitFor(inserted, MAX_WAIT_MS);
    receiver.hold();
    const backlog = bench.quick ? 1_000 : 5_000;
    await insert(backlog);
    const startedAt = performance.now();
    receiver.release();
    const drained = receiver.waitFor(inserted, MAX_WAIT_MS).then(() => performance.now() - startedAt);
    const calls = await callWhile(drained, () => call(service, jobsGet, { identity: { id } }), 5);
    if (round === 0) continue;
    values.H.push(H);
    values.ours.push(ours);
    values.drained.push((backlog / (await drained)) * 1_000);
    values.calls.push(...calls);
  }
  receiver.close();
  const { received, outOfOrder } = receiver;
  return [
    ratioRow({
      what: `\`${jobsInsert.id}\`, one subscriber acknowledging, ${connections} connections`,
      unit: "/s",
      values: values.ours,
      reference: { name: "H", values: values.H },
      target: { least: 0.12 },
    }),
    plainRow({
      what: "… of its notifications lost or out of order",
      unit: "messages",
      values: [inserted - received + outOfOrder],
      target: { most: 0 },
      note: `of ${inserted.toLocaleString("en-GB")}; the order is that of event_timestamp`,
    }),
    plainRow({
      what: "… a backlog of them drained while calls are answered",
      unit: "/s",
      values: values.drained,
      target: { least: 2_000 },
      note: `\`${jobsGet.id}\` meanwhile: median ${median(values.calls).toFixed(1)} ms, 95th percentile ${p95(values.calls).toFixed(1)} ms`,
    }),
  ];
};

const BAD_RECEIVERS = 1_000;
/** With the good one, as many as an integration may have in a world (D86). */
const IN_A_WORLD = 31;
const WORLD = "good";
/** Observation time of an overloaded service, in milliseconds. */
const OBSERVED_MS = 30_000;
let numbers = 0;

interface Delays {
  /** From the response to an insert until its notification arrives. */
  readonly webhook: number[];
  /** From a request to `/__health` until its response. */
  readonly health: number[];
}

/** Inserts jobs one at a time and checks `/__health` concurrently. */
const observe = async (bench: Bench, service: Service, receiver: Receiver, job: MakeJob): Promise<Delays> => {
  const answeredAt = new Map<string, number>();
  const inserting = async (): Promise<void> => {
    const until = performance.now() + OBSERVED_MS;
    while (answeredAt.size < (bench.quick ? 30 : 150) && performance.now() < until) {
      const { id } = await call(service, jobsInsert, job(numbers++), WORLD);
      answeredAt.set(id, performance.now());
      await sleep(100);
    }
  };
  const health = await callWhile(inserting(), async () => (await fetch(`${service.base}/__health`)).arrayBuffer(), 50);
  await sleep(1_000);
  // A missing notification is at least this late.
  const webhook = [...answeredAt].map(([id, at]) => (receiver.arrivals.get(id) ?? performance.now()) - at);
  return { webhook, health };
};

/** Measures a notification's delay, alone and with a thousand bad receivers. */
export const measureReceivers = async (bench: Bench): Promise<Row[]> => {
  const service = await startService(bench, "data");
  const receiver = new Receiver();
  const job = await jobMaker(service);
  await subscribe(service, await receiver.listen(), WORLD);
  await call(service, jobsInsert, job(numbers++), WORLD);
  const alone = await observe(bench, service, receiver, job);

  const program = [programPath("bad-receivers"), String(BAD_RECEIVERS)];
  const bad = bench.processes.spawn(process.execPath, program, { stdio: ["ignore", "pipe", "inherit"] });
  const others = new Set<string>();
  for (const [index, address] of (await firstLine<string[]>(bad)).entries()) {
    const world = index < IN_A_WORLD ? WORLD : `bad-${Math.floor(index / IN_A_WORLD)}`;
    if (world !== WORLD) others.add(world);
    await subscribe(service, address, world);
  }
  // Gives every receiver notifications repeatedly.
  const provoke = async (): Promise<void> => {
    for (const world of others) await call(service, jobsInsert, job(numbers++), world);
  };
  await provoke();
  const observed = observe(bench, service, receiver, job);
  await callWhile(observed, provoke, 2_000);
  const beset = await observed;
  receiver.close();
  const later = (what: string, key: keyof Delays, most: number): Row =>
    differenceRow({
      what: `a thousand receivers that hang, flood or send garbage: ${what}, 95th percentile, later by`,
      unit: "ms",
      values: [p95(beset[key])],
      reference: { name: "without", values: [p95(alone[key])] },
      target: { most },
      note: `${IN_A_WORLD} of them in the good one's world; median ${median(beset[key]).toFixed(1)} ms, the longest ${Math.max(...beset[key]).toFixed(0)} ms`,
    });
  const what = "a webhook after one call, from the answer to its arrival";
  return [
    plainRow({ what, unit: "ms", values: alone.webhook, target: { most: 15 } }),
    later("a good one's notification", "webhook", 250),
    later("`/__health`", "health", 50),
  ];
};
