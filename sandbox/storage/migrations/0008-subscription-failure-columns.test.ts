import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../migrate.ts";
import { subscriptionFailureColumns } from "./0008-subscription-failure-columns.ts";
import { migrations } from "./index.ts";

const before = migrations.indexOf(subscriptionFailureColumns);

it("keeps existing subscriptions and their failing state, without details of the failure", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  handle.pragma("foreign_keys = off");
  migrate(handle, migrations.slice(0, before));
  handle.exec(
    "INSERT INTO subscriptions (id, integration_id, url, created_at, failing_since) VALUES ('s', 'i', 'http://a', 0, 7)",
  );
  migrate(handle, migrations.slice(0, before + 1));
  expect(
    handle
      .prepare("SELECT id, failing_since, failed_delivery_id, failed_status, failed_error FROM subscriptions")
      .all(),
  ).toEqual([{ id: "s", failing_since: 7, failed_delivery_id: null, failed_status: null, failed_error: null }]);
});
