import { describe, expect, it } from "vitest";
import { classifyAddress } from "./address.tsx";

const ORIGIN = "http://127.0.0.1:4026";

describe("the address of a subscription", () => {
  it("is the test receiver's under every name of this machine", () => {
    for (const host of ["127.0.0.1", "localhost", "[::1]", "0.0.0.0"])
      expect(classifyAddress(`http://${host}:4026/__webhooks/sink`, ORIGIN)).toEqual({ kind: "sink" });
  });

  it("is a built-in receiver's, in any world", () => {
    expect(classifyAddress(`${ORIGIN}/__receiver/r-1`, ORIGIN)).toEqual({ kind: "receiver", id: "r-1" });
    expect(classifyAddress(`${ORIGIN}/__receiver/r-1?world=qa`, ORIGIN)).toEqual({ kind: "receiver", id: "r-1" });
  });

  it("is a partner's otherwise", () => {
    for (const url of [
      "http://127.0.0.1:8787/__webhooks/sink",
      "https://127.0.0.1:4026/__webhooks/sink",
      "http://partner.example:4026/__webhooks/sink",
      `${ORIGIN}/hooks`,
      "no address",
    ])
      expect(classifyAddress(url, ORIGIN), url).toEqual({ kind: "partner" });
  });
});
