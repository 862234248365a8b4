// @vitest-environment jsdom
import { cleanup } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { DeliveryRow } from "../../../sandbox/contract/control/rows.ts";
import { show } from "../../testing/shown.tsx";
import { deliveryRow } from "./feed.tsx";

afterEach(cleanup);

const delivery = {
  ...{ event_type: "repairer.jobs", url: "http://127.0.0.1:8787/hooks", label: "Q-1", announces: "inserted" },
  ...{ side: "repairer", status: "delivered", attempts_made: 1, created_at: "2026-03-11T22:05:07.204Z" },
  repeats_id: null,
} as DeliveryRow;

it("marks a delivery that was sent again: it looks like the original otherwise", () => {
  expect(show(deliveryRow(delivery)).container.textContent).not.toContain("sent again");
  expect(show(deliveryRow({ ...delivery, repeats_id: "one" })).container.textContent).toContain("sent again");
});
