import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerCalls } from "../fixtures/partner-calls.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { FramePage } from "../pages/frame-page.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { RequestsPage } from "../pages/requests-page.ts";

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
