// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Run, RunStep } from "../../../../sandbox/contract/control/scenario-operations.ts";
import type { Scenario } from "../../../../sandbox/contract/scenario.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { Steps } from "./steps.tsx";

const scenario: Scenario = {
  scenario: 1,
  name: "Confirmed twice",
  steps: [
    { call: { operation: "businesses.list", as: "repairer" } },
    { call: { operation: "supplier.procurements.confirm", as: "supplier" }, expect: { status: 422, body: { a: 1 } } },
  ],
};
const asked = vi.fn();

beforeEach(() => {
  takeToken("token");
  vi.stubGlobal("fetch", async (url: string, { body }: { body: string }) => {
    if (!String(url).endsWith("scenarios.save")) return Response.json({ items: [] });
    asked(JSON.parse(body));
    return Response.json({ name: "twice", title: "Confirmed twice" });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  asked.mockReset();
});

it("edits the expected status of a step in a saved file", async () => {
  show(<Steps file={{ name: "twice", source: "own", scenario }} run={undefined} />);
  fireEvent.click(screen.getByRole("button", { name: "The whole step 2" }));
  fireEvent.click(screen.getByRole("button", { name: "Edit expected status" }));
  const field = screen.getByRole("spinbutton", { name: "Expected status" });
  expect((field as HTMLInputElement).value).toBe("422");
  fireEvent.change(field, { target: { value: "200" } });
  fireEvent.click(screen.getByRole("button", { name: "Save status" }));
  await waitFor(() => expect(asked).toHaveBeenCalled());
  const [first, second] = scenario.steps;
  expect(asked).toHaveBeenCalledWith({
    ...{ world: "default", name: "twice", replace: true },
    scenario: { ...scenario, steps: [first, { ...second, expect: { status: 200 } }] },
  });
});

it("does not edit the steps of a shipped file", () => {
  show(<Steps file={{ name: "twice", source: "shipped", scenario }} run={undefined} />);
  fireEvent.click(screen.getByRole("button", { name: "The whole step 2" }));
  expect(screen.queryByRole("button", { name: "Edit expected status" })).toBeNull();
});

it("names the key that the awaited call needs", () => {
  const next = { number: 1, step: scenario.steps[0], world: "run-1", credential: null, problem: null };
  const run = { id: "r", scenario, worlds: ["run-1"], results: [], differs_at: null, next } as unknown as Run;
  show(<Steps file={{ name: "twice", source: "own", scenario }} run={run} />);
  expect(screen.getByRole("region", { name: "What to do now" }).textContent).toContain(
    "Done when this call arrives, from any client. In the world run-1, with the buyer’s pre-loaded key.",
  );
});

it("gives the cause of a difference and its assumption", () => {
  const result: RunStep = {
    ...{ number: 2, outcome: "differs", detail: "supplier.procurements.confirm → 422", seconds: 0.1, by: "scenario" },
    ...{ at: "2026-11-23T10:00:00.000Z", world: "run-1", trace_id: null, answer: "{}" },
    difference: { path: "/status", expected: 200, got: 422 },
    explained: ['setting "Confirm a confirmed order" changed from ok to reject; assumption D50'],
    decision: { id: "D50", meaning: "A second confirm is refused.", policy: "confirm_when_confirmed" },
  };
  const run = { scenario, worlds: [], results: [result], differs_at: 2, next: null } as unknown as Run;
  show(<Steps file={{ name: "twice", source: "own", scenario }} run={run} />);
  const difference = screen.getByRole("region", { name: "First difference" });
  expect(difference.textContent).toContain("Cause: setting");
  expect(difference.textContent).toContain("A second confirm is refused.");
  expect(screen.getByRole("link", { name: /D50/ }).getAttribute("href")).toContain("D50");
});
