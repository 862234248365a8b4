import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { JobPictures, picture } from "../pages/job-pictures.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("pictures are chosen, dropped, pasted and removed; other files are refused in the service’s words", async ({
  explorer,
}) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.createJob({ external: "estimate:pictures", number: "PIC-1" });
  await jobs.show("Overview");
  const pictures = new JobPictures(explorer, jobs.job);
  await pictures.choose(picture("front.png"), picture("back.png"));
  await pictures.expectNames("front.png", "back.png");
  await pictures.drop(picture("door.png"));
  await pictures.expectNames("front.png", "back.png", "door.png");
  await pictures.paste(picture("clip.png"));
  await pictures.expectNames("front.png", "back.png", "door.png", "clip.png");
  await pictures.remove("back.png");
  await pictures.expectNames("front.png", "door.png", "clip.png");
  // One insert, and one update per batch.
  await jobs.show("Trace");
  await expect(jobs.traces.filter({ hasText: "repairer.jobs.insert" })).toHaveCount(5);
  await jobs.show("Overview");

  const text = { name: "estimate.pdf", type: "application/pdf", bytes: Buffer.from("%PDF-1.7") };
  await pictures.choose(text, picture("good.png"));
  await pictures.expectRefused("estimate.pdf", 415);
  await pictures.expectNames("front.png", "door.png", "clip.png", "good.png");
  await explorer.route("**/__uploads/**", () => new Promise(() => {}));
  await pictures.choose(picture("slow.png"));
  await expect(pictures.progress("slow.png")).toBeVisible();
  await expectAccessible(explorer);
  await pictures.stop("slow.png");
  await expect(pictures.progress("slow.png")).toBeHidden();
});

test("a foreign picture is loaded only by the browser, and only when opened", async ({ explorer }) => {
  const host = "127.0.0.1.pictures.example";
  const url = `http://${host}/dent.svg`;
  const jobs = new JobsPage(explorer);
  const fetched: string[] = [];
  await explorer.context().route(`http://${host}/**`, (route) => {
    fetched.push(route.request().url());
    return route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  });
  await jobs.goto();
  await jobs.open("J-20420");
  await jobs.openEdit();
  await jobs.form.getByRole("textbox", { name: "images" }).fill(url);
  await explorer.keyboard.press("ControlOrMeta+Enter");
  await expect(jobs.form).toBeHidden();
  const tile = jobs.job.getByRole("link", { name: `Open at ${host}: dent.svg` });
  await expect(tile).toBeVisible();
  // The page's own policy refuses the picture in any element.
  const refused = await explorer.evaluate(
    (src) =>
      new Promise((resolve) =>
        Object.assign(new Image(), { src, onload: () => resolve(false), onerror: () => resolve(true) }),
      ),
    url,
  );
  expect(refused).toBe(true);
  expect(fetched).toEqual([]);
  const [opened] = await Promise.all([explorer.context().waitForEvent("page"), tile.click()]);
  await expect.poll(() => opened.url()).toBe(url);
  expect(fetched).toEqual([url]);
});
