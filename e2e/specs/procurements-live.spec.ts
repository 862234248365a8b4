import { expect, test } from "../fixtures/explorer.ts";
import { PartnerJobs } from "../fixtures/partner-jobs.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { ProcurementInvoice } from "../pages/procurement-invoice.ts";
import { ProcurementsBoard } from "../pages/procurements-board.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";

test("what a partner's program does to the procurement in sight is seen at once", async ({ explorer, service }) => {
  const program = new PartnerProgram(service.ready);
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open("TRC-20397-1");
  await procurements.openItems();
  await program.confirm("TRC-20397-1");
  await expect(procurements.next.getByRole("heading", { name: /^Confirmed by Meridian/ })).toBeVisible();
  await procurements.expectChanged("status", "order_requested");
  // The items that were opened are open still.
  await expect(explorer.getByRole("button", { name: "Close all items" })).toBeVisible();
  await procurements.expectNotConfirmable();
});

test("a board follows what moves, without moving what is looked at", async ({ explorer, service }) => {
  const program = new PartnerProgram(service.ready);
  const [oldest = "", ...rest] = await program.order("J-20418", "Meridian Genuine Parts", 30);
  const [procurements, board] = [new ProcurementsPage(explorer), new ProcurementsBoard(explorer)];
  await procurements.goto();
  await procurements.showAs("Board");
  await board.expectCount("order_requested", 39);
  await board.scrollTo("order_requested", oldest);
  const top = await board.topOf("order_requested", oldest);

  // One that stands above moves on, and another comes in on top.
  await program.confirm(rest.at(-1) ?? "");
  await expect(board.column("order_confirmed").getByText("just arrived")).toBeVisible();
  await board.expectCount("order_requested", 38);
  await program.order("J-20418", "Meridian Genuine Parts");
  await expect(board.column("order_requested").getByRole("button", { name: "1 new" })).toBeVisible();
  expect(await board.topOf("order_requested", oldest)).toBe(top);
  await board.column("order_requested").getByRole("button", { name: "1 new" }).click();
  await expect(board.column("order_requested").getByRole("link").first()).toBeInViewport();
});

test("a list stays where it was scrolled to when what is selected goes to another state", async ({
  explorer,
  service,
}) => {
  const program = new PartnerProgram(service.ready);
  const [first = "", ...rest] = await program.order("J-20418", "Meridian Genuine Parts", 30);
  const newest = rest.at(-1) ?? "";
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open(newest);
  const top = await procurements.scrollTo(first);
  await program.confirm(newest);
  await procurements.expectState("order_confirmed");
  await procurements.expectCounts(38, 13, 4);
  expect(await procurements.topOf(first)).toBe(top);
});

test("who stood on a step that somebody else took is not lost", async ({ explorer, service }) => {
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open("TRC-20397-1");
  await procurements.previewCancel("Buyer", "Tarn & Rowe Collision");
  await procurements.next.getByRole("button", { name: "Cancel order" }).focus();
  await new PartnerProgram(service.ready).confirm("TRC-20397-1");
  await procurements.expectState("order_confirmed");
  await expect(procurements.next.getByRole("heading", { name: "Next steps" })).toBeFocused();
});

test("an invoice that is being written is left alone by what happens beside it", async ({ explorer, service }) => {
  const program = new PartnerProgram(service.ready);
  const [procurements, invoice] = [new ProcurementsPage(explorer), new ProcurementInvoice(explorer)];
  await procurements.goto();
  await procurements.open("TRC-20397-1");
  await procurements.show("Invoice");
  await invoice.fill("Unit price", 1, "9.99");
  await invoice.field("Quantity", 2).focus();
  await program.confirm("TRC-20397-1");
  await procurements.expectState("order_confirmed");
  await expect(invoice.field("Unit price", 1)).toHaveValue("9.99");
  await expect(invoice.field("Quantity", 2)).toBeFocused();
});

test("two windows see the same, and the one that comes second is told", async ({ explorer, context }) => {
  const beside = await context.newPage();
  await beside.goto(explorer.url());
  const [first, second] = [new ProcurementsPage(explorer), new ProcurementsPage(beside)];
  for (const window of [first, second]) {
    await window.goto();
    await window.open("TRC-20413-1");
  }
  await second.previewCancel("Buyer", "Tarn & Rowe Collision");
  await first.confirmAsSupplier();
  await second.expectState("order_confirmed");
  await second.expectMovedBy("Confirmed by Meridian Genuine Parts");
  await expect(second.next.getByRole("button", { name: "Cancel order" })).toHaveCount(0);
});

test("both sides are asked again when the procurement changed, and not when another job did", async ({
  explorer,
  service,
}) => {
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open("TRC-20397-1");
  await procurements.expectOnlyFor("buyer", "supplier_business");
  const asked: string[] = [];
  explorer.on("request", (request) => {
    if (request.url().includes("/api/")) asked.push(new URL(request.url()).pathname);
  });
  const program = new PartnerProgram(service.ready);
  await new PartnerJobs(service.ready).insert("unrelated:1", { job_number: "UNRELATED-1" });
  await program.order("J-20418", "Meridian Genuine Parts");
  await procurements.expectCounts(10, 12, 4);
  expect(asked).toEqual([]);
  await program.confirm("TRC-20397-1");
  await procurements.expectChanged("status", "order_requested");
});
