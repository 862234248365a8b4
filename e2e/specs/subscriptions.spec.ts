import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

test("a subscription shows its health, and is paused and resumed with a click", async ({ explorer, service }) => {
  const received: number[] = [];
  let status = 500;
  const receiver = createServer((request, response) => {
    received.push(status);
    request.resume();
    response.writeHead(status).end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

  const webhooks = new WebhooksPage(explorer);
  await webhooks.goto();
  await webhooks.subscribe(url);
  await webhooks.expectSubscribed(url);
  await webhooks.expectFares(url, /^no deliveries$/, /^never acknowledged$/);

  await webhooks.press("Pause", url);
  await webhooks.expectFares(url, /^paused$/, /^manually/);
  await expect(webhooks.subscription(url).getByRole("button", { name: /^Resume/ })).toBeFocused();
  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await webhooks.expectFares(url, /^manually, .*; \d+ waiting$/);
  await expect(webhooks.feed.getByText("paused").first()).toBeVisible();
  expect(received).toEqual([]);

  await webhooks.press("Resume", url);
  const failing = [/^\d+ attempts? failed$/, /^first failure/, /^The receiver returned 500\.$/, /^(next in|due)/];
  await webhooks.expectFares(url, ...failing, /^never acknowledged$/);
  await expectAccessible(explorer);

  status = 200;
  await webhooks.press("Pause", url);
  await webhooks.expectFares(url, /^paused$/);
  await webhooks.press("Resume", url);
  await webhooks.expectFares(url, /^1 of 1 /, /^0 of 1 /, /^last success/);
  await webhooks.subscription(url).getByRole("link", { name: "Tarn & Rowe Collision" }).click();
  await expect(explorer.getByText(/^1 of 1 .*\b500\./)).toBeVisible();
  await explorer.getByRole("link", { name: /^Returned 500/ }).click();
  await expect(explorer).toHaveURL(/\/webhooks\/[0-9a-f-]{36}$/);
  receiver.close();
});

test("a failed read keeps the shown data, and removing a subscription leads to the others", async ({
  explorer,
  service,
}) => {
  const here = "http://127.0.0.1:4099/here";
  const webhooks = new WebhooksPage(explorer);
  await webhooks.goto();
  await webhooks.subscribe(here);
  await webhooks.expectSubscribed(here);
  // A background read must not remove the button before it is pressed.
  const tried = (): Promise<boolean> => explorer.evaluate(() => "tried" in window);
  await explorer.route("**/__sandbox/subscriptions.list", async (route) => {
    if (await tried()) return route.fallback();
    return route.fulfill({ status: 500, json: { type: "internal_error", message: "Disk." } });
  });
  await new PartnerProgram(service.ready).subscribeSink();
  const note = explorer.getByText(/^Out of date/);
  await expect(note).toBeVisible();
  await webhooks.expectSubscriptions(1);
  await expectAccessible(explorer);
  await explorer.evaluate(() => {
    document.addEventListener("click", () => Object.assign(window, { tried: true }), { capture: true, once: true });
  });
  await explorer.getByRole("button", { name: "Try again" }).click();
  await webhooks.expectSubscriptions(2);
  await expect(note).toHaveCount(0);

  // Also when the feed reports the end before the response arrives.
  await webhooks.subscriptions.getByRole("link").first().click();
  await explorer.route("**/subscriptions.delete*", async (route) => {
    const answer = await route.fetch();
    await expect(explorer.getByText("Subscription not found")).toBeAttached();
    await route.fulfill({ response: answer });
  });
  await explorer.getByRole("button", { name: /^Remove the subscription/ }).click();
  await explorer.getByRole("button", { name: "Remove subscription" }).click();
  await webhooks.expectSubscriptions(1);
  await expect(explorer.getByRole("main")).toBeFocused();
});
