import { expect, expectAccessibleInBoth, test } from "../fixtures/explorer.ts";
import { FramePage } from "../pages/frame-page.ts";

test("the help opens from the rail, finds pages by search, and follows the service's policy", async ({
  explorer,
  service,
}) => {
  const policyOf = async (address: string) =>
    (await explorer.request.get(service.ready.base_url + address)).headers()["content-security-policy"];
  expect(await policyOf("/help/")).toBe(await policyOf("/"));
  expect(await policyOf("/help/")).toContain("script-src 'self'; style-src");

  const opened = explorer.waitForEvent("popup");
  await new FramePage(explorer).rail.getByRole("link", { name: "Help" }).click();
  const help = await opened;
  await help.waitForURL("**/help/");
  const problems: string[] = [];
  help.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  help.on("pageerror", (error) => problems.push(error.message));
  await help.reload();
  await expect(help.getByRole("heading", { level: 1, name: "Integrations Explorer" })).toBeVisible();
  await expectAccessibleInBoth(help);

  await help.keyboard.press("Control+k");
  await help.getByRole("searchbox", { name: "Search the help" }).fill("confirm twice unprocessable");
  await expect(help.getByRole("status")).toHaveText(/results?$/);
  await help.getByRole("searchbox").fill("work_provider_not_found");
  await expect(help.getByRole("link", { name: /^work_provider_not_found/ }).first()).toBeVisible();
  await help.keyboard.press("Enter");
  await expect(help).toHaveURL(/\/help\/reference\/errors\/work_provider_not_found\/$/);
  await expect(help.getByText("Fix:")).toBeVisible();
  await expectAccessibleInBoth(help);

  // The explorer links to the cause's name.
  await help.goto(`${service.ready.base_url}/help/reference/errors/unprocessable/#confirm_of_cancelled`);
  const causes = help.getByRole("heading", { level: 3 });
  await expect(help.locator("#confirm_of_cancelled")).toBeInViewport();
  await expect(causes.first()).not.toBeInViewport();

  await help.goto(`${service.ready.base_url}/help/reference/operations/repairer.jobs.insert/`);
  await expectAccessibleInBoth(help);
  // Wide tables scroll by keyboard, and the chosen language applies to every page.
  await help.setViewportSize({ width: 400, height: 800 });
  const fields = help.getByRole("table").nth(1);
  await expect(fields).toHaveAttribute("tabindex", "0");
  await help.setViewportSize({ width: 1280, height: 800 });
  await expect(fields).not.toHaveAttribute("tabindex");
  await help.getByRole("tab", { name: "Python" }).click();
  await expect(help.getByRole("tabpanel", { name: "Python" })).toContainText("import requests");
  await help.goto(`${service.ready.base_url}/help/reference/operations/repairer.jobs.get/`);
  await expect(help.getByRole("tabpanel", { name: "Python" })).toBeVisible();
  await help.goBack();
  await help.getByRole("combobox", { name: "Select theme" }).selectOption("dark");
  await expect(help.locator("html")).toHaveAttribute("data-theme", "dark");
  await help.getByRole("link", { name: "This page as Markdown" }).click();
  await expect(help.getByText("# repairer.jobs.insert")).toBeVisible();
  expect(problems).toEqual([]);
});
