import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { nodesList } from "../contract/control/service-operations.ts";
import { operationPath, type ResponseOf } from "../contract/operation.ts";
import { businessesList } from "../contract/operations/partner.ts";
import { BalancedService, retryUnknownOutcome } from "../soak/cluster/balanced-service.ts";
import { FlakyReceiver } from "../soak/flaky-receiver.ts";
import { Ledger, type ViolatedGuaranteeError } from "../soak/ledger.ts";
import { Writer } from "../soak/writer.ts";
import { findProgram, missingProgram } from "../testing/debian.ts";
import { TestHaproxy } from "../testing/haproxy.ts";
import { repairer, temporaryFolder } from "../testing/harness.ts";
import { freePort, NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { CommandProcess } from "../testing/process.ts";

const postgres = await TestPostgres.start();
const noHaproxy = findProgram("haproxy") ? null : missingProgram("HAProxy");
const missing = postgres ? noHaproxy : NO_POSTGRES;
const WORLDS = 50;
const WRITE_EVERY_MS = 500;
const LOAD_MS = 60_000;

describe("three nodes behind HAProxy", () => {
  beforeEach((context) => context.skip(missing !== null, missing ?? ""));
  const folder = temporaryFolder();
  const violations: ViolatedGuaranteeError[] = [];
  const receiver = new FlakyReceiver((fault) => violations.push(fault));
  const nodes = new Map<number, CommandProcess>();
  let haproxy: TestHaproxy | null = null;

  const startNode = async (port: number): Promise<string> => {
    const options = ["--port", String(port), "--cluster", postgres?.url ?? "", "--log", "silent"];
    const node = new CommandProcess(options, { TMPDIR: folder });
    nodes.set(port, node);
    return (await node.ready(20_000)).control_token;
  };

  afterAll(async () => {
    for (const node of nodes.values()) {
      await node.kill("SIGKILL");
    }
    await haproxy?.end();
    receiver.stop();
    await postgres?.end();
  });

  test("loses nothing acknowledged when a node is killed, paused or cut off", {
    timeout: 150_000,
    retry: 0,
  }, async () => {
    await receiver.start();
    const ports = [await freePort(), await freePort(), await freePort()];
    const [token = ""] = await Promise.all(ports.map(startNode));
    const addresses = ports.map((port) => `127.0.0.1:${port}`);
    haproxy = await TestHaproxy.start(folder, addresses);
    const service = new BalancedService(haproxy?.url ?? "", token);
    const ledgers = Array.from({ length: WORLDS }, (_, n) => new Ledger(`w${n}`));
    await Promise.all(ledgers.map(({ world }) => retryUnknownOutcome(() => receiver.subscribe(service, world))));
    let stopped = false;
    const running = ledgers.map((ledger) => new Writer(ledger).run(service, WRITE_EVERY_MS, () => stopped));
    for (const one of running) one.catch((error) => violations.push(error));
    const began = performance.now();
    const [port1 = 0, port2 = 0, port3 = 0] = ports;
    await sleep(5_000);
    await nodes.get(port1)?.kill("SIGKILL");
    await sleep(8_000);
    await startNode(port1);
    // A stopping node gives its worlds away, so no call to it ends without a response.
    await sleep(3_000);
    const before = service.unanswered.length;
    expect(await nodes.get(port3)?.kill("SIGTERM")).toMatchObject({ status: 0 });
    await startNode(port3);
    await sleep(2_000);
    expect(service.unanswered.slice(before)).toEqual([]);
    await sleep(2_000);
    // Calls at another node are forwarded until most calls arrive there. Calls through HAProxy move the world back.
    const [moved = new Ledger("none")] = ledgers;
    const { node } = moved.position ?? {};
    for (const address of addresses) {
      await retryUnknownOutcome(() => moved.ask(new BalancedService(`http://${address}`, token), businessesList, {}));
      expect(moved.position?.node).toBe(node);
    }
    const headers = { authorization: `Bearer ${token}` };
    const listed = await service.post<ResponseOf<typeof nodesList>>(operationPath(nodesList), {}, headers);
    const other = listed.body.items.find(({ id, state }) => id !== node && state === "serves")?.address ?? "";
    const elsewhere = new BalancedService(other, token);
    const called = { "x-sandbox-tenant": moved.world };
    const call = () => retryUnknownOutcome(() => elsewhere.call(businessesList, {}, repairer, called));
    const asks = async (): Promise<void> => {
      await Promise.all(Array.from({ length: 8 }, call));
      await retryUnknownOutcome(() => moved.ask(elsewhere, businessesList, {}));
    };
    for (const until = performance.now() + 12_000; moved.position?.node === node; await asks())
      if (performance.now() > until) throw new Error("the world stays");
    // Pauses for longer than the lease, and longer than other nodes wait.
    nodes.get(port2)?.child.kill("SIGSTOP");
    await sleep(7_000);
    nodes.get(port2)?.child.kill("SIGCONT");
    await sleep(Math.max(5_000, LOAD_MS - (performance.now() - began)));
    stopped = true;
    await Promise.allSettled(running);

    const checks = ledgers.map(async (ledger) => {
      await retryUnknownOutcome(() => ledger.check(service, Number.POSITIVE_INFINITY));
      ledger.holdRecords(await service.recorded(ledger.world));
      const left = (): number => ledger.undelivered(receiver.deliveredTo(ledger.world));
      await vi.waitUntil(() => left() === 0, { timeout: 30_000, interval: 50 });
    });
    await Promise.all(checks);
    expect(violations).toEqual([]);
    expect(ledgers.reduce((sum, { events }) => sum + events.size, 0)).toBeGreaterThan(WORLDS * 5);

    const client = new pg.Client({ connectionString: postgres?.url });
    await client.connect();
    const backwards =
      "SELECT a.world, a.seq FROM sandbox_log a JOIN sandbox_log b ON a.world = b.world AND a.seq < b.seq AND a.epoch > b.epoch";
    expect((await client.query(backwards)).rows).toEqual([]);
    await client.end();
  });
});
