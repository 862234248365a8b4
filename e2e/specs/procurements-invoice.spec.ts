import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { ProcurementInvoice } from "../pages/procurement-invoice.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";
import { WorldsMenu } from "../pages/worlds-menu.ts";

test("an invoice begins as what was ordered; every kind of difference is shown at its line", async ({ explorer }) => {
  const [procurements, invoice] = [new ProcurementsPage(explorer), new ProcurementInvoice(explorer)];
  await procurements.goto();
  await procurements.open("TRC-20413-1");
  await procurements.confirmAsSupplier();
  await procurements.show("Invoice");
  await expect(explorer.getByText("repairer.invoices.reconcile").first()).toBeVisible();
  await invoice.expectLines(4);
  await invoice.reconcile();
  await invoice.expectResult("The invoice matches the order");
  await invoice.expectVerdict(1, "matched");

  await invoice.fill("Unit price", 1, "700.00");
  await invoice.expectVerdict(1, "changed since the last comparison");
  await invoice.fill("Quantity", 2, "3");
  await invoice.remove(3);
  await invoice.add(4, { Description: "Freight", "Unit price": "45.00" });
  await invoice.reconcile();
  await invoice.expectResult("1 matched, 1 price difference, 1 quantity difference, 1 missing, 1 unexpected");
  await invoice.expectVerdict(1, "price difference: ordered at 644.85");
  await invoice.expectVerdict(2, "quantity difference: 1 ordered");
  await invoice.expectVerdict(3, "matched");
  await invoice.expectVerdict(4, "unexpected");
  await invoice.expectMissing("Drive belt");
  await invoice.expectTotals("1,533.90", "3,129.00");
  await expectAccessible(explorer);

  // Written work survives a reload; what was missing is put back with a click.
  await explorer.reload();
  await expect(invoice.field("Unit price", 1)).toHaveValue("700.00");
  await invoice.reconcile();
  await invoice.addMissing("Drive belt");
  await invoice.expectLines(5);
  await invoice.backToOrder();
  await invoice.expectLines(4);
  await expect(invoice.field("Unit price", 1)).toHaveValue("644.85");

  // What the service cannot read is shown at its field, and what cannot be sent is not.
  await invoice.fill("Unit price", 2, "ten");
  await invoice.reconcile();
  await invoice.expectRefused(422, "/lines/1/unit_price must be an amount in NZD");
  await expect(invoice.field("Unit price", 2)).toHaveAttribute("aria-invalid", "true");
  await invoice.fill("Quantity", 1, "1.5");
  await expect(explorer.getByRole("button", { name: /^Compare/ })).toBeDisabled();
});

test("an invoice that is being written stays in its world", async ({ explorer }) => {
  const [procurements, invoice] = [new ProcurementsPage(explorer), new ProcurementInvoice(explorer)];
  const worlds = new WorldsMenu(explorer);
  await worlds.copy("default", "beside");
  await procurements.goto();
  for (const [world, price] of [
    ["default", "644.85"],
    ["beside", "644.85"],
    ["default", "700.00"],
  ] as const) {
    await worlds.switchTo(world);
    await procurements.open("TRC-20413-1");
    await procurements.show("Invoice");
    await expect(invoice.field("Unit price", 1)).toHaveValue(price);
    if (world === "default") await invoice.fill("Unit price", 1, "700.00");
  }
});
