// @vitest-environment jsdom

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { drillNames } from "../../../sandbox/contract/drill-names.ts";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { FirstSteps } from "./first-steps.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  [0, "to do"],
  [drillNames.length - 1, "to do"],
  [drillNames.length, "done"],
])("completes the drills only after all have passed: %i is %s", async (drills_passed, stands) => {
  takeToken("token");
  const summary = {
    subscriptions: [{ id: "one", drills_run: drillNames.length, drills_passed }],
    first_calls: [],
    deliveries: {},
  };
  vi.stubGlobal("fetch", async (url: string) => Response.json(url.endsWith("world.summary") ? summary : { items: [] }));
  show(<FirstSteps />);
  const step = await screen.findByText("Test the receiver with drills");
  expect(step.textContent).toContain(`, ${stands}`);
});

it.each([
  ["/__webhooks/sink", `all ${drillNames.length} passed on the sandbox’s own receiver`],
  ["/hooks", `all ${drillNames.length} passed`],
])("says which receiver passed the drills: %s", async (path, words) => {
  takeToken("token");
  const drilled = { id: "one", drills_run: drillNames.length, drills_passed: drillNames.length };
  const own = { id: "one", url: `${window.location.origin}${path}`, created_at: "2026-11-23T10:00:00.000Z" };
  vi.stubGlobal("fetch", async (url: string) => {
    if (url.endsWith("world.summary"))
      return Response.json({ subscriptions: [drilled], first_calls: [], deliveries: {} });
    return Response.json({ items: url.endsWith("subscriptions.list") ? [own] : [] });
  });
  show(<FirstSteps />);
  const step = await screen.findByText("Test the receiver with drills");
  expect(step.textContent).toMatch(new RegExp(`${words}$`));
});

it("reports that the steps couldn't be read, and retries", async () => {
  takeToken("token");
  let fails = true;
  vi.stubGlobal("fetch", async (url: string) => {
    if (fails) return Response.json({ type: "internal", message: "The disk is full." }, { status: 500 });
    return Response.json(
      url.endsWith("world.summary") ? { subscriptions: [], first_calls: [], deliveries: {} } : { items: [] },
    );
  });
  show(<FirstSteps />);
  await screen.findByText("The disk is full.");
  fails = false;
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Install your own integration");
});
