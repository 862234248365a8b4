import fc from "fast-check";
import { expect, it } from "vitest";
import { childContext, parseTraceId, validTraceparent } from "./traceparent.ts";

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });
const isSet = (id: string) => /[^0]/.test(id);

it("keeps the trace and its flags, and replaces the caller's span", () => {
  fc.assert(
    fc.property(
      hex(32).filter(isSet),
      hex(16).filter(isSet),
      hex(16).filter(isSet),
      hex(2),
      (trace, from, span, flags) => {
        const given = `00-${trace}-${from}-${flags}`;
        expect(validTraceparent(given)).toBe(given);
        expect(parseTraceId(given)).toBe(trace);
        expect(childContext(given, span)).toBe(`00-${trace}-${span}-${flags}`);
      },
    ),
  );
});

it.each([
  undefined,
  "",
  ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"],
  "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
  "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
  "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
  "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
])("ignores %j", (given) => {
  expect(validTraceparent(given)).toBeNull();
  expect(childContext(given as string | null, "1".repeat(16))).toBeNull();
  expect(parseTraceId(null)).toBeNull();
});
