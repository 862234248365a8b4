// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { Dialog } from "../../../components/dialog.tsx";
import type { Correction } from "../../../domain/exchange/explanation.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { SendForm } from "./send-form.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("focuses its first field, not the close button", async () => {
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ items: [] }));
  const detail = { id: "one", method: "POST", path: "/", request_headers: [], request_body_base64: "" };
  show(
    <Dialog opened onClose={() => undefined} title="Edit and send">
      <SendForm detail={detail as unknown as RequestDetail} correction={null} onSent={() => undefined} />
    </Dialog>,
  );
  const first = screen.getByRole("combobox", { name: "World" });
  await waitFor(() => expect(document.activeElement).toBe(first));
});

const written = '{"n":12345678901234567890,"p":10.50,"p":1e3,"claim_numbr":"C-1"}';
const bodyShown = async (body: string, correction: Correction | null, head = { method: "POST", path: "/" }) => {
  const detail = { id: "one", ...head, request_headers: [], request_body_base64: btoa(body) };
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ items: [] }));
  show(<SendForm detail={detail as unknown as RequestDetail} correction={correction} onSent={() => undefined} />);
  return (await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Body" })).value;
};

it("starts with the body as written, including numbers and repeated fields", async () =>
  expect(await bodyShown(written, null)).toBe(
    '{\n  "n": 12345678901234567890,\n  "p": 10.50,\n  "p": 1e3,\n  "claim_numbr": "C-1"\n}',
  ));

it("says that a body that isn't JSON is sent unchanged", async () => {
  await bodyShown("{}", null);
  expect(screen.queryByText(/^Not valid JSON/)).toBeNull();
  fireEvent.change(screen.getByRole("textbox", { name: "Body" }), { target: { value: '{"x":' } });
  screen.getByText(/^Not valid JSON, sent unchanged: ./);
});

it("contains the correction, and otherwise the body as written", async () => {
  const single = written.replace(',"p":1e3', "");
  const correction: Correction = {
    body: { n: JSON.parse("12345678901234567890"), p: 10.5, claim_number: "C-1" },
    edits: [
      { pointer: "/claim_number", after: "C-1", reason: "" },
      { pointer: "/claim_numbr", before: "C-1", reason: "" },
    ],
  };
  expect(await bodyShown(single, correction)).toBe(
    '{\n  "n": 12345678901234567890,\n  "p": 10.50,\n  "claim_number": "C-1"\n}',
  );
});

it("moves the fields of an address into the body of a POST", async () => {
  const body = { identity: { id: "one" } };
  const correction: Correction = { body, edits: [{ pointer: "", after: body, reason: "" }] };
  const head = { method: "GET", path: "/api/2026-01/repairer.jobs.get?identity[id]=one" };
  expect(JSON.parse(await bodyShown("", correction, head))).toEqual(body);
  for (const [name, value] of [
    ["Method", "POST"],
    ["Path", "/api/2026-01/repairer.jobs.get"],
  ] as const)
    expect(screen.getByRole<HTMLInputElement>("textbox", { name }).value).toBe(value);
});
