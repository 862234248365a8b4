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

test("whoever chooses a supplier on the consent page has installed for a supplier", async ({ explorer }) => {
  const install = new InstallPage(explorer);
  await install.goto();
  await install.asRepairer();
  await install.answerOnConsentPage("Approve", "Halfmoon Dismantlers");
  await expect(install.flow.getByRole("heading", { level: 2 })).toHaveText("For whom was chosen on the consent page");
  await install.install();
  await install.asSupplier();
  await install.expectInstalled();
  await expect(install.flow.getByText("Halfmoon Dismantlers, supplier")).toBeVisible();
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

test("the button shows the sending key only where the key sends", async ({ explorer }) => {
  const install = new InstallPage(explorer);
  await install.goto();
  await install.asRepairer();
  const hint = install.flow.getByRole("button", { name: /^Approve/ }).locator("kbd");
  await expect(hint.first()).toBeHidden();
  await install.flow.getByRole("button", { name: "Answer on the consent page" }).focus();
  await expect(hint.first()).toBeVisible();
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
  await expect(install.flow.getByText("The code had run out. Issue another one.")).toBeVisible();
  await expect(install.flow.getByRole("button", { name: "Issue another code" })).toBeVisible();
  // The code is good again: what was said of it is no more so.
  await install.resetClock();
  await install.expectCodeRunning();
  await expect(install.flow.getByRole("alert")).toHaveCount(0);
  await expect(install.flow.getByRole("button", { name: "Issue another code" })).toHaveCount(0);
});

test("a code that ran out is followed by another one at the first button", async ({ explorer }) => {
  const install = new InstallPage(explorer);
  await install.goto();
  await install.asRepairer();
  await install.approve();
  await install.letCodeRunOut();
  await explorer.keyboard.press("Control+Enter");
  await install.expectCodeRunning();
  await install.resetClock();
});

test("a code of the consent page is fresh also where the world's clock was moved", async ({ explorer }) => {
  const install = new InstallPage(explorer);
  await install.goto();
  await install.asRepairer();
  await install.approve();
  await install.letCodeRunOut();
  await install.asSupplier();
  await install.answerOnConsentPage("Approve");
  await install.expectCodeRunning();
  await install.resetClock();
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

test("after an install the next step is named and focused, and the key is used from then on", async ({ explorer }) => {
  const install = new InstallPage(explorer);
  await install.goto();
  await install.asRepairer();
  await install.approve();
  await install.install();
  await install.expectInstalled();
  await install.subscribe();
  const onward = install.flow.getByRole("button", { name: "Open jobs as this integration" });
  await expect(onward).toBeFocused();
  await expect(install.flow.getByText("Next: open a job")).toBeVisible();
  const first = (await install.readValues()).api_key;
  await expect(install.flow.getByText("This window now calls as the buyer with this key.")).toBeVisible();
  await expectAccessible(explorer);

  await install.use("repairer", "sbx_");
  await expect(install.flow.getByText(/^This window calls as the buyer with another key/)).toBeVisible();
  await install.flow.getByRole("button", { name: "Use this one" }).click();
  await install.expectInUse("repairer", first.slice(-4));

  // Also where another key was chosen by hand before.
  await install.installAgain();
  const second = (await install.readValues()).api_key;
  expect(second).not.toBe(first);
  await expect(install.flow.getByText("This window now calls as the buyer with this key.")).toBeVisible();
  await install.expectInUse("repairer", second.slice(-4));
  await onward.click();
  await expect(explorer.getByRole("heading", { level: 1, name: "Jobs" })).toBeVisible();
});

test("the time an install took is the service's own, as the wire says it too", async ({ explorer }) => {
  const [install, wire] = [new InstallPage(explorer), new WirePage(explorer)];
  // A way that takes long is no part of it.
  await explorer.route("**/integrations.insert", async (route) => {
    const response = await route.fetch();
    await new Promise((done) => setTimeout(done, 300));
    await route.fulfill({ response });
  });
  await install.goto();
  await install.asRepairer();
  await install.approve();
  await install.install();
  await install.expectInstalled();
  const took = await install.readDuration();
  await install.flow.getByRole("button", { name: /^View call/ }).click();
  await expect(wire.row("integrations.insert", took)).toBeVisible();
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

test("nothing but a place of the explorer is a way back", async ({ explorer }) => {
  const install = new InstallPage(explorer);
  await install.goto();
  await install.gotoFor({ back: "//evil.example/jobs", back_label: "your order" });
  await install.asRepairer();
  await install.approve();
  await install.install();
  await install.expectInstalled();
  await expect(install.subscribeBothSides).toBeFocused();
  await expect(install.flow.getByRole("button", { name: /^Back to/ })).toBeHidden();
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
