import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, expectAccessibleInBoth, test } from "../fixtures/explorer.ts";
import { PartnerCalls } from "../fixtures/partner-calls.ts";
import { AccessPage } from "../pages/access-page.ts";
import { ActivityPage } from "../pages/activity-page.ts";
import { FramePage } from "../pages/frame-page.ts";
import { causeText } from "../pages/patterns.ts";
import { RequestsPage } from "../pages/requests-page.ts";

const nobodys = { identity: { id: "00000000-0000-4000-8000-000000000000" } };
const NOT_FOUND = causeText("job_unknown");
const WRONG_SIDE = causeText("scope");

test("support sees failures of all worlds by cause and by caller, and each count leads to its calls", async ({
  explorer,
  service,
}) => {
  const [program, partner] = [new ControlProgram(service.ready), new PartnerCalls(service.ready)];
  const [activity, requests] = [new ActivityPage(explorer), new RequestsPage(explorer)];
  await activity.goto();
  await expect(explorer.getByText(/^Nothing went wrong/)).toBeVisible();
  await expectAccessibleInBoth(explorer);

  // The window's own world is updated immediately, others a moment later.
  await partner.call("repairer.jobs.get", nobodys);
  await activity.expectFailures("1 failure");
  await program.insertJob("acme", "ACME-1");
  for (let call = 0; call < 3; call += 1) await partner.call("repairer.jobs.get", nobodys, "repairer", "acme");
  await partner.call("supplier.procurements.confirm", nobodys, "repairer", "acme");
  await activity.expectFailures("5 failures");
  await activity.expectCauses([NOT_FOUND, WRONG_SIDE]);
  await expect(activity.cause(WRONG_SIDE)).toContainText("in acme");
  await expectAccessibleInBoth(explorer);

  await explorer.keyboard.press("j");
  await expect(activity.cause(NOT_FOUND)).toBeFocused();
  await explorer.keyboard.press("Enter");
  await expect(activity.cause(NOT_FOUND)).toHaveAttribute("aria-expanded", "true");
  await expectAccessible(explorer);
  await activity.calls("3 calls").click();
  await expect(explorer).toHaveURL(/world=acme/);
  await expect(requests.rows("404")).toHaveCount(3);
  await expect(requests.list.getByRole("link")).toHaveCount(3);
  await explorer.goBack();
  await expect(activity.cause(NOT_FOUND)).toHaveAttribute("aria-expanded", "true");
  await activity.cause(WRONG_SIDE).click();
  await explorer.getByRole("link", { name: "Open last call" }).click();
  await expect(requests.refusal).toBeVisible();
  await expect(explorer).toHaveURL(/world=acme/);
  await explorer.goBack();

  // The page filters by caller, and removes causes without calls.
  await activity.caller(/acme/).click();
  await activity.expectFailures("4 failures");
  await expect(explorer).toHaveURL(/of=acme/);
  await explorer.getByRole("button", { name: "Clear filter" }).click();
  await activity.expectFailures("5 failures");
  await activity.choosePeriod("7 days");
  await activity.expectFailures("5 failures");

  await program.delete("acme");
  await expect(activity.cause(WRONG_SIDE)).toHaveCount(0, { timeout: 20_000 });
  await activity.expectFailures("1 failure");
});

test("expected failures can be hidden, a failed read shows its age, and callers are a tab in a narrow window", async ({
  explorer,
  service,
}) => {
  const [program, partner] = [new ControlProgram(service.ready), new PartnerCalls(service.ready)];
  const activity = new ActivityPage(explorer);
  await program.arm("repairer.jobs.get", { error: { status: 503, code: "unavailable" } }, 2);
  for (let call = 0; call < 3; call += 1) await partner.call("repairer.jobs.get", nobodys);
  await activity.goto();
  await activity.expectFailures("3 failures");
  await expect(activity.cause(/returned 503/)).toContainText("expected");
  await explorer.getByRole("checkbox", { name: "Show expected" }).uncheck();
  await activity.expectFailures("1 failure");
  await activity.expectCauses([NOT_FOUND]);
  await explorer.reload();
  await activity.expectFailures("1 failure");

  await explorer.route("**/activity.list", (route) => route.fulfill({ status: 500, body: "{}" }));
  await activity.choosePeriod("24 h");
  const again = explorer.getByRole("button", { name: "Try again" });
  await expect(again).toBeVisible({ timeout: 15_000 });
  await expectAccessibleInBoth(explorer);
  await explorer.unroute("**/activity.list");
  await again.click();
  await activity.expectFailures("1 failure");

  await explorer.setViewportSize({ width: 1024, height: 640 });
  await expect(activity.caller(/default/)).toBeHidden();
  await explorer.getByRole("radiogroup", { name: "Show" }).getByRole("radio", { name: "Callers" }).check();
  await expect(activity.caller(/default/)).toBeVisible();
  await expect(activity.cause(NOT_FOUND)).toBeHidden();
  await expectAccessibleInBoth(explorer);
});

test("a world token shows failures of its own world and no other world's name", async ({
  explorer,
  service,
  browser,
}) => {
  const [program, partner] = [new ControlProgram(service.ready), new PartnerCalls(service.ready)];
  for (const world of ["acme", "secret-plan"]) {
    await program.insertJob(world, "J-1");
    await partner.call("repairer.jobs.get", nobodys, "repairer", world);
  }
  const access = new AccessPage(explorer);
  await access.goto("acme");
  const link = await access.createToken("Acme GmbH", "View", async () => undefined);
  const fresh = await browser.newContext();
  const page = await fresh.newPage();
  await page.goto(link);
  const activity = new ActivityPage(page);
  await activity.goto();
  await activity.expectFailures("1 failure");
  await expect(page.getByText("World acme", { exact: true })).toBeVisible();
  await expect(page.getByRole("radiogroup", { name: "Period" })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "World" })).toHaveCount(0);
  await expect(page.getByText("secret-plan")).toHaveCount(0);
  await expectAccessible(page);
  await fresh.close();
});

test("a call to an unknown world is found from search, from Activity and at that world's address", async ({
  explorer,
  service,
}) => {
  const partner = new PartnerCalls(service.ready);
  const activity = new ActivityPage(explorer);
  await new ControlProgram(service.ready).insertJob("acme", "ACME-1");
  await activity.goto();
  await expect(explorer.getByText(/^Nothing went wrong/)).toBeVisible();
  await partner.send("/api/2026-01/repairer.jobs.get", nobodys, null, "POST", "acmee");
  await explorer.getByRole("button", { name: /^1 call to worlds/ }).click();
  const dialog = explorer.getByRole("dialog", { name: /^Calls to worlds/ });
  await expect(dialog.getByText(/\bacme\b/)).toBeVisible();
  await expectAccessibleInBoth(explorer);
  await explorer.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await dialog.getByRole("button", { name: "Copy for a ticket" }).click();
  const copied = () => explorer.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/^repairer\.jobs\.get returned 401 .*\nWorld: acmee\b.*\nCause: .*\nRequest ID: /);
  await explorer.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  await explorer.keyboard.press("ControlOrMeta+k");
  await explorer.getByRole("combobox", { name: "Search or jump to" }).fill("acmee");
  await explorer.getByRole("option", { name: /which doesn’t exist/ }).click();
  await expect(dialog.getByText("repairer.jobs.get")).toBeVisible();
  await new FramePage(explorer).goToAddress("/requests?world=acmee");
  await explorer.getByRole("link", { name: "Calls that named it" }).click();
  await expect(dialog.getByText(/\bacme\b/)).toBeVisible();
});
