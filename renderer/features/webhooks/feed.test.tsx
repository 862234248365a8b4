// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { DeliveryRow } from "../../../sandbox/contract/control/rows.ts";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { deliveryRow } from "./feed.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const delivery = {
  ...{ event_type: "repairer.jobs", url: "http://127.0.0.1:8787/hooks", label: "Q-1", announces: "inserted" },
  ...{ side: "repairer", status: "delivered", attempts_made: 1, created_at: "2026-03-11T22:05:07.204Z" },
  repeats_id: null,
} as DeliveryRow;

it("marks a redelivery, which otherwise looks like the original", () => {
  expect(show(deliveryRow(delivery)).container.textContent).not.toContain("sent again");
  expect(show(deliveryRow({ ...delivery, repeats_id: "one" })).container.textContent).toContain("sent again");
});

it("says that a developer machine is not connected, instead of due now", async () => {
  takeToken("token");
  const listener = { name: "anna", connected: false, event_types: null };
  vi.stubGlobal("fetch", async () => Response.json({ items: [{ id: "s", paused_at: null, listener }] }));
  show(deliveryRow({ ...delivery, status: "pending", subscription_id: "s", next_attempt_at: delivery.created_at }));
  await screen.findByText("not connected");
  expect(screen.queryByText("due now")).toBeNull();
});
