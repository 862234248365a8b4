import http from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { requestsList } from "../contract/control/operations.ts";
import { policiesSet } from "../contract/control/world-operations.ts";
import type { Envelope } from "../contract/events.ts";
import { pathOf } from "../contract/operation.ts";
import { jobsGet } from "../contract/operations/partner.ts";
import { ClusterWriter } from "../testing/cluster-writer.ts";
import { findProgram, notHere } from "../testing/debian.ts";
import { TestHaproxy } from "../testing/haproxy.ts";
import { repairer, temporaryFolder } from "../testing/harness.ts";
import { freePort, NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { CommandProcess } from "../testing/process.ts";

const postgres = await TestPostgres.start();
const noHaproxy = findProgram("haproxy") ? null : notHere("HAProxy");
const missing = postgres ? noHaproxy : NO_POSTGRES;
const WORLDS = 50;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Notes which events came, of which world. */
class Receiver {
  readonly came = new Map<string, Set<string>>();
  readonly #server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { payload } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Envelope;
      const world = request.url?.slice(1) ?? "";
      const seen = this.came.get(world) ?? new Set();
      this.came.set(world, seen);
      if ("change_action" in payload) seen.add(`${payload.job_id} ${payload.change_action}`);
      response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

describe("three nodes behind HAProxy", () => {
  beforeEach((context) => context.skip(missing !== null, missing ?? ""));
  const folder = temporaryFolder();
  const receiver = new Receiver();
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
      node.child.kill("SIGCONT");
      await node.kill("SIGKILL");
    }
    await haproxy?.end();
    receiver.stop();
    await postgres?.end();
  });

  test("nothing that was acknowledged is lost when a node is killed, paused or cut off from a world", {
    timeout: 120_000,
    retry: 0,
  }, async () => {
    const receiverUrl = await receiver.start();
    const ports = [await freePort(), await freePort(), await freePort()];
    const [token = ""] = await Promise.all(ports.map(startNode));
    haproxy = await TestHaproxy.start(folder, ports);
    const url = haproxy?.url ?? "";
    const control = async (id: Parameters<typeof pathOf>[0], body: { readonly world: string }) => {
      for (let tries = 0; ; tries += 1) {
        const headers = {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "x-sandbox-tenant": body.world,
        };
        const answer = await fetch(url + pathOf(id), { method: "POST", headers, body: JSON.stringify(body) });
        if (answer.status === 200) return answer.json();
        if (tries === 100)
          throw new Error(`${id.id} in ${body.world} was answered ${answer.status}: ${await answer.text()}`);
        await sleep(100);
      }
    };
    const writers = Array.from({ length: WORLDS }, (_, n) => new ClusterWriter(url, `w${n}`));
    for (const { world } of writers) {
      await control(policiesSet, { world, policies: { webhook_retries: "fast" } } as { world: string });
      const body = JSON.stringify({ integration_id: repairer.integration_id, url: `${receiverUrl}/${world}` });
      const headers = { "content-type": "application/json", "x-sandbox-tenant": world };
      expect((await fetch(`${url}/__webhooks/subscribe`, { method: "POST", headers, body })).status).toBe(200);
    }
    const running = Promise.all(writers.map((writer) => writer.run()));
    const [one = 0, two = 0, three = 0] = ports;
    await sleep(5_000);
    await nodes.get(one)?.kill("SIGKILL");
    await sleep(8_000);
    await startNode(one);
    // A node that is told to stop gives its worlds away: no call to it ends without an answer.
    await sleep(3_000);
    const lostBefore = writers.reduce((sum, { lost }) => sum + lost, 0);
    expect(await nodes.get(three)?.kill("SIGTERM")).toMatchObject({ status: 0 });
    await startNode(three);
    await sleep(2_000);
    expect(writers.reduce((sum, { lost }) => sum + lost, 0) - lostBefore).toBe(0);
    await sleep(2_000);
    // A call that arrives elsewhere takes its world along, and the next through HAProxy brings it back.
    const [moved] = writers.filter(({ position }) => position !== null);
    const before = moved?.position?.node;
    const elsewhere = ports.map((port) => `http://127.0.0.1:${port}`);
    await vi.waitUntil(
      async () => {
        for (const address of elsewhere) {
          const answered = await moved?.call(pathOf(jobsGet), { identity: { id: [...moved.jobs.keys()][0] } }, address);
          if (answered && answered.position?.node !== before) return true;
        }
        return false;
      },
      { timeout: 20_000, interval: 200 },
    );
    // Longer than its lease, and longer than others wait for it.
    nodes.get(two)?.child.kill("SIGSTOP");
    await sleep(7_000);
    nodes.get(two)?.child.kill("SIGCONT");
    await sleep(5_000);
    for (const writer of writers) writer.stop();
    await running;

    await Promise.all(
      writers.map(async (writer) => {
        for (const id of writer.jobs.keys())
          await vi.waitUntil(() => writer.read(id), { timeout: 10_000, interval: 100 });
      }),
    );
    expect(writers.flatMap(({ faults }) => faults)).toEqual([]);
    const jobs = writers.reduce((sum, writer) => sum + writer.jobs.size, 0);
    expect(jobs).toBeGreaterThan(WORLDS * 5);

    // Exchanges are what was answered.
    for (const writer of writers) {
      const recorded = new Set<string>();
      for (let cursor: string | undefined; ; ) {
        const page = (await control(requestsList, {
          world: writer.world,
          limit: 200,
          ...(cursor ? { cursor } : {}),
        } as never)) as { items: { id: string }[]; next_cursor?: string };
        for (const { id } of page.items) recorded.add(id);
        cursor = page.next_cursor ?? undefined;
        if (!cursor) break;
      }
      expect(writer.exchanges.filter((id) => !recorded.has(id))).toEqual([]);
      // An event at least once.
      await vi.waitUntil(
        () => [...writer.jobs.keys()].every((id) => receiver.came.get(writer.world)?.has(`${id} inserted`)),
        { timeout: 30_000, interval: 50 },
      );
    }

    const client = new pg.Client({ connectionString: postgres?.url });
    await client.connect();
    const backwards =
      "SELECT a.world, a.seq FROM sandbox_log a JOIN sandbox_log b ON a.world = b.world AND a.seq < b.seq AND a.epoch > b.epoch";
    expect((await client.query(backwards)).rows).toEqual([]);
    await client.end();
  });
});
