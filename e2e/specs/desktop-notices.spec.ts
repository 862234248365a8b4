import { expect } from "@playwright/test";
import { policiesSet } from "../../sandbox/contract/control/world-operations.ts";
import { operationPath } from "../../sandbox/contract/operation.ts";
import type { ReadyLine } from "../../sandbox/service.ts";
import { test } from "../fixtures/desktop.ts";
import { Native } from "../fixtures/native.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { FramePage } from "../pages/frame-page.ts";
import { SettingsPage } from "../pages/settings-page.ts";

const supplier = "Meridian Genuine Parts";

test("failed deliveries are shown only on request, in one notice that links to the last", async ({ desktop }) => {
  const { app, page, ready } = await desktop.start();
  const native = new Native(app);
  const shown = await native.watchNotifications();
  const count = () => shown.evaluate((notices) => notices.length);
  const partner = new PartnerProgram(ready);
  await deliverToNobody(ready);

  expect(await native.isTicked("notify-of-failures")).toBe(false);
  await partner.order("J-20418", supplier);
  await expect.poll(() => failedCount(ready)).toBe(1);

  // The switch in Settings and the menu item are synchronized.
  const settings = new SettingsPage(page);
  await settings.goto();
  const toggle = settings.setting("Notifications of failed deliveries").getByRole("switch");
  await expect(toggle).not.toBeChecked();
  await toggle.click();
  await expect.poll(() => native.isTicked("notify-of-failures")).toBe(true);
  await native.choose("notify-of-failures");
  await new FramePage(page).goTo("Overview");
  await settings.goto();
  await expect(toggle).not.toBeChecked();
  await native.choose("notify-of-failures");
  expect(await native.isTicked("notify-of-failures")).toBe(true);
  // Nothing shows when the app listens, so orders are placed until it does.
  await expect(async () => {
    await partner.order("J-20418", supplier, 3);
    await expect.poll(count, { timeout: 4000 }).toBeGreaterThan(0);
  }).toPass({ timeout: 40_000 });
  await partner.order("J-20418", supplier, 3);
  const [title, body] = await shown.evaluate((notices) => notices.flatMap((one) => [one.title, one.body]));
  expect(title).toMatch(/^(A delivery|\d+ deliveries) failed$/);
  expect(body).toMatch(/repairer\.procurements .*http:\/\/127\.0\.0\.1:1\/hook: /);
  expect(await count()).toBe(1);

  await shown.evaluate((notices) => void notices[0]?.emit("click"));
  await expect.poll(() => page.evaluate(() => location.pathname)).toMatch(/^\/webhooks\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("article")).toContainText("http://127.0.0.1:1/hook");
});

/** Sends the buyer's events to a closed port, with one attempt each. */
async function deliverToNobody(ready: ReadyLine): Promise<void> {
  const { api_key = "", integration_id = "" } = ready.credentials?.repairer ?? {};
  await post(ready, operationPath(policiesSet), ready.control_token, { policies: { webhook_retries: "none" } });
  await post(ready, "/__webhooks/subscribe", api_key, {
    integration_id,
    url: "http://127.0.0.1:1/hook",
  });
}

async function failedCount(ready: ReadyLine): Promise<number> {
  const { total } = (await post(ready, "/__sandbox/deliveries.list", ready.control_token, { status: "failed" })) as {
    total: number;
  };
  return total;
}

async function post(ready: ReadyLine, path: string, key: string, body: object): Promise<unknown> {
  const answer = await fetch(ready.base_url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return answer.json();
}
