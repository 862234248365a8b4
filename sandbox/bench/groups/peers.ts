import { pathOf } from "../../contract/operation.ts";
import { jobsInsert } from "../../contract/operations/partner.ts";
import type { Bench } from "../bench.ts";
import { NUMBER, numberText, requestText } from "../load/request-text.ts";
import { installPeers } from "../peers/install.ts";
import { STORED, TEMPLATED } from "../peers/peer-files.ts";
import { jsonServer, mockoon, type Peer, prism, wiremock } from "../peers/peers.ts";
import { measureInterleaved } from "../plan.ts";
import { ended } from "../processes/children.ts";
import { type Service, startService } from "../processes/service.ts";
import { timeServiceStart } from "../processes/service-start.ts";
import { type TimedStart, timeToAnswer } from "../processes/time-to-answer.ts";
import { comparedRow, type Row, type Target, unmeasuredRow } from "../row.ts";
import { headersOf, insertBody } from "../workload.ts";

const GROUP = "peers";
const CONNECTIONS = 64;
const OURS = "`repairer.jobs.insert`, durable, 64 connections";
const STORING = { least: 15 };
const TEMPLATING = { least: 3 };

/** One way a peer answers the POST that inserts a job. */
interface Contender {
  readonly name: string;
  readonly port: number;
  readonly path: string;
  readonly status: number;
  readonly target: Target | null;
}

const startPeer = (bench: Bench, { program, args, port, ready }: Peer): Promise<TimedStart> =>
  timeToAnswer(bench.children, { program, args, port, ...ready });

const startContenders = async (bench: Bench, folder: string, service: Service): Promise<Contender[]> => {
  const all = { mockoon: await mockoon(folder), json: await jsonServer(folder), prism: await prism(folder, service) };
  for (const peer of Object.values(all)) await startPeer(bench, peer);
  const java = await wiremock(folder, bench);
  if (java) await startPeer(bench, java);
  return [
    { name: "Mockoon storing", port: all.mockoon.port, path: STORED, status: 201, target: STORING },
    { name: "json-server storing", port: all.json.port, path: STORED, status: 201, target: STORING },
    { name: "Prism from a document", port: all.prism.port, path: pathOf(jobsInsert), status: 200, target: TEMPLATING },
    { name: "Mockoon templated", port: all.mockoon.port, path: TEMPLATED, status: 200, target: null },
    ...(java
      ? [{ name: "WireMock templated", port: java.port, path: TEMPLATED, status: 200, target: TEMPLATING }]
      : []),
  ];
};

type Body = Awaited<ReturnType<typeof insertBody>>;

/** A peer that answers with a complaint must not count as fast. */
const checkAnswer = async ({ name, port, path, status }: Contender, service: Service, body: Body): Promise<void> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headersOf(service, jobsInsert) },
    body: JSON.stringify(body).replaceAll(NUMBER, numberText(0)),
  });
  const text = await response.text();
  if (response.status !== status || !("id" in (JSON.parse(text) as object))) {
    throw new Error(`${name} answered ${response.status}: ${text.slice(0, 300)}`);
  }
};

/** The same POST to everybody, in turn. */
const measureLoads = async (bench: Bench, folder: string): Promise<Row[]> => {
  const service = await startService(bench, "peers-service");
  const contenders = await startContenders(bench, folder, service);
  const body = await insertBody(service);
  for (const contender of contenders) await checkAnswer(contender, service, body);
  const { warmupMs, loadMs: measureMs } = bench.pace;
  const rate = async (port: number, path: string, status: number): Promise<number> => {
    const request = requestText({ port, path, headers: headersOf(service, jobsInsert), body });
    const load = { port, connections: CONNECTIONS, request, numbers: { from: bench.newNumbers() }, status };
    return (await bench.load({ ...load, warmupMs, measureMs })).perSecond;
  };
  const variants = Object.fromEntries([
    [OURS, () => rate(service.port, pathOf(jobsInsert), 200)],
    ...contenders.map(({ name, port, path, status }) => [name, () => rate(port, path, status)]),
  ]) as Record<string, () => Promise<number>>;
  const measured = await measureInterleaved(variants, Math.ceil(bench.pace.repetitions / 2));
  await service.stop();
  return contenders.map(({ name, target }) =>
    comparedRow({
      group: GROUP,
      what: `${OURS}, against ${name}`,
      unit: "/s",
      values: measured[OURS] ?? [],
      reference: { name, values: measured[name] ?? [] },
      target,
    }),
  );
};

const measureStarts = async (bench: Bench, folder: string): Promise<Row> => {
  let folders = 0;
  const { ours, theirs } = await measureInterleaved(
    {
      ours: async () => {
        folders += 1;
        return (await timeServiceStart(bench, `peers-start-${folders}`)).milliseconds;
      },
      theirs: async () => {
        const { milliseconds, child } = await startPeer(bench, await mockoon(folder));
        child.kill("SIGKILL");
        await ended(child);
        return milliseconds;
      },
    },
    bench.pace.repetitions,
  );
  return comparedRow({
    group: GROUP,
    what: "cold start headless, against Mockoon CLI",
    unit: "ms",
    values: ours,
    reference: { name: "Mockoon", values: theirs },
    target: { most: 0.33 },
  });
};

/** The same work done by what else there is to mock an API with. */
export const measurePeers = async (bench: Bench): Promise<Row[]> => {
  bench.say("  installing them into a temporary folder …");
  const installed = await installPeers(bench);
  if ("reason" in installed) return [unmeasuredRow(GROUP, "against peers", installed.reason)];
  return [await measureStarts(bench, installed.folder), ...(await measureLoads(bench, installed.folder))];
};
