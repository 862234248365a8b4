import { expect, type Page } from "@playwright/test";
import { test } from "../fixtures/desktop.ts";
import { Native } from "../fixtures/native.ts";

const places = (page: Page) => page.getByRole("navigation", { name: "Places" });
const addressOf = (page: Page) => page.evaluate(() => location.pathname + location.search);

test("windows keep their own zoom, and are restored at the next start", async ({ desktop }) => {
  const first = await desktop.start();
  const { app, page } = first;
  const native = new Native(app);
  await places(page).getByRole("link", { name: /^Jobs/ }).click();

  const second = await native.windowOpenedBy(() => native.choose("new-window"));
  await expect(places(second)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Jobs" })).toBeVisible();
  const boundsOf = async (of: Page) => (await app.browserWindow(of)).evaluate((one) => one.getNormalBounds());
  const [one, other] = [await boundsOf(page), await boundsOf(second)];
  expect({ ...other, x: other.x - one.x, y: other.y - one.y }).toEqual({ ...one, x: 28, y: 28 });

  const widthOf = (of: Page) => of.evaluate(() => innerWidth);
  const width = await widthOf(page);
  await native.choose("zoom-in");
  await native.choose("zoom-in");
  await expect.poll(() => widthOf(second)).toBeLessThanOrEqual(Math.ceil(width / 1.25));
  await second.reload();
  await expect(places(second)).toBeVisible();
  await expect.poll(() => widthOf(second)).toBeLessThanOrEqual(Math.ceil(width / 1.25));
  expect(await widthOf(page)).toBe(width);

  await second.evaluate(() => history.pushState(null, "", "/webhooks?world=qa"));
  const bounds = { x: 300, y: 120, width: 1100, height: 760 };
  await (await app.browserWindow(second)).evaluate((window, wanted) => window.setBounds(wanted), bounds);
  await first.quit();

  const again = await desktop.start();
  await expect.poll(() => again.app.windows().length).toBe(2);
  const found = await Promise.all(
    again.app.windows().map(async (window) => {
      await window.waitForLoadState();
      await expect(places(window)).toBeVisible();
      const { bounds, zoom } = await (await again.app.browserWindow(window)).evaluate((one) => ({
        bounds: one.getNormalBounds(),
        zoom: one.webContents.getZoomFactor(),
      }));
      return { address: (await addressOf(window)).replace("?world=default", ""), zoom, bounds };
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

test("key and context menu open a link in a new window, in its world", async ({ desktop }) => {
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
  // The first window stays unchanged, and each now has its own world.
  await expect.poll(() => addressOf(page)).toBe("/?world=qa");

  await native.keepContextMenu();
  const copied = await native.watchClipboard();
  await places(page)
    .getByRole("link", { name: /^Webhooks/ })
    .click({ button: "right" });
  await expect.poll(() => native.contextMenu()).toEqual(["Open in new window", "Copy link"]);
  await native.chooseFromContextMenu("copy-link");
  const beside = await native.windowOpenedBy(() => native.chooseFromContextMenu("open-in-new-window"));
  await expect(beside.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
  expect(await copied.evaluate((texts) => [...texts])).toEqual(["integrations-explorer://webhooks?world=qa"]);

  await page.getByRole("main").click({ button: "right", position: { x: 4, y: 4 } });
  await expect.poll(() => native.contextMenu()).toEqual(["Open in new window", "Copy link to this place"]);
});

test("menu and mouse go back and forward in each window's own history", async ({ desktop }) => {
  const { app, page } = await desktop.start();
  const native = new Native(app);
  const heading = (of: Page, name: string) => of.getByRole("heading", { level: 1, name });
  await places(page).getByRole("link", { name: /^Jobs/ }).click();
  await expect(heading(page, "Jobs")).toBeVisible();
  await places(page)
    .getByRole("link", { name: /^Webhooks/ })
    .click();
  await expect(heading(page, "Webhooks")).toBeVisible();

  const other = await native.windowOpenedBy(() => native.choose("new-window"));
  await places(other)
    .getByRole("link", { name: /^Requests/ })
    .click();
  await expect(heading(other, "Requests")).toBeVisible();
  await native.choose("back");
  await expect(heading(other, "Requests")).toBeHidden();
  await expect(heading(page, "Webhooks")).toBeVisible();
  await native.choose("forward");
  await expect(heading(other, "Requests")).toBeVisible();

  const window = await app.browserWindow(page);
  await window.evaluate((one) => void one.emit("app-command", {}, "browser-backward"));
  await expect(heading(page, "Jobs")).toBeVisible();
  await window.evaluate((one) => void one.emit("app-command", {}, "browser-forward"));
  await expect(heading(page, "Webhooks")).toBeVisible();
  await expect(heading(other, "Requests")).toBeVisible();
});

test("Edit → Find… searches only the last used window", async ({ desktop }) => {
  const { app, page } = await desktop.start();
  const native = new Native(app);
  const other = await native.windowOpenedBy(() => native.choose("new-window"));
  const bar = (of: Page) => of.getByRole("search", { name: "Find on this page" });
  await places(other).getByRole("link", { name: /^Jobs/ }).click();
  await native.choose("find");
  await bar(other).getByRole("textbox").fill("J-20418");
  await expect(bar(other).getByRole("status")).toHaveText("1 of 1");
  await expect(bar(page)).toHaveCount(0);
  // A second request starts again.
  await native.choose("find");
  await expect(bar(other).getByRole("textbox")).toHaveValue("");
  await expect(bar(other).getByRole("textbox")).toBeFocused();
});
