import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { InstallPage } from "../pages/install-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";
import { WirePage } from "../pages/wire-page.ts";

test("the consent page hands out a code, which goes on here as a partner's app would", async ({ explorer }) => {
  const install = new InstallPage(explorer);
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
  await expect(install.flow.getByText("Tarn & Rowe Collision, repairer")).toBeVisible();
  await install.expectCredentials(3);
});

test("a denied consent hands out nothing, and a code with another state is not accepted", async ({ explorer }) => {
  const install = new InstallPage(explorer);
  await install.goto();
  await install.asRepairer();
  await install.answerOnConsentPage("Deny");
  await expect(install.flow.getByText("error=access_denied")).toBeVisible();
  await expect(install.flow.getByRole("button", { name: /^Approve/ })).toBeFocused();
  await expectAccessible(explorer);
  await explorer.goto(`${new URL(explorer.url()).origin}/install?code=ac_of-someone-else&state=unknown`);
  await expect(install.flow.getByText(/The returned state doesn’t match, so the code was ignored/)).toBeVisible();
  await expect(install.flow.getByRole("button", { name: /^Approve/ })).toBeVisible();
});

test("both sides install beside each other where there is room, and the address keeps it", async ({ explorer }) => {
  const install = new InstallPage(explorer);
  await install.goto();
  await install.asBoth();
  for (const side of ["buyer", "supplier"] as const) {
    install.at(side);
    await install.approve();
    await install.install();
    await install.expectInstalled();
  }
  await install.expectCredentials(4);
  await install.subscribe();
  await expectAccessible(explorer);

  await explorer.reload();
  await expect(install.at("buyer")).toBeVisible();
  await expect(install.at("supplier")).toBeVisible();

  // Without room, the one that was worked at last.
  await install.approve();
  await explorer.setViewportSize({ width: 1100, height: 700 });
  await install.expectCodeRunning();
  await expect(install.at("buyer")).toBeHidden();
});

test("pre-loaded and installed keys are told apart, revealed on request, and used by this window", async ({
  explorer,
}) => {
  const install = new InstallPage(explorer);
  await install.goto();
  await install.asRepairer();
  await install.approve();
  await install.install();
  await install.expectInstalled();
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
});

test("a code that ran out is refused where it is used, with what to do", async ({ explorer }) => {
  const install = new InstallPage(explorer);
  await install.goto();
  await install.asRepairer();
  await install.approve();
  await install.letCodeRunOut();
  await install.install();
  await install.expectRefused(401, "invalid_access_code");
  await expect(install.flow.getByText("The code expired. Issue another one.")).toBeVisible();
  await expect(install.flow.getByRole("button", { name: "Issue another code" })).toBeVisible();
  // The code is good again: what was said of it is no more so.
  await install.resetClock();
  await install.expectCodeRunning();
  await expect(install.flow.getByRole("alert")).toHaveCount(0);
  await expect(install.flow.getByRole("button", { name: "Issue another code" })).toHaveCount(0);
});

test("the main step after an install subscribes both sides, so that the first order is heard", async ({
  explorer,
  service,
}) => {
  const [install, webhooks] = [new InstallPage(explorer), new WebhooksPage(explorer)];
  await install.goto();
  await install.asRepairer();
  await install.approve();
  await install.install();
  await install.expectInstalled();
  await expect(install.flow.getByText("Next: subscribe both sides")).toBeVisible();
  await expect(install.subscribeBothSides).toBeFocused();
  await explorer.keyboard.press("Enter");
  await expect(install.flow.getByText("Both sides receive at the test receiver")).toBeVisible();
  await expect(install.flow.getByRole("button", { name: "Open jobs as this integration" })).toBeFocused();
  await expectAccessible(explorer);

  const [reference = ""] = await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await webhooks.goto();
  await webhooks.expectDelivered("repairer.procurements", reference);
  await webhooks.expectDelivered("supplier.procurements", reference);
});

test("a key that another place waits for leads back there, also over the consent page", async ({
  explorer,
  service,
}) => {
  const install = new InstallPage(explorer);
  const program = new PartnerProgram(service.ready);
  const [reference = ""] = await program.order("J-20418", "Halfmoon Dismantlers");
  const back = `/procurements/${await program.idOf(reference)}`;
  await install.gotoFor({ back, back_label: reference });
  await install.asSupplier();
  await install.answerOnConsentPage("Approve", "Halfmoon Dismantlers");
  await install.install();
  await install.expectInstalled();
  await expect(install.flow.getByText(`Next: go back to ${reference}.`)).toBeVisible();
  const button = install.flow.getByRole("button", { name: `Back to ${reference}` });
  await expect(button).toBeFocused();
  await explorer.keyboard.press("Enter");
  await expect(explorer).toHaveURL(new RegExp(`${back}$`));
  await expect(explorer.getByRole("heading", { name: reference })).toBeVisible();
});

test("a key that was made to show a failure is marked, and nothing calls with it", async ({ explorer }) => {
  const [install, wire] = [new InstallPage(explorer), new WirePage(explorer)];
  await install.goto();
  await install.asRepairer();
  await install.expectInUse("repairer", "sbx_");
  await install.tryFailure("access_code used before");
  await install.expectFailure("access_code used before", 401, "invalid_access_code");
  await install.expectCredentials(3);
  const made = install.credential("repairer", "isk_");
  await expect(made).toContainText("to show a failure");
  await expect(made.getByRole("button", { name: /^Use/ })).toBeHidden();
  await install.expectInUse("repairer", "sbx_");

  // The code that is used up shows it again, without another key.
  await install.tryFailure("access_code used before");
  await install.tryFailure("client_secret does not match");
  await install.expectFailure("client_secret does not match", 401, "invalid_client_secret");
  await install.showFailureOnWire("access_code used before");
  await expect(wire.response).toContainText("invalid_access_code");
  await install.showFailureOnWire("client_secret does not match");
  await expect(wire.response).toContainText("invalid_client_secret");
  await install.expectCredentials(3);

  await explorer.reload();
  await install.expectInUse("repairer", "sbx_");
  await expect(install.credential("repairer", "isk_")).toContainText("to show a failure");
});
