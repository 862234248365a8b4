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
  // Loads some twenty pages in turn.
  test.setTimeout(180_000);
  const partner = new PartnerProgram(service.ready);
  await partner.subscribeSink();
  const [order = ""] = await partner.order("J-20418", "Meridian Genuine Parts");
  const id = await partner.idOf(order);
  const { origin } = new URL(explorer.url());
  const first = async (place: string) => {
    await explorer.goto(`${origin}${place}`);
    const row = explorer.locator(`a[href^="${place}/"]`).first();
    return `${new URL((await row.getAttribute("href")) ?? "", origin).pathname}`;
  };
  const addresses = [
    ...["/", "/install", `/procurements/${id}`, "/procurements", "/jobs", "/requests", "/webhooks", "/console"],
    ...[
      "/scenarios",
      "/worlds",
      "/activity",
      "/worlds/default/faults",
      "/worlds/default/compare",
      "/settings",
      "/webhooks/lab",
    ],
    ...[await first("/jobs"), await first("/requests"), await first("/scenarios"), await first("/webhooks")],
  ];
  for (const address of addresses) {
    await explorer.goto(`${origin}${address}`);
    await explorer.getByRole("heading", { level: 1 }).first().waitFor();
    const listed = await readKeys(explorer);
    expect(listed.length, address).toBeGreaterThan(5);
    const twice = listed.filter(({ key }, at) => listed.findIndex((one) => one.key === key) !== at);
    expect(twice, address).toEqual([]);
  }
});
