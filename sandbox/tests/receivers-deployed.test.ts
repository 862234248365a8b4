import { describe, expect, test } from "vitest";
import { receiversCreate } from "../contract/control/receiver-operations.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import { operationPath } from "../contract/operation.ts";
import { startTestService } from "../testing/harness.ts";

const { integration_id } = fixedCredentials.repairer;

describe("the built-in receivers of a deployed sandbox", () => {
  const own = {
    credentials: {
      repairer: { ...fixedCredentials.repairer, api_key: `sbx_${"a".repeat(32)}` },
      supplier: { ...fixedCredentials.supplier, api_key: `sbx_${"b".repeat(32)}` },
    },
    clients: {
      demo: { client_id: "app", client_secret: "a-secret-of-our-own", redirect_uris: ["https://app.example.com/"] },
      no_oauth: { client_id: "other", client_secret: "another-secret-of-ours", redirect_uris: [] },
    },
  };
  const createAt = async (publicUrl: string) => {
    const deployed = await startTestService(undefined, { mode: "deployed", publicUrl, credentials: own });
    try {
      const response = await fetch(`http://127.0.0.1:${deployed.port}${operationPath(receiversCreate)}`, {
        method: "POST",
        headers: { authorization: `Bearer ${deployed.ready.control_token}`, "content-type": "application/json" },
        body: JSON.stringify({ integration_id }),
      });
      return { status: response.status, body: (await response.json()) as { url?: string; message?: string } };
    } finally {
      await deployed.end();
    }
  };

  test("are reached under its public https address", async () => {
    const made = await createAt("https://sandbox.example.com");
    expect(made).toMatchObject({
      status: 200,
      body: { url: expect.stringMatching(/^https:\/\/sandbox\.example\.com\/__receiver\//) },
    });
  });

  test("can't be created, with a reason, if its own address may not be subscribed", async () => {
    expect(await createAt("https://sandbox.internal")).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/private_or_reserved_host.*public https address/) },
    });
  });
});
