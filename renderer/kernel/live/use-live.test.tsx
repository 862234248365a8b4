// @vitest-environment jsdom
import { renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { LiveEntry } from "../../../sandbox/contract/live.ts";
import { isLost, LOST_AFTER_MS } from "./connection-store.ts";
import { dispatchLive, useLive } from "./use-live.ts";

it("delivers entries of its kind, a frame at a time, until it unsubscribes", () => {
  const entries = ["request", "event", "request"].map((kind, id) => ({ id, kind })) as unknown as readonly LiveEntry[];
  const handle = vi.fn();
  const { unmount } = renderHook(() => useLive("request", handle));
  dispatchLive(entries);
  dispatchLive(entries.slice(1, 2));
  expect(handle.mock.calls).toEqual([[[entries[0], entries[2]]]]);
  unmount();
  dispatchLive(entries);
  expect(handle).toHaveBeenCalledOnce();
});

it("counts a service as lost after half a minute of silence, unless it gave a reason", () => {
  const since = 1_000;
  const waiting = (why: string | null) => ({ state: "reconnecting", since, retryAt: since, why }) as const;
  expect(isLost(waiting(null), since + LOST_AFTER_MS)).toBe(false);
  expect(isLost(waiting(null), since + LOST_AFTER_MS + 1)).toBe(true);
  expect(isLost(waiting("too many feeds"), since + LOST_AFTER_MS + 1)).toBe(false);
  expect(isLost({ state: "connecting" }, since + LOST_AFTER_MS + 1)).toBe(false);
});
