import { describe, expect, it } from "vitest";
import { bytesFromText, textFromBytes } from "../../../lib/bytes.ts";
import { findField, findText, hmac, notificationField, shortSignature, toBase64 } from "./notification.ts";

const body = bytesFromText(
  '{"message_id":"é1","webhook_timestamp":"2026-03-11T22:05:07.204Z","payload":{"job_id":"7"}}',
);

it("finds text by bytes, even after multi-byte characters", () =>
  expect(findText(bytesFromText("é:abc"), "abc")).toEqual({ start: 3, end: 6 }));
it("finds neither empty nor absent text", () => {
  expect(findText(bytesFromText("abc"), "")).toBeNull();
  expect(findText(bytesFromText("abc"), "abd")).toBeNull();
});

describe("a field in a notification's bytes", () => {
  it("is its original text", () => {
    expect(notificationField(body, "webhook_timestamp")).toBe("2026-03-11T22:05:07.204Z");
  });

  it("is null if it is missing, isn't a string, or the body is invalid", () => {
    expect(notificationField(body, "event_type")).toBeNull();
    expect(notificationField(body, "payload")).toBeNull();
    expect(notificationField(bytesFromText("{"), "message_id")).toBeNull();
    expect(notificationField(bytesFromText("null"), "message_id")).toBeNull();
  });

  it("has a byte range that includes quotes, even after two-byte characters", () => {
    const range = findField(body, "webhook_timestamp");
    expect(range && textFromBytes(body.subarray(range.start, range.end))).toBe('"2026-03-11T22:05:07.204Z"');
  });

  it("has no range if written with other white space", () => {
    expect(findField(bytesFromText('{"webhook_timestamp" : "x"}'), "webhook_timestamp")).toBeNull();
  });

  it("computes HMAC-SHA256 in base64, like RFC 4231's second case", async () => {
    const message = bytesFromText("what do ya want for nothing?");
    expect(toBase64(await hmac(bytesFromText("Jefe"), message))).toBe("W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=");
  });

  it("shows both ends of a signature", () => {
    expect(shortSignature("CFdFr1wFRkSEQgqEJRFpPC+zQdnNkWe6grm2x46nHTc=")).toBe("CFdFr1wFRk…nHTc=");
    expect(shortSignature("short")).toBe("short");
  });
});
