import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/explorer.ts";
import { PartnerJobs } from "../fixtures/partner-jobs.ts";
import { FramePage } from "../pages/frame-page.ts";
import { JobsPage } from "../pages/jobs-page.ts";

/** Opens another window from the first one, which has its token. It is small, because twenty are drawn. */
const openWindow = async (explorer: Page, address: string): Promise<Page> => {
  const opened = explorer.context().waitForEvent("page");
  await explorer.evaluate((to) => void window.open(to, "_blank"), address);
  const page = await opened;
  await page.setViewportSize({ width: 1024, height: 640 });
  return page;
};

test("twenty windows with eight worlds are all live and usable", async ({ explorer, service }) => {
  // Two CPU cores draw twenty pages.
  test.setTimeout(300_000);
  const worlds = Array.from({ length: 8 }, (_, index) => (index === 0 ? "default" : `team-${index}`));
  const partners = new Map(worlds.map((world) => [world, new PartnerJobs(service.ready, world)]));
  for (const partner of partners.values()) await partner.insert("first:1", { job_number: "FIRST-1" });
  const windows: { readonly world: string; readonly jobs: JobsPage; readonly frame: FramePage }[] = [];
  for (let index = 0; index < 20; index += 1) {
    const world = worlds[index % worlds.length] ?? "";
    const page = index === 0 ? explorer : await openWindow(explorer, `/jobs?world=${world}`);
    windows.push({ world, jobs: new JobsPage(page), frame: new FramePage(page) });
  }
  await windows[0]?.jobs.goto();
  for (const { frame, jobs } of windows) {
    await frame.expectConnection("Live");
    await jobs.expectFirst("FIRST-1");
  }
  for (const [world, partner] of partners) await partner.insert("next:1", { job_number: `NEXT-${world}` });
  await Promise.all(
    windows.map(({ world, jobs }) => expect(jobs.row(`NEXT-${world}`)).toBeVisible({ timeout: 30_000 })),
  );
  // No window waits for a connection that the others hold.
  const last = windows.at(-1);
  await last?.jobs.openNewJob();
  await last?.jobs.fillForm({ external: "estimate:last", number: "LAST-1" });
  await last?.jobs.submitForm();
  const same = windows.filter(({ world }) => world === last?.world);
  expect(same.length).toBeGreaterThan(1);
  await Promise.all(same.map(({ jobs }) => expect(jobs.row("LAST-1")).toBeVisible({ timeout: 30_000 })));
});
