import { describe, expect, test } from "vitest";
import { readFailures } from "./failures-in-feed.ts";

const ready = (last_id: number) =>
  `event: ready\ndata: ${JSON.stringify({ world: "default", version: "1", last_id })}\n\n`;
const reset = 'event: reset\ndata: {"reason":"x"}\n\n';
const entry = (id: number, kind: string, data: object) =>
  `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify({ id, kind, at: "", trace_id: null, data })}\n\n`;
const delivery = (id: number, status: string) => entry(id, "delivery", { id: `d${id}`, status });

function reader() {
  const failed: string[] = [];
  const feed = readFailures(({ id }) => failed.push(id));
  return { feed, failed };
}

describe("the failures in a live feed", () => {
  test("include only failures after the connection", () => {
    const { feed, failed } = reader();
    feed.read(ready(7) + delivery(6, "failed") + delivery(7, "failed"));
    feed.read(`: heartbeat\n\n${delivery(8, "failed")}${delivery(9, "pending")}${delivery(10, "delivered")}`);
    expect(failed).toEqual(["d8"]);
    expect(feed.lastId).toBe(10);
  });

  test("are read from chunks cut anywhere", () => {
    const { feed, failed } = reader();
    for (const character of ready(0) + delivery(1, "failed") + delivery(2, "failed")) feed.read(character);
    expect(failed).toEqual(["d1", "d2"]);
  });

  test("exclude other entries, even with the word “failed”", () => {
    const { feed, failed } = reader();
    feed.read(
      ready(0) +
        entry(1, "request", { status: "failed" }) +
        entry(2, "delivery", { status: "pending", label: '"status":"failed"' }),
    );
    expect(failed).toEqual([]);
  });

  test("continue after a broken connection without repeats", () => {
    const { feed, failed } = reader();
    feed.read(ready(3) + delivery(4, "failed").slice(0, 20));
    expect(feed.lastId).toBe(3);
    feed.connected();
    feed.read(ready(5) + delivery(4, "failed") + delivery(5, "failed") + delivery(5, "failed"));
    expect(failed).toEqual(["d4", "d5"]);
  });

  test("restart after a long gap without the missed failures", () => {
    const { feed, failed } = reader();
    feed.read(ready(3));
    feed.connected();
    feed.read(ready(9000) + reset + delivery(8999, "failed") + delivery(9000, "failed") + delivery(9001, "failed"));
    expect(failed).toEqual(["d9001"]);
  });

  test("count from one after the world is reset", () => {
    const { feed, failed } = reader();
    feed.read(ready(500) + delivery(501, "delivered") + reset + delivery(1, "failed"));
    expect(failed).toEqual(["d1"]);
  });
});
