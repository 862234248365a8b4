import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import Database from "better-sqlite3";
import type { ReadyLine } from "../../sandbox/service.ts";
import { APPLICATION_ID } from "../../sandbox/storage/migrate.ts";
import { type Desktop, test } from "../fixtures/desktop.ts";
import { Native } from "../fixtures/native.ts";

const places = (page: Page) => page.getByRole("navigation", { name: "Places" });
const addressOf = (page: Page) => page.evaluate(() => location.pathname + location.search);

test("starts once, follows the system's theme, and quits with its last window", async ({ desktop }) => {
  const { app, page, ready, exitStatus } = await desktop.start();
  await expect(page).toHaveTitle(/Integrations Explorer/);
  await expect(page.getByRole("navigation", { name: "Places" })).toBeVisible();
  expect(new URL(page.url()).origin).toBe(ready.base_url);
  const window = await app.browserWindow(page);
  expect(await window.evaluate((one) => one.isVisible())).toBe(true);
  expect(await page.evaluate(() => innerWidth)).toBeGreaterThanOrEqual(1024);

  await test.step("the page and the window’s background follow the theme", async () => {
    const looks = async () => ({
      dark: await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches),
      background: (await window.evaluate((one) => one.getBackgroundColor())).toLowerCase(),
    });
    const choose = (theme: "light" | "dark") =>
      app.evaluate(({ nativeTheme }, source) => {
        nativeTheme.themeSource = source;
      }, theme);
    await choose("light");
    await expect.poll(looks).toEqual({ dark: false, background: "#ffffff" });
    await choose("dark");
    await expect.poll(looks).toEqual({ dark: true, background: "#14171a" });
  });

  await test.step("a second start brings the first window to the front and ends", async () => {
    await window.evaluate((one) => one.minimize());
    expect(await window.evaluate((one) => one.isMinimized())).toBe(true);
    const second = await desktop.startBeside();
    expect(second.exitStatus).toBe(0);
    await expect.poll(() => window.evaluate((one) => one.isMinimized())).toBe(false);
    await expect.poll(() => window.evaluate((one) => one.isFocused())).toBe(true);
    expect(app.windows()).toHaveLength(1);
  });

  await test.step("a start with another data folder is told that the first keeps its own", async () => {
    const asked = await new Native(app).answerMessages(0);
    const details = () => asked.evaluate((boxes) => boxes.map(({ detail }) => detail));
    await desktop.startBeside();
    const another = path.join(desktop.newFolder(), "another");
    expect((await desktop.startBeside({ dataFolder: another })).exitStatus).toBe(0);
    await expect.poll(details).toHaveLength(1);
    const [detail = ""] = await details();
    expect(detail).toContain(`Open now: ${desktop.dataFolder}`);
    expect(detail).toContain(`Requested: ${another}`);
    expect(existsSync(another)).toBe(false);
  });

  await test.step("another user's app is refused the data folder in use", async () => {
    await expectRefusal(
      desktop,
      { userData: desktop.newFolder() },
      `The data folder ${desktop.dataFolder} is in use by`,
    );
    await expect(page.getByRole("navigation", { name: "Places" })).toBeVisible();
  });

  // On macOS, an app outlives its windows.
  if (process.platform === "darwin") return;
  await window.evaluate((one) => setImmediate(() => one.close()));
  expect(await exitStatus()).toBe(0);
  expectClosedDatabases(desktop.dataFolder);
});

test("SIGTERM ends it like a quit: data, theme, switches and windows with their zoom are kept", async ({ desktop }) => {
  const first = await desktop.start();
  const { app, page } = first;
  const native = new Native(app);
  await insertJob(first.ready, "kept-1");
  await places(page).getByRole("link", { name: /^Jobs/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Jobs" })).toBeVisible();
  const second = await native.windowOpenedBy(() => native.choose("new-window"));
  await expect(places(second)).toBeVisible();
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
  await app.evaluate(({ nativeTheme }) => {
    nativeTheme.themeSource = "dark";
  });
  await native.choose("notify-of-failures");
  // Windows has no signals.
  if (process.platform === "win32") await first.quit();
  else app.process().kill("SIGTERM");
  expect(await first.exitStatus()).toBe(0);
  expectClosedDatabases(desktop.dataFolder);

  // A program on the usual port must not prevent the start. Another test's app may use the port, and may release it.
  const listener = await listenOn(4026);
  const again = await desktop.start();
  if (listener !== null) expect(new URL(again.ready.base_url).port).not.toBe("4026");
  listener?.close();
  expect(await getJob(again.ready, "kept-1")).toMatchObject({ external_id: "kept-1" });
  expect(await again.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe("dark");
  expect(await new Native(again.app).isTicked("notify-of-failures")).toBe(true);
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

test("refuses an unusable data folder with a sentence and leaves it unchanged", async ({ desktop }) => {
  const file = path.join(desktop.newFolder(), "a-file");
  writeFileSync(file, "");
  await expectRefusal(desktop, { dataFolder: file }, `The data folder ${file} cannot be used`);

  mkdirSync(desktop.dataFolder, { recursive: true });
  const found = path.join(desktop.dataFolder, "service.sqlite");
  const database = new Database(found);
  database.pragma(`application_id = ${APPLICATION_ID}`);
  database.pragma("user_version = 9999");
  database.close();
  const before = readFileSync(found);
  await expectRefusal(desktop, {}, "was written by a newer version of Integrations Explorer");
  expect(readFileSync(found).equals(before)).toBe(true);
});

test("after a failed start, another folder can be chosen immediately", async ({ desktop }) => {
  const file = path.join(desktop.newFolder(), "a-file");
  writeFileSync(file, "");
  const another = path.join(desktop.newFolder(), "another");
  const { page } = await desktop.start({ dataFolder: file, choosesInstead: another });
  await expect(page.getByRole("navigation", { name: "Places" })).toBeVisible();
  expectDataFolder(another);
});

/** Listens on a port. @returns null when the port is in use */
const listenOn = (port: number): Promise<net.Server | null> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(port, "127.0.0.1");
    server.once("listening", () => resolve(server)).once("error", () => resolve(null));
  });

/** The real runtime shows the sentence in a dialog until it is closed, so its exit status is unknown. */
async function expectRefusal(
  desktop: Desktop,
  folders: { dataFolder?: string; userData?: string },
  sentence: string,
): Promise<void> {
  const wait = desktop.runtime.isStandIn ? {} : { until: sentence };
  const { errors, exitStatus } = await desktop.startBeside({ ...folders, ...wait });
  expect(errors).toContain(sentence);
  if (desktop.runtime.isStandIn) {
    expect(errors).toContain("[dialog] Integrations Explorer can’t start: ");
    expect(exitStatus).toBe(1);
  }
}

const expectDataFolder = (folder: string) => expect(readdirSync(folder)).toContain("service.sqlite");

/** Expects no write-ahead log, and no damaged page. */
function expectClosedDatabases(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.join(folder, file));
  const logs = files.filter((file) => /-(wal|journal)$/.test(file) && statSync(file).size > 0);
  expect(logs).toEqual([]);
  const databases = files.filter((file) => file.endsWith(".sqlite"));
  expect(databases.length).toBeGreaterThan(0);
  for (const file of databases) {
    const database = new Database(file, { readonly: true });
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
    database.close();
  }
}

async function call(ready: ReadyLine, operation: string, body: object): Promise<unknown> {
  const { api_key, integration_id } = ready.credentials?.repairer ?? { api_key: "", integration_id: "" };
  const response = await fetch(`${ready.base_url}/api/2026-01/${operation}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${api_key}`,
      "service-integration-id": integration_id,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  expect(response.status, `${operation}: ${await response.clone().text()}`).toBe(200);
  return response.json();
}

async function insertJob(ready: ReadyLine, external: string): Promise<void> {
  const { items } = (await call(ready, "businesses.list", {})) as { items: { type: string; id: string }[] };
  const repairer_site_id = items.find(({ type }) => type === "repairer_site")?.id;
  await call(ready, "repairer.jobs.insert", { identity: { external }, repairer_site_id });
}

const getJob = (ready: ReadyLine, external: string): Promise<unknown> =>
  call(ready, "repairer.jobs.get", { identity: { external } });
