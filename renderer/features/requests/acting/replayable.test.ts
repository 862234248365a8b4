import { expect, it } from "vitest";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { replayProblem } from "./replayable.ts";

const sent: RequestDetail["request_headers"] = [["content-length", "12"]];
const recorded = (more: Partial<RequestDetail> = {}) =>
  ({
    ...{ operation: "repairer.jobs.get", integration_id: "i", body_masked: false },
    request_headers: [["authorization", "Bearer isk_••••••••9b08"], ...sent],
    ...more,
  }) as RequestDetail;

it.each([
  ["a call with a known key", {}],
  ["an install", { operation: "integrations.insert", integration_id: null }],
  ["an opened consent page", { operation: "oauth.authorize", integration_id: null, request_headers: [] }],
  ["a call without credentials", { integration_id: null, request_headers: sent }],
  ["a call without a body to no operation", { unrouted: "unknown_operation", request_headers: [] }],
] as const)("%s can be sent again", (_what, more) => {
  expect(replayProblem(recorded(more as Partial<RequestDetail>))).toBeNull();
});

it.each([
  ["an uploaded picture", { operation: "uploads.put" }, false],
  ["an answer to the consent page", { operation: "oauth.authorize", request_headers: sent }, false],
  ["a call with a masked secret", { body_masked: true }, true],
  ["a call with a body to no operation", { unrouted: "unknown_operation" }, true],
  ["a call with an unknown key", { integration_id: null }, true],
] as const)("%s can't be sent again as it was", (_what, more, isEditable) => {
  expect(replayProblem(recorded(more as Partial<RequestDetail>))).toMatchObject({ isEditable });
});
