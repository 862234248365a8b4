import { describe, expect, it } from "vitest";
import { bytesFromText } from "../../../lib/bytes.ts";
import { markedIn } from "./drill-result.tsx";

const body = bytesFromText(
  '{"message_id":"m-1","webhook_timestamp":"2026-01-15T12:00:00.000Z","payload":{"job_id":"ab-7","change_action":"inserted"}}',
);
const textOf = (drill: Parameters<typeof markedIn>[0]) => {
  const marked = markedIn(drill, body);
  return marked && new TextDecoder().decode(body.subarray(marked.range.start, marked.range.end));
};

describe("what is marked in the bytes of a drill", () => {
  it("is the byte that was flipped, what makes a repeat, or the stamp", () => {
    expect(textOf("flipped_byte")).toBe("7");
    expect(textOf("duplicate")).toBe('"m-1"');
    expect(textOf("reordered")).toBe('"m-1"');
    expect(textOf("stale")).toBe('"2026-01-15T12:00:00.000Z"');
    expect(textOf("malformed_timestamp")).toBe('"2026-01-15T12:00:00.000Z"');
  });

  it("is nothing where the body is as it was, or lacks what is wrong", () => {
    for (const drill of ["missing_signature", "wrong_secret", "missing_timestamp"] as const)
      expect(markedIn(drill, body)).toBeNull();
  });

  it("is nothing in bytes that cannot be read", () => {
    for (const drill of ["flipped_byte", "duplicate", "stale"] as const)
      expect(markedIn(drill, bytesFromText("no json"))).toBeNull();
  });
});
