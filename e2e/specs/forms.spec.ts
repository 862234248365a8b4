import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { FramePage } from "../pages/frame-page.ts";

interface FormCase {
  readonly title: string;
  readonly path: string;
  readonly button: string;
  readonly field: string;
}

const forms: readonly FormCase[] = [
  { title: "New job", path: "/jobs", button: "New", field: "Client-generated ID" },
  { title: "Subscribe", path: "/webhooks", button: "Subscribe", field: "Receiver URL" },
  { title: "New fault", path: "/worlds/default/faults", button: "New fault", field: "Expires after" },
];

/** Opens a place, and its form by the button. */
const open = async (page: Page, { path, button }: Pick<FormCase, "path" | "button">, form: Locator): Promise<void> => {
  await new FramePage(page).goToAddress(path);
  await page
    .getByRole("button", { name: new RegExp(`^${button}`) })
    .first()
    .click();
  await expect(form).toBeVisible();
};

test("a form keeps its draft over a reload and over Back, and Back closes it at once", async ({ explorer }) => {
  for (const form of forms)
    await test.step(form.title, async () => {
      const dialog = explorer.getByRole("dialog", { name: form.title });
      const field = dialog.getByRole("textbox", { name: form.field });
      await open(explorer, form, dialog);
      await expect(dialog.getByText("Draft restored.")).toBeHidden();
      await field.fill("1 h");
      await explorer.reload();
      await expect(field).toHaveValue("1 h");
      await expect(dialog.getByText("Draft restored.")).toBeVisible();
      await expectAccessible(explorer);

      for (const _time of ["first", "second"]) {
        await explorer.goBack();
        await expect(dialog).toBeHidden();
        await expect(explorer).toHaveURL(new RegExp(`${form.path}(?!.*form=)`));
        await explorer.goForward();
        await expect(field).toHaveValue("1 h");
      }
      await dialog.getByRole("button", { name: "Start over" }).click();
      await expect(field).not.toHaveValue("1 h");
      await explorer.goBack();
      await expect(dialog).toBeHidden();
      await explorer.goForward();
      await expect(field).not.toHaveValue("1 h");
      await expect(dialog.getByText("Draft restored.")).toBeHidden();
      await explorer.goBack();
      await expect(dialog).toBeHidden();
    });

  await test.step("Back closes the import of a call, also after Forward has opened it again", async () => {
    const dialog = explorer.getByRole("dialog", { name: "Import a call" });
    await open(explorer, { path: "/console", button: "Import a call" }, dialog);
    for (const _time of ["first", "second"]) {
      await explorer.goBack();
      await expect(dialog).toBeHidden();
      await explorer.goForward();
      await expect(dialog).toBeVisible();
    }
  });
});
