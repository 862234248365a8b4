import { describe, expect, it } from "vitest";
import { errorCodes, Refusal, refuse } from "./errors.ts";

const statuses = (origin: string): Record<string, number> =>
  Object.fromEntries(
    Object.entries(errorCodes).flatMap(([code, one]) => (one.origin === origin ? [[code, one.status]] : [])),
  );

describe("the error codes", () => {
  it("have the contract's statuses where it defines them", () => {
    expect(statuses("contract")).toEqual({
      unauthorized: 401,
      forbidden: 403,
      integration_not_found: 404,
      o_auth_not_supported_by_integration: 403,
      invalid_client_secret: 401,
      invalid_access_code: 401,
    });
  });

  it("D1: have the decided statuses where the contract is silent", () => {
    expect(statuses("D1")).toEqual({
      not_found: 404,
      bad_request: 400,
      unprocessable: 422,
      work_provider_not_found: 404,
    });
  });

  it("D2, D4, D5, D6, D12: have the decided statuses outside the contract", () => {
    expect(statuses("D2")).toEqual({ misdirected_request: 421 });
    expect(statuses("D4")).toEqual({ unsupported_media_type: 415 });
    expect(statuses("D5")).toEqual({ method_not_allowed: 405 });
    expect(statuses("D6")).toEqual({ payload_too_large: 413 });
    expect(statuses("D12")).toEqual({ internal_error: 500, storage_unavailable: 503 });
  });

  it("each have a sentence that explains them", () => {
    for (const [code, { meaning }] of Object.entries(errorCodes)) expect(meaning, code).toMatch(/^[A-Z].{10,}\.$/);
  });
});

describe("a refusal", () => {
  it("carries its code and, optionally, a message", () => {
    expect(refuse("not_found")).toBeInstanceOf(Refusal);
    expect(refuse("not_found")).toMatchObject({ code: "not_found", message: undefined });
    expect(refuse("unprocessable", "Because.")).toMatchObject({ code: "unprocessable", message: "Because." });
  });

  it("has a message that is a sentence: starts with a capital letter or a field's path, ends with a full stop", () => {
    const message = (text: string) => refuse("unprocessable", text).message;
    expect(message("the order is cancelled")).toBe("The order is cancelled.");
    expect(message("/identity is required")).toBe("/identity is required.");
    expect(message("Is it there?")).toBe("Is it there?");
  });
});
