import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { makeReads } from "../fixtures/reads.ts";
import { FramePage } from "../pages/frame-page.ts";
import { WirePage } from "../pages/wire-page.ts";

test("an exchange has an address: a reload, a link in a second window and back open the same one", async ({
  explorer,
  service,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const program = new PartnerProgram(service.ready);
  const [frame, wire] = [new FramePage(explorer), new WirePage(explorer)];
  await program.confirm("TRC-20397-1");
  await wire.open();
  await wire.choose("supplier.procurements.confirm");
  const id = await wire.addressed();
  await makeReads(service.ready, 3);
  await explorer.reload();
  await expect(wire.request).toContainText("supplier.procurements.confirm");

  // The parameter survives navigation and other changes of the address.
  await frame.goTo("Jobs");
  expect(await wire.addressed()).toBe(id);
  await explorer.keyboard.press("y");
  await expect(explorer.getByText("Link copied").first()).toBeVisible();
  const link = await explorer.evaluate(() => navigator.clipboard.readText());
  // The link contains no key, and no world because it is the default.
  expect(link).toBe(`${service.ready.base_url}/jobs?wire=${id}`);
  const beside = await context.newPage();
  await beside.goto(link);
  await expect(new WirePage(beside).request).toContainText("supplier.procurements.confirm");
  await new FramePage(beside).expectPlace("Jobs");
  await beside.close();

  await wire.choose("businesses.list");
  await expect(wire.request).toContainText("businesses.list");
  await explorer.goBack();
  await expect(wire.request).toContainText("supplier.procurements.confirm");
  expect(await wire.addressed()).toBe(id);
  await wire.toggle();
  await wire.expectClosed();
  await wire.toggle();
  expect(await wire.addressed()).toBe(id);

  await frame.goToAddress("/?wire=01a1ff86-3653-4f6e-b85a-7ae8374fa8e1");
  await expect(wire.wire.getByText("Call not found")).toBeVisible();
  await expectAccessible(explorer);
  await wire.wire.getByRole("button", { name: "Show newest" }).click();
  await expect(wire.request).toContainText("businesses.list");
});

test("the closed wire shows the last change or refusal by any caller, not later reads", async ({
  explorer,
  service,
}) => {
  const program = new PartnerProgram(service.ready);
  const wire = new WirePage(explorer);
  await makeReads(service.ready, 1);
  await expect(wire.bar).toContainText("businesses.list");
  await program.confirm("TRC-20397-1");
  await expect(wire.bar).toContainText("now order_confirmed");
  await makeReads(service.ready, 105);
  await expect(wire.bar).toContainText("now order_confirmed");
  await expect(program.cancel("repairer", "TRC-20397-1")).rejects.toThrow();
  await expect(wire.bar).toContainText("procurements.cancel");
  await explorer.reload();
  await expect(wire.bar).toContainText("procurements.cancel");
});
