// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { RecordForm } from "./record-form.tsx";

const scenario = { scenario: 1, name: "Confirmed twice", steps: [{ call: { operation: "businesses.list" } }] };

/** Records two calls, and returns the text of the result. */
const record = async (start: object) => {
  takeToken("token");
  vi.stubGlobal("fetch", async (url: string) =>
    Response.json(
      String(url).endsWith("scenarios.record")
        ? { file_name: "confirmed-twice.json", scenario: { ...scenario, ...start } }
        : { items: [] },
    ),
  );
  const { container } = show(<RecordForm calls={["a", "b"]} onDone={() => undefined} />);
  fireEvent.click(screen.getByRole("button", { name: "Record" }));
  await screen.findByRole("button", { name: "Save to Scenarios" });
  return container.textContent;
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("reports whether a recording contains the world before its calls", async () => {
  expect(await record({ start: {} })).toContain("Confirmed twice: 1 step, with the world’s state before the calls.");
  cleanup();
  expect(await record({})).toContain("Confirmed twice: 1 step. Keys, secrets, codes and signatures are masked.");
});
