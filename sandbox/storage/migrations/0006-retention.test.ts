import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../database.ts";
import { migrations } from "./index.ts";

const BEFORE = 5;

it("finds again what is sent once more and waits, and nothing that is sent for the first time or is settled", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  migrate(handle, migrations.slice(0, BEFORE));
  handle.exec(
    "INSERT INTO lanes (seq, subscription_id, integration_id, url) VALUES (1, 's', 'i', 'http://127.0.0.1/')",
  );
  const delivery = handle.prepare(
    "INSERT INTO deliveries (id, event_seq, message_id, lane, state, attempts_made, created_at, repeats_id) VALUES (?, 1, 'm', 1, ?, 0, 1, ?)",
  );
  delivery.run("first", 0, null);
  delivery.run("again", 0, "settled");
  delivery.run("retried", 1, "settled");
  delivery.run("settled", 2, "first");
  migrate(handle, migrations.slice(0, BEFORE + 1));
  const find = "SELECT id FROM deliveries INDEXED BY deliveries_to_repeat WHERE repeats_id IS NOT NULL AND state < 2";
  const found = () => handle.prepare<[], string>(`${find} ORDER BY seq`).pluck().all();
  expect(found()).toEqual(["again", "retried"]);
  handle.exec("UPDATE deliveries SET state = 2 WHERE id = 'again'");
  expect(found()).toEqual(["retried"]);
  expect(handle.pragma("integrity_check", { simple: true })).toBe("ok");
});
