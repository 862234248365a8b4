// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { ImportForm } from "./import-form.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("reports the recognized format and the number of calls, and a path without an operation", async () => {
  takeToken("token");
  vi.stubGlobal("fetch", async (url: string) =>
    Response.json(String(url).endsWith("openapi.json") ? { paths: {}, components: {} } : { items: [] }),
  );
  const { container } = show(<ImportForm onDone={() => undefined} />);
  const read = (text: string) => {
    fireEvent.change(screen.getByRole("textbox"), { target: { value: text } });
    return within(container).getByRole("status").textContent;
  };
  const entry = { request: { method: "POST", url: "http://a/elsewhere", headers: [] } };
  expect(read(JSON.stringify({ log: { entries: [entry, entry] } }))).toBe("Read as HAR: 2 calls.");
  expect(read("curl -k http://a/elsewhere")).toBe("Read as cURL: 1 call.");
  await screen.findByText("No operation has this path.");
  expect(screen.getByText(/^Not imported/).textContent).toContain("-k");
});
