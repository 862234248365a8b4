// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { type FileToSave, saveFile } from "../../lib/files.ts";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { ShareMenu } from "./share-menu.tsx";

vi.mock("../../lib/files.ts", () => ({ saveFile: vi.fn(async ({ name }: FileToSave) => name) }));

const secret = "the-secret-of-a-partner";
const answers: Readonly<Record<string, unknown>> = {
  "requests.list": { items: [{ id: "newer" }, { id: "older" }] },
  "requests.explain": { refusal: null, ignored: [], checks: [] },
  "traces.get": { changes: [], events: [], deliveries: [], drills: [] },
  "credentials.list": { items: [{ integration_id: "i", api_key: secret, webhook_secret: "x" }] },
  "clients.list": { items: [] },
  "service.info": { version: "2.0.0" },
  "clock.get": { now: "2026-11-22T10:00:00.000Z", offset_seconds: 0 },
  "scenarios.record": { scenario: { scenario: 1, steps: [] }, file_name: "x.json" },
};
const call = {
  ...{
    trace_id: "t",
    at: "2026-11-22T10:00:00.000Z",
    method: "POST",
    path: "/x",
    operation: "repairer.procurements.place",
  },
  ...{
    integration_id: null,
    status: 200,
    error_code: null,
    duration_ms: 1,
    outcome: `placed with ${secret}`,
    label: null,
  },
  ...{ request_headers: [], request_body: "{}", response_body: "{}" },
};
const asked = vi.fn();

beforeEach(() => {
  takeToken("the token of a test");
  vi.stubGlobal("fetch", async (url: string, { body }: { body: string }) => {
    const name = url.split("/").at(-1) ?? "";
    const sent = JSON.parse(body);
    asked(name, sent);
    return Response.json(name === "requests.get" ? { ...call, id: sent.id } : answers[name]);
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const row = {
  ...{ id: "o", job_id: "j", job_number: null, plate_number: null, reference: "TRC-1", status: "order_requested" },
  ...{ currency_code: null, total: null, items: 1, created_at: "then", updated_at: "then" },
  ...{ buyer: { name: "Tarn & Rowe" }, supplier: { name: "Meridian" } },
} as ProcurementRow;
const share = async (name: RegExp): Promise<FileToSave> => {
  show(<ShareMenu of={{ kind: "order", row, views: { buyer: null, supplier: null } }} />);
  fireEvent.click(screen.getByRole("button", { name: "Share" }));
  fireEvent.click(await screen.findByRole("menuitem", { name }));
  await waitFor(() => expect(saveFile).toHaveBeenCalled());
  const [file] = vi.mocked(saveFile).mock.calls[0] ?? [];
  if (!file) throw new Error("nothing was saved");
  return file;
};

it("saves an order as one page with its calls, oldest first, without secrets", async () => {
  const { name, content, mediaType } = await share(/^Page/);
  expect([name, mediaType]).toEqual(["order-trc-1.html", "text/html"]);
  expect(content).toContain("Tarn &amp; Rowe");
  expect(String(content).indexOf("older")).toBeLessThan(String(content).indexOf("newer"));
  expect(content).toContain("placed with ••••••••");
  expect(content).not.toContain(secret);
});

it("saves an order as a recording that another explorer can open", async () => {
  const { name, content } = await share(/^File/);
  expect([name, JSON.parse(String(content))]).toEqual(["order-trc-1.json", { scenario: 1, steps: [] }]);
  expect(asked).toHaveBeenCalledWith("scenarios.record", {
    ...{ world: "default", name: "Order TRC-1", trace_ids: ["older", "newer"], start: true },
  });
});

it("prints only that page, and removes it afterwards", async () => {
  show(<ShareMenu of={{ kind: "order", row, views: { buyer: null, supplier: null } }} />);
  fireEvent.click(screen.getByRole("button", { name: "Share" }));
  fireEvent.click(await screen.findByRole("menuitem", { name: /^Print/ }));
  const frame = await waitFor(() => {
    const found = document.querySelector<HTMLIFrameElement>("iframe");
    if (found === null) throw new Error("there is no page to print");
    return found;
  });
  expect(frame.srcdoc).toContain("placed with ••••••••");
  expect(frame.srcdoc).not.toContain(secret);
  const print = vi.fn();
  const page = Object.assign(new EventTarget(), { print, focus: vi.fn() });
  Object.defineProperty(frame, "contentWindow", { value: page });
  fireEvent.load(frame);
  expect(print).toHaveBeenCalledOnce();
  page.dispatchEvent(new Event("afterprint"));
  await waitFor(() => expect(document.querySelector("iframe")).toBeNull());
  expect(saveFile).not.toHaveBeenCalled();
});
