import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import type { AuditKind } from "../contract/control/service-operations.ts";
import { AUDIT_KINDS, AUDIT_SCHEMA, AuditStore } from "./audit-store.ts";

const opened = (): Sqlite.Database => {
  const db = new Sqlite(":memory:");
  onTestFinished(() => void db.close());
  db.exec(AUDIT_SCHEMA);
  return db;
};
const entry = { by: "operator", operation: "worlds.reset", detail: {}, outcome: "ok" };

it("keeps the newest entries, continues numbering, and lists a world's entries", () => {
  const db = opened();
  db.exec(AUDIT_KINDS);
  const store = new AuditStore(db, 3);
  for (const [at, world] of [null, "a", "b", "a", "b"].entries()) store.insert({ ...entry, at, world, kind: "change" });
  const kept = (world: string | null, before = 100, limit = 10) =>
    store.list({ world, kind: null }, before, limit).map(({ at }) => at);
  expect([kept(null), kept("a"), kept(null, 5, 1)]).toEqual([[4, 3, 2], [3], [3]]);
  const count = (world: string | null) => store.count({ world, kind: null });
  expect([count(null), count("b"), count("none")]).toEqual([3, 2, 0]);
  store.clear();
  expect(count(null)).toBe(0);
});

it("keeps the newest of each kind, so that reads never push out changes", () => {
  const db = opened();
  // State left by an earlier version.
  db.exec("INSERT INTO audit VALUES (7, 1, 'operator', 'worlds.reset', 'a', 'id=7 name=x', 'ok')");
  db.exec(AUDIT_KINDS);
  const store = new AuditStore(db, 3);
  const kinds: AuditKind[] = ["other", "other", "change", "other", "other", "other", "change", "other"];
  for (const [at, kind] of kinds.entries()) store.insert({ ...entry, at: at + 2, world: "a", kind });
  const kept = (kind: AuditKind | null) => store.list({ world: "a", kind }, 100, 10).map(({ at }) => at);
  expect([kept("change"), kept("other"), kept(null)]).toEqual([
    [8, 4, 1],
    [9, 7, 6],
    [9, 8, 7, 6, 4, 1],
  ]);
  // Old records don't name their parameters.
  expect(store.list({ world: "a", kind: "change" }, 100, 10).at(-1)?.detail).toEqual({ text: "id=7 name=x" });
  expect([store.count({ world: null, kind: "other" }), store.count({ world: "a", kind: "change" })]).toEqual([3, 3]);
});
