import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { AccessPage } from "../pages/access-page.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("a view token opens its world alone: nothing to switch to, nothing to change, and no screen of the operator's", async ({
  explorer,
  service,
  browser,
}) => {
  const program = new ControlProgram(service.ready);
  await program.insertJob("acme", "ACME-1");
  const access = new AccessPage(explorer);
  await access.goto("acme");
  const link = await access.createToken("Acme GmbH", "View");
  await expect(access.row("Acme GmbH")).toContainText("View");
  await expectAccessible(explorer);

  const fresh = await browser.newContext();
  const page = await fresh.newPage();
  await page.goto(link);
  await expect(page).toHaveURL(/\?world=acme$/);
  const bar = page.getByRole("banner");
  await expect(bar.getByText("view only")).toBeVisible();
  await expect(bar.getByRole("button", { name: /^World/ })).toHaveCount(0);
  await expect(page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Scenarios" })).toHaveCount(
    0,
  );
  await expectAccessible(page);

  const jobs = new JobsPage(page);
  await jobs.goto();
  await jobs.row("ACME-1").click();
  await expect(page.getByRole("article").getByRole("heading", { name: "ACME-1" })).toBeVisible();
  await page.goto(`${service.ready.base_url}/jobs?form=new`);
  await expect(page).toHaveURL(/world=acme/);
  const create = page.getByRole("button", { name: /^Insert/ }).last();
  await expect(create).toBeDisabled();
  await expect(create).toHaveAttribute("title", "Your token is view only. Ask the operator for another.");

  await page.goto(`${service.ready.base_url}/worlds?world=acme`);
  await expect(page.getByRole("heading", { level: 2, name: "Snapshots" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Access" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "New", exact: true })).toHaveCount(0);
  await page.goto(`${service.ready.base_url}/settings?world=acme`);
  await expect(page.getByRole("heading", { name: "This explorer" })).toBeVisible();
  await expect(page.getByText("Erase everything")).toHaveCount(0);

  for (const world of ["default", "never-made"]) {
    await page.goto(`${service.ready.base_url}/jobs?world=${world}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("403: your token only opens the world acme");
  }
  await expectAccessible(page);
  await page.getByRole("link", { name: "Open acme" }).click();
  await expect(bar.getByText("acme", { exact: true })).toBeVisible();

  await access
    .row("Acme GmbH")
    .getByRole("button", { name: /^Revoke/ })
    .click();
  await expect(page.getByRole("dialog", { name: "Your token is no longer valid" })).toBeVisible();
  await fresh.close();
});
