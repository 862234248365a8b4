import { type ElectronApplication, expect, type Page } from "@playwright/test";
import type { DesktopBridge } from "../../electron/ipc/channels.ts";
import { test } from "../fixtures/desktop.ts";
import { Native } from "../fixtures/native.ts";

const elsewhere = "https://explorer.invalid/";

test("a page can reach only the bridge, and can't navigate away; web addresses open in the default browser", async ({
  desktop,
}) => {
  const { app, page, ready } = await desktop.start();
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
  const host = await app.browserWindow(page);
  expect(await host.evaluate((one) => one.webContents.getLastWebPreferences())).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
  });

  // A reload keeps the explorer and its bridge.
  await page.reload();
  await expect(page.getByRole("navigation", { name: "Places" })).toBeVisible();
  expect(new URL(page.url()).origin).toBe(ready.base_url);
  const native = new Native(app);
  const opened = await native.watchOpening();
  const bridge = await page.evaluate(async () => {
    const { desktop } = window as unknown as { desktop: DesktopBridge };
    const refusal = await desktop.setTheme("pink" as "dark").catch((error: Error) => error.message);
    await desktop.openDataFolder();
    await desktop.setTheme("dark");
    return {
      members: Object.keys(desktop).sort(),
      frozen: Object.isFrozen(desktop),
      about: await desktop.about(),
      refusal,
    };
  });
  expect(bridge.members).toEqual([
    "about",
    "notifyOfFailures",
    "onFind",
    "onGo",
    "onOpen",
    "openDataFolder",
    "openFile",
    "platform",
    "saveFile",
    "setTheme",
  ]);
  expect(bridge.frozen).toBe(true);
  expect(bridge.about).toMatchObject({
    dataFolder: desktop.dataFolder,
    api: "2026-01",
    ...Object.fromEntries(["app", "electron", "node", "sqlite"].map((of) => [of, expect.stringMatching(/^\d+\./)])),
  });
  expect(bridge.refusal).toContain("system, light, dark");
  expect(await opened.evaluate((folders) => [...folders])).toEqual([desktop.dataFolder]);
  expect(await app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe("dark");

  await test.step("About shows versions, copies them, and opens the data folder", async () => {
    const copied = await native.watchClipboard();
    const asked = await native.answerMessages(1);
    await native.choose("about");
    await expect.poll(() => copied.evaluate((texts) => texts.length)).toBe(1);
    const [text = ""] = await copied.evaluate((texts) => [...texts]);
    for (const line of [
      /^Integrations Explorer \d/,
      /^API version 2026-01$/m,
      /^SQLite 3\./m,
      /^Electron \d/m,
      /^Node \d/m,
    ])
      expect(text).toMatch(line);
    expect(text).toContain(`Data folder: ${desktop.dataFolder}`);
    expect(await asked.evaluate((boxes) => boxes[0]?.buttons)).toEqual(["OK", "Copy", "Open data folder"]);

    await native.answerMessages(2);
    await native.choose("about");
    await native.choose("open-data-folder");
    await expect
      .poll(() => opened.evaluate((folders) => [...folders]))
      .toEqual([desktop.dataFolder, desktop.dataFolder, desktop.dataFolder]);
  });

  const address = page.url();
  const openedOutside = await native.watchOpening();
  const refused = await watchNavigation(app, page);
  const handle = await page.evaluate((url) => {
    const addLink = (href: string) => Object.assign(document.body.appendChild(document.createElement("a")), { href });
    // The content security policy blocks a form first, so no navigation starts.
    Object.assign(document.body.appendChild(document.createElement("form")), { action: `${url}form` }).submit();
    const open = window.open(url);
    window.open("file:///etc/passwd");
    window.open("/openapi.json");
    Object.assign(addLink(`${url}new`), { target: "_blank" }).click();
    return open;
  }, elsewhere);
  expect(handle).toBeNull();
  const { origin } = new URL(address);
  await expect
    .poll(() => openedOutside.evaluate((urls) => [...urls]))
    .toEqual([elsewhere, `${origin}/openapi.json`, `${elsewhere}new`]);
  expect(await native.windowCount()).toBe(1);

  await page.evaluate((url) => location.assign(url), elsewhere);
  await expect.poll(refused).toEqual([elsewhere]);
  await page.evaluate((url) => {
    Object.assign(document.body.appendChild(document.createElement("a")), { href: `${url}link` }).click();
  }, elsewhere);
  await expect.poll(refused).toEqual([elsewhere, `${elsewhere}link`]);
  expect(await page.evaluate(() => location.href)).toBe(address);

  await test.step("a window opened by the page has the same guards", async () => {
    const opened = await native.windowOpenedBy(() => page.evaluate(() => void window.open("/jobs#token=x")));
    await expect(opened.getByRole("heading", { level: 1, name: "Jobs" })).toBeVisible();
    expect(await opened.evaluate(() => ({ opener: window.opener, bridge: "desktop" in window }))).toEqual({
      opener: null,
      bridge: true,
    });
    const refusedThere = await watchNavigation(app, opened);
    await opened.evaluate((url) => location.assign(url), elsewhere);
    await expect.poll(refusedThere).toEqual([elsewhere]);
  });
});

/** Records the app's refusals from now on; resolves to a function that returns them. */
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
