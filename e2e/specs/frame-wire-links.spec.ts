import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { lookAround } from "../fixtures/reads.ts";
import { FramePage } from "../pages/frame-page.ts";
import { WirePage } from "../pages/wire-page.ts";

test("an exchange has an address: a reload, a link in a second window and back open the same one", async ({
  explorer,
  service,
  context,
}) => {
  test.slow();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const program = new PartnerProgram(service.ready);
  const [frame, wire] = [new FramePage(explorer), new WirePage(explorer)];
  await program.confirm("TRC-20397-1");
  await wire.open();
  await wire.choose("supplier.procurements.confirm");
  const id = await wire.addressed();
  await lookAround(service.ready, 3);
  await explorer.reload();
  await expect(wire.request).toContainText("supplier.procurements.confirm");

  // It goes along through the places, and through what they write into the address.
  await frame.goTo("Jobs");
  expect(await wire.addressed()).toBe(id);
  await explorer.keyboard.press("y");
  await expect(explorer.getByText("Link copied").first()).toBeVisible();
  const link = await explorer.evaluate(() => navigator.clipboard.readText());
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
});

test("going back from an exchange leaves the wire open that was open", async ({ explorer, service }) => {
  await new PartnerProgram(service.ready).confirm("TRC-20397-1");
  const wire = new WirePage(explorer);
  await wire.open();
  await wire.choose("supplier.procurements.confirm");
  await wire.addressed();
  await explorer.goBack();
  await expect(explorer).not.toHaveURL(/wire=/);
  await expect(wire.handle).toBeVisible();
});

test("a link to an exchange that is not kept says so, and leads to the newest", async ({ explorer, service }) => {
  await new PartnerProgram(service.ready).confirm("TRC-20397-1");
  await explorer.goto(`${service.ready.base_url}/?wire=01a1ff86-3653-4f6e-b85a-7ae8374fa8e1`);
  const wire = new WirePage(explorer);
  await expect(wire.wire.getByText("Call not found")).toBeVisible();
  await expectAccessible(explorer);
  await wire.wire.getByRole("button", { name: "Show newest" }).click();
  await expect(wire.request).toContainText("supplier.procurements.confirm");
});

test("an exchange is found by its own id and by those of its trace, however long ago it was", async ({
  explorer,
  service,
}) => {
  test.slow();
  const program = new PartnerProgram(service.ready);
  const [frame, wire] = [new FramePage(explorer), new WirePage(explorer)];
  await program.subscribeSink();
  await program.confirm("TRC-20397-1");
  await wire.open();
  await wire.choose("supplier.procurements.confirm");
  const id = await wire.addressed();
  await wire.response.getByRole("link", { name: "Open" }).click();
  await expect(explorer).toHaveURL(/\/webhooks\/[0-9a-f-]{36}/);
  const delivery = new URL(explorer.url()).pathname.split("/").at(-1) ?? "";
  await wire.toggle();
  await wire.expectClosed();
  await lookAround(service.ready, 105);
  await frame.run(id, /^supplier\.procurements\.confirm/);
  await expect(explorer).toHaveURL(new RegExp(`/requests/${id}$`));
  await wire.open();
  await wire.filter(delivery);
  await expect(wire.list.getByRole("button")).toHaveCount(1);
  await expect(wire.row("supplier.procurements.confirm")).toBeVisible();
  await wire.filter("01a1ff86-3653-4f6e-b85a-7ae8374fa8e1");
  await expect(wire.wire.getByText("No call has this ID.")).toBeVisible();
});

test("the closed wire shows the last change or refusal by anyone, not what was read since", async ({
  explorer,
  service,
}) => {
  const program = new PartnerProgram(service.ready);
  const wire = new WirePage(explorer);
  await lookAround(service.ready, 1);
  await expect(wire.bar).toContainText("businesses.list");
  await program.confirm("TRC-20397-1");
  await expect(wire.bar).toContainText("now order_confirmed");
  await lookAround(service.ready, 105);
  await expect(wire.bar).toContainText("now order_confirmed");
  await expect(program.cancel("repairer", "TRC-20397-1")).rejects.toThrow();
  await expect(wire.bar).toContainText("procurements.cancel");
  await explorer.reload();
  await expect(wire.bar).toContainText("procurements.cancel");
});

test("an exchange that is shown and not listed is said to be, and what is listed is a click away", async ({
  explorer,
  service,
}) => {
  const program = new PartnerProgram(service.ready);
  const wire = new WirePage(explorer);
  await program.confirm("TRC-20397-1");
  await expect(program.cancel("repairer", "TRC-20397-1")).rejects.toThrow();
  await wire.open();
  await wire.filter("procurements.cancel");
  // Nothing was chosen: the first of those listed is shown.
  await expect(wire.request).toContainText("procurements.cancel");
  await wire.filter("");
  await wire.choose("supplier.procurements.confirm");
  await wire.filter("procurements.cancel");
  await expect(wire.wire.getByText("The open call isn’t in this list.")).toBeVisible();
  await expect(wire.request).toContainText("supplier.procurements.confirm");
  await wire.wire.getByRole("button", { name: "Show first" }).click();
  await expect(wire.request).toContainText("procurements.cancel");
  await expect(wire.wire.getByText("The open call isn’t in this list.")).toBeHidden();
});

test("Open leads to the call in Requests and closes the wire, whose head names no other call than the chosen one", async ({
  explorer,
  service,
}) => {
  await new PartnerProgram(service.ready).confirm("TRC-20397-1");
  await lookAround(service.ready, 1);
  const wire = new WirePage(explorer);
  await wire.open();
  await expect(wire.bar).toContainText("supplier.procurements.confirm");
  await wire.choose("businesses.list");
  const id = await wire.addressed();
  await expect(wire.bar).not.toContainText("supplier.procurements.confirm");
  await wire.request.getByRole("link", { name: "Open" }).click();
  await wire.expectClosed();
  await expect(explorer).toHaveURL(new RegExp(`/requests/${id}`));
});
