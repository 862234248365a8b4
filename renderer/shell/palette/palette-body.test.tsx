// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SearchHit } from "../../../sandbox/contract/control/explain-operations.ts";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { PaletteDialog } from "./palette-body.tsx";
import { searching } from "./store.ts";

/** The service finds the calls in `answer`, if given, and nothing else. */
const startService = () => {
  let answer = (_items: readonly SearchHit[], _skipped = 0): void => undefined;
  const found = new Promise<{ items: readonly SearchHit[]; skipped_worlds?: number }>((resolve) => {
    answer = (items, skipped_worlds = 0) => resolve({ items, skipped_worlds });
  });
  vi.stubGlobal("fetch", async (url: string) => {
    const body = url.includes("search.everywhere") ? await found : { items: [] };
    return new Response(JSON.stringify({ ...body, total: body.items.length, next_cursor: null }));
  });
  return { answer };
};

beforeEach(() => {
  takeToken("token");
  window.history.replaceState(null, "", "/jobs");
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  act(() => searching.close());
  cleanup();
  vi.unstubAllGlobals();
});

const call: SearchHit = {
  ...{ kind: "request", id: "01a2c4e6-0000-7000-8000-000000000001", label: "supplier.procurements.confirm" },
  ...{
    detail: "422 · KX21 ZZQ · Tarn & Rowe",
    reason: "No such offer.",
    at: new Date(Date.now() - 130_000).toISOString(),
  },
};
const selected = () => screen.getByRole("option", { selected: true });
const press = (code: string) => fireEvent.keyDown(screen.getByRole("combobox"), { code, key: code });
const type = (value: string) => fireEvent.change(screen.getByRole("combobox"), { target: { value } });
const start = () => {
  const service = startService();
  show(<PaletteDialog />);
  act(() => searching.open());
  return service;
};

it("runs the selected row even if the response arrives later", async () => {
  const { answer } = start();
  type("settings");
  await waitFor(() => expect(screen.getAllByRole("option").length).toBeGreaterThan(2));
  press("ArrowDown");
  await waitFor(() => expect(selected().textContent).toContain("Theme"));
  const chosen = selected();
  const before = screen.getAllByRole("option");
  answer([call]);
  const late = await screen.findByRole("option", { name: /^supplier.procurements.confirm/ });
  expect(screen.getAllByRole("option")).toEqual([...before, late]);
  expect(selected()).toBe(chosen);
  expect(screen.getByRole("combobox").getAttribute("aria-activedescendant")).toBe(chosen.id);
  press("Enter");
  expect(window.location.pathname).toBe("/settings/theme");
  expect(screen.queryByRole("combobox")).toBeNull();
});

it("returns the focus to where it was, each time it is closed without a choice", async () => {
  startService();
  show(
    <>
      <button type="button">Replay call</button>
      <PaletteDialog />
    </>,
  );
  const opener = screen.getByRole("button", { name: "Replay call" });
  for (const _time of ["first", "second"]) {
    opener.focus();
    act(() => searching.open());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("combobox")));
    press("Escape");
    await waitFor(() => expect(document.activeElement).toBe(opener));
  }
});

it("Enter opens the only result, which shows its refusal, plate, caller and age", async () => {
  const { answer } = start();
  type("kx21 zzq");
  await screen.findByText("Searching");
  answer([call]);
  const row = await screen.findByRole("option");
  expect(row.textContent).toBe("supplier.procurements.confirmNo such offer.422 · KX21 ZZQ · Tarn & Rowe2 min ago");
  await waitFor(selected);
  press("Enter");
  expect(window.location.pathname).toBe(`/requests/${call.id}`);
});

it("names the world of a result in another world, and opens it there", async () => {
  const { answer } = start();
  type("b-800");
  answer([{ kind: "job", id: call.id, label: "B-800", detail: "BR:B-800", world: "northwind-ci" }]);
  const row = await screen.findByRole("option");
  expect(row.textContent).toBe("B-800in northwind-ci · BR:B-800");
  await waitFor(selected);
  press("Enter");
  expect(window.location.pathname + window.location.search).toBe(`/jobs/${call.id}?world=northwind-ci`);
});

it("Enter before the response opens the result when it arrives", async () => {
  const { answer } = start();
  type("kx21 zzq");
  press("Enter");
  answer([call]);
  await waitFor(() => expect(window.location.pathname).toBe(`/requests/${call.id}`));
});

it("reports a failed search and its retry if the service doesn’t respond", async () => {
  start();
  vi.stubGlobal("fetch", async (url: string) => {
    if (url.includes("search.everywhere")) throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify({ items: [], total: 0, next_cursor: null }));
  });
  type("kx21 zzq");
  const said = await screen.findByText(/^Couldn’t search world default\./);
  expect(said.closest("[role=status]")?.textContent).toBe(
    "Couldn’t search world default. The service doesn’t respond. Retrying when the connection is back.",
  );
  expect(screen.queryByText(/No results/)).toBeNull();
});

it("initially selects the first place, and names the world of an empty search", async () => {
  const { answer } = start();
  await waitFor(selected);
  expect(selected().textContent).toContain("Overview");
  type("kx21 zzq");
  answer([]);
  await screen.findByText("No results for “kx21 zzq” in world default or any other");
});

it("says how many worlds an empty search left out", async () => {
  const { answer } = start();
  type("kx21 zzq");
  answer([], 268);
  await screen.findByText("No results for “kx21 zzq” in world default or other recent worlds; 268 worlds not searched");
});
