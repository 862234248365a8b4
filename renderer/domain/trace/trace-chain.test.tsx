// @vitest-environment jsdom
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { TraceChain } from "./trace-chain.tsx";

const at = (ms: number) => new Date(Date.UTC(2026, 2, 12, 10) + ms).toISOString();
const request = {
  ...{ id: "t", trace_id: "t", at: at(0), duration_ms: 18, operation: "supplier.procurements.confirm" },
  ...{ path: "/p", side: "supplier", status: 200, outcome: "now order_confirmed", error_code: null },
} as RequestRow;
const event = {
  ...{ id: "e", event_type: "repairer.procurements", event_timestamp: at(18), deliveries: 1 },
  payload: { status: "order_confirmed" },
};
const delivery = {
  ...{
    id: "0b6f4e5c-9e2a-4a52-8d11-6a0c0e8f7b21",
    event_id: "e",
    url: "http://127.0.0.1:8787/hooks",
    status: "delivered",
    attempts_made: 2,
  },
  ...{ last_status: 200, last_error: null, next_attempt_at: null },
};
const change = {
  ...{ entity: "procurement", id: "p", label: "TRC-1", change: "updated" },
  ...{ before: { status: "order_requested" }, after: { status: "order_confirmed" } },
};

const answers: Readonly<Record<string, object>> = {
  "traces.get": { changes: [change], events: [event], deliveries: [delivery], attempts: [], drills: [] },
};

const shown = () => {
  takeToken("token");
  vi.stubGlobal("fetch", async (url: string) => Response.json(answers[url.split("/").at(-1) ?? ""]));
  show(<TraceChain request={request} by="Meridian" />);
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("shows the number of attempts and the last response", async () => {
  shown();
  const deliveries = await screen.findByRole("list", { name: "Deliveries" });
  expect(deliveries.textContent).toContain("200");
  expect(deliveries.textContent).toContain("2 attempts");
  const chain = screen.getByRole("list", { name: "Trace" });
  expect(
    within(chain)
      .getAllByRole("heading")
      .map(({ textContent }) => textContent),
  ).toEqual(["Request", "1 change", "1 event"]);
  expect(chain.textContent).toContain("order_requested");
});
