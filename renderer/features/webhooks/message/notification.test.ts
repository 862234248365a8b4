import { describe, expect, it } from "vitest";
import { bytesFromText, textFromBytes } from "../../../lib/bytes.ts";
import { findField, findText, hmac, notificationField, shortSignature, toBase64 } from "./notification.ts";

const body = bytesFromText(
  '{"message_id":"é1","webhook_timestamp":"2026-03-11T22:05:07.204Z","payload":{"job_id":"7"}}',
);

it("finds text by its bytes, after characters of several", () =>
  expect(findText(bytesFromText("é:abc"), "abc")).toEqual({ start: 3, end: 6 }));
it("finds no empty and no absent text", () => {
  expect(findText(bytesFromText("abc"), "")).toBeNull();
  expect(findText(bytesFromText("abc"), "abd")).toBeNull();
});

describe("a notification's bytes", () => {
  it("gives a field as the text it has in the bytes", () => {
    expect(notificationField(body, "webhook_timestamp")).toBe("2026-03-11T22:05:07.204Z");
  });

  it("has no text for a field that is not there, is no string, or lies in a body that is no JSON", () => {
    expect(notificationField(body, "event_type")).toBeNull();
    expect(notificationField(body, "payload")).toBeNull();
    expect(notificationField(bytesFromText("{"), "message_id")).toBeNull();
    expect(notificationField(bytesFromText("null"), "message_id")).toBeNull();
  });

  it("places a field's value in bytes, quotes included, also after characters of two bytes", () => {
    const range = findField(body, "webhook_timestamp");
    expect(range && textFromBytes(body.subarray(range.start, range.end))).toBe('"2026-03-11T22:05:07.204Z"');
  });

  it("does not place a value that was written with other white space", () => {
    expect(findField(bytesFromText('{"webhook_timestamp" : "x"}'), "webhook_timestamp")).toBeNull();
  });

  it("computes HMAC-SHA256 in base64, as RFC 4231's second case gives it", async () => {
    const message = bytesFromText("what do ya want for nothing?");
    expect(toBase64(await hmac(bytesFromText("Jefe"), message))).toBe("W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=");
  });

  it("shortens a signature to both its ends", () => {
    expect(shortSignature("CFdFr1wFRkSEQgqEJRFpPC+zQdnNkWe6grm2x46nHTc=")).toBe("CFdFr1wFRk…nHTc=");
    expect(shortSignature("short")).toBe("short");
  });
});
