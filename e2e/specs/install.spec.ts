import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { InstallPage } from "../pages/install-page.ts";

test("the consent page hands out a code, which goes on here as a partner's app would", async ({ explorer }) => {
  const install = new InstallPage(explorer);
  await install.goto();
  await install.asRepairer();
  await install.answerOnConsentPage("Approve", "Tarn & Rowe Collision");
  await install.expectCodeRunning();
  await expect(explorer).not.toHaveURL(/code=|state=/);
  await expectAccessible(explorer);
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
  await install.install();
  await install.asSupplier();
  await install.expectInstalled();
  await expect(install.flow.getByText("Halfmoon Dismantlers, supplier")).toBeVisible();
});

test("a denied consent hands out nothing, and a code with another state is not taken", async ({ explorer }) => {
  const install = new InstallPage(explorer);
  await install.goto();
  await install.asRepairer();
  await install.answerOnConsentPage("Deny");
  await expect(install.flow.getByText("error=access_denied")).toBeVisible();
  await expectAccessible(explorer);
  await explorer.goto(`${new URL(explorer.url()).origin}/install?code=ac_of-someone-else&state=unknown`);
  await expect(install.flow.getByText(/no state this window sent/)).toBeVisible();
  await expect(install.flow.getByRole("button", { name: /^Approve/ })).toBeVisible();
});

test("pre-loaded and installed keys are told apart, revealed on request, and acted as", async ({ explorer }) => {
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
  const [installed, preloaded] = [/isk_/, /sbx_/].map((key) =>
    install.credentials.getByRole("row").filter({ hasText: "repairer" }).filter({ hasText: key }),
  );
  await expect(installed ?? install.credentials).toContainText("installed");
  await expect(preloaded ?? install.credentials).toContainText("pre-loaded");
  await install.expectActingAs("repairer", "isk_");
  await (preloaded ?? install.credentials).getByRole("button", { name: /^Act as/ }).click();
  await install.expectActingAs("repairer", "sbx_");
  await (installed ?? install.credentials).getByRole("button", { name: /^Show the values/ }).click();
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
  await expect(install.flow.getByText(/Issue another one/)).toBeVisible();
  await expectAccessible(explorer);
  await install.resetClock();
});
