import { expect, it } from "vitest";
import type { World } from "../../../sandbox/contract/control/rows.ts";
import type { Snapshot } from "../../../sandbox/contract/control/snapshot-operations.ts";
import { listWorlds } from "./listed-worlds.ts";

const counts = { jobs: 1, procurements: 0, credentials: 0, subscriptions: 0 };
const world = (name: string, last_active_at: string): World => ({
  name,
  created_at: "2026-03-12T09:00:00.000Z",
  last_active_at,
  last_called_at: null,
  resets_at: null,
  pinned: false,
  clock_offset_seconds: 0,
  counts,
  bytes: 0,
  unavailable: null,
});
const snapshot = (of: string, name: string): Snapshot => ({
  name,
  world: of,
  kind: "checkpoint",
  before: "delete",
  created_at: "2026-03-12T10:00:00.000Z",
  bytes: 1,
  counts,
  clock_offset_seconds: 0,
  version: "1.0.0",
});

it("lists an ended world once, by its newest snapshot, after the existing worlds", () => {
  const rows = [world("default", "2026-03-12T08:00:00.000Z"), world("qa", "2026-03-12T11:00:00.000Z")];
  const snapshots = [snapshot("gone", "newer"), snapshot("qa", "own"), snapshot("gone", "older")];
  const entries = listWorlds(rows, snapshots, "qa");
  expect(entries.map(({ is, name }) => [is, name])).toEqual([
    ["world", "qa"],
    ["world", "default"],
    ["ended", "gone"],
  ]);
  expect(entries[2]).toMatchObject({ newest: { name: "newer" } });
});
