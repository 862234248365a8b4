import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../migrate.ts";
import { faultsOfAttempts } from "./0011-faults-of-attempts.ts";
import { migrations } from "./index.ts";

const before = migrations.indexOf(faultsOfAttempts);

it("keeps existing attempts, without faults", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  handle.pragma("foreign_keys = off");
  migrate(handle, migrations.slice(0, before));
  handle.exec(
    "INSERT INTO attempts (delivery_seq, number, started_at, duration_ms, request_headers, request_body, response_headers, response_body, response_truncated) " +
      "VALUES (1, 2, 0, 0, '[]', x'', '[]', x'', 0)",
  );
  migrate(handle, migrations.slice(0, before + 1));
  expect(handle.prepare("SELECT number, faults FROM attempts").all()).toEqual([{ number: 2, faults: null }]);
});
