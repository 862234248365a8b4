import { describe, expect, it } from "vitest";
import { bytesFromText } from "../../../lib/bytes.ts";
import { closestMatch, compare, findMessageId, type SentAttempt } from "./as-sent.ts";
import { BODY, ENVELOPE } from "./signed.ts";

const printed = (value: unknown, space?: number) => bytesFromText(JSON.stringify(value, null, space));
const delivery = { id: "d", event_type: "repairer.procurements", label: "O-1", url: "http://127.0.0.1:1/" } as const;
const attempt = (number: number, webhook_timestamp: string): SentAttempt => ({
  ...{ delivery, number, signature: `signature ${number}` },
  body: printed({ ...ENVELOPE, webhook_timestamp }),
});

describe("a pasted body compared with the original", () => {
  it("is equal only byte for byte", () => {
    expect(compare(BODY, bytesFromText(JSON.stringify(ENVELOPE)))).toEqual({ kind: "same" });
  });

  it("shows sorted keys and other formatting with equal values", () => {
    const sorted = Object.fromEntries(Object.entries(ENVELOPE).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    const inside = { ...ENVELOPE, payload: Object.fromEntries(Object.entries(ENVELOPE.payload).toReversed()) };
    for (const other of [sorted, inside])
      expect(compare(BODY, printed(other))).toEqual({ kind: "printed", isReordered: true });
    const texts = [
      JSON.stringify(ENVELOPE, null, 2),
      `${JSON.stringify(ENVELOPE)}\n`,
      JSON.stringify(ENVELOPE).replace(".procurements", "\\u002eprocurements"),
    ];
    for (const text of texts)
      expect(compare(BODY, bytesFromText(text))).toEqual({ kind: "printed", isReordered: false });
  });

  it("shows a changed, missing or additional value at any depth", () => {
    const changed = { ...ENVELOPE, payload: { ...ENVELOPE.payload, status: "order_requested" } };
    expect(compare(BODY, printed(changed))).toMatchObject({
      kind: "values",
      differences: [{ path: "payload.status", before: "order_confirmed", after: "order_requested" }],
    });
    const { version: _version, ...less } = ENVELOPE;
    expect(compare(BODY, printed({ ...less, extra: 1 }))).toMatchObject({
      differences: expect.arrayContaining([
        expect.objectContaining({ path: "version", kind: "removed" }),
        expect.objectContaining({ path: "extra", kind: "added" }),
      ]),
    });
  });

  it("shows where invalid JSON starts to differ", () => {
    expect(compare(BODY, BODY.subarray(0, 40))).toEqual({ kind: "bytes", at: 40 });
    expect(compare(BODY, bytesFromText(`{"x${JSON.stringify(ENVELOPE).slice(3)}`))).toMatchObject({ kind: "values" });
    expect(compare(BODY, bytesFromText(JSON.stringify(ENVELOPE).replace(":", "=")))).toEqual({ kind: "bytes", at: 13 });
  });
});

it("finds the message ID even in invalid JSON", () => {
  expect(findMessageId(BODY)).toBe(ENVELOPE.message_id);
  expect(findMessageId(BODY.subarray(0, 60))).toBe(ENVELOPE.message_id);
  for (const body of ["", "[]", '{"message_id":7}', '{"message_id":"none"}'])
    expect(findMessageId(bytesFromText(body)), body).toBeNull();
});

it("is compared with the attempt of equal bytes, timestamp or signature, in this order", () => {
  const attempts = [attempt(1, "2026-03-11T22:05:07.204Z"), attempt(2, "2026-03-11T22:05:12.301Z")];
  const numberOf = (body: Uint8Array, signature: string | null) => closestMatch(attempts, body, signature)?.number;
  expect(numberOf(attempts[1]?.body ?? BODY, "signature 1")).toBe(2);
  expect(numberOf(printed({ ...ENVELOPE, webhook_timestamp: "2026-03-11T22:05:12.301Z" }, 2), null)).toBe(2);
  expect(numberOf(printed({ ...ENVELOPE, webhook_timestamp: "another" }), "signature 2")).toBe(2);
  expect(numberOf(printed({ ...ENVELOPE, webhook_timestamp: "another" }), null)).toBe(1);
  expect(closestMatch([], BODY, null)).toBeUndefined();
});
