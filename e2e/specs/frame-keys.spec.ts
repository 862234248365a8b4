import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { FramePage } from "../pages/frame-page.ts";

/** Returns the keys in the list of keys, each with its label. */
const readKeys = async (page: Page): Promise<readonly { readonly key: string; readonly label: string }[]> => {
  const frame = new FramePage(page);
  await frame.openKeys();
  const listed = await frame.keys.locator(".key-help dl > *").evaluateAll((rows) =>
    rows.flatMap((row) => {
      const label = row.querySelector("dt")?.textContent ?? "";
      return [...row.querySelectorAll(".alt")].map(({ textContent }) => ({ key: textContent ?? "", label }));
    }),
  );
  await frame.escape();
  return listed;
};

test("no key has two meanings in one place", async ({ explorer, service }) => {
  const [frame, partner] = [new FramePage(explorer), new PartnerProgram(service.ready)];
  await partner.subscribeSink();
  const [order = ""] = await partner.order("J-20418", "Meridian Genuine Parts");
  const expectSingle = async (address: string) => {
    if (address !== "/") {
      const title = await explorer.title();
      await frame.goToAddress(address);
      await expect(explorer).not.toHaveTitle(title);
    }
    const listed = await readKeys(explorer);
    expect(listed.length, address).toBeGreaterThan(5);
    const twice = listed.filter(({ key }, at) => listed.findIndex((one) => one.key === key) !== at);
    expect(twice, address).toEqual([]);
  };
  for (const address of ["/", "/install"]) await expectSingle(address);
  const details = [`/procurements/${await partner.idOf(order)}`];
  for (const place of ["/jobs", "/requests", "/webhooks", "/scenarios"]) {
    await expectSingle(place);
    const row = explorer.getByRole("main").locator(`a[href^="${place}/"]:not([href^="/webhooks/lab"])`).first();
    details.push((await row.getAttribute("href")) ?? "");
  }
  // Neighbours are of different places, so that each has another title.
  for (const address of [...details, "/worlds", "/webhooks/lab", "/worlds/default/faults", "/procurements"])
    await expectSingle(address);
  for (const address of ["/worlds/default/compare", "/console", "/activity", "/settings"]) await expectSingle(address);
});
