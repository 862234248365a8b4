import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { FramePage } from "../pages/frame-page.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";
import { WirePage } from "../pages/wire-page.ts";
import { WorldClock } from "../pages/world-clock.ts";
import { WorldsMenu } from "../pages/worlds-menu.ts";

test("the frame and all its controls fit 1280×800 at 200 %", async ({ explorer, service }) => {
  await explorer.setViewportSize({ width: 640, height: 400 });
  const frame = new FramePage(explorer);
  const [worlds, clock] = [new WorldsMenu(explorer), new WorldClock(explorer)];
  await worlds.create("a-world-with-a-rather-long-name-for-a-small-window");
  await clock.open();
  await clock.aheadBy("1 day");
  await frame.expectNoScroll();
  for (const button of [worlds.bar.getByRole("button", { name: /^World / }), clock.link])
    await expect(button).toBeInViewport({ ratio: 1 });
  await expect(frame.bar.getByRole("button", { name: "Shortcuts and terms" })).toBeInViewport({ ratio: 1 });
  await expect(frame.bar.getByRole("button", { name: /Search or jump to/ })).toBeInViewport({ ratio: 1 });
  await worlds.open();
  await expectAccessible(explorer);
  await worlds.close();
  await new PartnerProgram(service.ready).confirm("TRC-20397-1");
  const wire = new WirePage(explorer);
  await worlds.switchTo("default");
  await wire.open();
  await wire.choose("supplier.procurements.confirm");
  await expect(wire.response).toBeInViewport();
  await frame.expectNoScroll();
  await expectAccessible(explorer);
});

test("in a narrow window a detail covers its list, which is unchanged after going back", async ({ explorer }) => {
  await explorer.setViewportSize({ width: 640, height: 400 });
  const procurements = new ProcurementsPage(explorer);
  const row = procurements.list.getByRole("link").filter({ hasText: "TRC-20397-1" });
  await procurements.goto();
  await procurements.search("TRC-203");
  await row.click();
  await procurements.expectOpen("TRC-20397-1");
  await expect(row).toBeHidden();
  const back = explorer.getByRole("main").getByRole("link", { name: "Orders", exact: true });
  await expect(back).toBeFocused();
  await back.press("Enter");
  await expect(procurements.detail).toBeHidden();
  await expect(row).toBeFocused();
  await expect(explorer.getByRole("searchbox", { name: "Search orders" })).toHaveValue("TRC-203");
  await explorer.goBack();
  await procurements.expectOpen("TRC-20397-1");
  await explorer.setViewportSize({ width: 1280, height: 800 });
  await expect(row).toBeVisible();
  await procurements.expectOpen("TRC-20397-1");
});
