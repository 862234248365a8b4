import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { WorldsPage } from "../pages/worlds-page.ts";

test("a supplier with a rule shows its next and its last act", async ({ explorer }) => {
  await new WorldsPage(explorer).goto();
  await explorer.getByRole("link", { name: "Counterparts", exact: true }).click();
  await expect(explorer.getByRole("heading", { name: "Counterparts" })).toBeVisible();
  await expect(explorer.getByText("test:confirm-after=30s")).toBeVisible();
  await expectAccessible(explorer);
  const meridian = explorer.getByRole("listitem").filter({ hasText: "Meridian Genuine Parts" });
  await meridian.getByRole("combobox").first().click();
  await explorer.getByRole("option", { name: "Confirms after 5 min" }).click();
  await expect(explorer.getByRole("banner").getByRole("link", { name: "1 counterpart on" })).toBeVisible();
  await expect(meridian.first().getByText(/^confirms/)).toBeVisible();
  await meridian.first().getByRole("button", { name: /^Now/ }).click();
  await expect(meridian.first().getByRole("link", { name: /^Confirmed / })).toBeVisible();
  await explorer.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(explorer);

  // Turning all rules off keeps their settings.
  const all = explorer.getByRole("switch", { name: "On in this world" });
  await all.press("Space");
  await expect(all).not.toBeChecked();
  await expect(explorer.getByRole("banner").getByRole("link", { name: /counterpart/ })).toHaveCount(0);
  await expect(meridian.getByRole("combobox").first()).toHaveValue("Confirms after 5 min");
  await expectAccessible(explorer);
  await all.press("Space");
  const pages = explorer.getByRole("navigation", { name: "Pages of default" });
  await expect(pages.getByRole("link", { name: "Counterparts 1 on" })).toHaveAttribute("aria-current", "page");
  await pages.getByRole("link", { name: "World", exact: true }).click();
  await expect(explorer.getByRole("heading", { level: 2, name: "default" })).toBeFocused();
});
