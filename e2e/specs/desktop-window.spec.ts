import { type ElectronApplication, expect, type Page } from "@playwright/test";
import type { DesktopBridge } from "../../electron/ipc/channels.ts";
import { test } from "../fixtures/desktop.ts";

const elsewhere = "https://explorer.invalid/";

test("a page in the window cannot reach Node or Electron", async ({ desktop }) => {
  const { app, page } = await desktop.start();
  const found = await page.evaluate(() => {
    const names = [
      "require",
      "process",
      "Buffer",
      "module",
      "global",
      "setImmediate",
      "__dirname",
      "ipcRenderer",
      "electron",
    ];
    return names.filter((name) => name in globalThis);
  });
  expect(found).toEqual([]);
  await expect(page.evaluate(() => import(String("node:fs")))).rejects.toThrow();

  const window = await app.browserWindow(page);
  expect(await window.evaluate((one) => one.webContents.getLastWebPreferences())).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
  });
});

test("the bridge is all that a page gets, and it cannot be bent", async ({ desktop }) => {
  const { page } = await desktop.start();
  const bridge = await page.evaluate(async () => {
    const { desktop } = window as unknown as { desktop: DesktopBridge };
    const refusal = await desktop.setTheme("pink" as "dark").catch((error: Error) => error.message);
    return {
      members: Object.keys(desktop).sort(),
      frozen: Object.isFrozen(desktop),
      about: await desktop.about(),
      refusal,
    };
  });
  expect(bridge.members).toEqual(["about", "openDataFolder", "platform", "setTheme"]);
  expect(bridge.frozen).toBe(true);
  expect(bridge.about).toMatchObject({ dataFolder: desktop.dataFolder, electron: expect.stringMatching(/^\d+\./) });
  expect(bridge.refusal).toContain("A theme is one of system, light, dark.");
});

test("the explorer opens its data folder and sets the theme", async ({ desktop }) => {
  const { app, page } = await desktop.start();
  await app.evaluate(({ shell }) => {
    shell.openPath = async (folder) => {
      Object.assign(globalThis, { openedFolder: folder });
      return "";
    };
  });
  await page.evaluate(async () => {
    const { desktop } = window as unknown as { desktop: DesktopBridge };
    await desktop.openDataFolder();
    await desktop.setTheme("dark");
  });
  expect(await app.evaluate(() => Reflect.get(globalThis, "openedFolder"))).toBe(desktop.dataFolder);
  expect(await app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe("dark");
});

test("a reload keeps the explorer and its bridge", async ({ desktop }) => {
  const { page, ready } = await desktop.start();
  await page.reload();
  await expect(page.getByRole("navigation", { name: "Places" })).toBeVisible();
  expect(new URL(page.url()).origin).toBe(ready.base_url);
  expect(await page.evaluate(() => "desktop" in window)).toBe(true);
});

const waysOut: Record<string, (url: string) => void> = {
  "an assigned address": (url) => location.assign(url),
  "a link": (url) => {
    const link = document.createElement("a");
    link.href = url;
    document.body.append(link);
    link.click();
  },
  "a form": (url) => {
    const form = document.createElement("form");
    form.action = url;
    document.body.append(form);
    form.submit();
  },
};
for (const [way, leave] of Object.entries(waysOut)) {
  test(`a page in the window cannot navigate away by ${way}`, async ({ desktop }) => {
    const { app, page } = await desktop.start();
    const address = page.url();
    const refused = await watchNavigation(app, page);
    await page.evaluate(leave, elsewhere);
    // A form meets the content security policy first, and then no navigation begins at all.
    if (way !== "a form") await expect.poll(refused).toEqual([elsewhere]);
    await page.waitForTimeout(300);
    expect(await page.evaluate(() => location.href)).toBe(address);
  });
}

test("a page in the window cannot open another; the person's browser gets the web address", async ({ desktop }) => {
  const { app, page } = await desktop.start();
  const openedOutside = await watchOpening(app);

  const handle = await page.evaluate((url) => {
    const open = window.open(url);
    window.open("file:///etc/passwd");
    const link = document.createElement("a");
    link.href = `${url}link`;
    link.target = "_blank";
    document.body.append(link);
    link.click();
    return open;
  }, elsewhere);

  expect(handle).toBeNull();
  await expect.poll(openedOutside).toEqual([elsewhere, `${elsewhere}link`]);
  expect(app.windows()).toHaveLength(1);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test("a link with the key for a new tab opens in the person's browser too", async ({ desktop }) => {
  const { app, page } = await desktop.start();
  const openedOutside = await watchOpening(app);
  await page.getByRole("link", { name: "Overview" }).click({ modifiers: ["ControlOrMeta"], noWaitAfter: true });
  await expect.poll(openedOutside).toEqual([new URL("/", page.url()).href]);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  await expect(page.getByRole("navigation", { name: "Places" })).toBeVisible();
});

/** Notes what the app hands to the operating system, instead of handing it over. */
async function watchOpening(app: ElectronApplication): Promise<() => Promise<string[]>> {
  const notes = await app.evaluateHandle(({ shell }) => {
    const opened: string[] = [];
    shell.openExternal = async (url) => void opened.push(url);
    return opened;
  });
  return () => notes.evaluate((opened) => [...opened]);
}

/** Notes what the app refuses from now on; resolves to a function that reads the notes. */
async function watchNavigation(app: ElectronApplication, page: Page): Promise<() => Promise<string[]>> {
  const window = await app.browserWindow(page);
  const notes = await window.evaluateHandle((one) => {
    const refused: string[] = [];
    one.webContents.on("will-navigate", (event: { url: string; defaultPrevented: boolean }) => {
      if (event.defaultPrevented) refused.push(event.url);
    });
    return refused;
  });
  return () => notes.evaluate((refused) => [...refused]);
}
