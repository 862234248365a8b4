import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { ProcurementsBoard } from "../pages/procurements-board.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";

test("state, site, supplier and text filter the list, all in the address", async ({ explorer }) => {
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.expectCounts(9, 12, 4);
  await procurements.narrowTo("Tarn & Rowe, Moorabbin");
  await procurements.expectCounts(3, 4, 2);
  await procurements.narrowTo("Meridian Genuine Parts");
  await procurements.showOnly("confirmed");
  await procurements.expectListed("TRM-20374-2");
  await procurements.expectNotListed("TRM-20338-1");
  await procurements.search("TRM-20352");
  await procurements.expectNotListed("TRM-20374-2");
  await procurements.expectListed("TRM-20352-2");
  // Without a choice, the first one is shown.
  await procurements.expectOpen("TRM-20352-2");
  await expectAccessible(explorer);

  await explorer.reload();
  await procurements.expectListed("TRM-20352-2");
  await procurements.expectNotListed("TRM-20374-2");
  await procurements.search("nowhere");
  await procurements.expectNothingMatches("nowhere");
  await procurements.search("");
  await procurements.widen("Meridian Genuine Parts");
  await procurements.expectListed("TRM-20338-1");
  await procurements.search("nowhere");
  await explorer.getByRole("button", { name: "Clear filter" }).click();
  await procurements.expectCounts(9, 12, 4);
});

test("a board shows the states side by side and keeps its position behind an open order", async ({
  explorer,
  service,
}) => {
  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts", 80);
  const [procurements, board] = [new ProcurementsPage(explorer), new ProcurementsBoard(explorer)];
  await procurements.goto();
  await procurements.showAs("Board");
  await board.expectCount("order_requested", 89);
  await board.expectCount("order_confirmed", 12);
  await board.expectCount("cancelled", 4);
  await expectAccessible(explorer);
  // Only visible cards are drawn, and more pages load automatically.
  expect(await board.column("order_requested").getByRole("link").count()).toBeLessThan(60);
  await board.scrollTo("order_requested", "BPW-1186-1");

  const before = await board.topOf("order_requested", "BPW-1186-1");
  await board.open("order_requested", "BPW-1186-1");
  await procurements.expectNoKeyOf("Brindle Panelworks");
  await explorer.keyboard.press("Escape");
  await expect(board.card("order_requested", "BPW-1186-1")).toBeFocused();
  expect(await board.topOf("order_requested", "BPW-1186-1")).toBe(before);

  await board.column("order_confirmed").getByRole("link").first().focus();
  await explorer.keyboard.press("j");
  await explorer.keyboard.press("Enter");
  await procurements.expectState("order_confirmed");
  await board.back();

  await procurements.showOnly("cancelled");
  await expect(board.card("cancelled", "TRC-20391-1")).toBeVisible();
  await expect(board.column("order_requested")).toHaveCount(0);
  await explorer.reload();
  await expect(board.card("cancelled", "TRC-20391-1")).toBeVisible();
});
