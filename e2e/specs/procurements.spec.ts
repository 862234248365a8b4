import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { InstallPage } from "../pages/install-page.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";

const requested = "TRC-20397-1";

test("an order is confirmed as its supplier, with its request, marked changes and history", async ({ explorer }) => {
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open(requested);
  await procurements.expectOnlyFor("buyer", "supplier_business");
  await procurements.expectOnlyFor("supplier", "buyer_shipping_address");
  await procurements.expectPrediction("status", "order_confirmed");
  await expect(procurements.confirmRequest).toContainText("/api/2026-01/supplier.procurements.confirm");
  await expectAccessible(explorer);

  await procurements.confirmAsSupplier();
  await procurements.expectState("order_confirmed");
  await procurements.expectChanged("status", "order_requested");
  await procurements.expectMovedBy("Confirmed by Meridian Genuine Parts");
  await procurements.expectNotConfirmable();

  await procurements.show("JSON");
  await expect(explorer.getByText('status: "order_requested"')).toBeVisible();
  await procurements.expectTrace("supplier.procurements.confirm", 2);
  await procurements.expectHistory(/order_confirmed\s*after/, /order_requested\s*no recorded call/);
});

test("either side cancels after a preview; no one is notified, and the parts are free again", async ({ explorer }) => {
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open(requested);
  const asBuyer = await procurements.previewCancel("Buyer", "Tarn & Rowe Collision");
  await expect(asBuyer).toContainText("extension");
  await expect(asBuyer).toContainText("/__extensions/2026-01/procurements.cancel");
  await expect(asBuyer).toContainText("D74");
  await procurements.sendCancel();
  await procurements.expectState("cancelled");
  await procurements.expectMovedBy("Cancelled by Tarn & Rowe Collision");
  await procurements.expectTrace("procurements.cancel", 0);

  await procurements.open("TRC-20413-1");
  await procurements.previewCancel("Supplier", "Meridian Genuine Parts");
  await procurements.sendCancel();
  await procurements.expectState("cancelled");
  await procurements.expectMovedBy("Cancelled by Meridian Genuine Parts");
  await procurements.expectChanged("status", "order_requested");
});

test("a forbidden step can be sent, is refused as predicted, and is explained", async ({ explorer, service }) => {
  const program = new PartnerProgram(service.ready);
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await explorer.setViewportSize({ width: 1024, height: 700 });
  await procurements.open(requested);
  const forbidden = { status: 403, code: "forbidden" };
  await procurements.expectAnswer(forbidden);
  const wrongScope = procurements.refusedCall(forbidden);
  await expect(wrongScope.getByRole("button", { name: "View call" })).toBeInViewport({ ratio: 1 });
  // The contract covers this, so no assumption is shown.
  await expect(wrongScope).toContainText("contract");
  await expect(wrongScope).not.toContainText("assumption");
  await procurements.expectAnswer({ status: 401, code: "unauthorized" });

  // A call as another supplier needs a second supplier's key.
  const unknown = { status: 404, code: "not_found" };
  await expect(procurements.refusedCall(unknown).getByRole("link", { name: "Install" })).toBeVisible();
  await program.install("Halfmoon Dismantlers", "supplier");
  await procurements.expectAnswer(unknown);
  await procurements.expectState("order_requested");
  await expectAccessible(explorer);

  await procurements.confirmWithKeyboard();
  await procurements.expectAnswer({ status: 200, code: "ok" });
});

test("a missing key can be installed on the way, over the consent page, and returns to the confirmation", async ({
  explorer,
}) => {
  const [procurements, install] = [new ProcurementsPage(explorer), new InstallPage(explorer)];
  await procurements.goto();
  await procurements.open("TRM-20411-1");
  await procurements.expectKeyMark("TRM-20411-1", false);
  // Without its key, a supplier's view is not invented.
  await procurements.expectNoKeyOf("Southlight Spares");
  await procurements.expectNotConfirmable();
  await procurements.next.getByRole("link", { name: "Install an integration" }).click();
  await expect(explorer).toHaveURL(/[?&]back=%2Fprocurements%2F[0-9a-f-]{36}&back_label=TRM-20411-1/);
  await install.asSupplier();
  await install.answerOnConsentPage("Approve", "Southlight Spares");
  await install.install();
  await install.expectInstalled();
  await expect(install.flow.getByRole("button", { name: "Back to TRM-20411-1" })).toBeFocused();
  await explorer.keyboard.press("Enter");
  await procurements.expectOpen("TRM-20411-1");
  // The list and the panel agree about the key.
  await procurements.expectKeyMark("TRM-20411-1", true);
  await procurements.confirmAsSupplier();
});

test("the whole flow works by keyboard alone", async ({ explorer }) => {
  const procurements = new ProcurementsPage(explorer);
  const { keyboard } = explorer;
  await explorer.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await keyboard.press("g");
  await keyboard.press("p");
  await procurements.expectListed(requested);
  await keyboard.press("/");
  await keyboard.type("TRC-204");
  await expect(procurements.list.getByRole("link")).toHaveCount(1);
  // The send shortcut does nothing in the search field.
  await keyboard.press("ControlOrMeta+Enter");
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await procurements.expectOpen("TRC-20413-1");
  await keyboard.press("3");
  await expect(procurements.history).toBeVisible();
  await keyboard.press("1");
  await keyboard.press("c");
  await expect(procurements.next.getByRole("heading", { name: /^Confirm as/ })).toBeFocused();
  await keyboard.press("ControlOrMeta+Enter");
  await expect(procurements.next.getByRole("heading", { name: /^Confirmed by/ })).toBeFocused();

  await keyboard.press("/");
  await keyboard.press("ControlOrMeta+A");
  await keyboard.type(requested);
  // The states load separately; the list is complete when all have loaded.
  await procurements.expectCounts(1, 0, 0);
  await expect(procurements.list.getByRole("link")).toHaveText([new RegExp(requested)]);
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await procurements.expectOpen(requested);
  await keyboard.press("x");
  const asBuyer = procurements.next.getByRole("radio", { name: "As Tarn & Rowe Collision" });
  await expect(asBuyer).toBeFocused();
  await keyboard.press("x");
  await expect(procurements.next.getByRole("button", { name: "Preview" })).toBeFocused();
  await keyboard.press("Enter");
  await expect(asBuyer).toBeFocused();
  await keyboard.press("ArrowRight");
  await keyboard.press("ControlOrMeta+Enter");
  await expect(procurements.next.getByRole("heading", { name: "Cancelled by Meridian Genuine Parts" })).toBeFocused();
  await keyboard.press("v");
  await expect(explorer.getByRole("region", { name: /^order_confirmed / })).toBeVisible();
});

test("every view of an order is accessible in the dark theme and in a small window", async ({ explorer, service }) => {
  await new PartnerProgram(service.ready).confirm("TRC-20413-1");
  const procurements = new ProcurementsPage(explorer);
  await explorer.emulateMedia({ colorScheme: "dark" });
  await procurements.goto();
  await procurements.open("TRC-20413-1");
  for (const view of ["Fields", "JSON", "History"] as const) {
    await procurements.show(view);
    await expectAccessible(explorer);
  }
  await procurements.showAs("Board");
  await expect(explorer.getByRole("region", { name: /^cancelled / })).toBeVisible();
  await expectAccessible(explorer);

  // 1280×800 at 200 %.
  await explorer.setViewportSize({ width: 640, height: 400 });
  const overflow = () => explorer.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await procurements.showAs("List");
  await procurements.open("TRC-20397-1");
  await procurements.expectWholeHeads();
  await procurements.next.getByRole("button", { name: "Preview" }).click();
  const send = procurements.next.getByRole("button", { name: "Cancel order" });
  await send.scrollIntoViewIfNeeded();
  await expect(send).toBeInViewport();
  expect(await overflow()).toBeLessThanOrEqual(0);
  await expectAccessible(explorer);
});
