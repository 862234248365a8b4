import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, expectAccessibleInBoth, test } from "../fixtures/explorer.ts";
import { AccessPage } from "../pages/access-page.ts";
import { FramePage } from "../pages/frame-page.ts";
import { InstallPage } from "../pages/install-page.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

test("a view token opens one world, also after a failed read, without switching, changes or operator screens", async ({
  explorer,
  service,
  browser,
}) => {
  const program = new ControlProgram(service.ready);
  await program.insertJob("acme", "ACME-1");
  const access = new AccessPage(explorer);
  await access.goto("acme");
  const link = await access.createToken("Acme GmbH", "View", () => expectAccessible(explorer));
  await expect(access.row("Acme GmbH")).toContainText("View");
  await expectAccessibleInBoth(explorer);

  const fresh = await browser.newContext();
  const page = await fresh.newPage();
  const refusal = { type: "rate_limited", message: "Try again in 41 s." };
  await page.route("**/tokens.current", (route) => route.fulfill({ status: 429, json: refusal }));
  await page.goto(link);
  await expect(page.getByRole("main")).toContainText(refusal.message);
  await expectAccessibleInBoth(page);
  await page.unroute("**/tokens.current");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page).toHaveURL(/\?world=acme$/);
  const bar = page.getByRole("banner");
  await expect(bar.getByText("view only")).toBeVisible();
  await expect(bar.getByRole("button", { name: /^World/ })).toHaveCount(0);
  const places = page.getByRole("navigation", { name: "Places" });
  await expect(places.getByRole("link", { name: "Settings" })).toBeVisible();
  await expect(places.getByRole("link", { name: "Scenarios" })).toHaveCount(0);
  await expectAccessible(page);

  const jobs = new JobsPage(page);
  await jobs.goto();
  await jobs.row("ACME-1").click();
  await expect(page.getByRole("article").getByRole("heading", { name: "ACME-1" })).toBeVisible();
  await page.goto(`${service.ready.base_url}/jobs?form=new`);
  await expect(page).toHaveURL(/world=acme/);
  const create = page.getByRole("button", { name: /^Insert/ }).last();
  await expect(create).toBeDisabled();
  await expect(create).toHaveAttribute("title", /view only/);

  const frame = new FramePage(page);
  await frame.goToAddress("/worlds?world=acme");
  await expect(page.getByRole("heading", { level: 2, name: "Assumptions" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Access" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "New", exact: true })).toHaveCount(0);
  await frame.goToAddress("/settings?world=acme");
  await expect(page.getByRole("region", { name: "Retry schedule" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Erase everything" })).toHaveCount(0);

  await frame.goToAddress("/jobs?world=never-made");
  await expect(page.getByRole("link", { name: "Open acme" })).toBeVisible();
  await expect(places).toHaveCount(0);
  await page.goto(`${service.ready.base_url}/jobs?world=default`);
  await expect(page.getByRole("link", { name: "Open acme" })).toBeVisible();
  await expect(places).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Open acme" }).click();
  await expect(bar.getByText("acme", { exact: true })).toBeVisible();

  await access.revoke("Acme GmbH", () => expectAccessibleInBoth(explorer));
  const ended = page.getByRole("dialog", { name: "Access ended" });
  await expect(ended).toBeVisible();
  await expect(ended.getByRole("textbox")).toHaveCount(0);
  await expectAccessibleInBoth(page);
  await page.reload();
  await expect(page.getByRole("main").getByRole("paragraph")).toBeVisible();
  await expect(places).toHaveCount(0);
  await fresh.close();
});

test("an invitation to an existing world opens it, and its receivers listen by a command", async ({
  explorer,
  service,
  browser,
}) => {
  await new ControlProgram(service.ready).insertJob("staging", "STAGING-1");
  const access = new AccessPage(explorer);
  await access.goto("staging");
  const link = await access.inviteTo("Dora", "staging", async () => undefined);
  await expect(access.row("Dora")).toContainText("link not opened");
  const profile = await browser.newContext();
  const page = await profile.newPage();
  await page.goto(link);
  await page.getByRole("button", { name: "Open my world" }).click();
  await expect(page).toHaveURL(/\/install\?world=staging$/);
  const jobs = new JobsPage(page);
  await jobs.goto();
  await expect(jobs.row("STAGING-1")).toBeVisible();
  await new WebhooksPage(page).goto();
  await page
    .getByRole("button", { name: /^Subscribe/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: "Subscribe" });
  await expect(dialog).toContainText("listen --url");
  await expect(dialog.getByRole("button", { name: "Copy the command" })).toBeVisible();
  await expectAccessibleInBoth(page);
  await profile.close();
});

test("an invited person opens the link once, installs, orders, and is refused other worlds", async ({
  explorer,
  service,
  browser,
}) => {
  const access = new AccessPage(explorer);
  await access.goto("default");
  const link = await access.invite("Borchert & Söhne", () => expectAccessibleInBoth(explorer));
  await access.goto("borchert-sohne");
  await expect(access.row("Borchert & Söhne")).toContainText("link not opened");

  const profile = await browser.newContext();
  const page = await profile.newPage();
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await page.goto(link);
  await expectAccessibleInBoth(page);
  await page.getByRole("button", { name: "Open my world" }).click();
  await expect(page).toHaveURL(/\/install\?world=borchert-sohne$/);
  await expect(page.getByRole("banner").getByText("full access")).toBeVisible();
  await expect(page.getByRole("table", { name: /^Credentials/ }).getByText("pre-loaded")).toHaveCount(2);
  const install = new InstallPage(page);
  await install.asRepairer();
  await install.approve();
  await install.install();
  await install.expectInstalled();
  await install.keep();

  const jobs = new JobsPage(page);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("Basket");
  await jobs.chooseCheapest();
  await jobs.placeOrders();

  await page.goto(`${service.ready.base_url}/jobs?world=default`);
  await expect(page.getByRole("link", { name: "Open borchert-sohne" })).toBeVisible();
  const token = await page.evaluate(() => sessionStorage.getItem("explorer.control-token"));
  const asked = async (world: string) =>
    (
      await fetch(`${service.ready.base_url}/__sandbox/jobs.list`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ world }),
      })
    ).status;
  expect([await asked("borchert-sohne"), await asked("default"), await asked("never-made")]).toEqual([200, 403, 403]);
  const secret = new URL(link).hash.replace("#claim=", "");
  expect(addresses.filter((address) => address.includes(secret) || address.includes(token ?? "none"))).toEqual([]);

  await page.goto(link);
  await page.getByRole("button", { name: "Open my world" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expectAccessibleInBoth(page);
  await page.getByRole("button", { name: "Open my world" }).click();
  await expect(page.getByRole("banner").getByText("full access")).toBeVisible();
  await expect(page).toHaveURL(/\?world=borchert-sohne$/);

  const late = await (await browser.newContext()).newPage();
  await late.goto(link);
  await late.getByRole("button", { name: "Open my world" }).click();
  await expect(late.getByRole("alert")).toBeVisible();
  await expect(late.getByRole("button", { name: "Open my world" })).toHaveCount(0);
  await expectAccessible(late);
  await late.context().close();

  await new FramePage(explorer).goToAddress("/settings/audit");
  await explorer.getByRole("link", { name: "Open audit log" }).click();
  const claimed = explorer.getByRole("row").filter({ hasText: "tokens.claim" }).filter({ hasText: "Borchert" });
  await expect(claimed).toContainText("Borchert & Söhne");
  await expect(claimed).toContainText("borchert-sohne");
  await expectAccessibleInBoth(explorer);
  // Calls without a change are listed, too: the partner's attempt in another world, and the link's second use.
  await explorer.getByRole("radio", { name: "Reads and refusals" }).check();
  const refused = explorer.getByRole("row").filter({ hasText: "forbidden" });
  await expect(refused.filter({ hasText: "jobs.list" })).toContainText("world=default");
  await expect(refused.filter({ hasText: "tokens.claim" })).toContainText("anyone");
  await expect(claimed).toHaveCount(0);
  await expectAccessibleInBoth(explorer);
  await profile.close();
});
