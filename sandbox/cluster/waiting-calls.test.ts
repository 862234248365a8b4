import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { newKeys } from "../host/data-folder.ts";
import { ACCESS_SCHEMA, AccessStore, PLANS_SCHEMA } from "../storage/access-store.ts";
import { AccessTable } from "../testing/access-table.ts";
import { DatabaseError, type SharedDatabase } from "./database.ts";
import type { HeldWorld } from "./held-world.ts";
import { SharedAccess } from "./shared-access.ts";
import { startPlacedNode } from "./testing/placed-node.ts";

const world = { name: "acme", calls: new Map() } as unknown as HeldWorld;

/** Returns the worlds that calls held, in order. @param asks selects calls with this argument of `hold` */
const held = ({ hold }: Awaited<ReturnType<typeof startPlacedNode>>["cluster"], asks: boolean): string[] =>
  hold.mock.calls.filter(([, , asked]) => asked === asks).map(([name]) => name);

test("importing a snapshot moves only the world that its call names", async () => {
  const { cluster, post } = await startPlacedNode(async () => world);
  const headers = { "x-sandbox-tenant": "acme" };
  expect((await post("/__sandbox/snapshots.import", { headers, body: "{}" })).status).toBe(200);
  expect(held(cluster, false)).toEqual(["acme"]);
  // Other calls without a body use the default world, whatever their header says.
  await post("/__sandbox/requests.list", { headers });
  expect(held(cluster, false).slice(1)).toEqual(["default"]);
});

test("a caller who hangs up while its world loads doesn't block it for others", async () => {
  const comes = Promise.withResolvers<HeldWorld>();
  const { cluster, post } = await startPlacedNode(() => comes.promise);
  const hangsUp = new AbortController();
  const call = post("/__webhooks/sink?world=acme", { signal: hangsUp.signal }).catch(({ name }: Error) => name);
  await vi.waitUntil(() => cluster.hold.mock.calls.length === 1);
  hangsUp.abort();
  expect(await call).toBe("AbortError");
  // An unrelated call is answered only after the disconnect has been processed.
  await post("/__elsewhere");
  expect(cluster.done).not.toHaveBeenCalled();
  comes.resolve(world);
  await vi.waitUntil(() => cluster.done.mock.calls.length > 0);
  expect(cluster.done.mock.calls).toEqual([[world]]);
});

test("a call that only reads readiness stores no access data", async () => {
  const { cluster, post } = await startPlacedNode(async () => world);
  const { access } = cluster.shared;
  await post("/__sandbox/plans.list");
  await post("/__sandbox/integrations.board");
  expect([access.pull.mock.calls.length, access.push.mock.calls.length]).toEqual([2, 0]);
  await post("/__sandbox/plans.set");
  expect(access.push.mock.calls).toEqual([[1]]);
});

test("calls with the same worlds wait for them in the same order, so they can't deadlock", async () => {
  const { cluster, post } = await startPlacedNode(async () => world);
  const headers = { "content-type": "application/json" };
  for (const [one, other] of [
    ["a", "b"],
    ["b", "a"],
  ])
    await post("/__sandbox/worlds.compare", { headers, body: JSON.stringify({ world: one, with: { world: other } }) });
  expect(held(cluster, true)).toEqual(["a", "b", "a", "b"]);
  // Invalid names are left to the route's validation.
  const body = JSON.stringify({ world: { toString: 1 }, with: { world: "a" }, to: "b/c" });
  expect((await post("/__sandbox/worlds.compare", { headers, body })).status).toBe(200);
  expect(held(cluster, true).slice(4)).toEqual(["a"]);
});

test("a node that lost a world doesn't store its files", async () => {
  const { cluster, post } = await startPlacedNode(async () => world);
  const { files } = cluster.shared;
  expect((await post("/__sandbox/snapshots.save")).status).toBe(200);
  expect(files.push).toHaveBeenCalledTimes(1);
  cluster.confirm.mockRejectedValue(new DatabaseError());
  const refused = await post("/__sandbox/snapshots.save");
  expect([refused.status, await refused.json()]).toMatchObject([503, { type: "storage_unavailable" }]);
  expect(files.push).toHaveBeenCalledTimes(1);
});

test("a claim link that got 503 while the database was away works afterwards", async () => {
  const db = new Sqlite(":memory:");
  onTestFinished(() => void db.close());
  db.exec(ACCESS_SCHEMA + PLANS_SCHEMA);
  const store = new AccessStore(db);
  const about = { id: "0", name: "Acme", world: "acme", scope: "act", created_at: 1, expires_at: null } as const;
  store.insert({ ...about, link_until: Number.MAX_SAFE_INTEGER }, "sbc_link");
  const table = new AccessTable(() => new DatabaseError());
  table.rows.set("tokens 0", store.rows().get("tokens 0") ?? "");
  let goesAway = true;
  const claim = (): string => {
    const claimed = store.claim("sbc_link", "sbw_token", Date.now());
    table.isAway = goesAway;
    return claimed ? "claimed" : "used";
  };
  const access = new SharedAccess(table as unknown as SharedDatabase, store, newKeys());
  const { cluster, post } = await startPlacedNode(async () => world, claim, access);
  cluster.confirm.mockImplementation(async () => {
    if (table.isAway) throw new DatabaseError();
  });
  expect((await post("/__sandbox/tokens.claim")).status).toBe(503);
  goesAway = false;
  table.isAway = false;
  const again = await post("/__sandbox/tokens.claim");
  expect([again.status, await again.text()]).toEqual([200, "claimed"]);
});

test("a call waits at most seven seconds in total, then gets 503", async () => {
  const waits: number[] = [];
  const slowly = async <T>(value: T): Promise<T> => {
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    return value;
  };
  const { cluster, post } = await startPlacedNode((_name, until, asks) => {
    if (!asks) return Promise.resolve(world);
    waits.push(until - performance.now());
    return slowly(world);
  });
  cluster.shared.files.pull.mockImplementation(() => slowly(undefined));
  const body = JSON.stringify({ world: "a", to: "b" });
  const [before, headers] = [performance.now(), { "content-type": "application/json" }];
  const answer = await post("/__sandbox/worlds.copy", { headers, body });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(performance.now() - before).toBeLessThan(7_500);
  const [first = 0, second = 0] = waits;
  expect([Math.round(first / 1_000), Math.round(second / 1_000)]).toEqual([7, 4]);
});
