import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { FramePage } from "../pages/frame-page.ts";
import { RequestsPage } from "../pages/requests-page.ts";
import { WirePage } from "../pages/wire-page.ts";

test("an exchange is opened with its headers and bodies, its credential masked, and copied as cURL", async ({
  explorer,
  service,
}) => {
  const wire = new WirePage(explorer);
  await wire.open();
  await expect(wire.wire.getByText("No calls yet", { exact: true })).toBeVisible();
  await new PartnerProgram(service.ready).confirm("TRC-20397-1");
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
});

test("exchanges are filtered by words, refused ones by their code too", async ({ explorer, service }) => {
  const program = new PartnerProgram(service.ready);
  const wire = new WirePage(explorer);
  await wire.open();
  await program.order("J-20418", "Meridian Genuine Parts");
  await program.cancel("repairer", "TRC-20397-1");
  await expect(program.confirm("TRC-20397-1")).rejects.toThrow();
  await wire.filter("supplier.procurements.confirm 422");
  await expect(wire.list.getByRole("button")).toHaveCount(1);
  await wire.filter("buyer 422");
  await expect(wire.wire.getByText(/^No match in the last \d+ calls/)).toBeVisible();
  await wire.wire.getByRole("button", { name: "Clear filter" }).click();
  await expect(wire.page.locator(":focus")).toHaveCount(1);
  await wire.filter("buyer cancel");
  await expect(wire.list.getByRole("button")).toHaveCount(1);
});

test("what comes in while an exchange is looked at waits above, and is counted", async ({ explorer, service }) => {
  const program = new PartnerProgram(service.ready);
  const wire = new WirePage(explorer);
  await program.confirm("TRC-20397-1");
  await wire.open();
  await wire.choose("supplier.procurements.confirm");
  await program.order("J-20418", "Meridian Genuine Parts", 2);
  await expect(wire.wire.getByRole("button", { name: "3 new" })).toBeVisible();
  await expect(wire.request).toContainText("supplier.procurements.confirm");
  await wire.wire.getByRole("button", { name: "3 new" }).click();
  await expect(wire.list.getByRole("button").first()).toContainText("repairer.procurements.place");
  await expect(wire.request).toContainText("supplier.procurements.confirm");
});

test("the wire is made higher by mouse and by keys, and is as high after a reload", async ({ explorer }) => {
  const wire = new WirePage(explorer);
  await wire.open();
  await wire.expectHeight(280);
  await wire.handle.focus();
  await explorer.keyboard.press("ArrowUp");
  await wire.expectHeight(296);
  await explorer.keyboard.press("Home");
  await wire.expectHeight(120);
  await wire.drag(-100);
  await expect.poll(() => wire.height()).toBeGreaterThan(210);
  const height = await wire.height();
  await explorer.reload();
  await wire.expectHeight(height);
  await wire.handle.dblclick();
  await wire.expectHeight(280);
  await wire.toggle();
  await expect(wire.handle).toBeHidden();
});

test("the palette finds a job by its plate, and a recent exchange, which it explains", async ({
  explorer,
  service,
}) => {
  const frame = new FramePage(explorer);
  await new PartnerProgram(service.ready).confirm("TRC-20397-1");
  await frame.run("nkr482", /NKR482/);
  await expect(explorer).toHaveURL(/\/jobs\/[0-9a-f-]{36}/);
  await frame.run("confirm 200", /^supplier\.procurements\.confirm/);
  await expect(explorer).toHaveURL(/\/requests\/[0-9a-f-]{36}$/);
  const id = new URL(explorer.url()).pathname.split("/").at(-1) ?? "";
  const requests = new RequestsPage(explorer);
  await expect(requests.call).toHaveAccessibleName("Confirm order, 200");
  await frame.goTo("Jobs");
  await frame.run(id, /^supplier\.procurements\.confirm/);
  await expect(explorer).toHaveURL(new RegExp(`/requests/${id}$`));
});

test("an exchange names what it was about, and shows its events with how far they have come", async ({
  explorer,
  service,
}) => {
  const program = new PartnerProgram(service.ready);
  const wire = new WirePage(explorer);
  await wire.open();
  await program.subscribeSink();
  await program.confirm("TRC-20397-1");
  await wire.choose("supplier.procurements.confirm", "200");
  const events = wire.response.getByRole("list", { name: "Events and deliveries" }).locator("> li");
  await expect(events).toHaveCount(2);
  await expect(events.filter({ hasText: "repairer.procurements" })).toContainText("delivered");
  await expect(events.filter({ hasText: "supplier.procurements" })).toContainText("no subscription");
  await events.getByRole("link", { name: "Open" }).click();
  await expect(explorer).toHaveURL(/\/webhooks\/[0-9a-f-]{36}/);
  await wire.response.getByRole("link", { name: "TRC-20397-1" }).click();
  await expect(explorer.getByRole("heading", { name: "TRC-20397-1", exact: true })).toBeVisible();
});
