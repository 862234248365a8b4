import { afterAll, beforeEach, expect, vi } from "vitest";
import { counterpartsDue, counterpartsSet } from "../../contract/control/counterpart-operations.ts";
import { organizationsList, requestsList } from "../../contract/control/operations.ts";
import { clockAdvance } from "../../contract/control/world-operations.ts";
import type { ResponseOf } from "../../contract/operation.ts";
import {
  jobsInsert,
  partsInsert,
  procurementsPlace,
  supplierProcurementsConfirm,
} from "../../contract/operations/partner.ts";
import { BalancedService, retryUnknownOutcome } from "../../soak/cluster/balanced-service.ts";
import { temporaryFolder } from "../../testing/harness.ts";
import { freePort, NO_POSTGRES, TestPostgres } from "../../testing/postgres.ts";
import { CommandProcess } from "../../testing/process.ts";

const world = "kept";
const EVERY_S = 5;

interface Start {
  readonly postgres: TestPostgres | null;
  readonly folder: string;
  /** Receives each started node, for the cleanup. */
  readonly nodes: CommandProcess[];
}

/** Prepares a file's test: a database, and the end of its nodes. @returns the test, by its number of orders */
export const prepareActsOverKills = async (): Promise<(orders: number) => Promise<void>> => {
  const start: Start = { postgres: await TestPostgres.start(), folder: temporaryFolder(), nodes: [] };
  beforeEach((context) => context.skip(start.postgres === null, NO_POSTGRES));
  afterAll(async () => {
    for (const node of start.nodes) await node.kill("SIGKILL");
    await start.postgres?.end();
  });
  return (orders) => expectActsOnce(start, orders);
};

const startNode = async ({
  postgres,
  folder,
  nodes,
}: Start): Promise<{ node: CommandProcess; service: BalancedService }> => {
  const port = await freePort();
  const options = ["--port", String(port), "--cluster", postgres?.url ?? "", "--log", "silent"];
  const node = new CommandProcess(options, { TMPDIR: folder });
  nodes.push(node);
  const { base_url, control_token } = await node.ready(20_000);
  return { node, service: new BalancedService(base_url, control_token) };
};

/** Returns the subjects of an operation's successful calls by counterparts. */
const calledOn = async (service: BalancedService, operation: string): Promise<string[]> => {
  const about: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const after: { cursor?: string } = cursor === "" ? {} : { cursor };
    const asked = { world, operation, origin: "counterpart" as const, limit: 500, ...after };
    const page: ResponseOf<typeof requestsList> = await retryUnknownOutcome(() => service.control(requestsList, asked));
    about.push(
      ...page.items.flatMap(({ status, job_id, procurement_id }) =>
        status === 200 ? [procurement_id ?? job_id ?? ""] : [],
      ),
    );
    cursor = page.next_cursor;
  }
  return about;
};

/**
 * Lets a buyer order and a supplier confirm, kills two of three nodes meanwhile, and expects each act once on record.
 *
 * @param orders each has a confirmation, so there are twice as many acts
 */
const expectActsOnce = async (start: Start, orders: number): Promise<void> => {
  const [first, second, third] = [await startNode(start), await startNode(start), await startNode(start)];
  const { items } = await retryUnknownOutcome(() => first.service.control(organizationsList, { world }));
  const idOf = (name: string): string => items.find((one) => one.name === name)?.id ?? "";
  const [buyer, supplier_id] = [idOf("Tarn & Rowe Collision"), idOf("Meridian Genuine Parts")];
  await first.service.control(counterpartsSet, {
    world,
    rules: [
      { organization_id: supplier_id, does: "confirm" },
      { organization_id: buyer, does: "order", supplier_id, every_seconds: EVERY_S, up_to: orders },
    ],
  });
  /** Returns the number of orders placed, and whether no act is pending. */
  const state = async (service: BalancedService): Promise<{ placed: number; over: boolean }> => {
    const { rules, total } = await retryUnknownOutcome(() => service.control(counterpartsDue, { world }));
    return { placed: rules.find(({ does }) => does === "order")?.done ?? 0, over: total === 0 };
  };
  // All acts become due together. Not awaited, because the node may be killed first.
  void first.service.control(clockAdvance, { world, seconds: orders * EVERY_S }).catch(() => undefined);
  for (const { node, service } of [first, second]) {
    const before = await state(service);
    const goesOn = async () => expect((await state(service)).placed).toBeGreaterThan(before.placed + 5);
    await vi.waitFor(goesOn, { timeout: 20_000, interval: 5 });
    await node.kill("SIGKILL");
  }
  const ended = async () => expect(await state(third.service)).toEqual({ placed: orders, over: true });
  await vi.waitFor(ended, { timeout: 30_000 + orders * 500, interval: 200 });
  const placed = await calledOn(third.service, procurementsPlace.id);
  const jobs = [await calledOn(third.service, jobsInsert.id), await calledOn(third.service, partsInsert.id)];
  for (const calls of [placed, ...jobs]) expect([calls.length, new Set(calls).size]).toEqual([orders, orders]);
  // Orders that were pending before are confirmed too.
  const confirmed = await calledOn(third.service, supplierProcurementsConfirm.id);
  expect(new Set(confirmed).size).toBe(confirmed.length);
  expect(placed.filter((order) => !confirmed.includes(order))).toEqual([]);
};
