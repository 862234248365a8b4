// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { TraceAxis } from "./trace-axis.tsx";

const at = (ms: number) => new Date(Date.UTC(2026, 2, 12, 10) + ms).toISOString();
const request = {
  ...{ id: "t", trace_id: "t", at: at(0), duration_ms: 18, operation: "repairer.procurements.place" },
  ...{ path: "/p", side: "repairer", status: 200, outcome: "2 orders", error_code: null, integration_id: null },
} as RequestRow;
const event = (id: string, deliveries: number) => ({
  ...{ id, event_type: "supplier.procurements", event_timestamp: at(18), deliveries, label: `TRC-${id}` },
  ...{ organization_id: "meridian", payload: { status: "order_requested" } },
});
const delivery = (id: string, status: string, attempts_made: number, next_attempt_at: string | null = null) => ({
  ...{ id, event_id: id, url: "http://127.0.0.1:8787/hooks", status, attempts_made, created_at: at(17) },
  ...{ last_status: null, last_error: null, next_attempt_at },
});
const attempt = (delivery_id: string, number: number, start: number, response_status: number) => ({
  ...{ delivery_id, number, started_at: at(start), duration_ms: 12, response_status, error: null },
});
const change = {
  ...{ entity: "procurement", id: "p", label: "TRC-1", change: "inserted" },
  ...{ before: null, after: { status: "order_requested" } },
};
const trace = {
  ...{ changes: [change], drills: [], faults: [] },
  events: [event("1", 1), event("2", 0), event("3", 1)],
  deliveries: [delivery("1", "delivered", 2), delivery("3", "pending", 0, at(9_000))],
  attempts: [attempt("1", 1, 22, 503), attempt("1", 2, 5_053, 200)],
};

const shown = (of: object = trace) => {
  takeToken("token");
  const answers: Readonly<Record<string, object>> = {
    "traces.get": of,
    "organizations.list": { items: [{ id: "meridian", name: "Meridian Parts", scope: "supplier" }] },
  };
  vi.stubGlobal("fetch", async (url: string) => Response.json(answers[url.split("/").at(-1) ?? ""]));
  show(<TraceAxis request={request} by="Tarn & Rowe" />);
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("has a line for each webhook with its attempts, or the reason it was not sent", async () => {
  shown();
  const webhooks = await screen.findByRole("list", { name: "Webhooks" });
  const lines = within(webhooks).getAllByRole("listitem");
  await vi.waitFor(() => expect(lines[0]?.textContent).toContain("to Meridian Parts"));
  expect(lines.map(({ textContent }) => /Attempt.*|Not sent.*|overdue.*/.exec(textContent)?.[0])).toEqual([
    expect.stringMatching(/^Attempt 1 .*503.*Attempt 2 .*200.* 12\.0 ms$/),
    "Not sent: no subscription",
    expect.stringMatching(/^overdue by /),
  ]);
  expect(screen.getByRole("heading", { name: /^3 webhooks/ }).textContent).toBe(
    "3 webhooks1 delivered1 pending1 not sent",
  );
});

it("uses one time scale, with waits cut out", async () => {
  shown();
  const webhooks = await screen.findByRole("list", { name: "Webhooks" });
  const bars = [...webhooks.querySelectorAll<HTMLElement>("[data-tone]")];
  const lefts = bars.map(({ style }) => Number.parseFloat(style.left));
  expect(bars.map((bar) => bar.dataset.tone)).toEqual(["bad", "ok"]);
  expect(lefts[0]).toBeGreaterThan(10);
  expect(lefts[1]).toBeGreaterThan(lefts[0] ?? 0);
  expect(lefts[1]).toBeLessThan(100);
});

it("shows the effect of a change when expanded", async () => {
  shown();
  const changes = await screen.findByRole("list", { name: "Changes" });
  expect(changes.textContent).not.toContain("order_requested");
  fireEvent.click(within(changes).getByRole("button", { name: "order TRC-1 inserted" }));
  expect(changes.textContent).toContain("order_requested");
});

it("says why there are no webhooks", async () => {
  shown({ ...trace, changes: [], events: [], deliveries: [], attempts: [] });
  await screen.findByText("No events.");
  screen.getByRole("heading", { name: "No changes" });
});
