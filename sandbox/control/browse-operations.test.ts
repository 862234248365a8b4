import { expect, it, vi } from "vitest";
import { SlicedReads } from "../storage/slices.ts";
import { BusyWorld } from "../testing/busy-world.ts";
import { browseControls } from "./browse-operations.ts";
import type { ControlContext } from "./handler.ts";

it("reads the orders of a job from its index, newest first, however many others there are", async () => {
  const { world } = new BusyWorld();
  const reads = new SlicedReads();
  const { signal } = new AbortController();
  const inSlices: ControlContext["inSlices"] = (read) => reads.run("a test", signal, read);
  const list = browseControls.find(({ operation }) => operation.id === "procurements.list");
  const statements = vi.spyOn(world.db, "sql");
  await list?.handle({ world, inSlices } as ControlContext, { job_id: "0D5F3A2C" } as never);
  const [text = ""] = statements.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes("FROM procurements r"));
  const values = Array(text.split("?").length - 1).fill(null);
  expect(world.db.handle.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values)).toMatchObject([
    { detail: "SEARCH r USING COVERING INDEX procurements_by_job (job_id=?)" },
  ]);
});
