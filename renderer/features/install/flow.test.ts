import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { CODE_LIFETIME_MS, envText, flowQuery, issuedAt, takeCode } from "./flow.ts";

const values = { api_key: "isk_1", integration_id: "id", webhook_secret: "pwh_1" };

describe("an installed integration as .env lines", () => {
  it("uses the contract's placeholder names", () => {
    expect(envText(values, "http://127.0.0.1:4026", "default")).toBe(
      "BASE_URL=http://127.0.0.1:4026\nAPI_KEY=isk_1\nINTEGRATION_ID=id\nWEBHOOK_SECRET=pwh_1\n",
    );
  });

  it("adds a world other than default, and omits an unknown secret", () => {
    expect(envText({ ...values, webhook_secret: null }, "http://x", "qa")).toBe(
      "BASE_URL=http://x\nAPI_KEY=isk_1\nINTEGRATION_ID=id\nSANDBOX_TENANT=qa\n",
    );
  });
});

describe("an access code", () => {
  it("was issued fifteen minutes before it expires", () => {
    expect(issuedAt({ expires_at: "2026-03-11T11:17:21.000Z" })).toBe("2026-03-11T11:02:21.000Z");
    expect(CODE_LIFETIME_MS).toBe(900_000);
  });

  it("from the consent page is kept even if the world's clock can't be read", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("the service is away")));
    const client = new QueryClient();
    await takeCode(client, "qa", "supplier", { access_code: "ac_1", client_id: "demo-client" });
    vi.unstubAllGlobals();
    const flow = client.getQueryData(flowQuery("qa", "supplier").queryKey);
    expect(flow?.code).toMatchObject({ access_code: "ac_1", client_id: "demo-client", from: "page" });
  });
});
