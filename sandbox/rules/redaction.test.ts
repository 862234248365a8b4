import { expect, it } from "vitest";
import { redactor } from "./redaction.ts";

it("masks given secrets wherever they stand, and whatever looks like one of the service", () => {
  const redact = redactor(["hunter-22 (own)", "hunter-22", "x"]);
  expect(redact('{"a":"hunter-22 (own)","b":"hunter-22.","c":"x"}')).toBe(
    '{"a":"••••••••wn)","b":"••••••••.","c":"x"}'.replace("••••••••wn)", "••••••••own)"),
  );
  expect(redact("Bearer sbx_7d41f0b9c2e84a5396d8b7135fae0c21 and sbx_short")).toBe(
    "Bearer sbx_••••••••0c21 and sbx_short",
  );
  expect(redactor([])("nothing to see")).toBe("nothing to see");
});
