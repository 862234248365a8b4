// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { LatestTraces } from "./latest-traces.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("says that no call changed anything, not that nothing did: seed data has changed too", async () => {
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ items: [] }));
  show(<LatestTraces />);
  expect(await screen.findByText("No call has changed anything yet")).toBeTruthy();
  expect(screen.queryByText(/nothing has changed/i)).toBeNull();
});
