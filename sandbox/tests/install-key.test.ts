import { expect, test } from "vitest";
import { accessCodesIssue, organizationsList } from "../contract/control/operations.ts";
import { integrationsInsert } from "../contract/operations/partner.ts";
import { startTestService } from "../testing/harness.ts";

const DAY = 86_400_000;
/** Time encoded at the start of an ID. */
const timeOf = (hexadecimal: string): number => Number.parseInt(hexadecimal.slice(0, 12), 16);

test("D20: an installed key is random from its first character, unlike time-ordered IDs", async () => {
  const service = await startTestService();
  const client = { client_id: "", client_secret: "", ...service.ready.clients?.demo };
  const { items } = await service.control(organizationsList, {});
  const organization_id = items.find((one) => one.scope === "repairer")?.id ?? "";
  for (let count = 0; count < 3; count += 1) {
    const grant = { client_id: client.client_id, organization_id, scope: "repairer" } as const;
    const { access_code } = await service.control(accessCodesIssue, grant);
    const { body } = await service.call(integrationsInsert, { access_code, ...client });
    expect(Math.abs(timeOf(body.integration_id.replaceAll("-", "")) - Date.now())).toBeLessThan(DAY);
    expect(Math.abs(timeOf(body.api_key.replace("isk_", "")) - Date.now())).toBeGreaterThan(DAY);
  }
  await service.end();
});
