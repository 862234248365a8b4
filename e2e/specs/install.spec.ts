import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { InstallPage } from "../pages/install-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

test("the consent page leads to a new key, which receives the first order's events", async ({ explorer, service }) => {
  const [install, webhooks] = [new InstallPage(explorer), new WebhooksPage(explorer)];
  await install.goto();
  await install.asRepairer();
  await install.answerOnConsentPage("Approve", "Tarn & Rowe Collision");
  await install.expectCodeRunning();
  await expect(install.flow.getByRole("button", { name: /^Install/ })).toBeFocused();
  await expect(explorer).not.toHaveURL(/code=|state=/);
  await explorer.reload();
  await install.expectCodeRunning();
  await install.install();
  await install.expectInstalled();
  await expect(install.flow.getByText(/Rowe Collision, repairer/)).toBeVisible();

  // The main step after an install subscribes both sides.
  await expect(install.subscribeBothSides).toBeFocused();
  await explorer.keyboard.press("Enter");
  await expect(install.flow.getByRole("button", { name: /^Open jobs/ })).toBeFocused();
  await expect(install.subscribeBothSides).toBeHidden();
  await expectAccessible(explorer);

  // The key is listed for the world, masked until revealed, and used by this window.
  const { api_key } = await install.readValues();
  await install.keep();
  await expect(explorer.getByText(api_key)).toBeHidden();
  await install.expectCredentials(3);
  const installed = install.credential("repairer", "isk_");
  await expect(installed).toContainText("installed");
  await expect(install.credential("repairer", "sbx_")).toContainText("pre-loaded");
  await install.expectInUse("repairer", "isk_");
  await install.use("repairer", "sbx_");
  await installed.getByRole("button", { name: /^Show the values/ }).click();
  await expect(explorer.getByRole("dialog")).toContainText(api_key);
  await expectAccessible(explorer);
  await explorer.keyboard.press("Escape");

  const [reference = ""] = await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await webhooks.goto();
  await webhooks.expectDelivered("repairer.procurements", reference);
  await webhooks.expectDelivered("supplier.procurements", reference);
});

test("a denied consent issues no code, a wrong state is ignored, and every failure returns its error", async ({
  explorer,
}) => {
  const install = new InstallPage(explorer);
  await install.goto();
  await install.asRepairer();
  await install.answerOnConsentPage("Deny");
  await expect(install.flow.getByText("error=access_denied")).toBeVisible();
  await expect(install.flow.getByRole("button", { name: /^Approve/ })).toBeFocused();
  await explorer.goto(`${new URL(explorer.url()).origin}/install?code=ac_of-someone-else&state=unknown`);
  await expect(install.flow.getByText("ignored", { exact: true })).toBeVisible();
  await expectAccessible(explorer);
  await install.approve();
  await install.letCodeRunOut();
  await install.install();
  await install.expectRefused(401, "invalid_access_code");
  await expect(install.flow.getByRole("button", { name: "Issue another code" })).toBeVisible();

  // One click tries a failure, which returns the contract's error.
  for (const [failure, status, code] of [
    ["client_id matches no client", 404, "integration_not_found"],
    ["Client not enabled for OAuth", 403, "o_auth_not_supported_by_integration"],
    ["client_secret does not match", 401, "invalid_client_secret"],
    ["access_code expired", 401, "invalid_access_code"],
  ] as const) {
    await install.tryFailure(failure);
    await install.expectFailure(failure, status, code);
  }
});
