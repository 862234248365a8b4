import { describe, expect, it } from "vitest";
import { installParams } from "../../kernel/addresses/hrefs.ts";
import { consentAddress, parseReturned, parseReturnLink } from "./arrival.ts";

const back = (asked: { readonly back: string; readonly back_label?: string }) =>
  parseReturnLink({ back_label: "", ...asked });

describe("the return link after an installation", () => {
  it("has the given label and leads to a place of the explorer", () => {
    expect(back({ back: "/procurements/42?tab=trace", back_label: " TRC-20397-1 " })).toEqual({
      href: "/procurements/42?tab=trace",
      label: "TRC-20397-1",
    });
  });

  it("shortens its label to fit a button", () => {
    const label = parseReturnLink({ back: "/jobs", back_label: "x".repeat(300) })?.label;
    expect(label).toMatch(/^x{47}…$/);
  });
  it("is labelled with its place by default", () => {
    expect(back({ back: "/jobs/42/basket", back_label: "  " })?.label).toBe("Jobs");
    expect(back({ back: "/" })?.label).toBe("Overview");
  });

  it.each([
    "",
    "jobs",
    "//evil.example/jobs",
    "/\\evil.example/jobs",
    "\\\\evil.example",
    "https://evil.example/jobs",
    "javascript:alert(1)",
    "/jobsworth",
    "/__oauth/authorize",
    "/jobs/../__oauth/authorize",
    "/jobs/%2e%2e/__oauth",
    " /jobs",
    "/jobs\n",
  ])("is null for %j", (address) => expect(back({ back: address })).toBeNull());
});

const sent = { state: "s-1", side: "supplier", client_id: "demo-client", waiting: "back=%2Fjobs%2F42" } as const;
const returned = (query: string, stored: unknown = sent) => parseReturned(installParams.parse(query), stored);

describe("the address of the consent page", () => {
  it("contains client, redirect URI and state, and keeps the world", () => {
    const asked = { client_id: "demo-client", redirect_uri: "http://127.0.0.1:4026/install?world=qa", state: "s-1" };
    const address = new URL(consentAddress(asked, "http://127.0.0.1:4026", "qa"));
    expect(address.pathname).toBe("/__oauth/authorize");
    expect(Object.fromEntries(address.searchParams)).toEqual({ ...asked, world: "qa" });
    expect(new URL(consentAddress(asked, "http://127.0.0.1:4026", "default")).searchParams.has("world")).toBe(false);
  });
});

describe("the return from the consent page", () => {
  it("hands the code to the side that requested it", () => {
    expect(returned("code=ac_1&state=s-1")).toEqual({
      kind: "code",
      side: "supplier",
      code: "ac_1",
      client_id: "demo-client",
      waiting: "back=%2Fjobs%2F42",
    });
  });

  it("reports a denial", () => {
    expect(returned("error=access_denied&state=s-1")).toMatchObject({
      kind: "denied",
      side: "supplier",
      waiting: sent.waiting,
    });
  });

  it("rejects a state that this window didn't send", () => {
    expect(returned("code=ac_1&state=s-2")?.kind).toBe("foreign");
    expect(returned("code=ac_1")?.kind).toBe("foreign");
    expect(returned("code=ac_1&state=s-1", null)?.kind).toBe("foreign");
    expect(returned("code=ac_1&state=", { state: "" })?.kind).toBe("foreign");
  });

  it("is null without code and error", () => {
    expect(returned("organization=1&state=s-1")).toBeNull();
  });
});
