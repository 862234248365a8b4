import { expect, test } from "../fixtures/explorer.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";

test("an order prints whole and in light colours, and its page for sharing prints alone", async ({ explorer }) => {
  await explorer.addInitScript(() => {
    window.print = () => {
      const { document: page } = window;
      const printed = { title: page.title, text: page.body.innerText, width: getComputedStyle(page.body).maxWidth };
      Object.assign(window.top ?? window, { printed });
    };
  });
  await explorer.emulateMedia({ colorScheme: "dark" });
  const procurements = new ProcurementsPage(explorer);
  await procurements.goto();
  await procurements.open("TRC-20397-1");
  const order = explorer.getByRole("article", { name: /TRC-20397-1/ });
  await expect(order).toBeVisible();
  await explorer.emulateMedia({ colorScheme: "dark", media: "print" });
  await expect(explorer.getByRole("navigation", { name: "Places" })).toBeHidden();
  await expect(explorer.getByRole("banner")).toBeHidden();
  await expect(explorer.getByRole("link").filter({ hasText: "TRC-20413-1" })).toBeHidden();
  await expect(order).toBeVisible();
  const page = await explorer.evaluate(() => ({
    clipped: [...document.querySelectorAll("body, .app, main, main :is(div, section, article)")].filter(
      (one) => getComputedStyle(one).overflowY !== "visible" && one.scrollHeight > one.clientHeight + 1,
    ).length,
    colorScheme: getComputedStyle(document.documentElement).colorScheme,
  }));
  expect(page).toEqual({ clipped: 0, colorScheme: "light" });
  await explorer.emulateMedia({ colorScheme: "light", media: null });

  await explorer.getByRole("button", { name: "Share" }).click();
  await explorer.emulateMedia({ media: "print" });
  await explorer.getByRole("menuitem", { name: /^Print or PDF/ }).click();
  const printed = () => explorer.evaluate(() => Reflect.get(window, "printed"));
  await expect.poll(printed).toMatchObject({ title: "Order TRC-20397-1", width: "none" });
  expect((await printed()).text).toContain("order_requested");
  await explorer.emulateMedia({ media: null });
  await explorer.evaluate(() => {
    document.querySelector("iframe")?.contentWindow?.dispatchEvent(new Event("afterprint"));
  });
  await expect(explorer.locator("iframe")).toHaveCount(0);
  await expect(order).toBeVisible();
});
