import { expect, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { ProcurementsBoard } from "../pages/procurements-board.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";

test("what a partner's program does to the procurement in sight is seen at once, and loses nobody who stood on a step", async ({
  explorer,
  service,
}) => {
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
  await board.expectCount("order_requested", 38);
  await program.order("J-20418", "Meridian Genuine Parts");
  await expect(board.column("order_requested").getByRole("button", { name: "1 new" })).toBeVisible();
  expect(await board.topOf("order_requested", oldest)).toBe(top);
  await board.column("order_requested").getByRole("button", { name: "1 new" }).click();
  await expect(board.column("order_requested").getByRole("link").first()).toBeInViewport();
});
