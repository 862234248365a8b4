// @vitest-environment jsdom
import { expect, it, vi } from "vitest";
import { FeedHub } from "./feed-hub.ts";

it("the shared worker connects every window to one hub", async () => {
  const connect = vi.spyOn(FeedHub.prototype, "connect").mockReturnValue(undefined);
  await import("./feed-worker.ts");
  const ports = ["one", "two", "three"];
  for (const some of [ports.slice(0, 2), ports.slice(2)])
    window.dispatchEvent(Object.assign(new Event("connect"), { ports: some }));
  expect(connect.mock.calls.flat()).toEqual(ports);
  expect(new Set(connect.mock.contexts).size).toBe(1);
});
