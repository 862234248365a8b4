import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { jobsInsert } from "../contract/operations/partner.ts";
import { worldFileName } from "../rules/worlds/world-name.ts";
import { repairer, temporaryFolder } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { serveCommand } from "../testing/process.ts";
import { Strace } from "../testing/strace.ts";

const WORLDS = ["one", "two"];
const ROUNDS = 8;
/** Concurrent inserts in each world. */
const AT_ONCE = 4;

const hindrance = await Strace.hindrance();
if (hindrance !== null) console.log(`Skipped: the order of a sync and its answer, because ${hindrance}.`);

/** A system call of one thread, from the trace. */
interface SystemCall {
  readonly name: string;
  /** Arguments, with the file or socket of each descriptor. */
  readonly args: string;
  readonly begun: number;
  /** Infinity if it never returned, or returned an error. */
  succeeded: number;
}

/** Parses a trace. An interrupted call starts on one line and resumes on another. */
const systemCallsIn = (trace: string): SystemCall[] => {
  const calls: SystemCall[] = [];
  const unfinished = new Map<string, SystemCall>();
  for (const [line, text] of trace.split("\n").entries()) {
    const [, thread = "", name = "", args = ""] = /^(\d+) +(?:(\w+)\((.*)|<\.\.\. \w+ resumed>)/.exec(text) ?? [];
    const call =
      name === "" ? unfinished.get(thread) : { name, args, begun: line, succeeded: Number.POSITIVE_INFINITY };
    if (!call) continue;
    unfinished.set(thread, call);
    if (/ = \d+$/.test(text)) call.succeeded = line;
    if (name !== "") calls.push(call);
  }
  return calls;
};

test("D12: each insert is written to its world's file, synced, then answered, with two concurrent worlds", async (context) => {
  if (hindrance !== null) return context.skip(hindrance);
  const data = temporaryFolder();
  const { process, service } = await serveCommand(data);
  onTestFinished(async () => {
    await process.kill("SIGKILL");
    fs.rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  });
  const insertIn = async (world: string, external: string) => {
    const headers = { "x-sandbox-tenant": world };
    const job = { identity: { external }, repairer_site_id: site };
    const { status, headers: answered } = await service.call(jobsInsert, job, repairer, headers);
    expect(status).toBe(200);
    return { world, external, trace: answered.get("x-request-id") ?? "" };
  };
  const site = await ownSite(service);
  for (const world of WORLDS) await insertIn(world, "before");
  const file = path.join(data, "trace");
  const traced = "trace=fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg";
  const strace = await Strace.attach(service.ready.pid, ["-y", "-s", "5000", "-o", file, "-e", traced]);
  const inserted: Awaited<ReturnType<typeof insertIn>>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const names = WORLDS.flatMap((world) =>
      Array.from({ length: AT_ONCE }, (_, one) => [world, `${round}-${one}`] as const),
    );
    inserted.push(...(await Promise.all(names.map(([world, name]) => insertIn(world, `proof-${world}-${name}`)))));
  }
  await strace.end();
  const calls = systemCallsIn(fs.readFileSync(file, "utf8"));
  for (const { world, external, trace } of inserted) {
    const log = `/worlds/${worldFileName(world)}-wal>`;
    const ofLog = calls.filter(({ args }) => args.includes(log));
    const { succeeded: written = Number.NaN } =
      ofLog.find(({ name, args }) => name === "pwrite64" && args.includes(external)) ?? {};
    const { succeeded: synced = Number.NaN } =
      ofLog.find(({ name, begun }) => name.endsWith("sync") && begun > written) ?? {};
    const { begun: answered = Number.NaN } =
      calls.find(({ name, args }) => /^(write|send)/.test(name) && args.includes(trace)) ?? {};
    expect({ external, isInOrder: written < synced && synced < answered }).toEqual({ external, isInOrder: true });
  }
}, 60_000);
