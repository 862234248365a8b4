import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { OtherBuild } from "../fixtures/other-build.ts";
import { PartnerJobs } from "../fixtures/partner-jobs.ts";
import { FramePage } from "../pages/frame-page.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";

// A page's clock is its profile's.
test.use({ ownService: true, ownProfile: true });

test("drafts and pending calls survive a restart of the service, also with a new control token", async ({
  explorer,
  service,
}) => {
  const [frame, jobs] = [new FramePage(explorer), new JobsPage(explorer)];
  await jobs.goto();
  await jobs.search.fill("J-2041");
  await jobs.openNewJob();
  await jobs.fillForm({ external: "estimate:typed", number: "TYPED-1" });
  await service.stop("SIGKILL");
  await frame.expectConnection(/^Reconnecting/);
  await jobs.submitForm();
  const refusal = jobs.form.getByRole("alert");
  await expect(refusal).toBeVisible();
  const silence = await refusal.innerText();
  expect(silence).not.toContain("no_answer");
  await service.start();
  await frame.expectConnection("Live");
  await expect(refusal).not.toHaveText(silence, { useInnerText: true });
  await expect(jobs.form.getByRole("textbox", { name: "job_number" })).toHaveValue("TYPED-1");
  await jobs.submitForm();
  await expect(new NoticesPage(explorer).toast("TYPED-1 inserted")).toBeVisible();
  await expect(jobs.search).toHaveValue("J-2041");

  // A service with a new control token asks for it above the draft, then continues.
  await jobs.openNewJob();
  await jobs.fillForm({ external: "estimate:kept", number: "KEPT-1" });
  await service.stop();
  service.deleteData();
  await service.start();
  const asked = explorer.getByRole("dialog", { name: /token/ });
  await expect(asked).toBeVisible({ timeout: 20_000 });
  await expectAccessible(explorer);
  const beside = await explorer.context().newPage();
  await beside.goto(`${service.ready.base_url}/#token=of-before`);
  await expect(beside.getByText("#token=…")).toBeVisible();
  await expect(asked).toBeVisible();
  await beside.goto(service.ready.explorer_url);
  await expect(asked).toBeHidden();
  await frame.expectConnection("Live");
  await expect(explorer).toHaveURL(/\/jobs(\/|\?|$)/);
  await expect(jobs.form.getByRole("textbox", { name: "job_number" })).toHaveValue("KEPT-1");
});

test("failed reads are repeated without a click when the service is back", async ({ explorer, service }) => {
  let away = true;
  await explorer.route("**/assets/procurements-*.js", (route) => (away ? route.abort() : route.continue()));
  await explorer.reload();
  const frame = new FramePage(explorer);
  const health = explorer.getByText(/Service healthy|Unhealthy/);
  await expect(health).toBeVisible();
  await service.stop();
  // No health is shown for a service that does not respond.
  await frame.expectConnection(/^Reconnecting/);
  await expect(health).toHaveCount(0);
  await frame.rail.getByRole("link", { name: /^Orders/ }).click();
  await expect(explorer.getByRole("alert")).toContainText("Orders", { timeout: 20_000 });
  await expect(explorer.getByRole("alert")).not.toContainText("http");
  away = false;
  await service.start();
  const order = explorer.getByRole("link").filter({ hasText: "TRC-20397-1" });
  await expect(order).toBeVisible({ timeout: 20_000 });
  await expect(explorer.getByRole("alert")).toHaveCount(0);
});

test("a missing service is reported with its time, and reconnects after a retry", async ({ page, service }) => {
  await page.clock.install();
  await page.goto(service.ready.explorer_url);
  const frame = new FramePage(page);
  await frame.expectConnection("Live");
  await service.stop();
  await frame.expectConnection(/^Reconnecting/);
  await page.clock.fastForward(40_000);
  await frame.expectConnection(/^Lost since \d\d:\d\d$/);
  await expect(frame.banner("Service not responding")).toContainText("doesn’t respond");
  await expectAccessible(page);
  // Before the service starts: a retry of its own every 4 s would remove the button.
  await frame.banner("Service not responding").getByRole("button", { name: "Try now" }).click();
  await service.start();
  await frame.expectConnection("Live");
  await expect(frame.banner("Service not responding")).toHaveCount(0);
});

test("a restart with another version is reported and offers a reload", async ({ explorer, service }) => {
  const other = new OtherBuild("9.8.7");
  try {
    const frame = new FramePage(explorer);
    // The first feed names the version of the loaded page.
    await frame.expectConnection("Live");
    await service.stop();
    await service.start(other.command);
    await frame.expectConnection("Live");
    await expect(frame.banner("New version")).toContainText("The service is 9.8.7");
    await explorer.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(explorer);
    const reloaded = explorer.waitForEvent("load");
    await frame.banner("New version").getByRole("button", { name: "Reload" }).click();
    await reloaded;
    await frame.expectConnection("Live");
    await expect(frame.banner("New version")).toHaveCount(0);
  } finally {
    await service.stop("SIGKILL");
    other.remove();
  }
});

test("a slow feed isn't “Live” until it opens, and misses no entry", async ({ page, service }) => {
  // Playwright can delay the page's own requests, but not those of a shared worker.
  await page.addInitScript(() => void Reflect.deleteProperty(window, "SharedWorker"));
  const opens = Promise.withResolvers<void>();
  await page.route("**/__sandbox/live?**", async (route) => {
    await opens.promise;
    await route.continue();
  });
  const [frame, jobs, partner] = [new FramePage(page), new JobsPage(page), new PartnerJobs(service.ready)];
  await partner.insert("before:1", { job_number: "BEFORE-1" });
  await page.clock.install();
  await page.goto(service.ready.explorer_url);
  await jobs.goto();
  await expect(jobs.row("BEFORE-1")).toBeVisible();
  await partner.insert("meanwhile:1", { job_number: "MEANWHILE-1" });
  // Longer than a normal connection takes.
  await page.clock.fastForward(11_000);
  await expect(frame.bar.getByText("Live")).toHaveCount(0);
  await expect(jobs.row("MEANWHILE-1")).toHaveCount(0);

  opens.resolve();
  await frame.expectConnection("Live");
  await expect(jobs.row("MEANWHILE-1")).toBeVisible();
  await partner.insert("after:1", { job_number: "AFTER-1" });
  await expect(jobs.row("AFTER-1")).toBeVisible();
});
