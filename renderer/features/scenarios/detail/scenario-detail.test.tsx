// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { ScenarioDetail } from "./scenario-detail.tsx";

const scenario = {
  scenario: 1,
  name: "Sites",
  steps: [{ call: { operation: "businesses.list" } }, { call: { operation: "repairer.work-providers.list" } }],
};
const run = {
  ...{
    id: "run-a",
    name: "sites",
    title: "Sites",
    mode: "by_hand",
    state: "waiting",
    world: "run-1",
    worlds: ["run-1"],
  },
  ...{ policies: {}, started_at: "2026-11-23T10:00:00.000Z", ended_at: null, steps: 2, held: 1, differs_at: null },
  ...{ problem: null, results: [], next: null, scenario },
};
const stopped = { ...run, state: "stopped", ended_at: "2026-11-23T10:00:05.000Z", worlds: [] };

beforeEach(() => {
  takeToken("token");
  let now: typeof run | typeof stopped = run;
  vi.stubGlobal("fetch", async (url: string) => {
    const operation = String(url).split("/").at(-1);
    if (operation === "runs.stop") now = stopped;
    if (operation === "scenarios.get")
      return Response.json({ name: "sites", title: "Sites", source: "shipped", scenario });
    return Response.json(operation === "runs.list" ? { items: [now] } : now);
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("a stopped run shows its progress, and the scenario can run again", async () => {
  show(<ScenarioDetail name="sites" tab="run" />);
  fireEvent.click(await screen.findByRole("button", { name: "Stop" }));
  expect((await screen.findAllByText("stopped after 1 of 2")).length).toBeGreaterThan(0);
  expect(screen.getByRole("complementary", { name: "Run" }).textContent).toContain("a new world, deleted since");
  expect(screen.getAllByText("not run")).toHaveLength(4);
  screen.getByRole("button", { name: /^Step by step/ });
  expect(screen.queryByRole("button", { name: "Stop" })).toBeNull();
});

it("refuses another address that isn’t a URL", async () => {
  show(<ScenarioDetail name="sites" tab="run" />);
  fireEvent.change(await screen.findByRole("textbox", { name: "At another address" }), {
    target: { value: "api.example.com" },
  });
  screen.getByText("Enter an http or https URL.");
});

it("says where it was recorded", async () => {
  const recorded = { at: "2026-11-23T10:00:00.000Z", world: "acme", version: "1.2.3", policies: {}, faults: [] };
  vi.stubGlobal("fetch", async (url: string) =>
    Response.json(
      String(url).endsWith("scenarios.get")
        ? { name: "sites", title: "Sites", source: "own", scenario: { ...scenario, recorded } }
        : { items: [] },
    ),
  );
  show(<ScenarioDetail name="sites" tab="run" />);
  expect((await screen.findByText(/^Recorded/)).textContent).toMatch(
    /in the world acme by Integrations Explorer 1\.2\.3\. It runs with the 0 settings and 0 faults of its file\.$/,
  );
});

it("shows its run keys only while focus is in its pane", async () => {
  show(<ScenarioDetail name="sites" tab="run" />);
  fireEvent.click(await screen.findByRole("button", { name: "Stop" }));
  for (const name of [/^Run(?! with)/, /^Step by step/])
    expect((await screen.findByRole("button", { name })).querySelector(".keys[data-acts]")).not.toBeNull();
});
