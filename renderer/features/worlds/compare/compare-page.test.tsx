// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { ComparePage } from "./compare-page.tsx";

const world = (name: string) => ({ name, unavailable: null });
const work = { id: "w", kind: "compare", world: "here", progress: 0.4 };

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  history.replaceState(null, "", "/");
});

it("a cancelled comparison says so and can be repeated", async () => {
  takeToken("token");
  history.replaceState(null, "", "/worlds/here/compare?other=there");
  const asked = vi.fn();
  vi.stubGlobal("fetch", async (url: string, { signal }: { signal?: AbortSignal }) => {
    const operation = String(url).split("/").at(-1);
    if (operation === "work.list") return Response.json({ items: [work] });
    if (operation !== "worlds.compare") return Response.json({ items: [world("here"), world("there")] });
    asked();
    if (asked.mock.calls.length > 1) return Response.json({ same: true, tables: [] });
    return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  });
  show(<ComparePage name="here" />);
  await screen.findByText("Comparing here, 40 %");
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await screen.findByText("Comparison cancelled");
  fireEvent.click(screen.getByRole("button", { name: "Compare" }));
  await screen.findByText(/No differences\./);
  expect(asked).toHaveBeenCalledTimes(2);
});

it("reports an empty choice only after both lists have loaded", async () => {
  takeToken("token");
  const respond: (() => void)[] = [];
  vi.stubGlobal("fetch", (url: string) => {
    const items = String(url).endsWith("worlds.list") ? [world("here")] : [];
    return new Promise<Response>((resolve) => respond.push(() => resolve(Response.json({ items }))));
  });
  show(<ComparePage name="here" />);
  const choice = screen.getByLabelText<HTMLInputElement>("Compared with (there)", { selector: "input" });
  expect(choice.placeholder).toBe("a world or a snapshot");
  screen.getByText("Choose a world or a snapshot");
  respond[0]?.();
  respond[1]?.();
  await vi.waitFor(() => expect(choice.placeholder).toBe("no other world, no snapshot"));
});

it("says that a clock is behind real time, even by less than a second", async () => {
  takeToken("token");
  history.replaceState(null, "", "/worlds/here/compare?other=there");
  const fields = [
    { path: "ahead_seconds", here: 0, there: -5 },
    { path: "ahead_seconds", here: 3_600, there: -0.4 },
  ];
  const rows = fields.map((field, index) => {
    const ids = { id: String(index), label: "clock", job_id: null, procurement_id: null };
    return { ...ids, is: "changed", fields: [field] };
  });
  const table = { table: "clock", here: 1, there: 1, only_here: 0, only_there: 0, changed: 2, rows };
  vi.stubGlobal("fetch", async (url: string) =>
    String(url).endsWith("worlds.compare")
      ? Response.json({ same: false, tables: [table] })
      : Response.json({ items: [world("here"), world("there")] }),
  );
  show(<ComparePage name="here" />);
  for (const words of ["at real time", "5 s behind", "1 h ahead", "400 ms behind"]) await screen.findByText(words);
});
