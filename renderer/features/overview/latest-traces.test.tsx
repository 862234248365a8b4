// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { LatestTraces, resultText } from "./latest-traces.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("says that no call changed anything, because seed data counts as a change", async () => {
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ items: [] }));
  show(<LatestTraces />);
  expect(await screen.findByText("No call has changed anything yet")).toBeTruthy();
  expect(screen.queryByText(/nothing has changed/i)).toBeNull();
});

describe("the effect of a call", () => {
  const words = (operation: string, outcome: string, procurement_id: string | null = null) =>
    resultText({ operation, outcome, procurement_id, path: "/" } as RequestRow);

  it.each([
    ["repairer.jobs.insert", "inserted", "Inserted job"],
    ["repairer.jobs.insert", "updated", "Updated job"],
    ["repairer.jobs.parts.insert", "1 part inserted", "Added 1 part to"],
    ["repairer.jobs.parts.insert", "2 updated", "Updated parts of"],
    ["repairer.procurements.place", "2 requested", "Placed 2 orders for"],
    ["supplier.procurements.confirm", "now order_confirmed", "Confirmed order"],
    ["repairer.invoices.reconcile", "read only", "Reconcile invoice"],
  ])("%s, %s: %s", (operation, outcome, said) => expect(words(operation, outcome)).toBe(said));

  it("names one order, or several by their job", () =>
    expect(words("repairer.procurements.place", "1 requested", "id")).toBe("Placed order"));
});
