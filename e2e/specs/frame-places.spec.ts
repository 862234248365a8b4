import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectAccessibleInBoth, test } from "../fixtures/explorer.ts";
import { PartnerCalls } from "../fixtures/partner-calls.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { FramePage } from "../pages/frame-page.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { RequestsPage } from "../pages/requests-page.ts";

/** Returns short words in tables that wrap because their column is too narrow. */
const findBrokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const broken: string[] = [];
    for (const cell of document.querySelectorAll("main td, main th, main [role=gridcell], main [role=columnheader]")) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
        for (const { 0: word, index } of (text.textContent ?? "").matchAll(/[A-Za-z]{2,12}/g)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
        }
    }
    return broken;
  });

test("every place has a title, is accessible in both schemes, and fits every window without a broken word", async ({
  explorer,
}) => {
  const [frame, jobs] = [new FramePage(explorer), new JobsPage(explorer)];
  // Causes changes, so that the tables of calls have content.
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.chooseAllOf("Meridian Genuine Parts");
  await jobs.placeOrders();
  for (const link of await frame.rail.locator("a:not([target])").all()) {
    await link.click();
    const [place] = /^[A-Z][a-z]+/.exec(await link.innerText()) ?? [];
    await expect(explorer.getByRole("main").getByRole("heading", { level: 1 }).first()).toBeVisible();
    await expect(explorer).toHaveTitle(new RegExp(`(^| · )${place} · Integrations Explorer$`));
    await expectAccessibleInBoth(explorer);
    // 640×400 is 1280×800 at 200 %.
    for (const [width, height] of [
      [1680, 1050],
      [640, 400],
      [1024, 640],
    ] as const) {
      await explorer.setViewportSize({ width, height });
      await frame.expectNoScroll();
    }
    await expect.poll(async () => ({ place, broken: await findBrokenWords(explorer) })).toEqual({ place, broken: [] });
    await explorer.setViewportSize({ width: 1280, height: 800 });
    await frame.expectNoScroll();
  }
});

test("a place that fails to render leaves the rail, other places and the wire usable", async ({ explorer }) => {
  const frame = new FramePage(explorer);
  await explorer.route("**/__sandbox/jobs.list", (route) => {
    const { limit } = route.request().postDataJSON();
    return limit === 1 ? route.continue() : route.fulfill({ json: { items: [null], total: 1, next_cursor: null } });
  });
  await frame.rail.getByRole("link", { name: /^Jobs/ }).click();
  await expect(explorer.getByRole("alert")).toContainText("Jobs");
  await expectAccessible(explorer);
  await frame.goTo("Orders");
  await expect(explorer.getByRole("alert")).toHaveCount(0);
  await explorer.keyboard.press("~");
  await expect(explorer.getByRole("separator", { name: /^Height/ })).toBeVisible();
  await explorer.keyboard.press("~");

  await frame.rail.getByRole("link", { name: /^Jobs/ }).click();
  await expect(explorer.getByRole("alert")).toBeVisible();
  await explorer.unroute("**/__sandbox/jobs.list");
  await explorer.reload();
  await expect(new JobsPage(explorer).row("J-20420")).toBeVisible();
});

test("the palette opens places, runs their commands, and finds entries of interface and world", async ({
  explorer,
  service,
}) => {
  const [frame, partner] = [new FramePage(explorer), new PartnerProgram(service.ready)];
  await frame.goTo("Orders");
  // The palette's code is loaded by now, so typing starts immediately.
  await frame.search("");
  await frame.escape();
  await explorer.keyboard.press("ControlOrMeta+k");
  await explorer.keyboard.type("jobs");
  await expect(frame.palette.getByRole("combobox")).toHaveValue("jobs");
  await explorer.keyboard.press("Enter");
  await frame.expectPlace("Jobs");
  await frame.run("new job", /^New job/);
  await expect(new JobsPage(explorer).form).toBeVisible();
  await frame.escape();
  await frame.run("dark", /^Dark theme/);
  await expect(explorer.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await frame.openKeys();
  for (const label of ["New job", "Switch world"])
    await expect(frame.keys.getByText(label, { exact: true })).toBeVisible();
  await expectAccessible(explorer);
  await frame.escape();
  await frame.search("zzyzx");
  await expect(frame.palette.getByText("No results")).toBeVisible();
  await frame.escape();

  await partner.subscribeSink();
  await partner.confirm("TRC-20397-1");
  await frame.run("nkr482", /NKR482/);
  await expect(explorer).toHaveURL(/\/jobs\/[0-9a-f-]{36}/);
  await frame.run("confirm 200", /^supplier\.procurements\.confirm/);
  await expect(new RequestsPage(explorer).call).toHaveAccessibleName("Confirm order, 200");
  const id = new URL(explorer.url()).pathname.split("/").at(-1) ?? "";
  await frame.goTo("Jobs");
  await frame.run(id, /^supplier\.procurements\.confirm/);
  await expect(explorer).toHaveURL(new RegExp(`/requests/${id}$`));
  await new PartnerCalls(service.ready).call("repairer.jobs.get", { identity: { external: "nobody" } });

  await frame.run("not found", /^not_found/);
  await expect(explorer).toHaveURL(/\/requests\?code=not_found/);
  await frame.run("Ardent", /^Jobs of Ardent/);
  await frame.expectPlace("Jobs");
  await expect(explorer).toHaveURL(/[?&]insurer=/);
  await frame.run("policies.set", /^policies\.set/);
  await expect(explorer).toHaveURL(/console\/policies\.set/);
  await frame.run("D50", /already confirmed/);
  await expect(explorer.getByRole("heading", { name: /already confirmed/ })).toBeFocused();
  await frame.run("D24", /^List businesses/);
  await expect(explorer).toHaveURL(/console\/businesses\.list/);

  await frame.search("basket");
  await expectAccessible(explorer);
});
