// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import type { Delivery, ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { pageHtml } from "./page-html.ts";
import { deliveryBlocks, orderBlocks, toTicket } from "./pages.ts";
import { withoutSecrets } from "./secrets.ts";
import { callBlocks, type TicketCall } from "./ticket.ts";

const hostile = `"><img src=x onerror=alert(1)><script src="https://evil.example/x"></script>'&`;
/** The service's own secrets: keys, a world token, a sign-in token. */
const FORMS = ["isk", "sbx", "sbw", "sbc", "sbp", "pwh", "ac", "cs"].map((prefix) => `${prefix}_0123456789abcdefghij`);
const base64 = (text: string): string => btoa(text);

const delivery: Delivery = {
  ...{ id: "d", message_id: "m", event_id: "e", event_type: "repairer.jobs", integration_id: "i", side: "repairer" },
  ...{ subscription_id: "s", url: "https://user:pass@shop.example/hook?token=hunter2", status: "failed" },
  ...{ attempts_made: 1, last_status: 401, last_error: null, next_attempt_at: null },
  ...{ created_at: "2026-11-22T10:00:00.000Z", ended_at: "2026-11-22T13:00:00.000Z", trace_id: "t", repeats_id: null },
  ...{ job_id: "j", procurement_id: null, label: hostile, announces: "inserted" },
  attempts: [
    {
      ...{ number: 1, started_at: "2026-11-22T10:00:00.000Z", duration_ms: 12, error: hostile },
      ...{ request_headers: [["x-said", hostile]], request_body_base64: base64(`{"a":"${"own-secret-of-a-world"}"}`) },
      ...{ response_status: 401, response_headers: [["set-cookie", "session=abc"]] },
      ...{ response_body_base64: base64(`${hostile} ${FORMS.join(" ")}`), response_truncated: false },
      verification: [{ step: "signature_matches", verdict: "passed", detail: hostile }],
      explanation: { sentence: hostile, whose: hostile, decision: null, what_to_do: "Check the raw bytes." },
    },
  ],
};
const row: ProcurementRow = {
  ...{ id: "o", job_id: "j", job_number: hostile, plate_number: null, reference: hostile, status: "order_confirmed" },
  ...{ currency_code: "USD", total: "12.50", items: 2, created_at: "2026-11-22T10:00:00.000Z" },
  updated_at: "2026-11-22T10:00:00.000Z",
  buyer: { organization_id: "a", business_id: "b", name: hostile },
  supplier: { organization_id: "c", business_id: "d", name: "Meridian", has_credential: true },
};

const pageOf = (blocks: ReturnType<typeof deliveryBlocks>): string =>
  pageHtml(hostile, withoutSecrets(blocks, ["own-secret-of-a-world", "", "abc"]));
const text = (page: string): string => new DOMParser().parseFromString(page, "text/html").body.textContent ?? "";

describe.each([
  ["a delivery", pageOf(deliveryBlocks(delivery, "lab"))],
  [
    "an order",
    pageOf(orderBlocks(row, { buyer: { note: hostile, key: "own-secret-of-a-world" }, supplier: null }, "lab")),
  ],
])("the page of %s", (_what, page) => {
  it("runs nothing, requests nothing, and shows foreign content as text", () => {
    const { documentElement } = new DOMParser().parseFromString(page, "text/html");
    expect(documentElement.querySelectorAll("script, img, link, iframe, object, a, form, base")).toHaveLength(0);
    expect(documentElement.querySelector("meta[http-equiv]")?.getAttribute("content")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'",
    );
    expect(documentElement.querySelector("style")?.textContent).not.toMatch(/url\(|@import/);
    expect(text(page)).toContain("onerror=alert(1)");
  });

  it("contains no secrets", () => {
    for (const secret of ["own-secret-of-a-world", ...FORMS, "hunter2", "user:pass", "session=abc"])
      expect(page).not.toContain(secret);
    expect(page).toContain("••••••••");
  });
});

it("shows a delivery's state, its reason, and each attempt with its response", () => {
  const shown = text(pageOf(deliveryBlocks(delivery, "lab")));
  for (const part of ["https://shop.example/hook?…", "What to do", "Attempt 1: 401", "signature_matches: passed"])
    expect(shown).toContain(part);
  expect(shown.indexOf("Check the raw bytes.")).toBeLessThan(shown.indexOf("shop.example"));
});

it("shows an order from both sides, and says which side's key is missing", () => {
  const shown = text(pageOf(orderBlocks(row, { buyer: { status: "order_confirmed" }, supplier: null }, "lab")));
  for (const part of ["Meridian", "12.50 USD", '"status": "order_confirmed"', "no key of the supplier"])
    expect(shown).toContain(part);
});

const refusedCall = {
  request: {
    ...{ id: "r", at: "2026-11-22T10:00:00.000Z", method: "POST", path: "/api/2026-01/repairer.jobs.insert" },
    ...{ operation: "repairer.jobs.insert", integration_id: null, status: 422, error_code: "unprocessable" },
    ...{ duration_ms: 1, request_bytes: 2, response_bytes: 2, outcome: "refused", label: null },
    ...{ request_headers: [], request_body: "{}", response_body: "{}" },
  },
  explanation: {
    refusal: {
      ...{ sentence: "`/vehicle/plate_number` must be a string.", whose_side: "partner", section: null },
      ...{ decisions: [], what_to_do: "Send `{}` as a JSON object." },
    },
    ...{ correction: null, suggestions: [], more_suggestions: 0, nearest: null, ignored: [] },
  },
  ...{ who: "Tarn & Rowe", trace: null, attempts: new Map() },
} as unknown as TicketCall;

it("gives the cause of a refusal before caller, request and response, with names as code", () => {
  const page = pageOf(callBlocks(refusedCall, "default"));
  const shown = text(page);
  expect(shown).not.toContain("`");
  expect(page).toContain("<code>/vehicle/plate_number</code>");
  const order = ["must be a string", "Called", "Request (secrets masked)"].map((part) => shown.indexOf(part));
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(order).not.toContain(-1);
});

const about = { world: "lab", service: "1", contract: "1", made_at: "2026-11-22T10:00:00.000Z" };
const shared = { title: "Shared", order: null, delivery: null, about, secrets: [] };
const ticketOf = (request: object, explanation: object = {}) =>
  toTicket({
    ...shared,
    calls: [
      {
        ...refusedCall,
        request: { ...refusedCall.request, ...request },
        explanation: { ...refusedCall.explanation, ...explanation },
      } as TicketCall,
    ],
  });

it("begins a ticket with its subject, and names the world before the request", () => {
  expect(toTicket({ ...shared, calls: [], delivery })).toMatch(/^## Shared\n[\s\S]*\*\*World\*\*: lab[\s\S]*Attempt 1/);
  const order = { row, views: { buyer: null, supplier: null } };
  expect(toTicket({ ...shared, calls: [], order })).toMatch(/^## Shared\n\n- \*\*World\*\*: lab\n/);
  expect(ticketOf({})).toMatch(/^## repairer.jobs.insert [\s\S]*\*\*World\*\*: lab[\s\S]*Request \(secrets masked\)/);
});

it("gives a ticket of an accepted call its warning, such as an empty basket", () => {
  const warning = "The basket is empty: the job had no parts.";
  const notes = ["The header x-tenant was ignored."];
  expect(ticketOf({ status: 200 }, { refusal: null, warning, notes })).toContain(`${warning} ${notes[0]}`);
  expect(ticketOf({ status: 200 }, { refusal: null })).not.toContain("### Note");
});

it("says in a ticket which headers were ignored, which call was earlier, and that a fault is on neither side", () => {
  const { refusal } = refusedCall.explanation ?? {};
  const fault = { ...refusal, whose_side: "fault", earlier: "01a2" };
  const ticket = ticketOf({}, { refusal: fault, notes: ["The header x-tenant was ignored."] });
  for (const part of ["**Ignored**: The header x-tenant", "**Earlier call**: 01a2", "**Whose side**: neither"])
    expect(ticket).toContain(part);
});

it("leaves the markup of an HTML page out of a ticket", () => {
  const page = `<!doctype html><style>${"a".repeat(5_000)}</style>`;
  expect(ticketOf({ response_body: page })).toContain("an HTML page of 5,030 characters");
});

it("says in a ticket how far the world's clock is ahead", () => {
  expect(toTicket({ ...shared, calls: [], about: { ...about, clock_offset_seconds: 10_800 } })).toContain(
    "**World’s clock**: 3 h ahead of real time",
  );
  expect(toTicket({ ...shared, calls: [] })).not.toContain("clock");
});
