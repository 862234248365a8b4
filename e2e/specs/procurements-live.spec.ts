import { expect, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";

test("a partner's changes to the open order appear immediately and keep focus", async ({ explorer, service }) => {
  const program = new PartnerProgram(service.ready);
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open("TRC-20397-1");
  await procurements.openItems();
  await procurements.previewCancel("Buyer", "Tarn & Rowe Collision");
  await procurements.next.getByRole("button", { name: "Cancel order" }).focus();
  await program.confirm("TRC-20397-1");
  await expect(procurements.next.getByRole("heading", { name: /^Confirmed by Meridian/ })).toBeVisible();
  await procurements.expectChanged("status", "order_requested");
  await expect(procurements.next.getByRole("heading", { name: "Next steps" })).toBeFocused();
  // Expanded items stay expanded.
  await expect(explorer.getByRole("button", { name: "Close all items" })).toBeVisible();
  await procurements.expectNotConfirmable();
});
