import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, expectAccessible, expectAccessibleInBoth, ServiceProcess, test } from "../fixtures/explorer.ts";
import { AccessPage } from "../pages/access-page.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { WorldClock } from "../pages/world-clock.ts";

const credential = (letter: string, integration_id: string) => ({
  ...{ api_key: `sbx_${letter.repeat(32)}`, integration_id, webhook_secret: `pwh_${letter.repeat(43)}` },
});
const credentials = {
  credentials: {
    repairer: credential("a", "11111111-1111-4111-8111-111111111111"),
    supplier: credential("b", "22222222-2222-4222-8222-222222222222"),
  },
  clients: {
    demo: { client_id: "app", client_secret: "a-secret-of-our-own" },
    no_oauth: { client_id: "other", client_secret: "another-secret-of-ours" },
  },
};
let folder = "";
const writeRules = (name: string, content: object): string => {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
};
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** A deployed service that trusts this machine's headers, as from a proxy. */
const people = [
  { email: "anna@example.com", scope: "operator" },
  { group: "acme", scope: "manage", world: "acme" },
];
let service: ServiceProcess;
let address = "";
test.beforeAll(async () => {
  // A worker may return to this file after its end.
  folder = mkdtempSync(path.join(os.tmpdir(), "sign-in-"));
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  service = new ServiceProcess([
    ...["--port", String(port), "--mode", "deployed", "--public-url", "https://sandbox.example.com"],
    ...["--credentials", writeRules("credentials.json", credentials), "--trusted-proxy", "127.0.0.1"],
    ...["--people", writeRules("people.json", { people })],
  ]);
  await service.start();
});
test.afterAll(async () => {
  await service.end();
  rmSync(folder, { recursive: true });
});

const as = (email: string, groups = "") => ({ "x-forwarded-email": email, "x-forwarded-groups": groups });

test("a signed-in person opens the explorer without a token, with the access from the people file", async ({
  browser,
}) => {
  const context = await browser.newContext({ extraHTTPHeaders: as("anna@example.com") });
  const operator = await context.newPage();
  const called: string[] = [];
  operator.on("request", (request) => called.push(request.url()));
  await operator.goto(address);
  await expect(operator.getByRole("link", { name: "Scenarios" })).toBeVisible();
  await expect(operator.getByRole("banner").getByText("Live")).toBeVisible();
  await operator.reload();
  const access = new AccessPage(operator);
  await access.goto("default");
  expect(called.filter((one) => one.includes("sbp_"))).toEqual([]);
  expect(await operator.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(
    "sbp_",
  );

  const partners = await browser.newContext({ extraHTTPHeaders: as("cleo@acme.example", "x,acme") });
  const partner = await partners.newPage();
  await partner.goto(`${address}/sign-in?to=%2Fworlds`);
  await expect(partner).toHaveURL(`${address}/worlds?world=acme`);
  const bar = partner.getByRole("banner");
  await expect(bar.getByText("full access")).toBeVisible();
  await expect(bar.getByText("Live")).toBeVisible();
  await expect(partner.getByRole("link", { name: "Scenarios" })).toHaveCount(0);
  await expectAccessible(partner);

  // Changed rules invalidate all tokens. Pages get new ones silently.
  const jobs = new JobsPage(partner);
  await jobs.goto();
  await jobs.openNewJob();
  await jobs.fillForm({ number: "KEPT-1" });
  await service.stop();
  writeRules("people.json", { people: [...people, { email: "dora@example.com", scope: "operator" }] });
  const again = partner.waitForResponse((response) => response.url().endsWith("/__sandbox/tokens.sign-in"));
  await service.start();
  expect((await again).status()).toBe(200);
  await expect(bar.getByText("Live")).toBeVisible({ timeout: 20_000 });
  await expect(partner.getByRole("dialog", { name: /signed out|token/ })).toHaveCount(0);
  await expect(jobs.form.getByRole("textbox", { name: "job_number" })).toHaveValue("KEPT-1");

  const clock = new WorldClock(operator);
  await clock.open();
  await clock.aheadBy("2h");
  await clock.expectAhead("2 h");
  await operator.goto(`${address}/settings/audit`);
  await operator.getByRole("link", { name: "Open audit log" }).click();
  await expect(operator.getByRole("row").filter({ hasText: "clock.advance" })).toContainText("anna@example.com");
  await operator.getByRole("link", { name: "Settings" }).first().click();
  await operator.getByRole("button", { name: "Sign out" }).click();
  // The proxy ends its session at this address.
  await expect(operator).toHaveURL(`${address}/sign-out`);
  await context.close();
  await partners.close();
});

test("a signed-in person keeps their access after opening a claim link in the same browser", async ({
  browser,
  request,
}) => {
  const invited = await request.post(`${address}/__sandbox/tokens.invite`, {
    headers: { authorization: `Bearer ${service.ready.control_token}` },
    data: { world: "claimed", name: "Anna", scope: "act" },
  });
  const { link } = (await invited.json()) as { link: string };
  const context = await browser.newContext({ extraHTTPHeaders: as("anna@example.com") });
  const page = await context.newPage();
  const { pathname, hash } = new URL(link);
  await page.goto(address + pathname + hash);
  await page.getByRole("button", { name: "Open my world" }).click();
  await expect(page).toHaveURL(/world=claimed/);
  const bar = page.getByRole("banner");
  await expect(bar.getByText("calls and orders")).toBeVisible();
  for (const path of ["/jobs", "/jobs?world=acme"]) {
    await page.goto(address + path);
    await expect(page.getByRole("link", { name: "Scenarios" })).toBeVisible();
    await expect(page.getByText("J-20418")).toBeVisible();
  }
  await page.goto(`${address}/jobs?world=claimed`);
  await expect(bar.getByText("calls and orders")).toBeVisible();
  await context.close();
});

test("a stranger is asked to sign in and returns, and a person without access learns why", async ({ browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${address}/jobs?world=default`);
  const signIn = page.getByRole("button", { name: "Sign in" });
  await expect(signIn).toBeVisible();
  await expectAccessibleInBoth(page);
  await context.setExtraHTTPHeaders(as("anna@example.com"));
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname === "/sign-in");
  await signIn.click();
  expect(new URL((await asked).url()).searchParams.get("to")).toBe("/jobs?world=default");
  await expect(page).toHaveURL(`${address}/jobs?world=default`);
  await expect(page.getByText("J-20418")).toBeVisible();
  await context.close();

  const others = await browser.newContext({ extraHTTPHeaders: as("eve@example.com") });
  const refused = await others.newPage();
  await refused.goto(address);
  await expect(refused.getByText(/eve@example\.com/)).toBeVisible();
  await expectAccessibleInBoth(refused);
  const left = refused.waitForRequest((request) => new URL(request.url()).pathname === "/sign-out");
  await refused.getByRole("button", { name: "Sign out" }).click();
  await left;

  // The sign-in service is down.
  await others.route("**/__sandbox/tokens.sign-in", (route) => route.fulfill({ status: 500, body: "<html>" }));
  await refused.goto(address);
  await expect(refused.getByRole("main").getByRole("paragraph")).toBeVisible();
  await expect(refused.getByText(/eve@example\.com|html/)).toHaveCount(0);
  await others.close();
});
