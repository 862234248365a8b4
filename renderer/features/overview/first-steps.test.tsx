// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { FirstSteps } from "./first-steps.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  [0, "to do"],
  [8, "to do"],
  [9, "done"],
])("ticks the drills off only once all are passed: %i of 9 is %s", async (drills_passed, stands) => {
  takeToken("token");
  const summary = { subscriptions: [{ id: "one", drills_run: 9, drills_passed }], first_calls: [], deliveries: {} };
  vi.stubGlobal("fetch", async (url: string) => Response.json(url.endsWith("world.summary") ? summary : { items: [] }));
  show(<FirstSteps />);
  const step = await screen.findByText("Test the receiver with drills");
  expect(step.textContent).toContain(`, ${stands}`);
});
