import { describe, expect, it } from "vitest";
import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";
import { bytesFromText } from "../../../lib/bytes.ts";
import { attemptForLab, bytesOfBody, pastedBody, withBody, withHeader } from "./lab-store.ts";

describe("the moment a notification is judged at", () => {
  const at = "2026-03-11T22:05:07.204Z";
  const theirs = "what the receiver computed";
  it("is not kept for another body than the one it was loaded with, nor is what the receiver computed", () =>
    expect(withBody({ body: '{"message_id":"1"}', from: "attempt 1", at, theirs }, "[]")).toEqual({
      body: "[]",
      from: null,
      at: "",
      theirs: "",
    }));

  it("stays where a person typed it", () =>
    expect(withBody({ body: "{}", from: null, at, theirs }, "[]")).toEqual({ body: "[]", from: null, at, theirs }));

  it("is kept while it is edited, the body and the header alike", () => {
    const loaded = { body: '{"message_id":"1"}', from: "attempt 1", at, theirs };
    expect(withBody(loaded, '{"message_id":"12"}')).toMatchObject({ from: "attempt 1, edited", at, theirs: "" });
    expect(withHeader(loaded, "x")).toEqual({ header: "x", from: "attempt 1, edited" });
    expect(withHeader({ from: "attempt 1, edited" }, "x").from).toBe("attempt 1, edited");
    expect(withHeader({ from: null }, "x").from).toBeNull();
  });
});

describe("an attempt in the lab", () => {
  const sent = `${"A".repeat(43)}=`;
  const computed = `${"B".repeat(43)}=`;
  const theirsIn = (answer: string) =>
    attemptForLab(
      { event_type: "repairer.jobs", label: "J-1" },
      {
        number: 1,
        started_at: "2026-03-11T22:05:07.204Z",
        request_headers: [[SIGNATURE_HEADER, sent]],
        request_body_base64: btoa("{}"),
        response_body_base64: btoa(answer),
      },
    ).theirs;

  it("brings along what the receiver says it computed", () => {
    expect(theirsIn(JSON.stringify({ ok: false, received: sent, expected: computed }))).toBe(computed);
    expect(theirsIn(JSON.stringify({ mine: "0f".repeat(32) }))).toBe("0f".repeat(32));
    expect(theirsIn(`invalid hmac: got ${sent}, computed ${computed}.`)).toBe(computed);
    expect(theirsIn(computed)).toBe(computed);
    const sentInHex = "00".repeat(32);
    expect(theirsIn(`got ${sentInHex}, computed ${computed}`)).toBe(computed);
    expect(theirsIn(`computed ${sentInHex}`)).toBe(sentInHex);
  });

  it("brings along nothing where the receiver says no such thing", () => {
    for (const answer of [
      "",
      "[1, 2]",
      `${computed}B`,
      "A".repeat(60),
      JSON.stringify({ reason: "bad_signature", received: sent }),
    ])
      expect(theirsIn(answer), answer).toBe("");
  });
});

describe("a body in the lab", () => {
  it("keeps every byte, as text where a field of text can and as base64 where it cannot", () => {
    for (const [bytes, coding] of [
      [bytesFromText('{"a":"ü"}\n'), "text"],
      [bytesFromText("\ufeff{}"), "text"],
      [bytesFromText("{\r\n}"), "base64"],
      [Uint8Array.of(0xff, 0x00), "base64"],
      [new Uint8Array(), "text"],
    ] as const) {
      const pasted = pastedBody(bytes);
      expect(pasted.coding).toBe(coding);
      expect(bytesOfBody(pasted)).toEqual(bytes);
    }
  });

  it("is read from base64 and hex over several lines", () => {
    expect(bytesOfBody({ body: "eyJh\nIjox fQ==\n", coding: "base64" })).toEqual(bytesFromText('{"a":1}'));
    expect(bytesOfBody({ body: "7b 22 61\n22 3a", coding: "hex" })).toEqual(bytesFromText('{"a":'));
    expect(bytesOfBody({ body: " ", coding: "hex" })).toEqual(new Uint8Array());
  });

  it("is nothing when it is not in the coding it is said to be in", () => {
    expect(bytesOfBody({ body: "{}", coding: "base64" })).toBeNull();
    expect(bytesOfBody({ body: "7b2", coding: "hex" })).toBeNull();
    expect(bytesOfBody({ body: "zz", coding: "hex" })).toBeNull();
  });
});
