import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { WirePage } from "../pages/wire-page.ts";

test("an exchange shows bodies and events, masks its credential, copies as cURL, and links on", async ({
  explorer,
  service,
}) => {
  const wire = new WirePage(explorer);
  await wire.open();
  await expect(wire.wire.getByText("No calls yet", { exact: true })).toBeVisible();
  const program = new PartnerProgram(service.ready);
  await program.subscribeSink();
  await program.confirm("TRC-20397-1");
  await wire.choose("supplier.procurements.confirm", "200");
  await expect(wire.request).toContainText("POST /api/2026-01/supplier.procurements.confirm");
  await expect(wire.request).toContainText("Meridian");
  await expect(wire.request.getByRole("region", { name: "Request headers" })).toContainText("Bearer");
  const key = service.ready.credentials?.supplier.api_key ?? "";
  await expect(wire.request).not.toContainText(key);
  await expect(wire.response).toContainText("order_confirmed");
  await expectAccessible(explorer);

  const command = await wire.copyAsCurl();
  expect(command).toContain(`curl -X 'POST' '${service.ready.base_url}/api/2026-01/supplier.procurements.confirm'`);
  expect(command).toContain(`-H 'authorization: Bearer '"$API_KEY"`);
  expect(command).not.toContain("content-length");

  const events = wire.response.getByRole("list", { name: "Events and deliveries" }).locator("> li");
  await expect(events).toHaveCount(2);
  await expect(events.filter({ hasText: "repairer.procurements" })).toContainText("delivered");
  await expect(events.filter({ hasText: "supplier.procurements" })).toContainText("no subscription");
  await events.getByRole("link", { name: "Open" }).click();
  await expect(explorer).toHaveURL(/\/webhooks\/[0-9a-f-]{36}/);
  await wire.response.getByRole("link", { name: "TRC-20397-1" }).click();
  await expect(explorer.getByRole("heading", { name: "TRC-20397-1", exact: true })).toBeVisible();
  const id = await wire.addressed();
  await wire.request.getByRole("link", { name: "Open" }).click();
  await wire.expectClosed();
  await expect(explorer).toHaveURL(new RegExp(`/requests/${id}`));
});
