import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { worldKeys } from "../query-keys.ts";
import { createCacheSync } from "./cache-sync.ts";

describe("an exchange that comes over the feed while the last ones are being read", () => {
  it("is among them, also where what was read had left the service before", async () => {
    const client = new QueryClient();
    const queryKey = worldKeys("w").requests("recent");
    let answer: (page: unknown) => void = () => undefined;
    const read = client.fetchQuery({ queryKey, queryFn: () => new Promise((resolve) => (answer = resolve)) });
    const row = { id: "new", operation: "repairer.jobs.get", status: 200, outcome: "read only" } as RequestRow;
    createCacheSync(client, "w").take([
      { id: 2, kind: "request", at: "2026-11-22T12:00:00.000Z", trace_id: "new", data: row },
    ]);
    await Promise.resolve();
    answer({ items: [{ id: "old" }], total: 1, total_is_minimum: false });
    await read;
    await vi.waitFor(() =>
      expect(client.getQueryData(queryKey)).toMatchObject({ items: [row, { id: "old" }], total: 2 }),
    );
  });
});
