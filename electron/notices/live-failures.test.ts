import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followFailures } from "./live-failures.ts";

/** Open feeds by existing world. */
let feeds: Map<string, ServerResponse[]>;
let asked: string[];
let baseUrl = "";
const server = createServer(({ url = "" }, response) => {
  const world = new URL(url, "http://service").searchParams.get("world") ?? "";
  asked.push(world);
  const open = feeds.get(world);
  if (open === undefined) {
    response.writeHead(404).end('{"error_code":"no_such_world"}');
    return;
  }
  open.push(response.writeHead(200, { "content-type": "text/event-stream" }));
  response.write(`event: ready\ndata: {"last_id":0}\n\n`);
});

const timesAsked = (world: string) => asked.filter((one) => one === world).length;
const deleteWorld = (world: string) => {
  const open = feeds.get(world) ?? [];
  feeds.delete(world);
  for (const response of open) response.end();
};
const failed: string[] = [];
const follow = (...worlds: string[]) => reader.follow(new Set(worlds));
let reader: ReturnType<typeof followFailures>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  asked = [];
  feeds = new Map([
    ["default", []],
    ["qa", []],
  ]);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  reader = followFailures(baseUrl, "token", ({ world, delivery }) => failed.push(`${world} ${delivery.id}`));
});
afterEach(async () => {
  follow();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  vi.useRealTimers();
});

test("a deleted world isn't read until a window shows it again, and others continue", async () => {
  follow("qa", "default");
  await vi.waitFor(() => expect([...feeds.values()].map((open) => open.length)).toEqual([1, 1]));

  deleteWorld("qa");
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(2_000);
    expect(timesAsked("qa")).toBe(2);
  });
  for (let seconds = 0; seconds < 30; seconds += 2) {
    await vi.advanceTimersByTimeAsync(2_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(timesAsked("qa")).toBe(2);

  feeds.set("qa", []);
  follow("qa", "default");
  await vi.waitFor(() => expect(feeds.get("qa")).toHaveLength(1));
  expect(timesAsked("default")).toBe(1);
  const failure = { id: "d1", status: "failed" };
  feeds
    .get("qa")?.[0]
    ?.write(`id: 1\nevent: delivery\ndata: ${JSON.stringify({ kind: "delivery", data: failure })}\n\n`);
  await vi.waitFor(() => expect(failed).toEqual(["qa d1"]));
});
