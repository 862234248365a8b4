import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { DeliveringWorld } from "../testing/delivering-world.ts";
import { DeliveryEngine } from "./engine.ts";

/** Stands for the public internet; all other addresses are forbidden. */
const PUBLIC = "127.0.0.1";

it("D77: a name that resolves to a private address at the next attempt is refused, and the attempt says so", async () => {
  const lookups: string[] = [];
  let leadsTo = PUBLIC;
  const resolve = async (name: string) => {
    lookups.push(name);
    return [{ address: leadsTo, family: 4 }];
  };
  let requests = 0;
  const server = http.createServer((_, response) => {
    requests += 1;
    // The name's owner now redirects it to an internal address.
    leadsTo = "10.0.0.1";
    response.writeHead(503, { connection: "close" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, PUBLIC, resolve));
  const known = new DeliveringWorld();
  await known.retryFast();
  known.subscribe("s", `http://hooks.example.com:${(server.address() as AddressInfo).port}/`);
  const engine = new DeliveryEngine({
    enabled: true,
    allows: (address) => address === PUBLIC,
    resolve,
    withWorld: known.withWorld,
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(async () => {
    await engine.stop();
    server.close();
  });
  const [id = ""] = known.queue("s");
  engine.wake(known.world);
  await expect.poll(() => known.delivery(id).attempts_made, { timeout: 10_000 }).toBeGreaterThanOrEqual(3);
  const { attempts } = { attempts: known.world.stores.outbox.attempts(known.delivery(id).seq) };
  expect(attempts[0]).toMatchObject({ response_status: 503, error: null });
  for (const { response_status, error } of attempts.slice(1)) {
    expect([response_status, error]).toEqual([
      null,
      expect.stringMatching(/hooks\.example\.com resolves to 10\.0\.0\.1, where notifications may not be sent/),
    ]);
  }
  expect(requests).toBe(1);
  expect(lookups.length).toBeGreaterThanOrEqual(attempts.length);
});
