import { expect, it } from "vitest";
import type { DrillRow } from "../contract/control/receiver-operations.ts";
import type { DrillName } from "../contract/drill-names.ts";
import { drills } from "../contract/drills.ts";
import { NOW, openOutbox } from "../testing/outbox.ts";
import { DrillsStore } from "./drills-store.ts";

const row = (id: string, drill: DrillName, verdict: "passed" | "failed" = "passed"): DrillRow => ({
  ...{ id, drill, verdict, sentence: "As it must.", at: new Date(NOW).toISOString(), delivery_id: "a1" },
  ...{ subscription_id: "a", integration_id: "integration of a", side: "repairer", url: "http://127.0.0.1/a" },
  ...{ event_type: "repairer.jobs", label: "T-1", trace_id: "t" },
});

it("keeps the latest result of each drill of a subscription until it ends", () => {
  const { db, queue, subscriptions } = openOutbox();
  queue("a1");
  const store = new DrillsStore(db);
  store.insert(row("1", "stale", "failed"), []);
  store.insert(row("2", "duplicate"), []);
  store.insert(row("3", "stale"), []);
  expect(store.latest("a")).toEqual(
    new Map([
      ["duplicate", row("2", "duplicate")],
      ["stale", row("3", "stale")],
    ]),
  );
  expect(store.get("1")).toBeUndefined();
  expect(store.get("3")).toEqual({ ...row("3", "stale"), expected: drills.stale.expects, exchanges: [] });
  subscriptions.end("a");
  expect([store.latest("a").size, store.get("3")]).toEqual([0, undefined]);
});
