import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshWorld, type Side } from "./world.ts";

/** Answers every call with 200. */
const server = createServer((_, response) => response.end("{}")).listen(0, "127.0.0.1");
beforeAll(async () => {
  if (!server.listening) await once(server, "listening");
});
afterAll(() => {
  server.close();
});

test("rejects an unknown side and lists the valid ones", async () => {
  const credential = { api_key: "sbx_1", integration_id: "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01" };
  const world = await freshWorld({
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    control_token: "token",
    credentials: { repairer: credential, supplier: credential },
  });
  const words = 'There is no side "buyer". Use "repairer" for the buyer or "supplier".';
  await expect(world.call("buyer" as Side, "businesses.list", {})).rejects.toThrow(words);
  await expect(world.receiver("buyer" as Side)).rejects.toThrow(words);
  await expect(world.call("supplier", "businesses.list", {})).resolves.toEqual({});
});
