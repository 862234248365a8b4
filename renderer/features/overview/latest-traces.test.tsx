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
  await screen.findByText("No call has changed anything yet");
  expect(screen.queryByText(/nothing has changed/i)).toBeNull();
});

it("names a call's integration, and a counterpart, which needs no key", async () => {
  takeToken("token");
  const call = (id: string, integration_id: string | null, counterpart?: string) => ({
    ...{
      id,
      trace_id: id,
      at: "2026-03-12T11:04:22.246Z",
      method: "POST",
      path: "/",
      operation: "procurements.cancel",
    },
    ...{ integration_id, side: "supplier", status: 200, error_code: null, duration_ms: 1, outcome: "now cancelled" },
    ...{ events: 0, job_id: "j", procurement_id: "p", label: `TRC-${id}`, request_bytes: 2, response_bytes: 2 },
    ...(counterpart === undefined ? {} : { origin: "counterpart", counterpart }),
  });
  const rows = [call("1", "own"), call("2", "own", "Meridian"), call("3", null, "Halfmoon"), call("4", null)];
  const answers: Readonly<Record<string, unknown>> = {
    "credentials.list": { items: [{ integration_id: "own", organization_name: "Meridian" }] },
    "requests.list": { items: rows, next_cursor: null, total: 4, total_is_minimum: false },
  };
  // Refused calls are another list.
  vi.stubGlobal("fetch", async (url: string, { body }: { readonly body: string }) =>
    Response.json((body.includes("refused") ? undefined : answers[url.split("/").at(-1) ?? ""]) ?? { items: [] }),
  );
  show(<LatestTraces />);
  const rowOf = async (label: string) => (await screen.findByText(label)).closest("tr")?.children[1]?.textContent;
  await screen.findAllByText("counterpart Meridian");
  const named = await Promise.all(rows.map(({ label }) => rowOf(label)));
  expect(named.map((name) => name?.replace(/^Supplier */i, ""))).toEqual([
    "Meridian",
    "counterpart Meridian",
    "counterpart Halfmoon",
    "–",
  ]);
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
