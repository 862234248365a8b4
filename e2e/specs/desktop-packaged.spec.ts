import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import { readArchive } from "../electron-stand-in/packaged-app.ts";
import { test } from "../fixtures/desktop.ts";
import { Native } from "../fixtures/native.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";

const MAX_BYTES = 25 * 1024 ** 2;
const app = path.resolve("out/desktop-on-stand-in/linux-unpacked");
const resources = path.join(app, "resources");

// The package is built once.
test.describe.configure({ mode: "default" });
test.use({ packaged: path.join(app, "integrations-explorer") });
test.skip(process.platform !== "linux", "the stand-in for Electron runs on Linux only");

test.beforeAll(async () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const RELEASE_SIGNING_KEY = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const env = { ...process.env, RELEASE_SIGNING_KEY, RELEASES_URL: "https://releases.invalid" };
  await promisify(execFile)(process.execPath, ["build/package.mjs", "--dir", "--stand-in"], { env });
});

test("the packaged app opens a reproduction and links, and an order is confirmed in it", async ({ desktop }) => {
  const file = path.join(desktop.newFolder(), "Acme 4417.reproduction");
  const steps = [{ call: { operation: "businesses.list", as: "repairer" }, expect: { status: 200 } }];
  writeFileSync(file, JSON.stringify({ scenario: 1, name: "Acme, 4417", steps }));
  const { app: running, page, quit } = await desktop.start({ link: file });
  await expect(page.getByRole("article", { name: "Acme, 4417" })).toBeVisible();
  const { exitStatus } = await desktop.startBeside({ link: "integrations-explorer://webhooks" });
  expect(exitStatus).toBe(0);
  await expect(page.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
  const native = new Native(running);
  expect(await native.windowCount()).toBe(1);

  const asked = await native.answerMessages(0);
  await native.choose("check-for-updates");
  const [jobs, procurements] = [new JobsPage(page), new ProcurementsPage(page)];
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("Basket");
  await jobs.chooseAllOf("Meridian Genuine Parts");
  const [reference = ""] = await jobs.placeOrders();

  await procurements.goto();
  await procurements.open(reference);
  await procurements.confirmAsSupplier();
  await procurements.expectState("order_confirmed");
  // No installer installed this copy.
  expect(await asked.evaluate((boxes) => boxes.map(({ message }) => message))).toEqual([
    "This copy can’t update itself",
  ]);
  expect(await quit()).toBe(0);
});

test("the archive contains the app and one native part, without sources, tests or maps", () => {
  const { entries, bytesOf } = readArchive(path.join(resources, "app.asar"));
  const names = [...entries.keys()];
  expect(names).toEqual(expect.arrayContaining(["package.json", "out/main/main.js", "out/preload/preload.cjs"]));
  expect(names).toEqual(expect.arrayContaining(["out/renderer/index.html", "out/help/index.html"]));
  // The help contains verification functions for download, one of them in TypeScript.
  const programs = names.filter((name) => !name.startsWith("out/help/"));
  expect(
    programs.filter((name) => /\.map$|\.tsx?$|\.(test|spec)\.|[/](tests?|testing|src|deps)[/]/.test(name)),
  ).toEqual([]);
  const modules = names.filter((name) => name.includes("node_modules/")).map((name) => name.split("/")[1]);
  expect([...new Set(modules)]).toEqual(["better-sqlite3"]);
  expect(names.filter((name) => name.endsWith(".node"))).toEqual([
    `node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`,
  ]);
  const manifest = JSON.parse(bytesOf("package.json").toString());
  expect(manifest).not.toHaveProperty("devDependencies");
  // Required for deb and rpm packages.
  expect(manifest.homepage).toMatch(/^https:/);
});

test("the app without Electron is at most 25 MB and includes all licences", () => {
  const files = readdirSync(resources, { recursive: true, encoding: "utf8" }).map((name) => path.join(resources, name));
  const bytes = files.reduce((sum, file) => sum + (statSync(file).isFile() ? statSync(file).size : 0), 0);
  expect(bytes).toBeLessThan(MAX_BYTES);
  expect(existsSync(path.join(resources, "app.asar.unpacked"))).toBe(true);
  expect(readFileSync(path.join(resources, "THIRD-PARTY-LICENCES.txt"), "utf8")).toContain("fastify 5");
});
