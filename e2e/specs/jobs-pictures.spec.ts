import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { JobPictures, picture } from "../pages/job-pictures.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("pictures are chosen, dropped, pasted, removed and put back, and each batch is one update", async ({
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
  await expectAccessible(explorer);
  // One insert, and one update a batch.
  await jobs.show("Trace");
  await expect(jobs.traces.filter({ hasText: "repairer.jobs.insert" })).toHaveCount(4);
  await jobs.show("Overview");
  await explorer.reload();
  await pictures.expectNames("front.png", "back.png", "door.png", "clip.png");

  await pictures.remove("back.png");
  await pictures.expectNames("front.png", "door.png", "clip.png");
  await pictures.putBack();
  await pictures.expectNames("front.png", "back.png", "door.png", "clip.png");
});

test("what is no picture is refused in the service’s words, and one on its way can be stopped, or sent again when it failed", async ({
  explorer,
}) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20419");
  const pictures = new JobPictures(explorer, jobs.job);
  const text = { name: "estimate.pdf", type: "application/pdf", bytes: Buffer.from("%PDF-1.7, and no picture at all") };
  await pictures.choose(text, picture("huge.png", 21 * 1024 * 1024), picture("good.png"));
  await pictures.expectRefused(
    "estimate.pdf",
    415,
    "The content is no PNG, JPEG, WebP, GIF or HEIC image by its bytes.",
  );
  await pictures.expectRefused("huge.png", 413, "The image is larger than 20 MiB.");
  await expect(pictures.tiles.filter({ hasText: "good.png" })).toBeVisible();

  await explorer.route("**/__uploads/**", () => new Promise(() => {}));
  await pictures.choose(picture("slow.png"));
  await expect(pictures.progress("slow.png")).toBeVisible();
  await expectAccessible(explorer);
  await pictures.stop("slow.png");
  await expect(pictures.progress("slow.png")).toBeHidden();
  await explorer.unroute("**/__uploads/**");
  await explorer.route("**/__uploads/**", (route) => route.abort("connectionreset"));
  const failed = await pictures.failed.count();
  await pictures.choose(picture("lost.png"));
  await expect(pictures.failed).toHaveCount(failed + 1);
  await explorer.unroute("**/__uploads/**");
  await pictures.tryAgain("lost.png");
  await expect(pictures.tiles.filter({ hasText: "lost.png" })).toBeVisible();
});

test("pictures go into the form of a new job, and come with it", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.openNewJob();
  const pictures = new JobPictures(explorer, jobs.form);
  await jobs.fillForm({ external: "estimate:with-pictures", number: "PIC-2" });
  await pictures.paste(picture("pasted.png"));
  await pictures.choose(picture("chosen.png"), picture("mistake.png"));
  await pictures.expectNames("pasted.png", "chosen.png", "mistake.png");
  await pictures.remove("mistake.png");
  await explorer.reload();
  await pictures.expectNames("pasted.png", "chosen.png");
  await jobs.submitForm();
  await expect(jobs.form).toBeHidden();
  await jobs.show("Overview");
  await new JobPictures(explorer, jobs.job).expectNames("pasted.png", "chosen.png");
});

test("a picture of another machine is fetched only when it is asked for", async ({ explorer }) => {
  const host = "127.0.0.1.pictures.example";
  const jobs = new JobsPage(explorer);
  const fetched: string[] = [];
  await explorer.route(`http://${host}/**`, (route) => {
    fetched.push(route.request().url());
    return route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  });
  await jobs.goto();
  await jobs.open("J-20420");
  await jobs.job.getByRole("button", { name: /^Edit/ }).click();
  await jobs.form.getByRole("button", { name: "Add by URL" }).click();
  await jobs.form.getByRole("textbox", { name: "Picture URL" }).fill(`http://${host}/dent.svg`);
  await explorer.keyboard.press("Enter");
  await explorer.keyboard.press("ControlOrMeta+Enter");
  await expect(jobs.form).toBeHidden();
  const tile = jobs.job.getByRole("button", { name: /^Open picture .*dent.svg/ });
  await expect(tile).toContainText(`at ${host}`);
  await tile.click();
  await expect(explorer.getByText("This picture is on another server")).toBeVisible();
  expect(fetched).toEqual([]);
  await explorer.getByRole("button", { name: `Load from ${host}` }).click();
  await expect(explorer.getByRole("img", { name: "dent.svg" })).toBeAttached();
  await expect.poll(() => fetched).toContain(`http://${host}/dent.svg`);
});
