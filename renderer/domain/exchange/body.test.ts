import { describe, expect, it } from "vitest";
import { decodeBody, nearestExisting } from "./body.ts";

const base64 = (bytes: readonly number[] | string) =>
  btoa(typeof bytes === "string" ? bytes : String.fromCharCode(...bytes));

describe("a body", () => {
  it("is JSON if it parses", () =>
    expect(decodeBody(base64('{"a":1}'))).toMatchObject({ text: '{"a":1}', json: { a: 1 } }));
  it("is text if it isn't JSON", () =>
    expect(decodeBody(base64("{a: 1}"))).toMatchObject({ text: "{a: 1}", json: undefined }));
  it("is binary without valid UTF-8, or with control characters", () => {
    expect(decodeBody(base64([0xff, 0xfe, 0x41]))).toMatchObject({ text: undefined, json: undefined });
    expect(decodeBody(base64([0x89, 0x50]))).toMatchObject({ text: undefined });
    expect(decodeBody(base64([0x50, 0x4b, 0x03, 0x04, 0]))).toMatchObject({ text: undefined });
  });
  it("is an empty text if there are no bytes", () =>
    expect(decodeBody("")).toMatchObject({ bytes: new Uint8Array(), text: "", json: undefined }));
});

describe("a pointer to a wrong field", () => {
  const body = { identity: { id: "x" }, parts: [{ "a/b": 1 }] };
  it("leads to an existing field", () => {
    expect(nearestExisting(body, "/identity/id")).toBe("/identity/id");
    expect(nearestExisting(body, "/parts/0/a~1b")).toBe("/parts/0/a~1b");
  });
  it("leads to the nearest parent of a missing field", () => {
    expect(nearestExisting(body, "/identity/external")).toBe("/identity");
    expect(nearestExisting(body, "/parts/4/quantity")).toBe("/parts");
    expect(nearestExisting(body, "/if_")).toBe("");
    expect(nearestExisting("text", "/a/b")).toBe("");
  });
});
