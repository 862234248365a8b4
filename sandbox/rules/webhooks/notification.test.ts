import { expect, it } from "vitest";
import { notificationHeaders } from "./notification.ts";

it("carries the signature, the trace if there is one, and the mark of a test event", () => {
  const sent = [
    ["content-type", "application/json"],
    ["user-agent", "integrations-sandbox/2026-01"],
  ];
  const body = Buffer.from("ü");
  expect(notificationHeaders(body, null)).toEqual([...sent, ["content-length", "2"]]);
  expect(notificationHeaders(body, "sig", { test: true, traceparent: "00-1" })).toEqual([
    ...sent,
    ["service-hmac-sha256", "sig"],
    ["x-sandbox-test-event", "true"],
    ["traceparent", "00-1"],
    ["content-length", "2"],
  ]);
});
