import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { FramePage } from "../pages/frame-page.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";
import { RequestsPage } from "../pages/requests-page.ts";

/** 1280×800 at 125 %, as on many projectors. */
test.use({ viewport: { width: 1024, height: 640 } });

test("a basket and its four orders, their trace, the map and a snapshot's actions are in sight", async ({
  explorer,
  service,
}) => {
  const [frame, jobs, requests] = [new FramePage(explorer), new JobsPage(explorer), new RequestsPage(explorer)];
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("Basket");
  const cheapest = explorer.getByRole("button", { name: "Choose cheapest" });
  await cheapest.click();
  const label = cheapest.getByText("Choose cheapest");
  expect(await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await expect(explorer.getByRole("button", { name: /^Place 4 orders/ })).toBeInViewport({ ratio: 1 });
  for (const part of ["Front bumper cover", "Headlamp, right, LED", "Bonnet"])
    await expect(explorer.getByRole("rowheader", { name: part })).toBeInViewport({ ratio: 1 });
  expect(await jobs.placeOrders()).toHaveLength(4);
  const supplier = explorer.getByRole("table", { name: /^Orders/ }).getByText("Meridian Genuine Parts");
  await expect(supplier).toBeInViewport({ ratio: 1 });
  expect(await supplier.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);

  await requests.goto();
  await requests.open("repairer.procurements.place");
  await requests.show("Trace");
  const trace = requests.call.getByRole("region", { name: "Trace" });
  await expect(trace.getByRole("heading", { name: "5 changes" })).toBeVisible();
  await expect(trace.getByRole("heading", { name: /^8 webhooks/ })).toBeVisible();
  await expect(trace.getByText("Call", { exact: true })).toBeInViewport({ ratio: 1 });
  for (const line of await trace.getByRole("listitem").all()) await expect(line).toBeInViewport({ ratio: 1 });

  await frame.rail.getByRole("link", { name: /^Overview/ }).click();
  const map = explorer.getByRole("region", { name: "Lifecycle map" });
  await expect(map.getByText("Order confirmed")).toBeInViewport({ ratio: 1 });
  expect(await map.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const traces = explorer.getByRole("table", { name: "Latest traces" });
  await expect(traces.getByRole("columnheader", { name: "Result" })).toBeVisible();
  const result = await traces.getByRole("columnheader", { name: "Result" }).boundingBox();
  expect(result?.width).toBeGreaterThan(120);
  // Only the result takes what the other columns leave.
  const response = await traces.getByRole("columnheader", { name: "Response" }).boundingBox();
  expect(response?.width).toBeLessThan(120);

  await new ControlProgram(service.ready).reset("default");
  await frame.rail.getByRole("link", { name: "Worlds" }).click();
  const snapshots = explorer.getByRole("table", { name: /^Snapshots of default/ });
  for (const name of ["Undo reset", "Compare with now"])
    await expect(snapshots.getByText(name).first()).toBeInViewport({ ratio: 1 });
  await expect(snapshots.getByRole("button", { name: /^More for / }).first()).toBeInViewport({ ratio: 1 });
});

test("an order's actions are one click away, and a link to its Confirm focuses it", async ({ explorer, service }) => {
  const [jobs, procurements] = [new JobsPage(explorer), new ProcurementsPage(explorer)];
  const [reference = ""] = await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await procurements.goto();
  await procurements.open(reference);
  const next = explorer.getByRole("button", { name: "Go to Next steps" });
  await expect(next).toBeInViewport({ ratio: 1 });
  const confirm = explorer.getByRole("button", { name: /^Confirm order/ });
  await expect(confirm).not.toBeInViewport();
  await next.click();
  await expect(explorer.getByRole("heading", { name: "Next steps" })).toBeFocused();
  await expect(explorer.getByRole("region", { name: /^Confirm as / })).toBeInViewport();
  await expectAccessible(explorer);

  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("Orders");
  await explorer.getByRole("link", { name: "Confirm", exact: true }).click();
  await expect(confirm).toBeInViewport({ ratio: 1 });
  await expect(explorer.getByRole("heading", { name: /^Confirm as / })).toBeFocused();
});
