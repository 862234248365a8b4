import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { expect } from "@playwright/test";
import Database from "better-sqlite3";
import type { ReadyLine } from "../../sandbox/service.ts";
import { type Desktop, test } from "../fixtures/desktop.ts";

test("it starts and shows the explorer", async ({ desktop }) => {
  const { app, page, ready } = await desktop.start();
  await expect(page).toHaveTitle(/Integrations Explorer/);
  await expect(page.getByRole("navigation", { name: "Places" })).toBeVisible();
  expect(new URL(page.url()).origin).toBe(ready.base_url);
  const window = await app.browserWindow(page);
  expect(await window.evaluate((one) => one.isVisible())).toBe(true);
  expect(await page.evaluate(() => innerWidth)).toBeGreaterThanOrEqual(1024);
});

test("a second start brings the first window to the front and ends", async ({ desktop }) => {
  const { app, page } = await desktop.start();
  const window = await app.browserWindow(page);
  await window.evaluate((one) => one.minimize());
  expect(await window.evaluate((one) => one.isMinimized())).toBe(true);

  const { exitStatus } = await desktop.startBeside();

  expect(exitStatus).toBe(0);
  await expect.poll(() => window.evaluate((one) => one.isMinimized())).toBe(false);
  await expect.poll(() => window.evaluate((one) => one.isFocused())).toBe(true);
  expect(app.windows()).toHaveLength(1);
});

test("it quits cleanly and loses nothing", async ({ desktop }) => {
  const first = await desktop.start();
  await insertJob(first.ready, "kept-1");

  expect(await first.quit()).toBe(0);

  expectClosedDatabases(desktop.dataFolder);
  const again = await desktop.start();
  expect(await getJob(again.ready, "kept-1")).toMatchObject({ external_id: "kept-1" });
});

test("closing the last window quits the app", async ({ desktop }) => {
  test.skip(process.platform === "darwin", "on a Mac an app outlives its windows");
  const { app, page, exitStatus } = await desktop.start();
  const window = await app.browserWindow(page);
  await window.evaluate((one) => setImmediate(() => one.close()));
  expect(await exitStatus()).toBe(0);
  expectClosedDatabases(desktop.dataFolder);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`${signal} ends it as cleanly as a quit`, async ({ desktop }) => {
    test.skip(process.platform === "win32", "Windows has no signals");
    const { app, ready, exitStatus } = await desktop.start();
    await insertJob(ready, "kept-2");
    app.process().kill(signal);
    expect(await exitStatus()).toBe(0);
    expectClosedDatabases(desktop.dataFolder);
  });
}

test("the window is where it was, and the theme what it was", async ({ desktop }) => {
  const first = await desktop.start();
  const bounds = { x: 60, y: 70, width: 1200, height: 800 };
  const window = await first.app.browserWindow(first.page);
  await window.evaluate((one, wanted) => one.setBounds(wanted), bounds);
  await first.app.evaluate(({ nativeTheme }) => {
    nativeTheme.themeSource = "dark";
  });
  await first.quit();

  const { app, page } = await desktop.start();
  const reopened = await app.browserWindow(page);
  expect(await reopened.evaluate((one) => one.getNormalBounds())).toEqual(bounds);
  expect(await app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe("dark");
});

test("the page and the window’s background follow the theme", async ({ desktop }) => {
  const { app, page } = await desktop.start();
  const window = await app.browserWindow(page);
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

test("a data folder that is a file is refused with a sentence", async ({ desktop }) => {
  const file = path.join(desktop.newFolder(), "a-file");
  writeFileSync(file, "");
  await expectRefusal(desktop, { dataFolder: file }, `The data folder ${file} cannot be used`);
});

test("a data folder that another process serves is refused with a sentence", async ({ desktop }) => {
  const { page } = await desktop.start();
  await expectRefusal(desktop, { userData: desktop.newFolder() }, `The data folder ${desktop.dataFolder} is in use by`);
  await expect(page.getByRole("navigation", { name: "Places" })).toBeVisible();
});

test("a newer version's service.sqlite is refused with a sentence, and left as it is", async ({ desktop }) => {
  await (await desktop.start()).quit();
  const found = path.join(desktop.dataFolder, "service.sqlite");
  const database = new Database(found);
  database.pragma("user_version = 9999");
  database.close();
  const before = readFileSync(found);
  await expectRefusal(desktop, {}, "was written by a newer version of Integrations Explorer");
  expect(readFileSync(found).equals(before)).toBe(true);
});

/** Listens on a port. @returns null when some program has it already */
const listenOn = (port: number): Promise<net.Server | null> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(port, "127.0.0.1");
    server.once("listening", () => resolve(server)).once("error", () => resolve(null));
  });

test("a program on the usual port is no reason not to start", async ({ desktop }) => {
  // Where another program has the port already, a test of another worker's app for instance, it may let go of it before
  // this app looks, which then takes it.
  for (;;) {
    const other = await listenOn(4026);
    const { page, ready, quit } = await desktop.start();
    await expect(page.getByRole("navigation", { name: "Places" })).toBeVisible();
    other?.close();
    if (new URL(ready.base_url).port !== "4026") break;
    expect(other, "the app took a port that was taken").toBeNull();
    await quit();
  }
});

test("after a start that failed, another folder can be chosen there and then", async ({ desktop }) => {
  const file = path.join(desktop.newFolder(), "a-file");
  writeFileSync(file, "");
  const another = path.join(desktop.newFolder(), "another");
  const { page } = await desktop.start({ dataFolder: file, choosesInstead: another });
  await expect(page.getByRole("navigation", { name: "Places" })).toBeVisible();
  expectDataIn(another);
});

/** The real runtime waits with the sentence in a dialog until a person closes it, so there the exit status stays unseen. */
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

const expectDataIn = (folder: string) => expect(readdirSync(folder)).toContain("service.sqlite");

/** Nothing waits in a write-ahead log, and SQLite finds every page in order. */
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
