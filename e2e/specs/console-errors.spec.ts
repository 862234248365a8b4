import { policyQuestions } from "../../sandbox/contract/control/policies.ts";
import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { WorldSwitches } from "../fixtures/world-switches.ts";
import { ConsolePage } from "../pages/console-page.ts";

test("an operation's errors are reproduced with what they need, without storing secrets", async ({
  explorer,
  service,
}) => {
  const console = new ConsolePage(explorer);
  await test.step("form and JSON are filled, and the previous draft can be restored", async () => {
    await console.goto();
    await console.open("repairer.jobs.insert");
    await expect(console.error("job_exists")).toContainText("unprocessable");
    await console.write({ identity: { external: "typed before" } });
    await console.reproduce("work_provider_unknown");
    await console.expectAnswer(404, '"work_provider_not_found"');
    await expect.poll(() => console.body()).toMatchObject({ work_provider_contract: "Nobody Mutual" });
    await console.reproduce("scope");
    await console.expectAnswer(403, '"forbidden"');
    await expect(console.operation.getByText(/: 403$/)).toBeVisible();
    await console.reproduce("no_credentials");
    await console.expectAnswer(401, '"unauthorized"');
    await expect(console.operation.getByRole("radio", { name: "None" })).toBeChecked();

    await console.operation.getByRole("button", { name: "Restore my call" }).click();
    await expect.poll(() => console.body()).toEqual({ identity: { external: "typed before" } });
    await expect(console.operation.getByRole("radio", { name: "Credential" })).toBeChecked();
    await console.errors.getByRole("button", { name: /any call/ }).click();
    await expectAccessible(explorer);
  });

  await test.step("an error that isn't possible yet names the preparation, and works after it", async () => {
    await console.goto();
    await console.open("supplier.procurements.confirm");
    const row = console.error("confirmed_already");
    await expect(row).toContainText("confirm_when_confirmed");
    await expect(row.getByRole("button")).toBeDisabled();
    await row.getByRole("link", { name: "Open the setting" }).click();
    await expect(
      explorer.getByRole("heading", { name: policyQuestions.confirm_when_confirmed.question }),
    ).toBeFocused();
    await explorer.goBack();
    await new WorldSwitches(service.ready).set({ confirm_when_confirmed: "reject" });
    await row.getByRole("button").click();
    await console.expectAnswer(422, "order_confirmed already");
  });

  await test.step("an error that needs preparatory calls names and makes them", async () => {
    await console.goto();
    await console.open("repairer.jobs.get");
    await expect(console.error("job_in_other_world")).toContainText("repairer.jobs.insert");
    await console.reproduce("job_in_other_world");
    await console.expectAnswer(404, '"not_found"');
    await expect(console.response).toContainText("World elsewhere has a job of that name");
    await console.reproduce("job_deleted");
    await expect(console.response).toContainText("deleted the job");
    await console.reproduce("job_from_before");
    await expect(console.operation.getByText("Acts on elsewhere")).toBeVisible();
    await console.expectAnswer(404, '"not_found"');
  });

  await test.step("a client secret is sent, but not stored", async () => {
    await console.goto();
    await console.open("integrations.insert");
    await console.reproduce("access_code_unusable");
    await console.expectAnswer(401, '"invalid_access_code"');
    const secrets = (await new ControlProgram(service.ready).secrets()).filter(
      (secret) => secret !== service.ready.control_token,
    );
    const kept = await explorer.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(secrets.length).toBeGreaterThan(3);
    for (const secret of secrets) expect(kept).not.toContain(secret);
  });
});
