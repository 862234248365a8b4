// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, it, vi } from "vitest";
import type { Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { AttemptsPane } from "./attempts-pane.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const failed = {
  ...{ id: "d", subscription_id: "s", status: "failed", attempts: [], next_attempt_at: null, last_error: null },
  ...{ created_at: "2026-11-23T10:00:00.000Z", ended_at: "2026-11-23T10:00:08.000Z" },
} as unknown as Delivery;

it.each([
  [[], /^gave up after 8.* s; its subscription has ended$/],
  [[{ id: "s" }], /^gave up after 8.* s; Send again to start over$/],
])("says whether a failed delivery can be sent again: %j", async (items, words) => {
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ items }));
  show(<AttemptsPane delivery={failed} selected={null} onSelect={() => undefined} />);
  await screen.findByText(words);
});
