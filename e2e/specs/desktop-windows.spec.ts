import { expect, type Page } from "@playwright/test";
import { test } from "../fixtures/desktop.ts";
import { Native } from "../fixtures/native.ts";

const places = (page: Page) => page.getByRole("navigation", { name: "Places" });
const addressOf = (page: Page) => page.evaluate(() => location.pathname + location.search);

test("a new window opens from the menu, beside the first, and both live on their own", async ({ desktop }) => {
  const { app, page } = await desktop.start();
  const native = new Native(app);
  await places(page).getByRole("link", { name: /^Jobs/ }).click();

  const second = await native.windowOpenedBy(() => native.choose("new-window"));
  await expect(places(second)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Jobs" })).toBeVisible();
  const bounds = async (of: Page) => (await app.browserWindow(of)).evaluate((one) => one.getNormalBounds());
  const [first, other] = [await bounds(page), await bounds(second)];
  expect({ ...other, x: other.x - first.x, y: other.y - first.y }).toEqual({ ...first, x: 28, y: 28 });

  const closing = await app.browserWindow(page);
  await closing.evaluate((one) => setImmediate(() => one.close()));
  await expect.poll(() => native.windowCount()).toBe(1);
  await places(second)
    .getByRole("link", { name: /^Procurements/ })
    .click();
  await expect(second.getByRole("heading", { level: 1, name: "Procurements" })).toBeVisible();
});

test("a link opens in a new window with the key for a new tab, in the world it stands in", async ({ desktop }) => {
  const { app, page } = await desktop.start({ link: "integrations-explorer://overview?world=qa" });
  await page.getByRole("button", { name: "Create world" }).click();
  const native = new Native(app);
  const opened = await native.windowOpenedBy(() =>
    places(page)
      .getByRole("link", { name: /^Jobs/ })
      .click({ modifiers: ["ControlOrMeta"], noWaitAfter: true }),
  );
  await expect(opened.getByRole("heading", { level: 1, name: "Jobs" })).toBeVisible();
  await expect.poll(() => addressOf(opened)).toBe("/jobs?world=qa");
  // The one it was opened from stays where it was, and each has its own world from here on.
  await expect.poll(() => addressOf(page)).toBe("/?world=qa");
});

test("the right mouse button offers a new window and a link that leads here again", async ({ desktop }) => {
  const { app, page } = await desktop.start();
  const native = new Native(app);
  await native.keepContextMenu();
  const copied = await native.watchClipboard();

  await places(page)
    .getByRole("link", { name: /^Webhooks/ })
    .click({ button: "right" });
  await expect.poll(() => native.contextMenu()).toEqual(["Open in new window", "Copy link"]);
  await native.chooseFromContextMenu("copy-link");
  const opened = await native.windowOpenedBy(() => native.chooseFromContextMenu("open-in-new-window"));
  await expect(opened.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
  expect(await copied.evaluate((texts) => [...texts])).toEqual(["integrations-explorer://webhooks?world=default"]);

  await page.getByRole("main").click({ button: "right", position: { x: 4, y: 4 } });
  await expect.poll(() => native.contextMenu()).toEqual(["Open in new window", "Copy link to this place"]);
});

test("all windows come back as they were: position, size, zoom, address and world", async ({ desktop }) => {
  const first = await desktop.start();
  const native = new Native(first.app);
  await places(first.page).getByRole("link", { name: /^Jobs/ }).click();
  const second = await native.windowOpenedBy(() => native.choose("new-window"));
  await second.evaluate(() => history.pushState(null, "", "/webhooks?world=qa"));
  const bounds = { x: 300, y: 120, width: 1100, height: 760 };
  await (await first.app.browserWindow(second)).evaluate((one, bounds) => {
    one.setBounds(bounds);
    one.focus();
  }, bounds);
  await native.choose("zoom-in");
  await native.choose("zoom-in");
  await first.quit();

  const again = await desktop.start();
  await expect.poll(() => again.app.windows().length).toBe(2);
  const found = await Promise.all(
    again.app.windows().map(async (page) => {
      await page.waitForLoadState();
      await expect(places(page)).toBeVisible();
      const window = await again.app.browserWindow(page);
      const { bounds, zoom } = await window.evaluate((one) => ({
        bounds: one.getNormalBounds(),
        zoom: one.webContents.getZoomFactor(),
      }));
      return { address: (await addressOf(page)).replace("?world=default", ""), zoom, bounds };
    }),
  );
  expect(found.map(({ address, zoom }) => ({ address, zoom }))).toEqual(
    expect.arrayContaining([
      { address: "/jobs", zoom: 1 },
      { address: "/webhooks?world=qa", zoom: 1.25 },
    ]),
  );
  expect(found.find(({ zoom }) => zoom === 1.25)?.bounds).toEqual(bounds);
});

test("each window has a zoom of its own, which a reload keeps", async ({ desktop }) => {
  const { app, page } = await desktop.start();
  const native = new Native(app);
  const widthOf = (one: Page) => one.evaluate(() => innerWidth);
  const second = await native.windowOpenedBy(() => native.choose("new-window"));
  await expect(places(second)).toBeVisible();
  const width = await widthOf(page);

  for (let step = 0; step < 5; step++) await native.choose("zoom-in");
  await expect.poll(() => widthOf(second)).toBeLessThanOrEqual(Math.ceil(width / 2));
  expect(await widthOf(page)).toBe(width);

  await second.reload();
  await expect(places(second)).toBeVisible();
  await expect.poll(() => widthOf(second)).toBeLessThanOrEqual(Math.ceil(width / 2));

  await native.choose("zoom-out");
  await expect.poll(() => widthOf(second)).toBeGreaterThan(Math.ceil(width / 2));
  await native.choose("zoom-reset");
  await expect.poll(() => widthOf(second)).toBe(width);
});
