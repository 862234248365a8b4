import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../migrate.ts";
import { migrations } from "./index.ts";

it("finds unused expiring rows and due deliveries by time", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  handle.pragma("foreign_keys = off");
  migrate(handle, migrations.slice(0, 9));
  handle.exec(
    "INSERT INTO access_codes VALUES ('used', 'c', 'o', 'repairer', 0, 5, 3), ('open', 'c', 'o', 'repairer', 0, 6, NULL)",
  );
  handle.exec(
    "INSERT INTO uploads VALUES (1, 'done', 'o', 'a.png', 'job_media', 0, 5, 3, 'image/png', 9), (2, 'open', 'o', 'b.png', 'job_media', 0, 6, NULL, NULL, NULL)",
  );
  const order = handle.prepare(
    "INSERT INTO procurements VALUES (NULL, ?, 'j', ?, NULL, 'o', 'b', 'o', 'b', 0, 0, ?, '{}')",
  );
  order.run("asked", "order_requested", null);
  order.run("coming", "order_confirmed", 6);
  order.run("called off", "cancelled", 6);
  migrate(handle, migrations.slice(0, 10));
  const found = (sql: string, index: string) => {
    const plan = handle.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { readonly detail: string }[];
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining(`INDEX ${index} (`)]);
    return handle.prepare(sql).pluck().all();
  };
  expect(
    found("SELECT code FROM access_codes WHERE consumed_at IS NULL AND expires_at > 1", "access_codes_by_expiry"),
  ).toEqual(["open"]);
  expect(found("SELECT id FROM uploads WHERE uploaded_at IS NULL AND expires_at > 1", "uploads_by_expiry")).toEqual([
    "open",
  ]);
  expect(
    found(
      "SELECT id FROM procurements INDEXED BY procurements_by_delivery WHERE status = 'order_confirmed' AND deliver_before > 1",
      "procurements_by_delivery",
    ),
  ).toEqual(["coming"]);
});
