import { describe, expect, it } from "vitest";
import { asCurl } from "../../../lib/curl.ts";
import { requestOf } from "./step-request.ts";

const within = { world: "acme", integrationOf: (side: string) => `the-${side}` };

describe("what a step sends", () => {
  it("is the call of its file, with the key of its side masked", () => {
    const step = {
      call: { operation: "businesses.list", as: "repairer" as const, headers: { "x-more": "1" }, body: { a: 1 } },
    };
    const request = requestOf(step, within);
    expect(request && asCurl({ ...request, request_body: '{"a":1}' }, "http://here")).toBe(
      [
        "curl -X 'POST' 'http://here/api/2026-01/businesses.list'",
        "-H 'content-type: application/json'",
        "-H 'x-sandbox-tenant: acme'",
        `-H 'authorization: Bearer '"$API_KEY"`,
        "-H 'service-integration-id: the-repairer'",
        "-H 'x-more: 1'",
        `--data-raw '{"a":1}'`,
      ].join(" \\\n  "),
    );
    expect(JSON.parse(request?.request_body ?? "")).toEqual({ a: 1 });
  });

  it("is a route, text as it is written, or an act of the control plane", () => {
    const route = { call: { route: "/__webhooks/subscribe", text: "{" } };
    expect(requestOf(route, { ...within, world: null })).toEqual({
      method: "POST",
      path: "/__webhooks/subscribe",
      request_headers: [["content-type", "application/json"]],
      request_body: "{",
    });
    const read = requestOf({ call: { route: "/x", method: "GET", as: "nobody" } }, { ...within, world: null });
    expect(read).toMatchObject({ method: "GET", request_headers: [], request_body: "" });
    const control = requestOf({ control: { operation: "clock.advance", body: { seconds: 5 } } }, within);
    expect(control?.path).toBe("/__sandbox/clock.advance");
    expect(JSON.parse(control?.request_body ?? "")).toEqual({ seconds: 5, world: "acme" });
  });

  it("refers to a key as the file does where it is not known, and is nothing of a receiver", () => {
    const nowhere = { world: null, integrationOf: () => undefined };
    const call = { operation: "businesses.list", as: "supplier" as const };
    expect(requestOf({ call }, nowhere)?.request_headers).toContainEqual([
      "service-integration-id",
      "{{supplier.integration_id}}",
    ]);
    expect(requestOf({ receiver: { integration_id: "i" } }, nowhere)).toBeNull();
  });
});
