import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { EVIDENCE_SCHEMA, EvidenceStore, type IssuedEvidence, MAX_EVIDENCE } from "./evidence-store.ts";

test("drops the oldest unrevoked evidence of the same world, and keeps revoked evidence", () => {
  const db = new Sqlite(":memory:");
  onTestFinished(() => void db.close());
  db.exec(EVIDENCE_SCHEMA);
  const store = new EvidenceStore(db);
  const issue = (id: string, world: string): void => store.insert({ id, world } as IssuedEvidence);
  const known = (id: string) => store.list({ world: null, integration_id: null, id }, Number.MAX_SAFE_INTEGER, 2);
  issue("revoked", "acme");
  store.revoke("revoked", "acme", 7, "of another build");
  issue("oldest", "acme");
  issue("elsewhere", "qa");
  for (let n = 1; n < MAX_EVIDENCE; n += 1) issue(`acme ${n}`, "acme");
  expect(known("oldest")).toHaveLength(1);
  issue("one more", "acme");
  expect(known("oldest")).toEqual([]);
  expect(known("revoked")).toMatchObject([{ revoked_at: 7, revoked_for: "of another build" }]);
  expect([known("elsewhere").length, known("acme 1").length, known("one more").length]).toEqual([1, 1, 1]);
});
