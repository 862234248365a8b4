import type { Locator } from "@playwright/test";
import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { WorldSwitches } from "../fixtures/world-switches.ts";
import { ConsolePage } from "../pages/console-page.ts";

/** Presses every button of the list, and holds the answer to what its row says. */
const everyRow = async (console: ConsolePage, rows: Locator): Promise<void> => {
  for (const row of await rows.all()) {
    const code = await row.getByRole("code").textContent();
    const [status = ""] = /^\d+/.exec((await row.textContent()) ?? "") ?? [];
    await row.getByRole("button", { name: /^Make it happen/ }).click();
    await console.expectAnswer(Number(status), `"${code}"`);
  }
};

for (const colorScheme of ["light", "dark"] as const) {
  test(`the errors of an operation say what makes them happen (${colorScheme})`, async ({ explorer }) => {
    await explorer.emulateMedia({ colorScheme });
    const console = new ConsolePage(explorer);
    await console.goto();
    await console.open("repairer.jobs.insert");
    const existing = console.errors.getByRole("listitem").filter({ hasText: "The job exists" });
    await expect(existing).toContainText(/inserts J-\d+ and says nothing of existing/);
    await console.errors.getByRole("button", { name: /that any call can meet/ }).click();
    await expectAccessible(explorer);
  });
}

test("every error of a job's insert is made to happen with one press", async ({ explorer }) => {
  const console = new ConsolePage(explorer);
  await console.goto();
  await console.open("repairer.jobs.insert");
  const rows = console.errors.getByRole("listitem");
  await expect(rows).toHaveCount(11);
  await everyRow(console, rows);
});

test("every error that any call can meet is made to happen with one press", async ({ explorer }) => {
  const console = new ConsolePage(explorer);
  await console.goto();
  await console.open("businesses.list");
  await console.errors.getByRole("button", { name: /that any call can meet/ }).click();
  const rows = console.errors.getByRole("list", { name: "Errors that any call can meet" }).getByRole("listitem");
  await expect(rows).toHaveCount(11);
  await everyRow(console, rows);
});

test("the call that makes an error happen is in the form and in the JSON, to be changed", async ({ explorer }) => {
  const console = new ConsolePage(explorer);
  await console.goto();
  await console.open("repairer.jobs.insert");
  await console.makeHappen("No such insurer");
  await console.expectAnswer(404, '"work_provider_not_found"');
  await expect.poll(() => console.body()).toMatchObject({ work_provider_contract: "Nobody Mutual" });
  await console.makeHappen("Wrong side");
  await console.expectAnswer(403, '"forbidden"');
  await expect(console.operation.getByText("the key is of the other side: 403")).toBeVisible();
  await console.makeHappen("No key");
  await console.expectAnswer(401, '"unauthorized"');
  await expect(console.answer).toContainText("lacks a header that proves who sends it");
  await expect(console.operation.getByRole("radio", { name: "None" })).toBeChecked();
});

test("what was typed before an error was made to happen is put back whole", async ({ explorer }) => {
  const console = new ConsolePage(explorer);
  await console.goto();
  await console.open("repairer.jobs.get");
  await console.write({ identity: { external: "typed before" } });
  await console.makeHappen("No key");
  await console.expectAnswer(401, '"unauthorized"');
  await console.makeHappen("No such job");
  await console.expectAnswer(404, '"not_found"');
  await console.operation.getByRole("button", { name: "Put mine back" }).click();
  await expect.poll(() => console.body()).toEqual({ identity: { external: "typed before" } });
  await expect(console.operation.getByRole("radio", { name: "Credential" })).toBeChecked();
  await expect(console.operation.getByText("scope fits")).toBeVisible();
});

test("what cannot happen yet says what to do first, and can once that is done", async ({ explorer, service }) => {
  const console = new ConsolePage(explorer);
  await console.goto();
  await console.open("supplier.procurements.confirm");
  const row = console.errors.getByRole("listitem").filter({ hasText: "The order is confirmed already" });
  await expect(row).toContainText("Switch assumption D50 to reject first");
  await expect(row.getByRole("button")).toBeDisabled();
  await row.getByRole("link", { name: "Set it" }).click();
  await expect(explorer.getByRole("heading", { name: "What if a confirmed order is confirmed again?" })).toBeFocused();
  await explorer.goBack();
  await new WorldSwitches(service.ready).set({ confirm_when_confirmed: "reject" });
  await row.getByRole("button").click();
  await console.expectAnswer(422, "order_confirmed already");
});

test("errors of the control plane and of the webhook routes are made to happen with one press", async ({
  explorer,
}) => {
  const console = new ConsolePage(explorer);
  await console.goto();
  for (const [operation, error, status, text] of [
    ["worlds.list", "Not the control token", 401, '"unauthorized"'],
    ["snapshots.restore", "No such thing", 404, '"not_found"'],
    ["webhooks.subscribe", "Not an address of this machine", 400, '"url_not_loopback"'],
    ["webhooks.sink", "Too old", 400, '"stale_timestamp"'],
  ] as const) {
    await console.search(operation);
    await console.open(operation);
    await console.makeHappen(error);
    await console.expectAnswer(status, text);
  }
  await expectAccessible(explorer);
});

test("a client secret that makes an error happen is sent, and kept nowhere", async ({ explorer, service }) => {
  const console = new ConsolePage(explorer);
  await console.goto();
  await console.open("integrations.insert");
  await console.makeHappen("Unusable access code");
  await console.expectAnswer(401, '"invalid_access_code"');
  const secrets = (await new ControlProgram(service.ready).secrets()).filter(
    (secret) => secret !== service.ready.control_token,
  );
  const kept = await explorer.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(secrets.length).toBeGreaterThan(3);
  for (const secret of secrets) expect(kept).not.toContain(secret);
});
