import { expect, onTestFinished, test } from "vitest";
import type { AuditRecord } from "../storage/audit-store.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { SharedDatabase, sharedActivity, sharedAudit, unencrypted } from "./database.ts";

test.each([
  ["postgres://me:s3cret@db.example.com/box", true],
  ["postgres://me:s3cret@10.0.0.7:5433/box?sslmode=disable", true],
  ["postgres://me:s3cret@db.example.com/box?sslmode=verify-full", false],
  ["postgres://me:s3cret@localhost/box", false],
  ["postgres://me:s3cret@127.0.0.1/box", false],
  ["postgres://me:s3cret@[::1]:5432/box", false],
  ["postgres://me:s3cret@%2Frun%2Fpostgresql/box", false],
])("warns for %s about an unencrypted connection: %s", (url, isSaid) => {
  const warning = unencrypted(url);
  expect(warning !== null).toBe(isSaid);
  expect(String(warning)).not.toMatch(/s3cret|me:/);
  if (isSaid) expect(warning).toContain("sslmode=verify-full");
});

test("lists an audited call on every node, and no failures of a deleted world", async (context) => {
  const postgres = await TestPostgres.start();
  context.skip(postgres === null, NO_POSTGRES);
  const nodes = [1, 2].map(() => new SharedDatabase(postgres?.url ?? "", 2, () => undefined));
  const [first, second] = nodes as [SharedDatabase, SharedDatabase];
  onTestFinished(async () => {
    for (const node of nodes) await node.close();
    await postgres?.end();
  });
  await first.prepare("");
  const record = {
    kind: "change",
    world: "acme",
    at: 1,
    operation: "worlds.pin",
    detail: {},
  } as unknown as AuditRecord;
  await sharedAudit(first).insert(record);
  expect(await sharedAudit(second).list({ world: "acme", kind: null }, 1_000, 10)).toMatchObject([record]);
  const counted = { minute: 1, failure: { status: 500 }, count: 2, last_at: 1, last_id: "a", last_operation: null };
  const both = ["acme", "other"].map((world) => ({ ...counted, world }));
  await sharedActivity(first).add(both as never);
  await sharedActivity(first).forget("acme");
  expect(await sharedActivity(second).rows({ world: null, from: 0 }, 0, 10)).toMatchObject([
    { world: "other", count: 2 },
  ]);
});
