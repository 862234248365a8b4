import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../migrate.ts";
import { migrations } from "./index.ts";

it("keeps existing exchanges without a cause of refusal", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  migrate(handle, migrations.slice(0, 5));
  handle
    .prepare(
      "INSERT INTO requests (id, at, method, path, status, duration_ms, request_headers, request_body, " +
        "response_headers, response_body, outcome, events, body_masked) " +
        "VALUES ('one', 0, 'POST', '/', 422, 1, '[]', x'', '[]', x'', '', 0, 0)",
    )
    .run();
  migrate(handle, migrations.slice(0, 6));
  expect(handle.prepare("SELECT id, refused_for FROM requests").all()).toEqual([{ id: "one", refused_for: null }]);
});
