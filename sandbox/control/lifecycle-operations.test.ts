import { expect, it } from "vitest";
import { SlicedReads } from "../storage/slices.ts";
import { BusyWorld } from "../testing/busy-world.ts";
import { notePlans } from "../testing/query-plans.ts";
import type { ControlContext } from "./handler.ts";
import { lifecycleControls } from "./lifecycle-operations.ts";

it("counts the lifecycle from indexes, however many jobs and orders the world has", async () => {
  const { world } = new BusyWorld();
  const reads = new SlicedReads();
  const { signal } = new AbortController();
  const inSlices: ControlContext["inSlices"] = (read) => reads.run("a test", signal, read);
  const plans = notePlans(world.db);
  for (const { handle } of lifecycleControls) await handle({ world, inSlices } as ControlContext, {} as never);
  const all = plans();
  const steps = all.filter((step) => /\b(jobs|procurements)\b/.test(step));
  expect(steps.length).toBeGreaterThan(0);
  for (const step of steps) expect(step).toMatch(/^SEARCH \w+ USING (COVERING )?INDEX/);
  const events = all.filter((step) => step.includes("events"));
  expect(events).toHaveLength(2);
  for (const step of events) expect(step).toMatch(/^(SCAN|SEARCH) events USING COVERING INDEX/);
});
