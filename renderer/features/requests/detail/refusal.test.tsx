// @vitest-environment jsdom
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import type { Correction, Explanation } from "../../../domain/exchange/explanation.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { SendForm } from "../acting/send-form.tsx";
import { RefusalBox } from "./refusal.tsx";

const detail = {
  ...{ id: "one", method: "POST", path: "/", request_headers: [], request_body_base64: "" },
  ...{ integration_id: null, response_body: "", status: 422 },
} as unknown as RequestDetail;
const proposed: Correction = {
  body: { repairer_site_id: "b" },
  edits: [{ pointer: "/repairer_site_id", before: "a", after: "b", reason: "nearest known: Rowe" }],
};
const explained = (more: Partial<Explanation>): Explanation => ({
  ...{ id: "one", operation: null, checks: [], correction: null, suggestions: [], more_suggestions: 0 },
  ...{ ignored: [], nearest: null },
  refusal: {
    ...{ sentence: "It is wrong.", code: null, status: 422, whose_side: "partner", cause: null, pointers: [] },
    ...{ section: null, decisions: [], what_to_do: "Send another." },
  },
  ...more,
});
const showBox = (more: Partial<Explanation>) => {
  show(<RefusalBox detail={detail} explanation={explained(more)} actions={null} onFix={() => undefined} />);
  return within(screen.getByRole("region", { name: "Why it was refused" }));
};

beforeEach(() => {
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ items: [] }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("offers a correction only for editing", () => {
  const box = showBox({ correction: proposed });
  box.getByRole("button", { name: "Fix in editor" });
  cleanup();
  expect(showBox({}).queryByRole("button", { name: "Fix in editor" })).toBeNull();
});

it("links the error code to its cause in the help", () => {
  const { refusal } = explained({});
  const box = showBox({ refusal: refusal && { ...refusal, code: "unprocessable", cause: "site_unknown" } });
  expect(box.getByRole("link", { name: "unprocessable" }).getAttribute("href")).toBe(
    "/help/reference/errors/unprocessable/#site_unknown",
  );
});

it("links a fault's code to its help page, or an unknown code to the help on faults", () => {
  const { refusal } = explained({});
  for (const [code, page] of [
    ["unavailable", "/help/reference/errors/unavailable/"],
    ["out_of_stock", "/help/how-to/faults-and-clock/"],
  ] as const) {
    const box = showBox({ refusal: refusal && { ...refusal, code, cause: "fault", whose_side: "fault" } });
    expect(box.getByRole("link", { name: code }).getAttribute("href")).toBe(page);
    cleanup();
  }
});

it("separates the contract's section from the assumptions", () => {
  const { refusal } = explained({});
  const decision = { id: "D30", meaning: "It is refused.", policy: null };
  showBox({ refusal: refusal && { ...refusal, section: "Insert a job", decisions: [decision] } });
  expect(screen.getByRole("region", { name: "Contract and assumptions" }).textContent).toMatch(
    /^contract\s*See section “Insert a job”\. These assumptions apply:/,
  );
});

it("lists known values below the advice, and counts further ones", () => {
  const one = { pointer: "/repairer_site_id", value: "a-site", label: "Rowe" };
  const box = showBox({ suggestions: [one], more_suggestions: 4 });
  const values = within(box.getByRole("list", { name: "Known values for /repairer_site_id" }));
  expect(values.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["a-site Rowe", "and 4 more"]);
  values.getByRole("button", { name: "Copy a-site" });
});

it("lists a correction's changes above the body", () => {
  show(<SendForm detail={detail} correction={proposed} onSent={() => undefined} />);
  const changes = screen.getByRole("region", { name: "Proposed correction" });
  expect(changes.textContent).toMatch(/not tried/);
  expect(changes.textContent).toMatch(/\/repairer_site_id: "a".*\/repairer_site_id: "b".*nearest known: Rowe/);
  const body = screen.getByRole("textbox", { name: "Body" });
  expect(changes.compareDocumentPosition(body)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});
