import { describe, expect, it } from "vitest";
import { failureFrom } from "./service-failure.ts";
import { tokenInFragment } from "./session.ts";

describe("failures in the service's words", () => {
  it("reads a tagged object with its message", () => {
    expect(failureFrom(422, { type: "unprocessable", message: "taken" }, "r1")).toMatchObject({
      status: 422,
      code: "unprocessable",
      message: "taken",
      requestId: "r1",
    });
  });
  it("reads a bare string and explains the code", () => {
    expect(failureFrom(403, "forbidden", null)).toMatchObject({
      code: "forbidden",
      message: "The credential is valid but has the wrong scope.",
    });
  });
  it("reads a sandbox route's reason", () =>
    expect(failureFrom(400, { ok: false, reason: "url_not_loopback" }, null).code).toBe("url_not_loopback"));
  it("keeps the status of an unexpected response", () => {
    expect(failureFrom(502, "<html>", null)).toMatchObject({ status: 502 });
    expect(failureFrom(502, null, null)).toMatchObject({ code: "http_502", message: "The service returned 502." });
  });
});

describe("the token in the address", () => {
  it("is found in the fragment", () => expect(tokenInFragment("#token=abc-_1")).toBe("abc-_1"));
  it("is null when there is none", () =>
    expect([
      tokenInFragment(""),
      tokenInFragment("#"),
      tokenInFragment("#token="),
      tokenInFragment("#section"),
    ]).toEqual([null, null, null, null]));
});
