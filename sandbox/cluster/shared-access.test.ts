import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { newKeys } from "../host/data-folder.ts";
import { ACCESS_SCHEMA, AccessStore, PLANS_SCHEMA } from "../storage/access-store.ts";
import { AccessTable } from "../testing/access-table.ts";
import { DatabaseError, type SharedDatabase } from "./database.ts";
import { SharedAccess } from "./shared-access.ts";

test("a node that takes over many worlds reads the access once for all, and again for later ones", async () => {
  const begun: (() => void)[] = [];
  const run = async (text: string) => {
    if (text.includes("sandbox_access")) return [{ version: "0", key: null }];
    return new Promise((resolve) => begun.push(() => resolve([{ key: "access_version", value: "0" }])));
  };
  const store = { restore: () => undefined };
  const access = new SharedAccess({ run } as unknown as SharedDatabase, store as unknown as AccessStore, newKeys());
  const many = Array.from({ length: 100 }, () => access.pull());
  await new Promise(setImmediate);
  const later = Array.from({ length: 100 }, () => access.pull());
  begun[0]?.();
  await Promise.all(many);
  await new Promise(setImmediate);
  expect(begun.length).toBe(2);
  begun[1]?.();
  await Promise.all(later);
  expect(begun.length).toBe(2);
});

/** Creates nodes that share one table. */
const nodesOf = (count: number) => {
  const table = new AccessTable(() => new DatabaseError());
  const nodes = Array.from({ length: count }, () => {
    const db = new Sqlite(":memory:");
    onTestFinished(() => void db.close());
    db.exec(ACCESS_SCHEMA + PLANS_SCHEMA);
    const store = new AccessStore(db);
    return { store, access: new SharedAccess(table as unknown as SharedDatabase, store, newKeys()) };
  });
  return { nodes, table };
};

const about = { name: "Partner", world: "acme", scope: "act", created_at: 1, expires_at: null } as const;
const link = { ...about, id: "link", link_until: Number.MAX_SAFE_INTEGER };

test("merges concurrent changes by two nodes and publishes each once", async () => {
  const { nodes, table } = nodesOf(2);
  const act = async ({ store, access }: (typeof nodes)[number], id: string): Promise<void> => {
    const pulled = await access.pull();
    store.insert({ ...about, id, link_until: null }, `sbw_${id}`);
    // Another pull between the change and the push must not matter.
    await access.pull();
    await access.push(pulled);
  };
  const ids = Array.from({ length: 18 }, (_, n) => `token-${n}`);
  await Promise.all(nodes.flatMap((node, at) => ids.slice(at * 9, at * 9 + 9).map((id) => act(node, id))));
  for (const { store, access } of nodes) {
    await access.pull();
    expect(
      store
        .list(null)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids.toSorted());
  }
  const before = table.sent;
  for (const { access } of nodes) await access.pull();
  expect(table.sent).toBe(before);
  expect([...table.rows.keys()].toSorted()).toEqual(ids.map((id) => `tokens ${id}`).toSorted());
});

test("undoes one of two conflicting changes, and stores everything else", async () => {
  const { nodes } = nodesOf(2);
  const [first, second] = nodes as [(typeof nodes)[number], (typeof nodes)[number]];
  const pulled = await first.access.pull();
  first.store.insert(link, "sbc_link");
  await first.access.push(pulled);
  const at = [await first.access.pull(), await second.access.pull()] as const;
  expect(first.store.claim("sbc_link", "sbw_first", 2)).toBeDefined();
  expect(second.store.claim("sbc_link", "sbw_second", 2)).toBeDefined();
  await first.access.push(at[0]);
  await expect(second.access.push(at[1])).rejects.toThrow("Another node changed this at the same time");
  expect([second.store.find("sbw_first", 2)?.id, second.store.find("sbw_second", 2)]).toEqual(["link", undefined]);
  // A revoked token stays revoked, whatever the other node changes.
  const [one, other] = [await first.access.pull(), await second.access.pull()];
  first.store.revoke("link");
  await first.access.push(one);
  second.store.insert({ ...about, id: "new", link_until: null }, "sbw_new");
  await second.access.push(other);
  await first.access.pull();
  for (const { store } of nodes) expect(store.list(null).map(({ id }) => id)).toEqual(["new"]);
});

test("stores a change without another read", async () => {
  const { nodes, table } = nodesOf(1);
  const [{ store, access }] = nodes as [(typeof nodes)[number]];
  const pulled = await access.pull();
  const before = table.sent;
  store.insert(link, "sbc_link");
  const run = vi.spyOn(table, "run");
  await access.push(pulled);
  expect([table.sent, run.mock.calls.length, [...table.rows.keys()]]).toEqual([before, 1, ["tokens link"]]);
});

test("undoes changes that couldn't be stored, and those beside them", async () => {
  const { nodes, table } = nodesOf(1);
  const [{ store, access }] = nodes as [(typeof nodes)[number]];
  const pulled = await access.pull();
  store.insert(link, "sbc_link");
  table.isAway = true;
  await expect(access.push(pulled)).rejects.toThrow(DatabaseError);
  table.isAway = false;
  await expect(access.push(pulled)).rejects.toThrow("Another node changed this at the same time");
  expect(store.list(null)).toEqual([]);
});

test("sends nothing when nothing has changed, and agrees when both nodes revoke the same token", async () => {
  const { nodes, table } = nodesOf(2);
  const [first, second] = nodes as [(typeof nodes)[number], (typeof nodes)[number]];
  const pulled = await first.access.pull();
  first.store.insert(link, "sbc_link");
  await first.access.push(pulled);
  const at = [await first.access.pull(), await second.access.pull()] as const;
  const run = vi.spyOn(table, "run");
  await first.access.push(at[0]);
  expect(run).not.toHaveBeenCalled();
  for (const { store } of nodes) store.revoke("link");
  await first.access.push(at[0]);
  await second.access.push(at[1]);
  expect([...table.rows]).toEqual([]);
});

test("takes over the keys that the nodes share, once there are all", async () => {
  const keys = newKeys();
  const before = { ...keys };
  const version = { key: "access_version", value: "0" };
  const [token, upload] = [
    { key: "control_token", value: "next" },
    { key: "upload_key", value: "theirs" },
  ];
  let settings = [version];
  const run = async (text: string) => (text.includes("sandbox_access") ? [{ version: "0", key: null }] : settings);
  const store = { restore: () => undefined } as unknown as AccessStore;
  const access = new SharedAccess({ run } as unknown as SharedDatabase, store, keys);
  for (const half of [token, upload]) {
    settings = [version, half];
    await access.pull();
    expect(keys).toEqual(before);
  }
  settings = [version, token, upload];
  await access.pull();
  expect(keys).toMatchObject({ control_token: "next", upload_key: "theirs" });
});
