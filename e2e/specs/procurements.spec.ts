import type { Locator, Page } from "@playwright/test";
import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { FramePage } from "../pages/frame-page.ts";
import { InstallPage } from "../pages/install-page.ts";
import { ProcurementInvoice } from "../pages/procurement-invoice.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";

const requested = "TRC-20397-1";

/** Goes to a control by Tab alone. */
const tabTo = async (page: Page, control: Locator): Promise<void> => {
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(control).toBeFocused({ timeout: 20 });
  }).toPass({ intervals: [1] });
};

test("an order is confirmed as its supplier: the request in sight, the changes marked, the history shown", async ({
  explorer,
}) => {
  test.slow();
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
  await expectAccessible(explorer);
});

test("a step that is refused says where it was sent whose side the cause is on, and what to do", async ({
  explorer,
  service,
}) => {
  const program = new ControlProgram(service.ready);
  await program.arm("supplier.procurements.confirm", { error: { code: "unavailable", status: 503 } }, 1);
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open(requested);
  await explorer.getByRole("button", { name: "Confirm order" }).click();
  await expect(explorer.getByRole("alert").filter({ hasText: "503" })).toBeVisible();
  await expect(explorer.getByRole("note", { name: "Why it failed" })).toContainText("fault");
  await expectAccessible(explorer);
});

test("either side cancels, after it saw the request; nobody is told, and the parts are free again", async ({
  explorer,
}) => {
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open(requested);
  const asBuyer = await procurements.previewCancel("Buyer", "Tarn & Rowe Collision");
  await expect(asBuyer).toContainText("extension");
  await expect(asBuyer).toContainText("/__extensions/2026-01/procurements.cancel");
  await expect(asBuyer).toContainText("none, because events have no cancelled status");
  await expectAccessible(explorer);
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

test("what a confirm changed comes into sight in the fields, from wherever they were scrolled to", async ({
  explorer,
}) => {
  await explorer.setViewportSize({ width: 1280, height: 500 });
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open(requested);
  await explorer.getByRole("button", { name: "Open all items" }).click();
  await procurements.line("status").evaluate((line) => {
    const box = line.closest(".scroll");
    box?.scrollTo(0, box.scrollHeight);
  });
  await expect(procurements.line("status")).not.toBeInViewport();
  await procurements.confirmWithKeyboard();
  await procurements.expectChanged("status", "order_requested");
  await expect(procurements.line("status")).toBeInViewport();
});

test("only the step that was opened last takes the key that sends, and only its changes are foretold", async ({
  explorer,
}) => {
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open(requested);
  await procurements.expectPrediction("status", "order_confirmed");
  const confirm = procurements.next.getByRole("button", { name: /^Confirm order/ });
  const cancel = procurements.next.getByRole("button", { name: /^Cancel order/ });
  await expect(confirm).toContainText("Enter");
  await procurements.previewCancel("Buyer", "Tarn & Rowe Collision");
  await expect(cancel).toContainText("Enter");
  await expect(confirm).not.toContainText("Enter");
  await expect(procurements.detail.getByText(/^confirm will set/)).toHaveCount(0);
  await explorer.keyboard.press("c");
  await expect(cancel).toHaveCount(0);
  await expect(confirm).toContainText("Enter");
  await procurements.expectPrediction("status", "order_confirmed");
});

test("what may not happen can be sent, is refused as foretold, and is explained", async ({ explorer, service }) => {
  const program = new PartnerProgram(service.ready);
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await explorer.setViewportSize({ width: 1024, height: 700 });
  await procurements.open(requested);
  await procurements.expectAnswer("Confirm with the buyer’s key", { status: 403, code: "forbidden" });
  const wrongScope = procurements.refusedCall("Confirm with the buyer’s key");
  await expect(wrongScope).toContainText("This is a buyer key; this operation needs a supplier key.");
  await expect(wrongScope.getByRole("button", { name: "View call" })).toBeInViewport({ ratio: 1 });
  // The contract says it; nothing is assumed.
  await expect(wrongScope).toContainText("contract");
  await expect(wrongScope).not.toContainText("assumption");
  await procurements.expectAnswer("Confirm without a key", { status: 401, code: "unauthorized" });

  // A second supplier's key makes it possible to be a stranger.
  await expect(procurements.refusedCall("Confirm as another supplier")).toContainText(
    "Needs a key for another supplier",
  );
  await program.install("Halfmoon Dismantlers", "supplier");
  await procurements.expectAnswer("Confirm as Halfmoon Dismantlers", { status: 404, code: "not_found" });
  await procurements.expectAnswer("Cancel as Halfmoon Dismantlers", { status: 404, code: "not_found" });
  await procurements.expectState("order_requested");
  await expectAccessible(explorer);

  await procurements.confirmWithKeyboard();
  await procurements.expectAnswer("Confirm again as Meridian", { status: 200, code: "ok" });
  await procurements.expectAnswer("Cancel anyway", { status: 422, code: "unprocessable" });

  await procurements.open("TRC-20391-1");
  await procurements.expectState("cancelled");
  await expect(procurements.refusedCall("Confirm the cancelled order")).toContainText(
    "Needs a key for Corran Aftermarket",
  );
  await procurements.expectAnswer("Cancel again", { status: 422, code: "unprocessable" });
});

test("a supplier without a key here: its view is not made up, and installing one opens it", async ({
  explorer,
  service,
}) => {
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open("TRM-20411-1");
  await procurements.expectNoKeyOf("Southlight Spares");
  await procurements.expectNotConfirmable();
  await new PartnerProgram(service.ready).install("Southlight Spares", "supplier");
  await procurements.expectOnlyFor("supplier", "buyer_shipping_address");
  await procurements.confirmAsSupplier();
  await procurements.expectMovedBy("Confirmed by Southlight Spares");
});

test("a key that is missing is installed on the way, and the way back leads to the confirm", async ({ explorer }) => {
  const [procurements, install] = [new ProcurementsPage(explorer), new InstallPage(explorer)];
  await procurements.goto();
  await procurements.open("TRM-20411-1");
  await procurements.expectKeyMark("TRM-20411-1", false);
  await procurements.next.getByRole("link", { name: "Install an integration" }).click();
  await expect(explorer).toHaveURL(/[?&]back=%2Fprocurements%2F[0-9a-f-]{36}&back_label=TRM-20411-1/);
  await install.asSupplier();
  await install.approve();
  await install.install();
  await install.expectInstalled();
  await explorer.getByRole("button", { name: /^Back to TRM-20411-1/ }).click();
  await procurements.expectOpen("TRM-20411-1");
  // The list knows of the key as well as the panel does.
  await procurements.expectKeyMark("TRM-20411-1", true);
  await procurements.confirmAsSupplier();
});

test("the keys of both sides are read while the procurement at an address is on its way", async ({ explorer }) => {
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open(requested);
  const keysAsked = explorer.waitForRequest("**/__sandbox/credentials.list");
  await explorer.route("**/__sandbox/procurements.list", async (route) => {
    await keysAsked;
    await route.fallback();
  });
  await explorer.reload();
  await procurements.expectOpen(requested);
  await procurements.expectOnlyFor("buyer", "supplier_business");
});

test("the page of an order reads each state of the list once", async ({ explorer }) => {
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open(requested);
  const read: string[] = [];
  explorer.on("request", (request) => {
    const { status } = request.url().endsWith("/procurements.list") ? request.postDataJSON() : {};
    if (status) read.push(status);
  });
  await explorer.reload();
  await procurements.expectOnlyFor("supplier", "buyer_shipping_address");
  await procurements.expectCounts(9, 12, 4);
  // Asked for after all else: what would be read again is on its way by then.
  await procurements.show("History");
  await expect(procurements.history).toBeVisible();
  expect(read.toSorted()).toEqual(["cancelled", "order_confirmed", "order_requested"]);
});

test("a confirm says how long the service took, as every other place does", async ({ explorer }) => {
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open(requested);
  await procurements.confirmAsSupplier();
  const answer = procurements.next.getByRole("region", { name: "Confirmation" });
  await expect(answer.getByText("round trip")).toHaveCount(0);
  const took = await answer.getByText(/^[\d,.]+ m?s$/).innerText();
  await procurements.show("History");
  await expect(procurements.history.getByText(took, { exact: true })).toBeVisible();
});

test("the whole of it is done with the keyboard alone", async ({ explorer }) => {
  const procurements = new ProcurementsPage(explorer);
  const { keyboard } = explorer;
  await explorer.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await keyboard.press("g");
  await keyboard.press("p");
  await procurements.expectListed(requested);
  await keyboard.press("/");
  await keyboard.type("TRC-204");
  await expect(procurements.list.getByRole("link")).toHaveCount(1);
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

  await keyboard.press("4");
  const invoice = new ProcurementInvoice(explorer);
  await invoice.expectLines(4);
  await tabTo(explorer, invoice.field("Quantity", 1));
  await keyboard.press("ControlOrMeta+A");
  await keyboard.type("3");
  await keyboard.press("ControlOrMeta+Enter");
  await invoice.expectResult("1 quantity difference");
  await expect(invoice.field("Quantity", 1)).toBeFocused();
  await tabTo(explorer, explorer.getByRole("button", { name: "Remove line 1", exact: true }));
  await keyboard.press("Enter");
  await expect(explorer.getByRole("button", { name: "Remove line 1", exact: true })).toBeFocused();

  await keyboard.press("/");
  await keyboard.press("ControlOrMeta+A");
  await keyboard.type(requested);
  // Each state is searched by itself: the list is whole when all of them are.
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

test("the keys that send do nothing in a search field or on the bare page: they are for the form that has the focus", async ({
  explorer,
}) => {
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open(requested);
  const confirms: string[] = [];
  explorer.on("request", (request) => {
    if (request.url().endsWith("procurements.confirm")) confirms.push(request.method());
  });
  await expect(procurements.next.getByRole("button", { name: /^Confirm order/ })).toBeEnabled();
  await procurements.search("TRC");
  await explorer.keyboard.press("ControlOrMeta+Enter");
  await procurements.search("");
  await procurements.expectListed(requested);
  const frame = new FramePage(explorer);
  await frame.search("confirm");
  await expect(frame.palette.getByRole("option", { name: /^Go to Confirm/ })).toBeVisible();
  await expect(frame.palette.getByRole("option", { name: /^Confirm as/ })).toHaveCount(0);
  await explorer.keyboard.press("ControlOrMeta+Enter");
  await expect(frame.palette).toBeVisible();
  await frame.escape();
  await procurements.detail.getByRole("heading", { level: 2 }).focus();
  await explorer.keyboard.press("ControlOrMeta+Enter");
  // Asked for after it: a confirm would be on record by then.
  await procurements.show("History");
  await expect(procurements.history).toBeVisible();
  expect(confirms).toEqual([]);
  await procurements.confirmWithKeyboard();
  expect(confirms).toEqual(["POST"]);
});

test("every view of a procurement is accessible in the dark, and on a small window", async ({ explorer, service }) => {
  test.slow();
  const program = new PartnerProgram(service.ready);
  await program.confirm("TRC-20413-1");
  await program.cancel("repairer", "TRX-20408-1");
  const procurements = new ProcurementsPage(explorer);
  await explorer.emulateMedia({ colorScheme: "dark" });
  await procurements.goto();
  for (const reference of ["TRC-20413-1", "TRX-20408-1"]) {
    await procurements.open(reference);
    for (const view of ["Fields", "JSON", "History", "Invoice"] as const) {
      await procurements.show(view);
      await expectAccessible(explorer);
    }
  }
  await procurements.showAs("Board");
  await expect(explorer.getByRole("region", { name: /^cancelled / })).toBeVisible();
  await expectAccessible(explorer);

  // 1280×800 at 200 % is 640×400 to the page.
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 1024, height: 700 },
    { width: 640, height: 400 },
  ]) {
    await explorer.setViewportSize(viewport);
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
    await procurements.toList();
    await procurements.showAs("Board");
  }
});
