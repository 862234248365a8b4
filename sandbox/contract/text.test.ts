import { expect, it } from "vitest";
import { receiverAddress } from "./text.ts";

it("removes everything that may be a secret from a receiver's address", () => {
  expect(receiverAddress("https://user:pass@partner.example/hooks?token=s3cret#x")).toBe(
    "https://partner.example/hooks?…",
  );
  expect(receiverAddress("https://partner.example/hooks")).toBe("https://partner.example/hooks");
  expect(receiverAddress("not an address")).toBe("not an address");
});
