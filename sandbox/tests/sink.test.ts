import { afterAll, beforeAll, expect, test } from "vitest";
import { sinkList } from "../contract/control/receiver-operations.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { signBody } from "../rules/webhook-signature.ts";
import { startTestService, type TestService } from "../testing/harness.ts";
import { fixedCredentials } from "../worlds/seed/fixed.ts";

const { integration_id, webhook_secret } = fixedCredentials.repairer;
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const body = JSON.stringify({ message_id: "sink-1", webhook_timestamp: new Date().toISOString(), integration_id });
const post = (headers: Record<string, string>) => service.raw("/__webhooks/sink", { headers, body });

test("the reference sink shows what it accepted and refused", async () => {
  const signed = { [SIGNATURE_HEADER]: signBody(Buffer.from(body), webhook_secret) };
  expect((await post(signed)).body).toEqual({ ok: true, deduped: false });
  expect((await post(signed)).body).toEqual({ ok: true, deduped: true });
  await post({ authorization: "Bearer sbx_0123456789abcdef0123456789abcdef" });
  const { items } = await service.control(sinkList, {});
  expect(items.map(({ outcome, status, reason, message_id }) => [outcome, status, reason, message_id])).toEqual([
    ["refused", 401, "missing_signature", "sink-1"],
    ["repeated", 200, null, "sink-1"],
    ["accepted", 200, null, "sink-1"],
  ]);
  expect(Buffer.from(items[2]?.body_base64 ?? "", "base64").toString("utf8")).toBe(body);
  // A credential that somebody sends along is not kept.
  expect(items[0]?.headers).toContainEqual(["authorization", "Bearer sbx_••••••••cdef"]);
});
