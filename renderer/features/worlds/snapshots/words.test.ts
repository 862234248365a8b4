import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../../../sandbox/contract/control/snapshot-operations.ts";
import { differenceText, restoreLabel, snapshotTitle } from "./words.ts";

const counts = { jobs: 46, procurements: 25, credentials: 6, subscriptions: 2 };
const snapshot = (some: Partial<Snapshot>): Snapshot => ({
  name: "before-demo",
  world: "qa",
  kind: "saved",
  before: null,
  created_at: "2026-03-12T10:00:00.000Z",
  bytes: 1,
  counts,
  clock_offset_seconds: 0,
  version: "1.0.0",
  ...some,
});

describe("the text of a snapshot", () => {
  it("names a checkpoint after its cause, and what restoring it undoes", () => {
    const checkpoint = snapshot({ kind: "checkpoint", before: "reset", name: "before-reset-20260312" });
    expect([snapshotTitle(checkpoint), restoreLabel(checkpoint)]).toEqual(["Reset", "Undo reset"]);
    expect([snapshotTitle(snapshot({})), restoreLabel(snapshot({}))]).toEqual(["before-demo", "Restore"]);
  });
});

describe("the difference between a snapshot and now", () => {
  it("is described by higher and lower counts", () => {
    const then = { ...counts, jobs: 52, procurements: 24, subscriptions: 3 };
    expect(differenceText(then, counts)).toBe("6 more jobs, 1 fewer order, 1 more subscription");
  });
  it("is empty for equal counts", () => expect(differenceText(counts, counts)).toBe(""));
});
