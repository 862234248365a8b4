import { expect, it } from "vitest";
import { receiverAddress } from "./text.ts";

it("is handed on without what may be a secret in it", () => {
  expect(receiverAddress("https://user:pass@partner.example/hooks?token=s3cret#x")).toBe(
    "https://partner.example/hooks?…",
  );
  expect(receiverAddress("https://partner.example/hooks")).toBe("https://partner.example/hooks");
  expect(receiverAddress("not an address")).toBe("not an address");
});
