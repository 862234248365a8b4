import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Attempt, AttemptExplanation, Delivery } from "../../../sandbox/contract/control/rows.ts";
import { deliveryFacts, deliveryText, shownFacts } from "./fields.tsx";

const SECRET = "pwh_2d4f6a8c0e1b3d5f7a9c1e3b5d7f9a1c";
const why: Omit<AttemptExplanation, "sentence"> = {
  whose: "The cause is on the receiver’s side.",
  decision: null,
  what_to_do: "Check the secret.",
};
const attempt = (number: number, response_status: number | null, sentence: string): Attempt => ({
  ...{ number, response_status, error: null, duration_ms: 4, started_at: `2026-03-12T10:00:0${number}.000Z` },
  ...{ request_headers: [], request_body_base64: btoa("{}"), response_headers: [], response_truncated: false },
  response_body_base64: "",
  verification: [{ step: "header_present", verdict: "passed", detail: "present" }],
  explanation: { ...why, sentence },
});
const delivery: Delivery = {
  ...{ id: "d-1", message_id: "m-1", event_id: "e-1", event_type: "repairer.jobs", integration_id: "i-1" },
  ...{ side: "repairer", subscription_id: "s-1", url: "http://127.0.0.1:8787/hooks?key=theirs", status: "failed" },
  ...{ attempts_made: 2, last_status: 401, last_error: null, next_attempt_at: null, repeats_id: null },
  ...{ created_at: "2026-03-12T10:00:00.000Z", ended_at: "2026-03-12T13:00:00.000Z", trace_id: "t-1" },
  ...{ job_id: "j-1", procurement_id: null, label: "J-1", announces: "inserted" },
  attempts: [
    attempt(1, null, "Connection refused."),
    attempt(2, 401, `The receiver returned 401: “not made with ${SECRET}”.`),
  ],
};

it("lists each field once, without repeating the page's header", () => {
  const names = deliveryFacts(delivery).map(([words]) => words);
  expect(names).toContain("Delivery ID");
  expect(names).not.toContain("Order");
  expect(names).not.toContain("Next attempt");
  const shown = shownFacts(delivery).map(([words]) => words);
  expect(names.filter((name) => !shown.includes(name))).toEqual(["Event", "About", "Status"]);
  expect(shownFacts({ ...delivery, test: true }).map(([words]) => words)).not.toContain("Job");
});

it("says of a test event that no call caused it", () => {
  const [, test] = shownFacts({ ...delivery, test: true }).find(([words]) => words === "Test") ?? [];
  expect(renderToStaticMarkup(<MantineProvider>{test}</MantineProvider>)).toContain(
    "No call caused it, and the job or order in it doesn’t exist.",
  );
});

it("gives a partner cause, remedy, fields and attempts, without secrets", () => {
  const text = deliveryText(delivery, {
    ...{ cause: "It returned 401.", whose: "The cause is on the receiver’s side.", assumption: null },
    remedy: "Check the secret.",
  });
  expect(text).toMatch(
    /^Cause: It returned 401\. The cause is on the receiver’s side\.\nWhat to do: Check the secret\./,
  );
  expect(text).toContain("Receiver: http://127.0.0.1:8787/hooks?…");
  expect(text).toContain("Message ID: m-1");
  expect(text).toContain(
    "1. 2026-03-12T10:00:01.000Z: Connection refused. When sent, signature and timestamp were correct.",
  );
  expect(text).toContain("“not made with pwh_…”");
  expect(text).not.toContain(SECRET);
});
