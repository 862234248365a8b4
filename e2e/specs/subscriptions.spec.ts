import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

test("a subscription says how its address fares, and is paused and resumed with a click", async ({
  explorer,
  service,
}) => {
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
  await webhooks.expectFares(url, /^nothing yet$/, /^never acknowledged$/);

  await webhooks.press("Pause", url);
  await webhooks.expectFares(url, /^paused$/, /^by a person/);
  await expect(webhooks.subscription(url).getByRole("button", { name: /^Resume/ })).toBeFocused();
  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await webhooks.expectFares(url, /^by a person, .*; \d+ waiting$/);
  await expect(webhooks.feed.getByText("paused").first()).toBeVisible();
  await expectAccessible(explorer);
  expect(received).toEqual([]);

  await webhooks.press("Resume", url);
  await webhooks.expectFares(url, /^\d+ (try|tries) failed$/, /^first failure/, /^next try/, /^never acknowledged$/);
  await expectAccessible(explorer);

  status = 200;
  await webhooks.press("Pause", url);
  await webhooks.expectFares(url, /^paused$/);
  await webhooks.press("Resume", url);
  await webhooks.expectFares(url, /^healthy$/, /^last success/);
  receiver.close();
});

test("that nothing is sent at all is said beside the subscriptions", async ({ explorer }) => {
  await explorer.route("**/__sandbox/service.info", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), deliveries: false } });
  });
  await explorer.reload();
  const webhooks = new WebhooksPage(explorer);
  await webhooks.goto();
  await webhooks.subscribeBothSides();
  await expect(explorer.getByText(/^Deliveries are off/)).toBeVisible();
  await expectAccessible(explorer);
});
