import { describe, expect, it } from "vitest";
import { freshCredentials } from "./fresh-credentials.ts";

describe("a fresh credentials file", () => {
  it("has the shape the service takes, and values nobody else has", () => {
    const [one, other] = [freshCredentials(), freshCredentials()];
    for (const { credentials } of [one, other])
      for (const { api_key, integration_id, webhook_secret } of Object.values(credentials)) {
        expect(api_key).toMatch(/^sbx_[a-z0-9]{24,128}$/);
        expect(webhook_secret).toMatch(/^pwh_[a-z0-9]{24,128}$/);
        expect(integration_id).toMatch(/^[0-9a-f-]{36}$/);
      }
    const values = [one, other].flatMap(({ credentials, clients }) =>
      [...Object.values(credentials), ...Object.values(clients)].flatMap((value) =>
        Object.values(value).filter((text) => typeof text === "string"),
      ),
    );
    expect(new Set(values).size).toBe(values.length);
    expect(values).toHaveLength(20);
  });
});
