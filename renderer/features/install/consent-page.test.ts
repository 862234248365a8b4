import { describe, expect, it } from "vitest";
import { installParams } from "../../app/places.ts";
import { consentAddress, returnedIn } from "./consent-page.ts";

const sent = { state: "s-1", side: "supplier", client_id: "demo-client", waiting: "back=%2Fjobs%2F42" } as const;
const back = (query: string, stored: unknown = sent) => returnedIn(installParams.parse(query), stored);

describe("the way to the consent page", () => {
  it("names the client, this place and a state, and keeps the world", () => {
    const address = new URL(consentAddress(sent, "http://127.0.0.1:4026", "qa"));
    expect(address.pathname).toBe("/__oauth/authorize");
    expect(Object.fromEntries(address.searchParams)).toEqual({
      world: "qa",
      client_id: "demo-client",
      redirect_uri: "http://127.0.0.1:4026/install?world=qa",
      state: "s-1",
    });
    expect(new URL(consentAddress(sent, "http://127.0.0.1:4026", "default")).searchParams.has("world")).toBe(false);
  });
});

describe("the way back", () => {
  it("brings the code to the side that asked for it", () => {
    expect(back("code=ac_1&state=s-1")).toEqual({
      kind: "code",
      side: "supplier",
      code: "ac_1",
      client_id: "demo-client",
      waiting: "back=%2Fjobs%2F42",
    });
  });

  it("says that it was denied", () => {
    expect(back("error=access_denied&state=s-1")).toEqual({ kind: "denied", side: "supplier", waiting: sent.waiting });
  });

  it("brings nothing whose state this window did not send", () => {
    expect(back("code=ac_1&state=s-2")?.kind).toBe("foreign");
    expect(back("code=ac_1")?.kind).toBe("foreign");
    expect(back("code=ac_1&state=s-1", null)?.kind).toBe("foreign");
    expect(back("code=ac_1&state=", { state: "" })?.kind).toBe("foreign");
  });

  it("is no way back without a code and an error", () => {
    expect(back("organization=1&state=s-1")).toBeNull();
  });
});
