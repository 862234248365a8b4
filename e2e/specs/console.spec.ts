import { expect, expectAccessible, expectAccessibleInBoth, test } from "../fixtures/explorer.ts";
import { PartnerJobs } from "../fixtures/partner-jobs.ts";
import { ConsolePage } from "../pages/console-page.ts";
import { FramePage } from "../pages/frame-page.ts";

test("a job is inserted, changed and read as the buyer, from form and JSON", async ({ explorer, service }) => {
  const [console, jobs] = [new ConsolePage(explorer), new PartnerJobs(service.ready)];
  await console.goto();
  await console.open("repairer.jobs.insert");
  await expect(explorer).toHaveURL(/\/console\/repairer\.jobs\.insert/);
  await expect(console.operation.getByText("Scope OK")).toBeVisible();

  // The form and the text change each other.
  await console.field("Your identifier").fill("estimate:of-the-console");
  await expect.poll(() => console.body()).toMatchObject({ identity: { external: "estimate:of-the-console" } });
  await console.write({ ...(await console.body()), claim_number: "LRM-1" });
  await expect(console.field("Claim number")).toHaveValue("LRM-1");
  await console.send();
  await console.expectAnswer(200);
  await expect(console.response.getByRole("region", { name: "Changes" })).toContainText("inserted");
  expect((await jobs.get("estimate:of-the-console")).claim_number).toBe("LRM-1");

  // A message says that the response belongs to an earlier body.
  await console.field("Claim number").fill("LRM-2");
  await expect(console.response).toContainText("edited since");
  await console.field("Claim number").press("ControlOrMeta+Enter");
  await expect(console.response.getByRole("region", { name: "Changes" })).toContainText("LRM-2");
  await expectAccessibleInBoth(explorer);
  await console.response.getByRole("link", { name: "Trace" }).click();
  await expect(explorer.getByRole("article")).toHaveAccessibleName("Insert job, 200");
});

test("form and JSON flag a wrong and an ignored field before sending, which stays possible", async ({ explorer }) => {
  const console = new ConsolePage(explorer);
  await console.goto();
  await console.open("repairer.jobs.insert");
  await console.field("Pictures").fill("88213/front-left.jpg");
  await explorer.keyboard.press("Enter");
  await expect(console.form.getByText("/images/1")).toBeVisible();
  await expect(console.json.locator(".je-fault")).toContainText("88213/front-left.jpg");
  await expect(console.operation.getByText("1 invalid field")).toBeVisible();
  await console.send();
  await console.expectAnswer(422, "/images/1 ");
  await expect(console.response.getByRole("note", { name: "Why it failed" })).toBeVisible();

  // The field at the cursor is marked in the other view.
  await console.field("Claim number").focus();
  await expect(console.json.locator(".je-current")).toContainText("claim_number");
  await console.json.locator(".cm-line", { hasText: "repairer_site_id" }).click();
  await expect(console.form.locator('[data-pointer="/repairer_site_id"]')).toHaveCSS(
    "background-color",
    await console.json.locator(".je-current").evaluate((line) => getComputedStyle(line).backgroundColor),
  );

  await console.write({ ...(await console.body()), images: [], claim_numbr: "C-1" });
  await expect(console.operation.getByText("1 field ignored")).toBeVisible();
  await expect(console.operation.getByText(/^\/claim_numbr .*claim_number\b/)).toBeVisible();
  await console.send();
  await console.expectAnswer(200);
});

test("values of this world are suggested by name, and the code contains no key", async ({ explorer, service }) => {
  const [console, jobs] = [new ConsolePage(explorer), new PartnerJobs(service.ready)];
  const hostile = '<img src=x onerror="document.title=1">';
  await jobs.insert("estimate:hostile", {
    job_number: hostile,
    vehicle: { chassis_number: null, plate_number: "HOST1LE", plate_state: null },
  });
  await console.goto();
  await console.open("repairer.jobs.get");
  await console.field("Your identifier").fill("HOST1LE");
  await explorer.getByRole("option", { name: hostile }).click();
  await expect.poll(() => console.body()).toEqual({ identity: { external: "estimate:hostile" } });
  await expect(console.form.getByText(`${hostile} · HOST1LE`)).toBeVisible();
  await console.send();
  await console.expectAnswer(200, "onerror");
  await expect(console.operation.locator("img")).toHaveCount(0);
  await expect(explorer).toHaveTitle(/^Read job · Console/);

  await expect(console.code).toContainText('"$API_KEY"');
  await expect(console.code).toContainText("estimate:hostile");
  await console.code.getByRole("tab", { name: "Python" }).click();
  await expect(console.code).toContainText('os.environ["API_KEY"]');
  await expect(console.code).not.toContainText(service.ready.credentials?.repairer.api_key ?? "none");

  // In a small window, the response is below the call, and a link leads back to the list.
  await explorer.setViewportSize({ width: 640, height: 400 });
  await console.send();
  await expect(console.response.getByText("200", { exact: true })).toBeInViewport();
  await expectAccessible(explorer);
  await explorer.getByRole("link", { name: "Console", exact: true }).last().click();
  await expect(console.list).toBeVisible();
});

test("operations are found by field or error, browsed by keys, and have an address", async ({ explorer, context }) => {
  const console = new ConsolePage(explorer);
  await explorer.keyboard.press("g");
  await explorer.keyboard.press("c");
  await expect(explorer.getByRole("heading", { level: 1, name: "Console" })).toBeVisible();
  await explorer.keyboard.press("/");
  await explorer.keyboard.type("work_provider_not_found");
  await expect(console.list.getByRole("link")).toHaveCount(1);
  await explorer.keyboard.press("ArrowDown");
  await explorer.keyboard.press("Enter");
  await expect(console.operation).toHaveAccessibleName("Insert job");
  await console.field("Claim number").fill("typed and kept");

  const other = await context.newPage();
  await other.goto(explorer.url());
  const there = new ConsolePage(other);
  await expect(there.operation).toHaveAccessibleName("Insert job");
  await expect(there.list.getByRole("link")).toHaveCount(1);
  await other.close();

  await explorer.reload();
  await expect(console.field("Claim number")).toHaveValue("typed and kept");
  await console.search("zzyzx");
  await expect(explorer.getByText("No operation matches")).toBeVisible();
  await new FramePage(explorer).goToAddress("/console/repairer.jobs.insrt");
  await expect(explorer.getByRole("link", { name: "All operations" })).toBeVisible();
});

test("a call can be made without a key, with a broken credential, as the other side, and with custom headers", async ({
  explorer,
}) => {
  const console = new ConsolePage(explorer);
  await console.goto();
  await console.open("supplier.procurements.get");
  await expect(console.operation.getByText("Scope OK")).toBeVisible();
  await console.actAs("None");
  await expect(console.operation.getByText("Will fail with 401")).toBeVisible();
  await console.send();
  await console.expectAnswer(401, "unauthorized");
  for (const [how, status] of [
    [/bare key/, 401],
    [/other side/, 403],
  ] as const) {
    await console.actAs("None");
    await console.actAs("Invalid");
    await console.operation.getByRole("combobox", { name: "Invalid credential" }).click();
    await explorer.getByRole("option", { name: how }).click();
    await console.send();
    await console.expectAnswer(status);
    await expect(console.response).not.toContainText("edited since");
  }

  // Custom headers are sent all or none, can choose the world, and reach the control plane.
  await console.goto();
  await console.open("businesses.list");
  await console.operation.getByRole("button", { name: "Custom headers" }).click();
  const headers = console.operation.getByRole("textbox", { name: "Custom headers" });
  await headers.fill("x-trace: 7\nheaderless\nx-sandbox-tenant: elsewhere");
  await expect(headers).toHaveAttribute("aria-invalid", "true");
  await expect(console.operation.getByRole("button", { name: "Send", exact: false })).toBeDisabled();
  await headers.fill("x-trace: 7\nx-sandbox-tenant: elsewhere");
  await console.send();
  await console.expectAnswer(200);
  await console.response.getByRole("link", { name: "Trace in elsewhere" }).click();
  await expect(explorer.getByRole("article")).toContainText("businesses.list");
  await explorer.getByRole("article").getByRole("tab", { name: "Headers" }).click();
  await expect(explorer.getByRole("article")).toContainText("x-trace");

  await console.goto();
  await console.search("health.get");
  await explorer.keyboard.press("Enter");
  await expect(explorer).toHaveURL(/\/console\/health\.get/);
  await console.send();
  await console.expectAnswer(200, "ok");
});
