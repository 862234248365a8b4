import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { AUDIT_SCHEMA, AuditStore } from "./audit-store.ts";

it("keeps the newest entries, counts on, and finds those of a world", () => {
  const db = new Sqlite(":memory:");
  onTestFinished(() => void db.close());
  db.exec(AUDIT_SCHEMA);
  const store = new AuditStore(db, 3);
  for (const [at, world] of [null, "a", "b", "a", "b"].entries())
    store.insert({ at, by: "operator", operation: "worlds.reset", world, detail: "", outcome: "ok" });
  const kept = (world: string | null, before = 100, limit = 10) => store.list(world, before, limit).map(({ at }) => at);
  expect([kept(null), kept("a"), kept(null, 5, 1)]).toEqual([[4, 3, 2], [3], [3]]);
  expect([store.count(null), store.count("b"), store.count("none")]).toEqual([3, 2, 0]);
  store.clear();
  expect(store.count(null)).toBe(0);
});
