// @vitest-environment jsdom
import { Timeline } from "@mantine/core";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { ResultStep } from "./flow-pane.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("says what becomes of a new key, and doesn’t lay it to the contract, which doesn’t define that", async () => {
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ items: [] }));
  const installed = { api_key: "isk_1", integration_id: "i", webhook_secret: "pwh_1", request_id: null, at: "" };
  show(
    <Timeline>
      <ResultStep side="repairer" installed={installed} isHeard justNow onAgain={() => undefined} />
    </Timeline>,
  );
  const said = (await screen.findByText("Copy these values now")).closest("li, section, div")?.parentElement;
  expect(said?.textContent).toContain("You can copy them again");
  expect(screen.queryByText(/shown once/i)).toBeNull();
  expect(screen.queryByText("contract")).toBeNull();
});
